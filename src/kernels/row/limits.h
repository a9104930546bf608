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

/* A row of B this many times as long as the mask's row is searched for the mask's
   columns; and a column of B, of a dot product, for those of A's row. And so many times
   where the mask's row is of few columns, which are compared with all of B's. Measured,
   one thread of a Zen 4, C<A> = A*A, plus_pair, before (8, 32) over so: email-Enron 1.19
   by AVX-512, 1.15 by AVX2, lasagne-spanishbook 1.15, 1.09; 20 and 11 graphs and meshes
   1.04, 1.04. Three times as many in AVX-512 0.99. */
#if defined(LEAVES_AVX512)
#define MASK_SEARCH     32
#define MASK_SEARCH_FEW 128
#else
#define MASK_SEARCH     16
#define MASK_SEARCH_FEW 32
#endif

/* Rows of A*B are summed whole, by bitmap rows, and masked then, but for masks this
   many times as short as B's rows. Measured, one thread of a Zen 4, time of A*A looked
   up in a mask, A less entries, over time summed whole: pdb-actin-dimer, rma10-like,
   posegraph-torus3D, bcsstk29, all of A 4.8, 2.8, 2.9, 1.6; an eighth 3.5, 2.3, 3.2,
   1.4; a sixteenth 2.2, 1.3, 1.5, 0.9. */
#define MASK_WHOLE 12

static inline bool mask_is_thin(const spgemm_csr *mask, const spgemm_csr *B)
{
    return MASK_WHOLE * (double)mask->nnz * (double)B->nrows <
           (double)B->nnz * (double)mask->nrows;
}

/* The same of a row: of so many columns that are wanted, entries of A and products. */
static inline bool row_is_thin(int64_t wanted, int64_t length, int64_t products)
{
    return MASK_WHOLE * (double)wanted * (double)length < (double)products;
}

/* Where columns are in the upper bits of a key, and 256 arrivals in the lower. */
#define KEY_COLUMNS ((int64_t)1 << 55)

#endif
