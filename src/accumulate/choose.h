/* SPDX-License-Identifier: BSD-3-Clause */
/* Which accumulator takes a row of C: one table, from what the row is known by
   before it is multiplied. It looks at no prediction and no thread count, so
   that the order of unsorted rows does not depend on them. */
#ifndef SPGEMM_ACCUMULATE_CHOOSE_H
#define SPGEMM_ACCUMULATE_CHOOSE_H

#include "accumulate/scratch.h"

#define TINY_PRODUCTS 16

/* Rows this short, of matrices this narrow, are sorted in registers where the
   processor can: so they are sorted everywhere, wanted or not, and C is the
   same on any CPU. */
#define SHORT_PRODUCTS 64
#define SHORT_COLUMNS  ((int64_t)1 << 26)

static inline bool is_short(int64_t products, int64_t ncols)
{
    return products <= SHORT_PRODUCTS && ncols < SHORT_COLUMNS;
}

/* Rows wider than a window go through it slice by slice if there are this many
   products a slice, and this many for each row of B, which every slice looks
   at. Otherwise they have a window of their own, up to a width, and are hashed
   if their products are too few to list what was touched of it. Measured, one
   thread of a Zen 4: a row of 185,000 entries that meets rows of four takes 110
   ms in slices, 17 in a window of its own; random rows of 80 products among
   500,000 columns 1.02 to 1.16 times as long hashed as in a window, 400 among
   a million 1.2 to 1.3, 144 among a million 0.96; webbase-1M-like, where 26,000
   rows of some 370 products are 370,000 columns wide, 1.2. */
#define SLICE_PRODUCTS   2048
#define SLICE_LENGTH     4
#define WIDEST_WINDOW    ((int64_t)1 << 20)
#define COLUMNS_A_WINDOW 4096

static inline bool is_sliced(int64_t products, int64_t length, int64_t columns)
{
    const int64_t slices = columns / WINDOW_COLUMNS + 1;
    return columns > WINDOW_COLUMNS && products / slices >= SLICE_PRODUCTS &&
           products / slices / SLICE_LENGTH >= length;
}

/* A row is wide from this many columns a product on: then what was touched of
   its window is listed in two steps, by words and by lines, and a row that need
   not be sorted is appended to instead. Measured, one thread of a Zen 4, ms for
   A*A, listed and appended to: cage12 111, 94; gemsec-deezer-HU 43, 31; but of
   narrower rows email-Enron 87, 113; ca-AstroPh 56, 64. */
#define WIDE_COLUMNS 32

static inline bool is_wide(int64_t products, int64_t columns)
{
    return columns / WIDE_COLUMNS >= products;
}

/* A row of B this many times as long as the mask's row is searched for the
   mask's columns. */
#define MASK_SEARCH 8

/* A row is merged into the longest of B's rows that it meets if its other
   products are few: at most so many, and that one this many times as many.
   Measured, one thread of a Zen 4, sorted, ms without and with: webbase-1M-like
   237, 139; scircuit-like 42.1, 35.3; as-22july06 57.8, 53.4; email-Enron 94.0,
   90.2. Half as long a row, or 128 other products: webbase-1M-like 2 and 6 %
   slower, email-Enron 1 and 2. */
#define MOST_MERGED  64
#define MERGED_SHARE 4

static inline bool is_merged(int64_t products, int64_t longest)
{
    return products - longest <= MOST_MERGED &&
           (products - longest) * MERGED_SHARE <= longest;
}

static inline spgemm_accumulator choose_accumulator(int64_t products,
                                                    int64_t length,
                                                    int64_t columns,
                                                    bool b_is_sorted,
                                                    bool b_has_octets,
                                                    int64_t longest)
{
    const bool has_keys = columns < (int64_t)1
                                        << 55; /* column << 8 | arrival */
    if (products <= TINY_PRODUCTS && has_keys)
        return SPGEMM_ACCUMULATOR_TINY;
    if (is_merged(products, longest) && has_keys)
        return SPGEMM_ACCUMULATOR_MERGE;
    if (b_has_octets && columns <= BLOCK_COLUMNS)
        return SPGEMM_ACCUMULATOR_BLOCK;
    if (columns <= WINDOW_COLUMNS)
        return SPGEMM_ACCUMULATOR_SCATTER;
    if (b_is_sorted && is_sliced(products, length, columns))
        return SPGEMM_ACCUMULATOR_SCATTER;
    return columns <= WIDEST_WINDOW && columns / COLUMNS_A_WINDOW <= products
               ? SPGEMM_ACCUMULATOR_SCATTER
               : SPGEMM_ACCUMULATOR_HASH;
}

#endif
