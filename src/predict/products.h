/* SPDX-License-Identifier: BSD-3-Clause */
/* products of each row of C = A*B. */
#ifndef SPGEMM_PREDICT_PRODUCTS_H
#define SPGEMM_PREDICT_PRODUCTS_H

#include "alloc/memory.h"
#include "spgemm/spgemm.h"

typedef struct product_counts {
    int64_t nrows;
    int64_t *row;    /* [nrows] products of each row of C */
    int64_t total;   /* their sum */
    int64_t bound;   /* sum of min(products, ncols): nnz(C) is at most this */
    int64_t longest; /* most products of a row */
} product_counts;

/**
 * counts->row[i] = sum over A(i,k) of nnz(B(k,:)), exactly.
 *
 * @retval SPGEMM_ERROR_OVERFLOW       the total does not fit int64_t
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Time O(nrows + nnz(A)): values are not read, nor are B's columns.
 */
spgemm_status spgemm_products_count(product_counts *counts,
                                    const spgemm_csr *A,
                                    const spgemm_csr *B,
                                    int nthreads,
                                    memory *m);

void spgemm_products_clear(product_counts *counts, memory *m);

#endif
