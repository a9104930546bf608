/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = sum over k of A(i,k) B(k,j) for all j, where every entry of B is there: its
   values are a matrix in order of rows, of which no column is read. Some columns of a
   row of C at a time have their sums in registers. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_FULL_H
#define SPGEMM_KERNELS_ACCUMULATORS_FULL_H

#include "kernels/row/room.h"
#include "kernels/row/row_extent.h"
#include "kernels/simd/four.h"

/* Rows of B are asked for this many entries of A ahead. */
#define AHEAD_FULL 16

/* Sums of neighbouring columns, and the terms that are added to them. */
#if defined(LANES)
enum { FULL_WIDTH = 8 };
typedef lanes full_sums;
typedef factor full_factor;

static ALWAYS_INLINE full_sums full_zeros(spgemm_semiring sr)
{
    return lanes_set(zero_of(sr));
}

static inline full_factor full_factor_of(VAL a)
{
    return factor_set(a);
}

/* Of the first `columns` columns. */
static ALWAYS_INLINE full_sums full_add(spgemm_semiring sr, full_sums sums,
                                        full_factor a, const VAL *Bx,
                                        int64_t columns)
{
    const unsigned taken = 0xffu >> (FULL_WIDTH - columns);
    const lanes b = !reads_b(sr)            ? lanes_set(0)
                    : columns == FULL_WIDTH ? lanes_load(Bx)
                                            : lanes_expand(taken, Bx);
    return semiring_add_lanes(sr, sums, product_lanes(sr, a, b, taken));
}

static inline void full_store(VAL *Cx, full_sums sums, int64_t columns)
{
    if (columns == FULL_WIDTH)
        lanes_store(Cx, sums);
    else
        lanes_store_some(Cx, 0xffu >> (FULL_WIDTH - columns), sums);
}
#else
enum { FULL_WIDTH = 4 };
typedef four full_sums;
typedef four full_factor;

static inline full_factor full_factor_of(VAL a)
{
    return four_of(a, a, a, a);
}

static ALWAYS_INLINE full_sums full_zeros(spgemm_semiring sr)
{
    return full_factor_of(zero_of(sr));
}

static inline four full_load(const VAL *Bx, int64_t columns)
{
    if (columns == FULL_WIDTH)
        return four_load(Bx);
    return four_of(Bx[0], columns > 1 ? Bx[1] : (VAL)0,
                   columns > 2 ? Bx[2] : (VAL)0, 0);
}

static ALWAYS_INLINE full_sums full_add(spgemm_semiring sr, full_sums sums,
                                        full_factor a, const VAL *Bx,
                                        int64_t columns)
{
    return four_add(sr, sums, a,
                    reads_b(sr) ? full_load(Bx, columns) : four_of(0, 0, 0, 0));
}

static inline void full_store(VAL *Cx, full_sums sums, int64_t columns)
{
    if (columns == FULL_WIDTH) {
        four_store(Cx, sums);
        return;
    }
    for (int u = 0; u < columns; u++)
        Cx[u] = four_get(&sums, u);
}
#endif

/* Registers of sums that a row of B is added to at once, at most. */
enum { FULL_SUMS = 4 };

/* Columns [x, x + columns) of row i, in `count` registers, the last of which is full
   where there are more. */
