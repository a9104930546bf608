/* SPDX-License-Identifier: BSD-3-Clause */
/* Y = sum over rows of y, from a sample: rows have weights w, all of which are
   known, and are drawn in proportion to them,

       Y = W mean(y / w),    W = sum over rows of w,

   one row from each of n equal parts of W, with rows of about the same weight
   beside one another, so that each part has its own.

   M. H. Hansen, W. N. Hurwitz, On the theory of sampling from finite populations,
   Annals of Mathematical Statistics 14(4):333-362, 1943,
   doi:10.1214/aoms/1177731356; W. G. Cochran, Sampling Techniques, 1977: 5A.12,
   the variance of one unit per stratum by collapsed strata. */
#ifndef SPGEMM_PREDICT_WEIGHTED_SAMPLE_H
#define SPGEMM_PREDICT_WEIGHTED_SAMPLE_H

#include "alloc/memory.h"
#include "spgemm/chain.h"

typedef struct weighted_sample {
    memory *m;
    const double *weight; /* [nrows] rows of weight 0 have no y */
    int64_t nrows;
    double total;   /* W */
    int64_t *order; /* [nrows] rows, by their weights */
    int64_t *rows;  /* [count] those that are drawn, each once */
    int64_t *times; /* [count] how often each is */
    int64_t count;
    int64_t draws; /* n; 0: rows are all that have a weight */
} weighted_sample;

/** false: no memory. */
bool spgemm_weighted_sample_begin(weighted_sample *s, const double *weight,
                                  int64_t nrows, memory *m);

/** n rows, where what was drawn before is forgotten; n = 0: all that have a
    weight. false: no memory. */
bool spgemm_weighted_sample_draw(weighted_sample *s, int64_t n, uint64_t seed);

/** Y, of y[count] of the rows drawn, and its standard error: 0 of all rows, NaN
    of a single one. */
spgemm_estimate spgemm_weighted_sample_sum(const weighted_sample *s,
                                           const double *y);

void spgemm_weighted_sample_end(weighted_sample *s);

#endif
