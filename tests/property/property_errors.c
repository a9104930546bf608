/* SPDX-License-Identifier: BSD-3-Clause */
/* Every wrong argument is answered by its status, and *C is left as it was. */
#include <math.h>

#include "expect.h"
#include "spgemm/predict.h"

/* One product and what is expected of it. */
typedef struct call {
    spgemm_csr A;
    spgemm_csr B;
    spgemm_options options;
} call;

static call valid_call(void)
{
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    call made = {.A = make_uniform(&m, 20, 30, 4),
                 .B = make_uniform(&m, 30, 25, 4)};
    return made;
}

static void free_call(call *c)
{
    free_csr(&c->A);
    free_csr(&c->B);
}

/* C as no product leaves it. */
static spgemm_csr garbage(void)
{
    spgemm_csr C;
    memset(&C, 0x3c, sizeof C);
    return C;
}

static void expect_refusal(const spgemm_csr *A, const spgemm_csr *B,
                           const spgemm_options *options, spgemm_status want,
                           const char *what)
{
    const spgemm_csr before = garbage();
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C = garbage();
        spgemm_report report;
        cr_expect_eq(multiply_variants[v].entry(&C, A, B, options, &report),
                     want, "%s, %s, with report", multiply_variants[v].name,
                     what);
        cr_expect_eq(multiply_variants[v].entry(&C, A, B, options, NULL), want,
                     "%s, %s", multiply_variants[v].name, what);
        cr_expect_eq(memcmp(&C, &before, sizeof C), 0, "%s: C was touched",
                     what);
    }
}

/* The predictor is asked too. */
static void expect_refusal_everywhere(const spgemm_csr *A, const spgemm_csr *B,
                                      const spgemm_options *options,
                                      spgemm_status want, const char *what)
{
    spgemm_prediction prediction;
    expect_refusal(A, B, options, want, what);
    cr_expect_eq(spgemm_predict(&prediction, A, B, options, NULL), want,
                 "predict, %s", what);
}

Test(errors, refuses_null)
{
    call c = valid_call();
    expect_refusal_everywhere(NULL, &c.B, NULL, SPGEMM_ERROR_INVALID,
                              "A is NULL");
    expect_refusal_everywhere(&c.A, NULL, NULL, SPGEMM_ERROR_INVALID,
                              "B is NULL");
    for (int v = 0; v < VARIANT_COUNT; v++)
        cr_expect_eq(
            multiply_variants[v].multiply(NULL, &c.A, &c.B, NULL, NULL),
            SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_predict(NULL, &c.A, &c.B, NULL, NULL),
                 SPGEMM_ERROR_INVALID);
    free_call(&c);
}

Test(errors, refuses_shapes_that_do_not_match)
{
    call c = valid_call();
    expect_refusal_everywhere(&c.A, &c.A, NULL, SPGEMM_ERROR_SHAPE,
                              "30 columns, 20 rows");
    c.A.ncols++;
    expect_refusal_everywhere(&c.A, &c.B, NULL, SPGEMM_ERROR_SHAPE,
                              "31 columns, 30 rows");
    free_call(&c);
}

Test(errors, refuses_types_that_differ)
{
    call c = valid_call();
    maker m = {{3}, SPGEMM_I64, VALUES_INTEGER};
    spgemm_csr wide = make_uniform(&m, 30, 25, 4);
    expect_refusal_everywhere(&c.A, &wide, NULL, SPGEMM_ERROR_UNSUPPORTED,
                              "I32 times I64");
    free_csr(&wide);
    free_call(&c);
}

Test(errors, refuses_a_product_of_patterns)
{
    call c = valid_call();
    spgemm_csr pattern = c.A;
    pattern.values = NULL;
    expect_refusal(&pattern, &c.B, NULL, SPGEMM_ERROR_UNSUPPORTED, "pattern A");
    pattern = c.B;
    pattern.values = NULL;
    expect_refusal(&c.A, &pattern, NULL, SPGEMM_ERROR_UNSUPPORTED, "pattern B");
    free_call(&c);
}

Test(errors, predicts_from_patterns)
{
    call c = valid_call();
    spgemm_csr pattern_A = c.A;
    spgemm_csr pattern_B = c.B;
    pattern_A.values = NULL;
    pattern_B.values = NULL;
    spgemm_prediction with;
    spgemm_prediction without;
    cr_assert_eq(spgemm_predict(&with, &c.A, &c.B, NULL, NULL), SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_predict(&without, &pattern_A, &pattern_B, NULL, NULL),
                 SPGEMM_SUCCESS);
    cr_expect_eq(with.nnz, without.nnz);
    free_call(&c);
}

typedef void break_options(spgemm_options *options);

static void unknown_predictor(spgemm_options *o)
{
    o->predict.method = (spgemm_predictor)SPGEMM_PREDICTOR_COUNT;
}

static void negative_predictor(spgemm_options *o)
{
    const int minus_one = -1;
    memcpy(&o->predict.method, &minus_one, sizeof minus_one);
}

static void caller_without_function(spgemm_options *o)
{
    o->predict.method = SPGEMM_PREDICTOR_CALLER;
}

static void unknown_order(spgemm_options *o)
{
    o->product.row_order = (spgemm_row_order)2;
}

static void unknown_check(spgemm_options *o)
{
    o->resources.input_check = (spgemm_input_check)2;
}

