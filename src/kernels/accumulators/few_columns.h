/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) of up to 16 columns and many more products, each of a row of B of one entry:
   of a B that adds columns up by groups, as the prolongation of aggregates does. A
   product is added to the sum of its column, which is looked for among those at hand. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_FEW_COLUMNS_H
#define SPGEMM_KERNELS_ACCUMULATORS_FEW_COLUMNS_H

#include "kernels/accumulators/esc_products.h"

/* Of a row; what has more. */
#define FEW_COLUMNS      16
#define HAS_MORE_COLUMNS (-2)

/* Rows of no more products are sorted. Measured, one thread of a Zen 4, A*P of some
   aggregates, time sorted over time so, AVX-512 with 16 and 24: bcsstk29 (43 products
   and 3.3 entries a row) 2.08, 2.06; poisson3Da-like (26 and 3.4) 1.29, 1.13;
   wing_nodal (14 and 3.9), with 8, 0.68. */
#if defined(LEAVES_AVX512) && defined(VALUE_IS_REAL)
#define FEW_PRODUCTS_A_ROW 16
#else
#define FEW_PRODUCTS_A_ROW 24
#endif

/* Whether longer rows are expected to be such, by what is predicted of all: products
   for each entry, and entries of a row, in the mean. */
#define FEW_COMPRESSION 4.0
#define FEW_MEAN        8.0

#if defined(PLUS_TIMES)

#if defined(LEAVES_AVX512) && defined(VALUE_IS_REAL)
#include "kernels/accumulators/few_columns_avx512.h"
#else
#include "kernels/accumulators/few_columns_list.h"
#endif

static inline bool has_few_columns(const operands *ops)
{
    const double nnz = ops->prediction->nnz;
    return ops->b_is_single && ops->B->ncols < SHORT_COLUMNS &&
           (double)ops->A->nnz >= FEW_COMPRESSION * nnz &&
           nnz <= FEW_MEAN * (double)ops->A->nrows;
}

/* The columns of row i, and their sums. false: there are more. */
static ALWAYS_INLINE bool few_columns_sum(spgemm_semiring sr,
                                          const operands *ops, int64_t i,
                                          few_columns *row)
{
    const spgemm_csr *B = ops->B;
    const bool has_one_each = operands_b_has_one_each(ops);
    const IDX *Aj = ops->A->colidx;
    const IDX *Bj = B->colidx;
    few_columns_begin(row);
    for (int64_t p = ops->A->rowptr[i]; p < ops->A->rowptr[i + 1]; p++) {
        const int64_t q = has_one_each ? Aj[p] : B->rowptr[Aj[p]];
        if (!has_one_each && q == B->rowptr[Aj[p] + 1])
            continue;
        const VAL term =
            product(sr, value_a(sr, ops->A->values, p), B->values, q);
        if (!few_columns_add(sr, row, Bj[q], term))
            return false;
    }
    return true;
}

/* Row i, if it is one: its nnz. -1: no memory. */
static NOINLINE int64_t few_columns_row(const operands *ops, int64_t i,
                                        output *out)
{
    few_columns row;
    if (!few_columns_sum(semiring_of(ops), ops, i, &row))
        return HAS_MORE_COLUMNS;
    if (!output_reserve(out, (int64_t)row.n))
        return -1;
    few_columns_write(&row, (IDX *)out->colidx + out->used,
                      (VAL *)out->values + out->used);
    output_take(out, (int64_t)row.n);
    return (int64_t)row.n;
}

#else /* semirings of one kernel, and no values, are sorted */

static inline bool has_few_columns(const operands *ops)
{
    (void)ops;
    return false;
}

static inline int64_t few_columns_row(const operands *ops, int64_t i,
                                      output *out)
{
    (void)ops;
    (void)i;
    (void)out;
    return HAS_MORE_COLUMNS;
}

#endif

/* What such rows are told as: short ones as all others of so few products. */
static inline spgemm_accumulator few_columns_are(int64_t products)
{
    return products <= SHORT_PRODUCTS ? SPGEMM_ACCUMULATOR_ESC
                                      : SPGEMM_ACCUMULATOR_HASH;
}

/* Whether a row may be one. The order of longer ones that need not be sorted does not
   depend on what is predicted. */
static inline bool few_columns_takes(const operands *ops, int64_t products)
{
    return products > FEW_PRODUCTS_A_ROW && has_few_columns(ops) &&
           (ops->sort_rows || products <= SHORT_PRODUCTS);
}

#endif
