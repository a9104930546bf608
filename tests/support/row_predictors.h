/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictors that lie: for options.row_nnz. */
#ifndef SPGEMM_TESTS_ROW_PREDICTORS_H
#define SPGEMM_TESTS_ROW_PREDICTORS_H

#include "spgemm/spgemm.h"

/** One way to answer. `context` of the function is the true C. */
typedef struct row_predictor {
    const char *name;
    double (*row_nnz)(void *context, int64_t row, int64_t products);
} row_predictor;

extern const row_predictor row_predictors[];
extern const int row_predictor_count;

/** Options that predict so; C is the true product. */
spgemm_options lying_options(const row_predictor *liar, spgemm_csr *C);

#endif