static void negative_threads(spgemm_options *o)
{
    o->resources.nthreads = -1;
}
static void half_slack(spgemm_options *o)
{
    o->predict.slack = 0.5;
}
static void negative_slack(spgemm_options *o)
{
    o->predict.slack = -2;
}
static void nan_slack(spgemm_options *o)
{
    o->predict.slack = NAN;
}
static void first_reserved(spgemm_options *o)
{
    o->product.reserved[0] = 1;
}
static void last_reserved(spgemm_options *o)
{
    o->resources.reserved[1] = 1;
}

static void unknown_op_a(spgemm_options *o)
{
    o->product.op_a = (spgemm_operation)3;
}
static void negative_op_b(spgemm_options *o)
{
    const int minus_one = -1;
    memcpy(&o->product.op_b, &minus_one, sizeof minus_one);
}

static const int64_t zero_and_one[] = {0, 1};

static void rows_without_number(spgemm_options *o)
{
    o->product.rows = zero_and_one;
}
static void number_without_rows(spgemm_options *o)
{
    o->product.nrows = 2;
}
static void negative_rows(spgemm_options *o)
{
    o->product.rows = zero_and_one;
    o->product.nrows = -2;
}
static void cols_without_number(spgemm_options *o)
{
    o->product.cols = zero_and_one;
}
static void number_without_cols(spgemm_options *o)
{
    o->product.ncols = 2;
}
static void negative_cols(spgemm_options *o)
{
    o->product.cols = zero_and_one;
    o->product.ncols = -2;
}

Test(errors, refuses_options)
{
    static const struct {
        const char *name;
        break_options *apply;
    } breaks[] = {
        {"unknown predictor", unknown_predictor},
        {"negative predictor", negative_predictor},
        {"caller without a function", caller_without_function},
        {"unknown row order", unknown_order},
        {"unknown input check", unknown_check},
        {"negative threads", negative_threads},
        {"slack 0.5", half_slack},
        {"slack -2", negative_slack},
        {"slack NaN", nan_slack},
        {"reserved[0]", first_reserved},
        {"reserved[2]", last_reserved},
        {"unknown op_a", unknown_op_a},
        {"negative op_b", negative_op_b},
        {"rows without nrows", rows_without_number},
        {"nrows without rows", number_without_rows},
        {"negative nrows", negative_rows},
        {"cols without ncols", cols_without_number},
        {"ncols without cols", number_without_cols},
        {"negative ncols", negative_cols},
    };
    call c = valid_call();
    for (size_t t = 0; t < sizeof breaks / sizeof breaks[0]; t++) {
        spgemm_options options = {0};
        breaks[t].apply(&options);
        expect_refusal_everywhere(&c.A, &c.B, &options, SPGEMM_ERROR_INVALID,
                                  breaks[t].name);
    }
    free_call(&c);
}

Test(errors, takes_any_slack_from_one_on)
{
    static const double slacks[] = {0, 1, 1e6, 1e300, INFINITY};
    call c = valid_call();
    spgemm_csr want = reference_multiply(&c.A, &c.B);
    for (size_t t = 0; t < sizeof slacks / sizeof slacks[0]; t++)
        expect_product(&multiply_variants[VARIANT_PREDICTED], &c.A, &c.B,
                       &(spgemm_options){.predict.slack = slacks[t]}, &want,
                       "large slack");
    free_csr(&want);
    free_call(&c);
}

Test(errors, refuses_a_result_that_is_an_operand)
{
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 20, 20, 4);
    spgemm_csr B = make_uniform(&m, 20, 20, 4);
    const spgemm_csr A_before = A;
    const spgemm_csr B_before = B;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        multiply_function *const multiply = multiply_variants[v].multiply;
        cr_expect_eq(multiply(&A, &A, &B, NULL, NULL), SPGEMM_ERROR_INVALID);
        cr_expect_eq(multiply(&B, &A, &B, NULL, NULL), SPGEMM_ERROR_INVALID);
        cr_expect_eq(multiply(&A, &A, &A, NULL, NULL), SPGEMM_ERROR_INVALID);
    }
    cr_expect_eq(memcmp(&A, &A_before, sizeof A), 0);
    cr_expect_eq(memcmp(&B, &B_before, sizeof B), 0);
    free_csr(&A);
    free_csr(&B);
}

Test(errors, has_a_sentence_for_every_status)
{
    for (int status = SPGEMM_ERROR_IO - 1; status <= 1; status++)
        cr_expect_gt(strlen(spgemm_status_string((spgemm_status)status)), 0);
    cr_expect_str_eq(spgemm_status_string(SPGEMM_SUCCESS), "success");
}

Test(errors, has_a_name_for_every_enum_value)
{
    for (int t = 0; t < SPGEMM_PREDICTOR_COUNT; t++)
        cr_expect_not_null(spgemm_predictor_name((spgemm_predictor)t));
    for (int t = 0; t < SPGEMM_ACCUMULATOR_COUNT; t++)
        cr_expect_not_null(spgemm_accumulator_name((spgemm_accumulator)t));
    cr_expect_null(
        spgemm_predictor_name((spgemm_predictor)SPGEMM_PREDICTOR_COUNT));
    cr_expect_null(
        spgemm_accumulator_name((spgemm_accumulator)SPGEMM_ACCUMULATOR_COUNT));
}

Test(errors, fault_is_empty_when_another_error_ends_the_call)
{
    call c = valid_call();
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_report report;
        spgemm_csr C = {0};
        memset(&report, 0xa5, sizeof report);
        cr_expect_eq(
            multiply_variants[v].multiply(&C, &c.A, &c.A, NULL, &report),
            SPGEMM_ERROR_SHAPE);
        cr_expect_null(report.fault.array);
        cr_expect_eq(report.nnz, 0);
    }
    free_call(&c);
}
