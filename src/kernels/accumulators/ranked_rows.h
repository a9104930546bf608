/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) of 65 to 128 scattered products that seldom meet, which must be sorted: each
   product is added at the rank of its column, one row at a time. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_RANKED_ROWS_H
#define SPGEMM_KERNELS_ACCUMULATORS_RANKED_ROWS_H

#include "kernels/accumulators/esc_products.h"
#include "kernels/accumulators/ranked.h"

/* Rows are ranked where their window leaves the nearest cache and few of them meet: at
   most 5 products for 4 entries. Measured, one thread of a Zen 5, time in windows over
   time by ranks, AVX2 and AVX-512: Erdos-Renyi 2^17 x 8 1.21, 1.35; a copying model of
   60,000 pages with 9 links each 1.26, 1.17; patents_main-like 1.04, 1.03; but at any
   compression basker-matrix1 (59,070 columns, most of them near) 0.95 in AVX2 and 9
   points in random order 1.29, 0.83. Not portably: four lanes. */
#if RANK_LANES > 4
#define RANKED_ROWS
#endif
#define RANKED_COLUMNS ((int64_t)1 << 14)
#define RANKED_ROOM    (RANK_MOST + SHORT_PRODUCTS)

/* Whether a row is, that `chosen` would take. */
static inline bool is_ranked_row(const operands *ops, const c_row *r,
                                 spgemm_accumulator chosen)
{
#if defined(RANKED_ROWS)
    return (chosen == SPGEMM_ACCUMULATOR_DENSE ||
            chosen == SPGEMM_ACCUMULATOR_HASH) &&
           !r->is_clipped && r->products > SHORT_PRODUCTS &&
           r->products <= RANK_MOST && r->length > 1 && sorts_row(r, ops) &&
           ops->B->ncols < SHORT_COLUMNS && row_width(r) > RANKED_COLUMNS &&
           4 * r->products <= 5 * r->predicted;
#else
    (void)ops;
    (void)r;
    (void)chosen;
    return false;
#endif
}

/* Row i, that is ranked. -1: no memory. */
static NOINLINE int64_t ranked_row(const operands *ops, int64_t i, output *out)
{
#if defined(RANKED_ROWS)
    int32_t columns[RANKED_ROOM];
    VAL terms[RANKED_ROOM];
    int32_t ranks[RANK_MOST + RANK_LANES];
    const int64_t *Ap = ops->A->rowptr;
    if (!output_reserve(out, ops->products[i]))
        return -1;
    esc_products(ops, Ap[i], Ap[i + 1], true, columns, terms);
    rank_keys(columns, ops->products[i], (int32_t)ops->B->ncols - 1, ranks);
    const ranked row = {columns, ops->products[i], ranks};
    const int64_t n =
        ranked_write(semiring_of(ops), &row, HAS_VALUES ? terms : NULL,
                     out->limit - out->used, (IDX *)out->colidx + out->used,
                     HAS_VALUES ? (VAL *)out->values + out->used : NULL);
    output_take(out, n);
    return n;
#else
    (void)ops;
    (void)i;
    (void)out;
    return 0;
#endif
}

#endif
