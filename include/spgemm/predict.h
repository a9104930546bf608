/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of C = A*B without computing C. */
#ifndef SPGEMM_PREDICT_H
#define SPGEMM_PREDICT_H

#include "spgemm/spgemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a predictor says of C = A*B. */
typedef struct spgemm_prediction {
    spgemm_predictor predictor; /* the method used */
    int64_t products;           /* exact */
    int64_t
        bound; /* sum over rows of min(products, ncols): nnz never exceeds it */
    double nnz; /* predicted entries of C */
    double
        standard_error; /* of nnz, entries; 0: exact; NaN: the method has none */
    int64_t rows_sampled;
    int64_t products_sampled;
    double products_seconds; /* counting the products of each row */
    double predict_seconds;  /* the method itself */
    spgemm_fault fault;      /* on SPGEMM_ERROR_STRUCTURE */
} spgemm_prediction;

/**
 * Predict nnz(A*B), and on request nnz of each of its rows.
 *
 * @param[out] prediction
 * @param[in]  A        m-by-k; values are not read and may be NULL
 * @param[in]  B        k-by-n; index type as A. May be A itself.
 * @param[in]  options  NULL for defaults; predictor, seed, nthreads,
 *                      input_check, allocator and row_nnz are used
 * @param[out] row_nnz  [m] predicted entries of each row of C; NULL if not wanted
 *
 * @retval SPGEMM_ERROR_INVALID, SHAPE, STRUCTURE, UNSUPPORTED, OVERFLOW,
 *         OUT_OF_MEMORY as spgemm_predicted()
 *
 * @note Time O(nrows + nnz(A)) and the products of the sampled rows; memory 8
 *       bytes a row, and per thread a table of the longest sampled row.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_predict(spgemm_prediction *prediction,
               const spgemm_csr *A,
               const spgemm_csr *B,
               const spgemm_options *options,
               double *row_nnz);

#ifdef __cplusplus
}
#endif
#endif
