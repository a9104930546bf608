/* SPDX-License-Identifier: BSD-3-Clause */
/* How far off the predicted nnz of the rows of C is. */
#ifndef BENCH_ROW_ERRORS_H
#define BENCH_ROW_ERRORS_H

#include <stdio.h>

#include "spgemm/predict.h"

enum { ROW_QUANTILES = 9 };

/** nnz of each row of C, and room for what a method says of it. */
typedef struct row_errors_exact {
    int64_t nrows;
    double *nnz;       /* [nrows] */
    double *predicted; /* [nrows] */
} row_errors_exact;

/** Of the rows that have products, z being exact and z* predicted. */
typedef struct row_errors {
    int64_t rows;
    double mean_error;               /* of |z* - z| / z */
    double shortfall;                /* sum of max(0, z - z*) / nnz(C) */
    double excess;                   /* sum of max(0, z* - z) / nnz(C) */
    double quantiles[ROW_QUANTILES]; /* of (z* - z) / z: least, 1, 5, 25, 50,
                                        75, 95, 99 per cent, most */
} row_errors;

/** Count the rows of C = A*B; to be cleared whatever it returns. */
spgemm_status row_errors_count(row_errors_exact *exact, const spgemm_csr *A,
                               const spgemm_csr *B, int nthreads);
void row_errors_clear(row_errors_exact *exact);

spgemm_status row_errors_measure(row_errors *errors, spgemm_prediction *p,
                                 const row_errors_exact *exact,
                                 const spgemm_csr *A, const spgemm_csr *B,
                                 const spgemm_options *options);

/** The columns of the CSV that begin with `rows`, and the end of the line. */
void row_errors_write(FILE *file, const row_errors *errors);

#endif
