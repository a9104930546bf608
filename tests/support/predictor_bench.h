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

/** What predictions with the seeds 0, 1, ... are like, relative to nnz(C). */
typedef struct predictor_spread {
    double bias;   /* mean error */
    double error;  /* root mean square error */
    double stated; /* root mean square of the standard errors */
    double worst;  /* greatest error, in standard errors of its prediction */
} predictor_spread;

predictor_spread predictor_bench_spread(predictor_bench *b, predict_fn *predict,
                                        uint64_t seeds);

/** Sum over the rows of |predicted - true|, relative to nnz(C). */
double predictor_bench_row_error(const predictor_bench *b, const prediction *p);

/** Cases of generate.h on which a formula is tried: of every shape, and small
    enough that all places of C can be gone through. */
extern const char *const predictor_bench_cases[];
extern const int predictor_bench_case_count;

/** A case of generate.h. */
void predictor_bench_begin_case(predictor_bench *b, const char *name,
                                spgemm_index_type index_type);

/** The hash of place (i,j) of C; false if the place is not drawn. */
typedef bool place_hash(const predictor_bench *b, int64_t i, int64_t j,
                        uint64_t *hash);

/**
 * What the k lowest hashes of C's places say of their number, by sorting all:
 * the number itself where there are fewer.
 */
double predictor_bench_places(const predictor_bench *b, place_hash *hash,
                              int64_t k);

/** Whether place (i,j) is drawn with the options' probability, 0 standing for
    `preset`, and the hashes of its row and of its column. */
bool predictor_bench_draws(const predictor_bench *b, double preset, int64_t i,
                           int64_t j, uint64_t *row, uint64_t *column);

#endif
