/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose kernels are written for one instruction set, and work in registers.
   Elsewhere none fits. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_REGISTERS_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_REGISTERS_H

#if defined(LEAVES_AVX512)
#include "kernels/accumulators/esc_avx512.h"
#endif
#include "kernels/row/row_extent.h"

/* Sums of products of doubles, and rows without values. */
#if defined(LEAVES_AVX512) &&                                                  \
    (!HAS_VALUES || (defined(VALUE_IS_f64) && defined(PLUS_TIMES)))
#define ESC_LEAVES
#endif

/* Whether a row of so many products can be sorted in registers. */
static ALWAYS_INLINE bool fits_registers(const operands *ops, int64_t products)
{
#if defined(ESC_LEAVES)
    return is_short(products, ops->B->ncols);
#else
    (void)ops;
    (void)products;
    return false;
#endif
}

#if defined(ESC_LEAVES)
static ALWAYS_INLINE void esc_gather_rows(const operands *ops, int64_t i,
                                          int64_t rows, bool is_numeric,
                                          int32_t *columns, double *terms)
{
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const int64_t begin = A->rowptr[i];
    const int64_t end = A->rowptr[i + rows];
    const esc_operands r = {
        .Aj = (const int32_t *)A->colidx + begin,
        .Ax =
            HAS_VALUES && is_numeric ? (const double *)A->values + begin : NULL,
        .length = end - begin,
        .Bp = B->rowptr,
        .Bj = B->colidx,
        .Bx = B->values,
    };
    prefetch_rows(ops, begin, end, is_numeric);
    esc_gather(&r, columns, terms);
}
#endif

/* Row i, that fits registers, and up to `most` - 1 rows behind it that do; the
   nnz of each is written. Returns how many they are; -1: no memory.

   All rows are sorted before the first of them is written: how often a row's
   columns repeat is known late, and what was foreseen wrongly would be thrown
   away with the work on the next row. Rows abreast, ms, 1 and 8: Erdos-Renyi
   1M/4 294 and 236; mac_econ 33.5 and 31.0; 16 and 32 as 8 (one thread of a
   Zen 4). */
static ALWAYS_INLINE int64_t esc_rows(const operands *ops, int64_t i,
                                      int64_t most, output *out, int64_t *nnz)
{
#if defined(ESC_LEAVES)
    int32_t columns[ESC_ROOM];
    double terms[ESC_ROOM];
    esc_sorted sorted[ESC_ABREAST];
    const int64_t *products = ops->products + i;
    int64_t total = products[0];
    int64_t rows = 1;
    int64_t at = 0;
    if (!output_reserve(out, total))
        return -1;
    while (rows < min_i64(most, ESC_ABREAST) && products[rows] > 0 &&
           fits_registers(ops, products[rows]) &&
           output_has_room(out, total + products[rows]))
        total += products[rows++];
    esc_gather_rows(ops, i, rows, true, columns, terms);
    for (int64_t t = 0; t < rows; at += products[t++])
        esc_sort(columns + at, products[t], &sorted[t]);
    at = 0;
    for (int64_t t = 0; t < rows; at += products[t++]) {
        nnz[t] = esc_write(
            &sorted[t], HAS_VALUES ? terms + at : NULL, out->limit - out->used,
            (int32_t *)out->colidx + out->used,
            HAS_VALUES ? (double *)out->values + out->used : NULL);
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

/* nnz of a row that fits registers. */
static ALWAYS_INLINE int64_t esc_nnz(const operands *ops, int64_t i)
{
#if defined(ESC_LEAVES)
    int32_t columns[ESC_ROOM];
    esc_sorted sorted;
    esc_gather_rows(ops, i, 1, false, columns, NULL);
    esc_sort(columns, ops->products[i], &sorted);
    return __builtin_popcountll(sorted.firsts);
#else
    (void)ops;
    (void)i;
    return 0;
#endif
}

#endif
