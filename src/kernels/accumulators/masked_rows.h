/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows i, i + 1, ... of C at the columns of a mask's rows, where these and A's are
   short: their sums lie side by side, one for each entry of the mask, and what each row
   would begin and end with is done once for all of them. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_MASKED_ROWS_H
#define SPGEMM_KERNELS_ACCUMULATORS_MASKED_ROWS_H

#include "kernels/accumulators/dots.h"

/* Entries of the mask that are taken together, and products of a row of them. Measured,
   one thread of a Zen 3, C<A> = A*A, row by row and so, ms, AVX2: t60k 4.3, 2.9; mc2depi
   66, 40; fe_sphere 2.6, 1.6; delaunay_n15 7.4, 5.5; PGPgiantcompo 4.2, 3.3. */
#define MASKED_TOGETHER MASK_STRIP

/* Whether row i is one of those: of few columns to compare with. */
static inline bool masked_rows_take(const operands *ops, int64_t i)
{
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *Mp = ops->mask->rowptr;
    return ops->by_columns ? Ap[i + 1] - Ap[i] <= EIGHT_KEYS &&
                                 Mp[i + 1] - Mp[i] <= MASKED_TOGETHER
                           : Mp[i + 1] - Mp[i] <= EIGHT_KEYS &&
                                 ops->products[i] <= MASKED_TOGETHER;
}

/* Entries of rows of B, on average, from which on they are looked up by vectors. */
#define MASKED_BY_VECTORS 6

static inline bool are_for_vectors(int64_t entries, int64_t rows)
{
#if defined(LEAVES_AVX512)
    return entries >= MASKED_BY_VECTORS * rows;
#else
    (void)entries, (void)rows;
    return false;
#endif
}

/* Rows that are taken together. */
typedef struct masked_together {
    mask_row m; /* all their entries of the mask */
    int64_t first_of_mask;
    int64_t first_of_a;
    mask_hits hits;
} masked_together;

/* Products of row i, by rows of B. */
static ALWAYS_INLINE void together_by_rows(const operands *ops, int64_t i,
                                           masked_together *x, places_way way,
                                           hit_kind kind)
{
    const int64_t *Ap = ops->A->rowptr;
    const IDX *Aj = ops->A->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const IDX *Bj = ops->B->colidx;
    const int64_t *Mp = ops->mask->rowptr;
    const IDX of_mask = (IDX)(Mp[i] - x->first_of_mask);
    column_places places;
    open_few(&places, way, x->m.Mj + of_mask, Mp[i + 1] - Mp[i]);
    prefetch_row(ops, i, true);
    mask_make_room(&x->m, &x->hits);
    int64_t n = x->hits.count;
    for (int64_t p = Ap[i]; p < Ap[i + 1]; p++)
        n = look_up(&places, way, IN_MASK, Bj, Bp[Aj[p]], Bp[Aj[p] + 1],
                    of_mask, (IDX)(p - x->first_of_a), kind, &x->hits, n);
    x->hits.count = n;
}

/* Products of row i, by dot products. */
static ALWAYS_INLINE void together_by_dots(const operands *ops, int64_t i,
                                           masked_together *x, places_way way,
                                           hit_kind kind)
{
    const spgemm_csr *by_columns = ops->by_columns;
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *Bp = by_columns->rowptr;
    const IDX *Bj = by_columns->colidx;
    const IDX *Mj = ops->mask->colidx;
    const int64_t *Mp = ops->mask->rowptr;
    const bool is_near = b_is_near(by_columns);
    const IDX *Aj = (const IDX *)ops->A->colidx + Ap[i];
    const int64_t length = Ap[i + 1] - Ap[i];
    column_places places;
    open_few(&places, way, Aj, length);
    for (int64_t t = Mp[i]; t < Mp[i + 1]; t++) {
        const IDX of_mask = (IDX)(t - x->first_of_mask);
        const int64_t end = Bp[Mj[t] + 1];
        int64_t q = Bp[Mj[t]];
        if (!is_near)
            dots_prefetch(by_columns, Mj + t, Mj + ops->mask->nnz - 1);
        if (q == end || dots_are_apart(Aj, length, Bj, q, end))
            continue;
        mask_make_room(&x->m, &x->hits);
        if (UNLIKELY(end - q > MASK_STRIP))
            search_each(&x->m, IN_A, Aj, length, Bj, q, end,
                        (IDX)(Ap[i] - x->first_of_a), of_mask, &x->hits);
        else
            x->hits.count = look_up(&places, way, IN_A, Bj, q, end,
                                    (IDX)(Ap[i] - x->first_of_a), of_mask, kind,
                                    &x->hits, x->hits.count);
    }
}

