/* SPDX-License-Identifier: BSD-3-Clause */
/* products and nnz of some rows of A B', and nnz of its columns. */
#ifndef SPGEMM_PREDICT_STRATIFIED_COLUMN_SAMPLE_ROWS_H
#define SPGEMM_PREDICT_STRATIFIED_COLUMN_SAMPLE_ROWS_H

#include "predict/stratified/column_sample.h"
#include "predict/stratified/strata.h"

/**
 * products and nnz of samples[t] become those of row rows[t] of A B', and its
 * weight is added to column_nnz[j], zeroed, for each column j of its nnz.
 *
 * The same for any number of threads. Time: the entries of these rows, and their
 * products in B'; memory for each thread 16 bytes a column drawn.
 */
spgemm_status spgemm_column_sample_count_rows(
    const predict_input *in, const column_sample *columns, const int64_t *rows,
    stratum_sample *samples, int64_t count, int64_t *column_nnz);

#endif