static ALWAYS_INLINE void full_columns(spgemm_semiring sr, const operands *ops,
                                       int64_t i, int64_t x, int count,
                                       int64_t columns, bool prefetches,
                                       VAL *Cx)
{
    const int64_t ncols = ops->B->ncols;
    const IDX *Aj = ops->A->colidx;
    const VAL *Ax = ops->A->values;
    const VAL *Bx = reads_b(sr) ? (const VAL *)ops->B->values + x : NULL;
    const int64_t last = ops->A->nnz - 1;
    const int64_t end = ops->A->rowptr[i + 1];
    const int64_t tail = columns - (count - 1) * FULL_WIDTH;
    full_sums sums[FULL_SUMS];
    for (int w = 0; w < count; w++)
        sums[w] = full_zeros(sr);
    for (int64_t p = ops->A->rowptr[i]; p < end; p++) {
        const full_factor a = full_factor_of(value_a(sr, Ax, p));
        const VAL *row = reads_b(sr) ? Bx + Aj[p] * ncols : NULL;
        if (reads_b(sr) && prefetches) {
            const VAL *later = Bx + Aj[min_i64(p + AHEAD_FULL, last)] * ncols;
            for (int64_t c = 0; c < columns; c += 64 / (int64_t)sizeof(VAL))
                PREFETCH(later + c);
            PREFETCH(later + columns - 1);
        }
        for (int w = 0; w < count; w++)
            sums[w] = full_add(sr, sums[w], a,
                               reads_b(sr) ? row + w * FULL_WIDTH : NULL,
                               w + 1 < count ? FULL_WIDTH : tail);
    }
    for (int w = 0; w < count; w++)
        full_store(Cx + x + w * FULL_WIDTH, sums[w],
                   w + 1 < count ? FULL_WIDTH : tail);
}

/* All columns of row i: of sums that are in fewer registers each addition waits for the
   one before. Where there are many semirings, their code is not worth it. */
static ALWAYS_INLINE void full_values(spgemm_semiring sr, const operands *ops,
                                      int64_t i, VAL *Cx)
{
    const int64_t ncols = ops->B->ncols;
    const bool prefetches = !b_is_near(ops->B);
    int64_t x = 0;
#if defined(SEMIRING)
    for (; ncols - x >= 4 * FULL_WIDTH; x += 4 * FULL_WIDTH)
        full_columns(sr, ops, i, x, 4, 4 * FULL_WIDTH, prefetches, Cx);
    for (; ncols - x >= 2 * FULL_WIDTH; x += 2 * FULL_WIDTH)
        full_columns(sr, ops, i, x, 2, 2 * FULL_WIDTH, prefetches, Cx);
#endif
    for (; ncols - x >= FULL_WIDTH; x += FULL_WIDTH)
        full_columns(sr, ops, i, x, 1, FULL_WIDTH, prefetches, Cx);
    if (x < ncols)
        full_columns(sr, ops, i, x, 1, ncols - x, prefetches, Cx);
}

/* All entries of rows [begin, end), of which those without products have none. */
static ALWAYS_INLINE void full_entries(spgemm_semiring sr, const operands *ops,
                                       int64_t begin, int64_t end, IDX *Cj,
                                       VAL *Cx)
{
    const int64_t ncols = ops->B->ncols;
    int64_t n = 0;
    for (int64_t i = begin; i < end; i++) {
        if (ops->products[i] == 0)
            continue;
        for (int64_t j = 0; j < ncols; j++)
            Cj[n + j] = (IDX)j;
        if (HAS_VALUES)
            full_values(sr, ops, i, values_at(Cx, n));
        n += ncols;
    }
}

/* Row i, which has products, and those behind it, up to `end`, that fit where it does:
   their nnz is written. Returns how many they are; -1: no memory. */
static NOINLINE int64_t full_rows(const operands *ops, int64_t i, int64_t end,
                                  scratch *s, output *out, int64_t *nnz)
{
    const int64_t ncols = ops->B->ncols;
    int64_t rows = 0;
    int64_t taken = 0;
    IDX *Cj;
    VAL *Cx;
    if (!make_room(out, ncols, true, &Cj, &Cx))
        return -1;
    for (; i + rows < end; rows++) {
        const bool is_there = ops->products[i + rows] > 0;
        if (is_there && !output_has_room(out, (taken + 1) * ncols))
            break;
        nnz[rows] = is_there ? ncols : 0;
        taken += is_there;
    }
    WITH_SEMIRING(semiring_of(ops), sr,
                  full_entries(sr, ops, i, i + rows, Cj, Cx));
    output_take(out, taken * ncols);
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE] += taken;
    return rows;
}

#endif
