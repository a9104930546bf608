/* SPDX-License-Identifier: BSD-3-Clause */
/* A predictor run alone, its rows counted by the reference. */
#ifndef SPGEMM_TESTS_PREDICTOR_BENCH_H
#define SPGEMM_TESTS_PREDICTOR_BENCH_H

#include "predict/predictor.h"

typedef struct predictor_bench {
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr C; /* the true product */
    memory m;
    product_counts counts;
    spgemm_options options;
    int64_t rows_asked; /* of the row counter, in all */
    predict_input in;
} predictor_bench;

/** Takes A and B over. The bench must not move. */
void predictor_bench_begin(predictor_bench *b, spgemm_csr A, spgemm_csr B);
void predictor_bench_end(predictor_bench *b);

/** One prediction of what b->options asks for; asserts success. */
prediction predictor_bench_run(predictor_bench *b, predict_fn *predict);

/** Gives the prediction's rows back. */
void predictor_bench_clear(predictor_bench *b, prediction *p);

#endif
