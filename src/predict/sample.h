/* SPDX-License-Identifier: BSD-3-Clause */
/* A uniform sample of rows of C: their products f and their nnz z. */
#ifndef SPGEMM_PREDICT_SAMPLE_H
#define SPGEMM_PREDICT_SAMPLE_H

#include "predict/predictor.h"

typedef struct uniform_sample {
    int64_t rows;           /* sampled, with replacement */
    int64_t products;       /* f*: of the sampled rows */
    int64_t nnz;            /* z*: of the sampled rows */
    double nnz_deviation;   /* standard deviation of z over the sample */
    double ratio_deviation; /* of z - f * (z* / f*) */
} uniform_sample;

/**
 * min(0.003 nrows, 300) rows, at least one where there is one, drawn uniformly
 * and with replacement, as published: section V-B of Du et al.
 */
spgemm_status spgemm_sample_uniform(uniform_sample *sample,
                                    const predict_input *in);

#endif
