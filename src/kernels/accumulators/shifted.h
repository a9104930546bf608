/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i + u p,:) = sum over k of A(i + u p,k) * B(k + u s,:), u = 0, 1, ...: rows of C
   that repeat, by their program. Where each product goes was written down:
   nothing is looked up any more.

   Four rows are computed side by side: the sums of one column are a vector, and
   so are the products that are added to it, whose place is read once for all. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_H
#define SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_H

#include "kernels/accumulators/shifted_program.h"
#include "kernels/row/unit.h"
#include "kernels/simd/four.h"

/* Rows of one program: the first one's row of A and values of C, and how far the
   next one's are. */
typedef struct shifted_rows_of {
    const VAL *Ax;
    VAL *Cx;
    int64_t a_step;
    int64_t c_step;
} shifted_rows_of;

/* The source and the rows that come n rows later. */
static ALWAYS_INLINE void shifted_advance(spgemm_semiring sr,
                                          const shifted_program *p,
                                          shifted_source *sources,
                                          shifted_rows_of *rows, int n)
{
    for (int64_t t = 0; reads_b(sr) && t < p->length; t++)
        sources[t].at += n * sources[t].stride;
    rows->Ax = reads_a(sr) ? rows->Ax + n * rows->a_step : NULL;
    rows->Cx += n * rows->c_step;
}

/* Values of the next row of a program. */
static ALWAYS_INLINE void shifted_one(spgemm_semiring sr,
                                      const shifted_program *p,
                                      const shifted_source *sources,
                                      const shifted_rows_of *rows)
{
    const uint8_t *place = p->places;
    VAL *restrict Cx = rows->Cx;
    for (int64_t c = 0; c < p->nnz; c++)
        Cx[c] = zero_of(sr);
    for (int64_t t = 0; t < p->length; t++) {
        const VAL a = value_a(sr, rows->Ax, t);
        const VAL *Bx = (const VAL *)sources[t].at;
        for (int64_t q = 0; q < sources[t].length; q++, place++)
            Cx[*place] = semiring_add(sr, Cx[*place], product(sr, a, Bx, q));
    }
}

static ALWAYS_INLINE four value_of_four(bool is_read, const VAL *x,
                                        int64_t step, int64_t p)
{
    return is_read
               ? four_of(x[p], x[step + p], x[2 * step + p], x[3 * step + p])
               : four_of(0, 0, 0, 0);
}

/* Adds the products of one entry of A's row, in each of four rows. */
static ALWAYS_INLINE void shifted_entry_add(spgemm_semiring sr, four a,
                                            const shifted_source *from,
                                            const uint8_t *place,
                                            four *restrict sums)
{
    const VAL *Bx = (const VAL *)from->at;
    const int64_t step = from->stride / (int64_t)sizeof(VAL);
    int64_t q = 0;
#if defined(FOUR_TRANSPOSES)
    for (; reads_b(sr) && q + 4 <= from->length; q += 4) {
        four b[4];
        for (int u = 0; u < 4; u++)
            b[u] = four_load(Bx + u * step + q);
        four_transpose(b);
        for (int u = 0; u < 4; u++)
            sums[place[q + u]] = four_add(sr, sums[place[q + u]], a, b[u]);
    }
#endif
    for (; q < from->length; q++)
        sums[place[q]] = four_add(sr, sums[place[q]], a,
                                  value_of_four(reads_b(sr), Bx, step, q));
}

/* Values of the next four rows. */
static ALWAYS_INLINE void shifted_four(spgemm_semiring sr,
                                       const shifted_program *p,
                                       const shifted_source *sources,
                                       const shifted_rows_of *rows)
{
    four sums[SHIFTED_NNZ];
    const uint8_t *place = p->places;
    const VAL zero = zero_of(sr);
    for (int64_t c = 0; c < p->nnz; c++)
        sums[c] = four_of(zero, zero, zero, zero);
    for (int64_t t = 0; t < p->length; t++) {
        const four a = value_of_four(reads_a(sr), rows->Ax, rows->a_step, t);
        shifted_entry_add(sr, a, &sources[t], place, sums);
        place += sources[t].length;
    }
    VAL *restrict Cx = rows->Cx;
    const int64_t step = rows->c_step;
    for (int64_t c = 0; c < p->nnz; c++)
        for (int u = 0; u < 4; u++)
            Cx[u * step + c] = four_get(&sums[c], u);
}

/* Values of `times` rows of a program. */
static ALWAYS_INLINE void shifted_run_with(spgemm_semiring sr,
                                           const shifted_program *p,
                                           shifted_source *sources,
                                           shifted_rows_of rows, int64_t times)
{
    for (; times >= 4; times -= 4) {
        shifted_four(sr, p, sources, &rows);
        shifted_advance(sr, p, sources, &rows, 4);
    }
    for (; times > 0; times--) {
        shifted_one(sr, p, sources, &rows);
        shifted_advance(sr, p, sources, &rows, 1);
    }
}

static NOINLINE void shifted_run(spgemm_semiring which,
                                 const shifted_program *p,
                                 shifted_source *sources, shifted_rows_of rows,
                                 int64_t times)
{
    WITH_SEMIRING(which, sr, shifted_run_with(sr, p, sources, rows, times));
}

#endif
