/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of the predictors: what the table says that a method takes is
   taken, and nothing else, before any work. */
#include <math.h>

#include "expect.h"
#include "spgemm/predict.h"

/* Shapes that do not match: a call gets to them only with valid options. */
static spgemm_status ask(const spgemm_options *options)
{
    static const int64_t rowptr[] = {0, 0, 0};
    const spgemm_csr A =
        spgemm_csr_view(2, 3, 0, rowptr, NULL, NULL, SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr B =
        spgemm_csr_view(2, 2, 0, rowptr, NULL, NULL, SPGEMM_I32, SPGEMM_FP64);
    spgemm_prediction prediction;
    spgemm_csr C = {0};
    const spgemm_status status =
        spgemm_predict(&prediction, &A, &B, options, NULL);
    cr_expect_eq(spgemm_predicted(&C, &A, &B, options, NULL), status);
    cr_expect_null(C.rowptr);
    return status;
}

static void expect_verdict(const spgemm_options *options, bool is_taken)
{
    cr_expect_eq(ask(options),
                 is_taken ? SPGEMM_ERROR_SHAPE : SPGEMM_ERROR_INVALID,
                 "%s: size %lld, probability %g, budget %lld, error %g",
                 spgemm_predictor_name(options->predict.method),
                 (long long)options->predict.size, options->predict.probability,
                 (long long)options->predict.budget, options->predict.error);
}

static double unanswered(void *context, int64_t row, int64_t products)
{
    (void)context;
    (void)row;
    (void)products;
    return 1;
}

static spgemm_options options_for(int predictor)
{
    return (spgemm_options){.predict.method = (spgemm_predictor)predictor,
                            .predict.row_nnz = unanswered};
}

/* Both ends of a range, and what lies next to them. */
static void try_integers(spgemm_options *options, int64_t *field,
                         const spgemm_integer_range *range,
                         bool is_power_of_two)
{
    const bool has_any = range->least > 0;
    const int64_t below[] = {INT64_MIN, -1, has_any ? range->least - 1 : 1};
    const int64_t within[] = {0, range->least, range->most, range->preset};
    for (int t = 0; t < 3; t++) {
        *field = below[t];
        expect_verdict(options, below[t] == 0);
    }
    for (int t = 0; t < 4; t++) {
        *field = within[t];
        expect_verdict(options, true);
    }
    if (range->most < INT64_MAX) {
        *field = range->most + 1;
        expect_verdict(options, false);
    }
    if (has_any) {
        *field = range->least + 1;
        expect_verdict(options, !is_power_of_two);
    }
    *field = 0;
}

static void try_numbers(spgemm_options *options, double *field,
                        const spgemm_number_range *range)
{
    const double within[] = {0, range->least, range->most, range->preset};
    const double beyond[] = {-1,
                             -0x1p-1074,
                             0x1p-1074,
                             NAN,
                             INFINITY,
                             range->most > 0 ? nextafter(range->most, 2) : 1,
                             range->least > 0 ? nextafter(range->least, 0)
                                              : 0.5};
    for (int t = 0; t < 4; t++) {
        *field = within[t];
        expect_verdict(options, true);
    }
    for (int t = 0; t < 7; t++) {
        *field = beyond[t];
        expect_verdict(options, false);
    }
    *field = 0;
}

Test(parameters, are_taken_as_the_table_says)
{
    for (int p = 0; p < SPGEMM_PREDICTOR_COUNT; p++) {
        const spgemm_predictor_limits *limits =
            spgemm_predict_limits((spgemm_predictor)p);
        spgemm_options options = options_for(p);
        try_integers(&options, &options.predict.size, &limits->size,
                     limits->size_is_power_of_two);
        try_integers(&options, &options.predict.budget, &limits->budget, false);
        try_numbers(&options, &options.predict.probability,
                    &limits->probability);
        try_numbers(&options, &options.predict.error, &limits->error);
    }
}

Test(parameters, belong_to_these_methods)
{
    static const struct {
        spgemm_predictor predictor;
        int64_t size;
        double probability;
    } refused[] = {{SPGEMM_PREDICTOR_COHEN, 2, 0},
                   {SPGEMM_PREDICTOR_HYPERLOGLOG, 100, 0},
                   {SPGEMM_PREDICTOR_HYPERLOGLOG, 8, 0},
                   {SPGEMM_PREDICTOR_BHASH, 0, 1.5},
                   {SPGEMM_PREDICTOR_KMV_SAMPLED, 0, -0.5},
                   {SPGEMM_PREDICTOR_MIN_HASH, 0, 0.5},
                   {SPGEMM_PREDICTOR_PRECISE, 10, 0},
                   {SPGEMM_PREDICTOR_STRATIFIED, 10, 0},
                   {SPGEMM_PREDICTOR_AUTO, 10, 0}};
    for (size_t t = 0; t < sizeof refused / sizeof refused[0]; t++) {
        spgemm_options options = options_for((int)refused[t].predictor);
        options.predict.size = refused[t].size;
        options.predict.probability = refused[t].probability;
        expect_verdict(&options, false);
    }
    spgemm_options options = options_for(SPGEMM_PREDICTOR_AUTO);
    options.predict.budget = 1000;
    options.predict.error = 0.01;
    expect_verdict(&options, true);
}

Test(parameters, of_auto_are_those_of_its_method)
{
    cr_expect_eq(spgemm_predict_limits(SPGEMM_PREDICTOR_AUTO),
                 spgemm_predict_limits(SPGEMM_PREDICTOR_STRATIFIED));
}

Test(parameters, of_an_unknown_method_are_none)
{
    const int minus_one = -1;
    spgemm_predictor negative;
    memcpy(&negative, &minus_one, sizeof negative);
    cr_expect_null(spgemm_predict_limits(negative));
    cr_expect_null(
        spgemm_predict_limits((spgemm_predictor)SPGEMM_PREDICTOR_COUNT));
}

/* With the least and the most of each, on a product of every kind of row. */
Test(parameters, may_be_as_large_as_the_table_says)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case("short wide"), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    spgemm_csr want = reference_multiply(&A, &B);
    for (int p = 1; p < SPGEMM_PREDICTOR_CALLER; p++) {
        const spgemm_predictor_limits *limits =
            spgemm_predict_limits((spgemm_predictor)p);
        spgemm_options options = options_for(p);
        for (int end = 0; end < 2; end++) {
            options.predict.size = end ? limits->size.most : limits->size.least;
            options.predict.probability =
                end ? limits->probability.most : limits->probability.least;
            expect_product(&multiply_variants[VARIANT_PREDICTED], &A, &B,
                           &options, &want,
                           spgemm_predictor_name((spgemm_predictor)p));
        }
    }
    free_csr(&want);
    free_csr(&A);
    free_csr(&B);
}
