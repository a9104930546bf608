/* SPDX-License-Identifier: BSD-3-Clause */
/* Prediction never matters: C is the same whatever was predicted. */
#include <stdio.h>

#include "expect.h"
#include "fewer_ways.h"
#include "row_predictors.h"

static void expect_predicted(const spgemm_csr *A, const spgemm_csr *B,
                             const spgemm_options *options,
                             const spgemm_csr *want, const char *name,
                             const char *predictor)
{
    char text[160];
    snprintf(text, sizeof text,
             "%s, predictor %s, slack %g, order %d, %d threads", name,
             predictor, options->predict.slack, (int)options->product.row_order,
             options->resources.nthreads);
    expect_product(&multiply_variants[VARIANT_PREDICTED], A, B, options, want,
                   text);
}

ParameterizedTestParameters(prediction, may_lie)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, prediction, may_lie)
{
    const char *name = product_cases[choice->number].name;
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, VALUES_ARBITRARY, &A, &B);
    spgemm_csr want = reference_multiply(&A, &B);
    for (int t = 0; t < row_predictor_count; t++) {
        if (!tries_way(choice->index_type, t + choice->number))
            continue;
        const row_predictor *liar = &row_predictors[t];
        spgemm_options options = lying_options(liar, &want);
        options.resources.nthreads = 1 + t % 3;
        options.product.row_order =
            t % 5 == 4 ? SPGEMM_ROWS_UNSORTED : SPGEMM_ROWS_SORTED;
        expect_predicted(&A, &B, &options, &want, name, liar->name);
        options.resources.nthreads = 4 - options.resources.nthreads;
        options.predict.slack = t % 2 ? 1.0 : 100.0;
        expect_predicted(&A, &B, &options, &want, name, liar->name);
    }
    free_csr(&A);
    free_csr(&B);
    free_csr(&want);
}

ParameterizedTestParameters(prediction, may_be_made_by_any_predictor)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, prediction, may_be_made_by_any_predictor)
{
    static const double slacks[] = {0, 1, 1.5, 100};
    const char *name = product_cases[choice->number].name;
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, VALUES_INTEGER, &A, &B);
    spgemm_csr want = reference_multiply(&A, &B);
    for (int t = 0; t < SPGEMM_PREDICTOR_CALLER; t++)
        for (int s = t % 2; s < 4; s += 2) {
            if (!tries_way(choice->index_type, t + s + choice->number))
                continue;
            expect_predicted(
                &A, &B,
                &(spgemm_options){.predict.method = (spgemm_predictor)t,
                                  .predict.slack = slacks[s],
                                  .predict.seed = (uint64_t)s,
                                  .resources.nthreads = 1 + s},
                &want, name, spgemm_predictor_name((spgemm_predictor)t));
        }
    free_csr(&A);
    free_csr(&B);
    free_csr(&want);
}
