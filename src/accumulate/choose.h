/* SPDX-License-Identifier: BSD-3-Clause */
/* Which accumulator takes a row of C: one table, from what the row is known by
   before it is multiplied. It looks at no prediction and no thread count, so
   that the order of unsorted rows does not depend on them. */
#ifndef SPGEMM_ACCUMULATE_CHOOSE_H
#define SPGEMM_ACCUMULATE_CHOOSE_H

#include "accumulate/scratch.h"

#define TINY_PRODUCTS 16

/* Rows wider than a window go through it slice by slice from this many
   products a slice on, and are hashed below. */
#define SLICE_PRODUCTS 2048

static inline spgemm_accumulator choose_accumulator(int64_t products,
                                                    int64_t columns,
                                                    bool b_is_sorted,
                                                    bool b_has_octets)
{
    if (products <= TINY_PRODUCTS && columns < (int64_t)1 << 55)
        return SPGEMM_ACCUMULATOR_TINY;
    if (b_has_octets && columns <= BLOCK_COLUMNS)
        return SPGEMM_ACCUMULATOR_BLOCK;
    if (columns <= WINDOW_COLUMNS)
        return SPGEMM_ACCUMULATOR_SCATTER;
    const int64_t slices = columns / WINDOW_COLUMNS + 1;
    return b_is_sorted && products / slices >= SLICE_PRODUCTS
               ? SPGEMM_ACCUMULATOR_SCATTER
               : SPGEMM_ACCUMULATOR_HASH;
}

#endif
