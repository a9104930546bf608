/* SPDX-License-Identifier: BSD-3-Clause */
/* A uniform sample of rows of C: their products f and their nnz z. */
#ifndef SPGEMM_PREDICT_SAMPLE_H
#define SPGEMM_PREDICT_SAMPLE_H

#include "predict/predictor.h"

typedef struct uniform_sample {
    int64_t rows;           /* sampled, with replacement */
    int64_t products;       /* f*: of the sampled rows */
    int64_t nnz;            /* z*: of the sampled rows */
    double covariate;       /* x*: of the sampled rows */
    double nnz_deviation;   /* standard deviation of z over the sample */
    double ratio_deviation; /* of z - x * (z* / x*) */
} uniform_sample;

/**
 * options->predict.size rows, or where that is 0 min(0.003 nrows, 300), at
 * least one where there is one and at most all, drawn uniformly and with
 * replacement, as published: section V-B of Du et al.
 *
 * @param[in] covariate  [nrows] x of each row, positive where the row has
 *                       products; NULL: the products
 * @note Memory: 16 bytes a sampled row.
 */
spgemm_status spgemm_sample_uniform(uniform_sample *sample,
                                    const predict_input *in,
                                    const double *covariate);

/** The ratio estimate `nnz` = X z* / x* of a sample, with its standard error:
    that of z* about the ratio line, carried to the total. */
void spgemm_sample_predict(prediction *out, const uniform_sample *s,
                           double nnz);

#endif