static ALWAYS_INLINE void together_by(const operands *ops, int64_t i,
                                      masked_together *x, places_way way,
                                      hit_kind kind)
{
    if (ops->by_columns)
        together_by_dots(ops, i, x, way, kind);
    else
        together_by_rows(ops, i, x, way, kind);
}

/* By vectors; a function of its own, out of the way of shorter rows. */
static NOINLINE void together_by_vectors(const operands *ops, int64_t i,
                                         masked_together *x)
{
    if (x->hits.kind == HIT_FACTORS)
        together_by(ops, i, x, PLACES_OF_SIXTEEN, HIT_FACTORS);
    else
        together_by(ops, i, x, PLACES_OF_SIXTEEN, HIT_COUNTED);
}

static ALWAYS_INLINE void together_look_up(const operands *ops, int64_t i,
                                           masked_together *x, hit_kind kind)
{
    const spgemm_csr *by_columns = ops->by_columns;
    const int64_t *Ap = ops->A->rowptr;
    if (by_columns ? are_for_vectors(by_columns->nnz, by_columns->nrows)
                   : are_for_vectors(ops->products[i], Ap[i + 1] - Ap[i]))
        together_by_vectors(ops, i, x);
    else
        together_by(ops, i, x, PLACES_OF_EIGHT, kind);
}

/* Rows from i on, before `end`, that are taken together; row i is. Where the mask has
   nothing they may be many: a column's type counts their entries of A. */
static inline int64_t rows_masked_together(const operands *ops, int64_t i,
                                           int64_t end)
{
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *Mp = ops->mask->rowptr;
    int64_t rows = 1;
    while (i + rows < end && Mp[i + rows + 1] - Mp[i] <= MASKED_TOGETHER &&
           Ap[i + rows + 1] - Ap[i] <= INT32_MAX &&
           masked_rows_take(ops, i + rows))
        rows++;
    return rows;
}

/* Row i, and rows behind it, before `end`; the nnz of each is written. Returns how many
   they are; -1: no memory. */
static NOINLINE int64_t masked_rows(const operands *ops, int64_t i, int64_t end,
                                    scratch *s, output *out, int64_t *nnz)
{
    VAL sums[MASKED_TOGETHER];
    IDX is_met[MASKED_TOGETHER];
    masked_together x;
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *Mp = ops->mask->rowptr;
    const bool reads = reads_factors(semiring_of(ops));
    const int64_t rows = rows_masked_together(ops, i, end);
    x.first_of_mask = Mp[i];
    x.first_of_a = Ap[i];
    x.m = (mask_row){.Mj = (const IDX *)ops->mask->colidx + Mp[i],
                     .count = Mp[i + rows] - Mp[i],
                     .sums = sums,
                     .is_met = is_met};
    mask_clear(ops, &x.m);
    mask_hits_begin(&x.hits, ops, ops->by_columns ? ops->by_columns : ops->B,
                    Ap[i], reads ? HIT_FACTORS : HIT_COUNTED);
    for (int64_t t = i; t < i + rows; t++) {
        if (Mp[t] == Mp[t + 1] || ops->products[t] == 0)
            continue;
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_MASKED]++;
        if (reads)
            together_look_up(ops, t, &x, HIT_FACTORS);
        else
            together_look_up(ops, t, &x, HIT_COUNTED);
    }
    mask_add_hits(&x.m, &x.hits);
    for (int64_t t = 0; t < rows; t++)
        nnz[t] =
            mask_nnz(is_met + (Mp[i + t] - Mp[i]), Mp[i + t + 1] - Mp[i + t]);
    return mask_end(&x.m, true, out) < 0 ? -1 : rows;
}

#endif
