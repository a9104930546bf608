/* SPDX-License-Identifier: BSD-3-Clause */
/* The three multiplies as a table; the first of them twice: most products of
   tests are few, for which it takes a way of its own unless a method is asked
   for. */
#ifndef SPGEMM_TESTS_VARIANTS_H
#define SPGEMM_TESTS_VARIANTS_H

#include "spgemm/spgemm.h"

typedef spgemm_status multiply_function(spgemm_csr *C, const spgemm_csr *A,
                                        const spgemm_csr *B,
                                        const spgemm_options *options,
                                        spgemm_report *report);

typedef struct multiply_variant {
    const char *name;
    multiply_function *multiply; /* with the options that it uses */
    multiply_function *entry;    /* the function itself: refuses the others */
} multiply_variant;

enum {
    VARIANT_PREDICTED,
    VARIANT_PRECISE,
    VARIANT_UPPER_BOUND,
    VARIANT_FEW,
    VARIANT_COUNT
};

/** Of the options, what those that predict nothing use. */
static inline spgemm_options without_prediction(const spgemm_options *options)
{
    spgemm_options used = options ? *options : (spgemm_options){0};
    used.predict = (spgemm_predict_options){0};
    return used;
}

/** By a sample, unless the options have another method. */
static inline spgemm_status multiply_sampled(spgemm_csr *C, const spgemm_csr *A,
                                             const spgemm_csr *B,
                                             const spgemm_options *options,
                                             spgemm_report *report)
{
    spgemm_options used = options ? *options : (spgemm_options){0};
    if (used.predict.method == SPGEMM_PREDICTOR_AUTO)
        used.predict.method = SPGEMM_PREDICTOR_STRATIFIED;
    return spgemm_predicted(C, A, B, &used, report);
}

static inline spgemm_status multiply_precise(spgemm_csr *C, const spgemm_csr *A,
                                             const spgemm_csr *B,
                                             const spgemm_options *options,
                                             spgemm_report *report)
{
    const spgemm_options used = without_prediction(options);
    return spgemm_precise(C, A, B, &used, report);
}

static inline spgemm_status
multiply_upper_bound(spgemm_csr *C, const spgemm_csr *A, const spgemm_csr *B,
                     const spgemm_options *options, spgemm_report *report)
{
    const spgemm_options used = without_prediction(options);
    return spgemm_upper_bound(C, A, B, &used, report);
}

static const multiply_variant multiply_variants[VARIANT_COUNT] = {
    [VARIANT_PREDICTED] = {"predicted", multiply_sampled, spgemm_predicted},
    [VARIANT_PRECISE] = {"precise", multiply_precise, spgemm_precise},
    [VARIANT_UPPER_BOUND] = {"upper_bound", multiply_upper_bound,
                             spgemm_upper_bound},
    [VARIANT_FEW] = {"few", spgemm_predicted, spgemm_predicted},
};

#endif
