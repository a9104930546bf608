/* SPDX-License-Identifier: BSD-3-Clause */
/* Which accumulator takes a row of C: one table, from what the row is known by
   before it is multiplied. It looks at no prediction and no thread count, so
   that the order of unsorted rows does not depend on them. */
#ifndef SPGEMM_ACCUMULATE_CHOOSE_H
#define SPGEMM_ACCUMULATE_CHOOSE_H

#include "accumulate/scratch.h"

#define TINY_PRODUCTS 16

/* A dense window pays where B has runs and the row fills a good part of its
   columns: from one product for this many columns on. Without runs, a bit for
   each column beats a byte until rows are nearly full. Measured, one thread of
   an AMD Zen 4, ms for A*A with the dense window on either side of its limit:
   cant-like (runs) 298 dense, 402 scatter; bcsstk29 (runs) 38, 43;
   ca-AstroPh (none) 105, 80; wiki-Vote (none) 17, 14. */
#define RUN_COLUMNS_A_PRODUCT  4
#define FULL_PRODUCTS_A_COLUMN 8

/* Rows wider than a window go through it slice by slice from this many
   products a slice on, and are hashed below. */
#define SLICE_PRODUCTS 2048

static inline bool is_dense(int64_t products, int64_t columns, bool b_has_runs)
{
    return b_has_runs ? columns / RUN_COLUMNS_A_PRODUCT <= products
                      : columns <= products / FULL_PRODUCTS_A_COLUMN;
}

static inline spgemm_accumulator choose_accumulator(int64_t products,
                                                    int64_t columns,
                                                    bool b_is_sorted,
                                                    bool b_has_runs)
{
    if (products <= TINY_PRODUCTS && columns < (int64_t)1 << 55)
        return SPGEMM_ACCUMULATOR_TINY;
    if (columns <= WINDOW_COLUMNS)
        return is_dense(products, columns, b_has_runs)
                   ? SPGEMM_ACCUMULATOR_DENSE
                   : SPGEMM_ACCUMULATOR_SCATTER;
    const int64_t slices = columns / WINDOW_COLUMNS + 1;
    return b_is_sorted && products / slices >= SLICE_PRODUCTS
               ? SPGEMM_ACCUMULATOR_SCATTER
               : SPGEMM_ACCUMULATOR_HASH;
}

#endif
