/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz of the rows of C as if columns were random. */
#ifndef SPGEMM_PREDICT_PUBLISHED_ROW_INDEPENDENT_H
#define SPGEMM_PREDICT_PUBLISHED_ROW_INDEPENDENT_H

#include "predict/predictor.h"

/**
 * row_nnz[i] = N (1 - prod over k in row i of A of (1 - b_k / N)), b_k the
 * entries of row k of B, N its columns. *total is their sum.
 *
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY  8 bytes a row of B
 */
spgemm_status spgemm_row_independent(double *row_nnz, double *total,
                                     const predict_input *in);

#endif
