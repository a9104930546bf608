/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i .. i + 7,:) of up to 64 products each, by sorting: some rows at a time, and
   without a look at the columns that they may have. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_ROWS_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_ROWS_H

#include "kernels/accumulators/esc_products.h"

/* Rows that are gathered and sorted before the first of them is written; no more
   behind so many products: longer ones would be gathered before what was asked
   for has come. Measured, one thread of a Zen 4, ms with 128, 256, 512 of them:
   Erdos-Renyi 2^18 x 8 104, 110, 115; in AVX2 152, 161, 169. And room for their
   products and the rest of the last one's vectors. */
#define ESC_BATCH   128
#define ESC_ABREAST 8
#define ESC_ROOM    ((ESC_ABREAST + 1) * SHORT_PRODUCTS)

/* Whether a row of so many products is one of these, whatever its columns. */
static ALWAYS_INLINE bool is_esc_row(const operands *ops, int64_t products)
{
#if defined(ESC_LEAVES)
    return products <= ESC_SURE && is_short(products, ops->B->ncols);
#else
    (void)ops;
    (void)products;
    return false;
#endif
}

/* Whether a row is, since its window would be wide. */
static ALWAYS_INLINE bool is_wide_esc_row(const operands *ops, const c_row *r)
{
#if defined(ESC_LEAVES)
    return !r->is_clipped && r->products > ESC_SURE && r->length > 1 &&
           is_short(r->products, ops->B->ncols) && row_width(r) > ESC_COLUMNS;
#else
    (void)ops;
    (void)r;
    return false;
#endif
}

/* Row i, that is one, and up to `most` - 1 rows behind it that are; the nnz of
   each is written. Returns how many they are; -1: no memory.

   All rows are sorted before the first of them is written: how often a row's
   columns repeat is known late, and what was foreseen wrongly would be thrown
   away with the work on the next row. Rows abreast, ms, 1 and 8: Erdos-Renyi
   1M/4 294 and 236; mac_econ 33.5 and 31.0; 16 and 32 as 8 (one thread of a
   Zen 4). */
static NOINLINE int64_t esc_rows(const operands *ops, int64_t i, int64_t most,
                                 output *out, int64_t *nnz)
{
#if defined(ESC_LEAVES)
    int32_t columns[ESC_ROOM];
    VAL terms[ESC_ROOM];
    esc_sorted sorted[ESC_ABREAST];
    const spgemm_semiring sr = semiring_of(ops);
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *products = ops->products + i;
    int64_t total = products[0];
    int64_t rows = 1;
    int64_t at = 0;
    if (!output_reserve(out, total))
        return -1;
    while (rows < min_i64(most, ESC_ABREAST) && products[rows] > 0 &&
           is_esc_row(ops, products[rows]) && total < ESC_BATCH &&
           output_has_room(out, total + products[rows]))
        total += products[rows++];
    esc_products(ops, Ap[i], Ap[i + rows], true, columns, terms);
    for (int64_t t = 0; t < rows; at += products[t++])
        esc_sort(columns + at, products[t], &sorted[t]);
    at = 0;
    for (int64_t t = 0; t < rows; at += products[t++]) {
        nnz[t] =
            esc_write(sr, &sorted[t], HAS_VALUES ? terms + at : NULL,
                      out->limit - out->used, (IDX *)out->colidx + out->used,
                      HAS_VALUES ? (VAL *)out->values + out->used : NULL);
        output_take(out, nnz[t]);
    }
    return rows;
#else
    (void)ops;
    (void)i;
    (void)most;
    (void)out;
    (void)nnz;
    return 0;
#endif
}

/* nnz of a row that is one. */
static ALWAYS_INLINE int64_t esc_nnz(const operands *ops, int64_t i)
{
#if defined(ESC_LEAVES)
    int32_t columns[ESC_ROOM];
    esc_sorted sorted;
    const int64_t *Ap = ops->A->rowptr;
    esc_products(ops, Ap[i], Ap[i + 1], false, columns, NULL);
    esc_sort(columns, ops->products[i], &sorted);
    return esc_sorted_nnz(&sorted);
#else
    (void)ops;
    (void)i;
    return 0;
#endif
}

#endif
