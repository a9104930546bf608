/* SPDX-License-Identifier: BSD-3-Clause */
/* A(i,k) B(k,:) for entries (i,k) of A that follow one another: columns and terms in
   the order of arrival, side by side. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_PRODUCTS_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_PRODUCTS_H

#include "kernels/row/row_extent.h"

/* Rows that follow one another and are sorted as one: the number of each stands above
   its columns, and what comes of its products lies where they were. */
#define ESC_TOGETHER 4
typedef struct esc_group {
    int64_t rows;
    int64_t products;
} esc_group;

/* nnz of rows of so many products, 1 at least: a bit of `firsts` for each product that,
   in order, is the first of its row and column. */
static ALWAYS_INLINE void esc_count_rows(uint64_t firsts,
                                         const int64_t *products, int64_t rows,
                                         int64_t *nnz)
{
    for (int64_t t = 0; t + 1 < rows; t++) {
        const uint64_t own = ((uint64_t)1 << products[t]) - 1;
        nnz[t] = __builtin_popcountll(firsts & own);
        firsts >>= products[t];
    }
    nnz[rows - 1] = __builtin_popcountll(firsts);
}

/* Sums of products of real numbers, and rows without values, are sorted in AVX-512.

   Groups that are sorted before the first of them is written; no more behind so many
   products: longer ones would be gathered before what was asked for has come. In AVX-512
   eight vectors are sorted before the next are read, which have left for the cache by
   then: what is read wider than it was written waits for that. Measured, one thread of
   a Zen 4, ms with 128, 256, 512 of them: Erdos-Renyi 2^18 x 8 in AVX2 152, 161, 169; in
   AVX-512 time with 128 over time with 256 delaunay 200,000 1.02, mario002-like 1.03,
   scircuit-like 1.06, Erdos-Renyi 2^20 x 4 1.06, 2^18 x 8 1.02, 12 meshes and graphs in
   the second cache 1.02. */
#if defined(LEAVES_AVX512) &&                                                  \
    (!HAS_VALUES || (defined(PLUS_TIMES) && defined(VALUE_IS_REAL)))
#define ESC_BATCH   256
#define ESC_ABREAST 16
#include "kernels/accumulators/esc_avx512.h"
#else
#define ESC_BATCH   128
#define ESC_ABREAST 8
#include "kernels/accumulators/esc_rank.h"
#endif

/* The same as esc_gather() where each row of B has one entry or none: in place of
   none anything is written, and written over by the next. */
static ALWAYS_INLINE void esc_gather_single_of(spgemm_semiring sr,
                                               const operands *ops,
                                               int64_t begin, int64_t end,
                                               int32_t *columns, VAL *terms)
{
    const spgemm_csr *B = ops->B;
    const bool has_one_each = operands_b_has_one_each(ops);
    const int64_t *Bp = B->rowptr;
    const IDX *Aj = ops->A->colidx;
    const VAL *Ax = ops->A->values;
    const IDX *Bj = B->colidx;
    const VAL *Bx = B->values;
    int64_t n = 0;
    for (int64_t p = begin; p < end; p++) {
        const int64_t k = Aj[p];
        const int64_t q = has_one_each ? k : min_i64(Bp[k], B->nnz - 1);
        columns[n] = (int32_t)Bj[q];
        if (terms)
            terms[n] = product(sr, value_a(sr, Ax, p), Bx, q);
        n += has_one_each ? 1 : Bp[k + 1] - Bp[k];
    }
}

static NOINLINE void esc_gather_single(const operands *ops, int64_t begin,
                                       int64_t end, int32_t *columns,
                                       VAL *terms)
{
    WITH_SEMIRING(semiring_of(ops), sr,
                  esc_gather_single_of(sr, ops, begin, end, columns, terms));
}

/* Columns and terms of A's entries [begin, end), those of rows to come asked for: by
   itself, since what is sorted after it needs the registers. */
static NOINLINE void esc_products(const operands *ops, int64_t begin,
                                  int64_t end, bool is_numeric,
                                  int32_t *columns, VAL *terms)
{
    if (ops->b_is_single) {
        esc_gather_single(ops, begin, end, columns,
                          HAS_VALUES && is_numeric ? terms : NULL);
        return;
    }
    if (!b_is_near(ops->B))
        prefetch_rows(ops, begin, end, is_numeric);
    WITH_SEMIRING(semiring_of(ops), sr,
                  esc_gather(sr, ops, begin, end, is_numeric, columns, terms));
}

#endif
