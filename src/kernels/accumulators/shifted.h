/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that repeat the rows of the period before, by their programs: a tile
   is a load, spread to its lanes, a multiplication and an addition in a
   register. Nothing is looked up any more. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_H
#define SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_H

#include "kernels/accumulators/shifted_program.h"
#include "kernels/row/unit.h"

/* Rows of a program that are computed side by side: what a tile says is read once
   for all of them, and their sums do not wait for each other. */
#define SHIFTED_ABREAST 4

/* Rows of one program: the first one's row of A and values of C, and how far the
   next one's are. */
typedef struct shifted_rows_of {
    const VAL *Ax;
    VAL *Cx;
    int64_t a_step;
    int64_t c_step;
} shifted_rows_of;

/* Adds the products of a tile to the sums of the next n rows, eight columns each. */
static ALWAYS_INLINE void shifted_tile_add(spgemm_semiring sr,
                                           const shifted_tile *tile,
                                           const shifted_source *from,
                                           const shifted_rows_of *rows, int n,
                                           lanes *sums)
{
    /* Loaded and permuted: an expanding load does the same, and takes longer.
       Measured, one thread of a Zen 4, ms with it and so: multigrid-AP 210,
       179; 5-point 1000^2 51, 47. */
    const uint64_t places = reads_b(sr) ? lanes_ranks(tile->lanes) : 0;
    const VAL *Ax = rows->Ax;
    for (int u = 0; u < n; u++) {
        lanes b = lanes_set(0);
        if (reads_b(sr)) {
            const VAL *Bx = (const VAL *)(from->at + u * from->stride);
            b = lanes_permute(places,
                              lanes_load_some(tile->front, Bx + tile->first));
        }
        const factor a = factor_set(value_a(sr, Ax, tile->entry));
        sums[u] = semiring_add_lanes(sr, sums[u],
                                     product_lanes(sr, a, b, tile->lanes));
        Ax = reads_a(sr) ? Ax + rows->a_step : NULL;
    }
}

/* Values of the next n rows of a program; sources and rows are then those behind
   them. */
static ALWAYS_INLINE void shifted_values(spgemm_semiring sr,
                                         const shifted_program *p,
                                         shifted_source *sources,
                                         shifted_rows_of *rows, int n)
{
    int32_t e = 0;
    for (int32_t o = 0; o < p->eights; o++) {
        lanes sums[SHIFTED_ABREAST];
        for (int u = 0; u < n; u++)
            sums[u] = lanes_set(zero_of(sr));
        for (; e < p->begin[o + 1]; e++)
            shifted_tile_add(sr, &p->tiles[e], &sources[p->tiles[e].entry],
                             rows, n, sums);
        const int64_t left = p->nnz - 8 * o;
        const unsigned some = left >= 8 ? 0xff : (1u << left) - 1;
        for (int u = 0; u < n; u++)
            lanes_store_some(rows->Cx + u * rows->c_step + 8 * o, some,
                             sums[u]);
    }
    for (int64_t t = 0; reads_b(sr) && t < p->length; t++)
        sources[t].at += n * sources[t].stride;
    rows->Ax = reads_a(sr) ? rows->Ax + n * rows->a_step : NULL;
    rows->Cx += n * rows->c_step;
}

/* Values of `times` rows of a program. */
static ALWAYS_INLINE void shifted_run_with(spgemm_semiring sr,
                                           const shifted_program *p,
                                           shifted_source *sources,
                                           shifted_rows_of rows, int64_t times)
{
    for (; times >= SHIFTED_ABREAST; times -= SHIFTED_ABREAST)
        shifted_values(sr, p, sources, &rows, SHIFTED_ABREAST);
    for (; times > 0; times--)
        shifted_values(sr, p, sources, &rows, 1);
}

static NOINLINE void shifted_run(spgemm_semiring which,
                                 const shifted_program *p,
                                 shifted_source *sources, shifted_rows_of rows,
                                 int64_t times)
{
    WITH_SEMIRING(which, sr, shifted_run_with(sr, p, sources, rows, times));
}

#endif
