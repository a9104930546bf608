/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds that several accumulators have in common. */
#ifndef SPGEMM_KERNELS_ROW_LIMITS_H
#define SPGEMM_KERNELS_ROW_LIMITS_H

#include "kernels/row/scratch.h"

/* Rows this short, of matrices this narrow, are sorted in registers where the
   processor can: so they are sorted everywhere, wanted or not, and C is the
   same on any CPU. */
#define SHORT_PRODUCTS 64
#define SHORT_COLUMNS  ((int64_t)1 << 26)

static inline bool is_short(int64_t products, int64_t ncols)
{
    return products <= SHORT_PRODUCTS && ncols < SHORT_COLUMNS;
}

/* Rows this wide have a window of their own; see accumulators/dense.h. */
#define WIDEST_WINDOW ((int64_t)1 << 20)

/* Where columns are in the upper bits of a key, and 256 arrivals in the lower. */
#define KEY_COLUMNS ((int64_t)1 << 55)

#endif
