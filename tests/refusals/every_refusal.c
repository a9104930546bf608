/* SPDX-License-Identifier: BSD-3-Clause */
/* Every cause for which a call is refused, met once: the status is the one that
   the headers name, and the text names the argument or the option.

   Prints the texts, a line each, for check_refusals.py. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spgemm/chain.h"
#include "spgemm/context.h"
#include "spgemm/mtx.h"
#include "spgemm/plan.h"
#include "spgemm/predict.h"
#include "spgemm/stream.h"

static int failures;

/* The call that was just made was refused so, for what is called `name`. */
static void expect(spgemm_status got, spgemm_status wanted, const char *name)
{
    const char *text = spgemm_error_text();
    printf("%s\n", text);
    if (got == wanted && strstr(text, name))
        return;
    fprintf(stderr, "status %d instead of %d, and \"%s\" does not say %s\n",
            (int)got, (int)wanted, text, name);
    failures++;
}

/* ---- Matrices: [1 2; 0 3] -------------------------------------------------- */

static int64_t rowptr[] = {0, 2, 3};
static int32_t colidx[] = {0, 1, 1};
static double values[] = {1, 2, 3};

static spgemm_csr matrix(void)
{
    return spgemm_csr_view(2, 2, 3, rowptr, colidx, values, SPGEMM_I32,
                           SPGEMM_FP64);
}

static const spgemm_allocator no_release = {
    .allocate = (void *(*)(void *, size_t))(uintptr_t)1};
static const spgemm_allocator no_allocate = {
    .release = (void (*)(void *, void *))(uintptr_t)1};

static spgemm_status create(int64_t nrows, int64_t ncols, int64_t nnz,
                            int index_type, int value_type,
                            const spgemm_allocator *allocator)
{
    spgemm_csr A;
    return spgemm_csr_create(&A, nrows, ncols, nnz,
                             (spgemm_index_type)index_type,
                             (spgemm_value_type)value_type, allocator);
}

static void refuse_create(void)
{
    expect(spgemm_csr_create(NULL, 1, 1, 1, SPGEMM_I32, SPGEMM_FP64, NULL),
           SPGEMM_ERROR_INVALID, "A is NULL");
    expect(create(-1, 1, 1, 0, 0, NULL), SPGEMM_ERROR_INVALID, "nrows is -1");
    expect(create(1, -2, 1, 0, 0, NULL), SPGEMM_ERROR_INVALID, "ncols is -2");
    expect(create(1, 1, -3, 0, 0, NULL), SPGEMM_ERROR_INVALID, "nnz is -3");
    expect(create(1, 1, 1, 7, 0, NULL), SPGEMM_ERROR_INVALID,
           "index_type is 7");
    expect(create(1, 1, 1, 0, 99, NULL), SPGEMM_ERROR_INVALID,
           "value_type is 99");
    expect(create(1, (int64_t)1 << 31, 1, 0, 0, NULL), SPGEMM_ERROR_OVERFLOW,
           "ncols is 2147483648");
    expect(create(INT64_MAX, 1, 1, 0, 0, NULL), SPGEMM_ERROR_OVERFLOW,
           "nrows is 9223372036854775807");
    expect(create(1, 1, INT64_MAX, 0, 0, NULL), SPGEMM_ERROR_OVERFLOW,
           "nnz is 9223372036854775807");
    expect(create(1, 1, 1, 0, 0, &no_release), SPGEMM_ERROR_INVALID,
           "allocator has no release");
    expect(create(1, 1, 1, 0, 0, &no_allocate), SPGEMM_ERROR_INVALID,
           "allocator has no allocate");
}

static void refuse_structure(void)
{
    int64_t first[] = {1, 2, 3};
    int64_t back[] = {0, 3, 2};
    int64_t far[] = {0, 4, 3};
    int64_t more[] = {0, 1, 2};
    int32_t outside[] = {0, 5, 1};
    int32_t unsorted[] = {1, 0, 1};
    spgemm_csr A = matrix();
    expect(spgemm_csr_check(NULL, NULL), SPGEMM_ERROR_INVALID, "A is NULL");
    A.flags = 1u << 20;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_INVALID, "A.flags");
    A = matrix();
    A.rowptr = NULL;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_INVALID, "A.rowptr");
    A = matrix();
    A.colidx = NULL;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_INVALID, "A.colidx");
    A = matrix();
    A.rowptr = first;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_STRUCTURE,
           "A.rowptr[0] is 1");
    A.rowptr = back;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_STRUCTURE,
           "A.rowptr[2] is 2");
    A.rowptr = far;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_STRUCTURE,
           "A.rowptr[1] is 4");
    A.rowptr = more;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_STRUCTURE,
           "A.rowptr[2] is 2");
    A = matrix();
    A.colidx = outside;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_STRUCTURE,
           "A.colidx[1] is 5");
    A.colidx = unsorted;
    A.flags = SPGEMM_SORTED_ROWS;
    expect(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_STRUCTURE,
           "A.colidx[1] is 0");
}

static spgemm_status view32(int64_t nrows, const int32_t *pointers,
                            const int32_t *columns)
{
    spgemm_csr A;
    return spgemm_csr_view32(&A, nrows, 2, pointers, columns, NULL, SPGEMM_FP64,
                             NULL);
}

static void refuse_views(void)
{
    const int32_t good[] = {0, 2, 3};
    const int32_t bad[] = {0, -2, 3};
    const int32_t ends_bad[] = {0, 2, -3};
    spgemm_csr T;
    spgemm_csr A = matrix();
    expect(spgemm_csr_view32(NULL, 2, 2, good, colidx, NULL, SPGEMM_FP64, NULL),
           SPGEMM_ERROR_INVALID, "A is NULL");
    expect(view32(-1, good, colidx), SPGEMM_ERROR_INVALID, "nrows is -1");
    expect(view32(2, NULL, colidx), SPGEMM_ERROR_INVALID, "rowptr is NULL");
    expect(view32(2, good, NULL), SPGEMM_ERROR_INVALID, "colidx is NULL");
    expect(view32(2, bad, colidx), SPGEMM_ERROR_INVALID, "rowptr[1] is -2");
    expect(view32(2, ends_bad, colidx), SPGEMM_ERROR_INVALID,
           "rowptr[2] is -3");
    expect(spgemm_csr_transpose(NULL, &A), SPGEMM_ERROR_INVALID, "T is NULL");
    expect(spgemm_csr_transpose(&T, NULL), SPGEMM_ERROR_INVALID, "A is NULL");
    expect(spgemm_csr_transpose(&A, &A), SPGEMM_ERROR_INVALID, "T is A");
    expect(spgemm_csr_sort_rows(NULL), SPGEMM_ERROR_INVALID, "A is NULL");
    A.colidx = (int32_t[]){1, 0, 1};
    A.allocator = no_release;
    expect(spgemm_csr_sort_rows(&A), SPGEMM_ERROR_INVALID,
           "A->allocator has no release");
    expect(spgemm_csr_transpose(&T, &A), SPGEMM_ERROR_INVALID,
           "A->allocator has no release");
}

static spgemm_status coo(int64_t nrows, int64_t count, const int32_t *rows,
                         const int32_t *cols, spgemm_value_type type)
{
    spgemm_csr A;
    return spgemm_csr_from_coo(&A, nrows, 2, count, rows, cols, values,
                               SPGEMM_I32, type, NULL);
}

static void refuse_triplets(void)
{
    const int32_t good[] = {0, 0};
    const int32_t bad[] = {0, 9};
    expect(spgemm_csr_from_coo(NULL, 2, 2, 0, NULL, NULL, NULL, SPGEMM_I32,
                               SPGEMM_FP64, NULL),
           SPGEMM_ERROR_INVALID, "A is NULL");
    expect(coo(2, -1, good, good, SPGEMM_FP64), SPGEMM_ERROR_INVALID,
           "ntriplets is -1");
    expect(coo((int64_t)1 << 31, 2, good, good, SPGEMM_FP64),
           SPGEMM_ERROR_OVERFLOW, "nrows is 2147483648");
    expect(coo(2, 2, NULL, good, SPGEMM_FP64), SPGEMM_ERROR_INVALID,
           "rows is NULL");
    expect(coo(2, 2, good, NULL, SPGEMM_FP64), SPGEMM_ERROR_INVALID,
           "cols is NULL");
    expect(coo(2, 2, bad, good, SPGEMM_FP64), SPGEMM_ERROR_INVALID,
           "rows[1] is 9");
    expect(coo(2, 2, good, bad, SPGEMM_FP64), SPGEMM_ERROR_INVALID,
           "cols[1] is 9");
    expect(coo(2, 2, good, good, SPGEMM_ELEMENTS(12)), SPGEMM_ERROR_UNSUPPORTED,
           "SPGEMM_ELEMENTS()");
}

/* ---- Products --------------------------------------------------------------- */

/* A*B with these options; every text must be in the report, too. */
static void refuse_of(const spgemm_csr *A, const spgemm_csr *B,
                      spgemm_options options, spgemm_status wanted,
                      const char *name)
{
    spgemm_csr C;
    spgemm_report report;
    const spgemm_status got = spgemm_predicted(&C, A, B, &options, &report);
    expect(got, wanted, name);
    if (strcmp(report.refusal, spgemm_error_text()) != 0) {
        fprintf(stderr, "the report says \"%s\"\n", report.refusal);
        failures++;
    }
}

static void refuse(spgemm_options options, spgemm_status wanted,
                   const char *name)
{
    const spgemm_csr A = matrix();
    refuse_of(&A, &A, options, wanted, name);
}

#define INVALID SPGEMM_ERROR_INVALID

static void refuse_enums(void)
{
    refuse((spgemm_options){.product.reserved = {1}}, INVALID,
           "options.product.reserved[0]");
    refuse((spgemm_options){.filter.reserved = {0, 1}}, INVALID,
           "options.filter.reserved[1]");
    refuse((spgemm_options){.predict.reserved = {0, 1}}, INVALID,
           "options.predict.reserved[1]");
    refuse((spgemm_options){.resources.reserved = {1}}, INVALID,
           "options.resources.reserved[0]");
    refuse((spgemm_options){.predict.method = (spgemm_predictor)77}, INVALID,
           "options.predict.method is 77");
    refuse((spgemm_options){.product.row_order = (spgemm_row_order)7}, INVALID,
           "options.product.row_order is 7");
    refuse((spgemm_options){.resources.input_check = (spgemm_input_check)7},
           INVALID, "options.resources.input_check is 7");
    refuse((spgemm_options){.product.semiring = (spgemm_semiring)99}, INVALID,
           "options.product.semiring is 99");
    refuse((spgemm_options){.product.op_a = (spgemm_operation)5}, INVALID,
           "options.product.op_a is 5");
    refuse((spgemm_options){.product.op_b = (spgemm_operation)-1}, INVALID,
           "options.product.op_b is -1");
    refuse((spgemm_options){.filter.mask_mode = 9}, INVALID,
           "options.filter.mask_mode is 9");
    refuse((spgemm_options){.filter.keep_top = 1,
                            .filter.top_by = (spgemm_top_order)2},
           INVALID, "options.filter.top_by is 2");
}

static void refuse_numbers(void)
{
    refuse((spgemm_options){.predict.slack = 0.5}, INVALID,
           "options.predict.slack is 0.5");
    refuse((spgemm_options){.predict.slack = NAN}, INVALID,
           "options.predict.slack");
    refuse((spgemm_options){.resources.nthreads = -1}, INVALID,
           "options.resources.nthreads is -1");
    refuse((spgemm_options){.filter.drop_tolerance = -1}, INVALID,
           "options.filter.drop_tolerance is -1");
    refuse((spgemm_options){.filter.drop_tolerance = NAN}, INVALID,
           "options.filter.drop_tolerance");
    refuse((spgemm_options){.filter.keep_top = -1}, INVALID,
           "options.filter.keep_top is -1");
    refuse((spgemm_options){.filter.top_by = SPGEMM_TOP_VALUE}, INVALID,
           "options.filter.top_by is given");
    refuse((spgemm_options){.predict.method = SPGEMM_PREDICTOR_PRECISE,
                            .predict.size = 5},
           INVALID, "options.predict.size is 5");
    refuse((spgemm_options){.predict.method = SPGEMM_PREDICTOR_BHASH,
                            .predict.probability = 2},
           INVALID, "options.predict.probability is 2");
    refuse((spgemm_options){.predict.budget = -5}, INVALID,
           "options.predict.budget is -5");
    refuse((spgemm_options){.predict.error = 7}, INVALID,
           "options.predict.error is 7");
    refuse((spgemm_options){.predict.method = SPGEMM_PREDICTOR_HYPERLOGLOG,
                            .predict.size = 100},
           INVALID, "options.predict.size is 100");
    refuse((spgemm_options){.predict.method = SPGEMM_PREDICTOR_CALLER}, INVALID,
           "options.predict.row_nnz is NULL");
    refuse((spgemm_options){.resources.allocator = &no_release}, INVALID,
           "options.resources.allocator has no release");
}

static void refuse_lists(void)
{
    const int64_t rows[] = {0, 7};
    const int64_t back[] = {1, 0};
    refuse((spgemm_options){.product.rows = rows}, INVALID,
           "options.product.nrows is 0");
    refuse((spgemm_options){.product.nrows = 2}, INVALID,
           "options.product.rows is NULL");
    refuse((spgemm_options){.product.cols = rows}, INVALID,
           "options.product.ncols is 0");
    refuse((spgemm_options){.product.ncols = 2}, INVALID,
           "options.product.cols is NULL");
    refuse((spgemm_options){.product.rows = rows, .product.nrows = 2}, INVALID,
           "options.product.rows[1] is 7");
    refuse((spgemm_options){.product.cols = rows, .product.ncols = 2}, INVALID,
           "options.product.cols[1] is 7");
    refuse((spgemm_options){.product.cols = back, .product.ncols = 2}, INVALID,
           "options.product.cols[1] is 0 after 1");
}

static void multiply(void *context, void *term, const void *a, const void *b)
{
    (void)context;
    *(double *)term = *(const double *)a * *(const double *)b;
}

static void add(void *context, void *sum, const void *term)
{
    (void)context;
    *(double *)sum += *(const double *)term;
}

static void refuse_user(void)
{
    static const double zero = 0;
    const spgemm_user_semiring none = {.multiply = multiply, .add = add};
    const spgemm_user_semiring no_multiply = {.zero = &zero, .add = add};
    const spgemm_user_semiring no_add = {.zero = &zero, .multiply = multiply};
    const spgemm_user_semiring good = {
        .zero = &zero, .multiply = multiply, .add = add};
    refuse((spgemm_options){.product.semiring = SPGEMM_USER}, INVALID,
           "options.product.user is NULL");
    refuse((spgemm_options){.product.semiring = SPGEMM_USER,
                            .product.user = &none},
           INVALID, "options.product.user->zero is NULL");
    refuse((spgemm_options){.product.semiring = SPGEMM_USER,
                            .product.user = &no_multiply},
           INVALID, "options.product.user->multiply is NULL");
    refuse((spgemm_options){.product.semiring = SPGEMM_USER,
                            .product.user = &no_add},
           INVALID, "options.product.user->add is NULL");
    refuse((spgemm_options){.product.semiring = SPGEMM_USER,
                            .product.user = &good,
                            .filter.drop_zeros = true},
           SPGEMM_ERROR_UNSUPPORTED, "options.filter.drop_zeros");
}

static void refuse_out(void)
{
    int64_t pointers[3];
    int32_t columns[8];
    const spgemm_out no_rowptr = {.colidx = columns, .capacity = 8};
    const spgemm_out negative = {.rowptr = pointers, .capacity = -8};
    const spgemm_out no_colidx = {.rowptr = pointers, .capacity = 8};
    const spgemm_out no_values = {
        .rowptr = pointers, .colidx = columns, .capacity = 8};
    const spgemm_out taken = {
        .rowptr = pointers, .colidx = columns, .values = values, .capacity = 3};
    const spgemm_out twice = {.rowptr = pointers,
                              .colidx = pointers,
                              .values = columns,
                              .capacity = 3};
    refuse((spgemm_options){.resources.out = &no_rowptr}, INVALID,
           "options.resources.out->rowptr is NULL");
    refuse((spgemm_options){.resources.out = &negative}, INVALID,
           "options.resources.out->capacity is -8");
    refuse((spgemm_options){.resources.out = &no_colidx}, INVALID,
           "options.resources.out->colidx is NULL");
    refuse((spgemm_options){.resources.out = &no_values}, INVALID,
           "options.resources.out->values is NULL");
    refuse((spgemm_options){.resources.out = &taken}, INVALID,
           "options.resources.out->values overlaps A.values");
    refuse(
        (spgemm_options){.resources.out = &twice}, INVALID,
        "options.resources.out->colidx overlaps options.resources.out->rowptr");
}

static void refuse_kinds(void)
{
    int64_t wide[] = {0, 1, 1};
    float floats[] = {1, 2, 3};
    const spgemm_csr A = matrix();
    spgemm_csr B = matrix();
    B.index_type = SPGEMM_I64;
    B.colidx = wide;
    refuse_of(&A, &B, (spgemm_options){0}, SPGEMM_ERROR_UNSUPPORTED,
              "A.index_type is int32, and B.index_type is int64");
    B = matrix();
    B.value_type = SPGEMM_FP32;
    B.values = floats;
    refuse_of(&A, &B, (spgemm_options){0}, SPGEMM_ERROR_UNSUPPORTED,
              "A.value_type is double, and B.value_type is float");
    B = matrix();
    B.values = NULL;
    refuse_of(&A, &B, (spgemm_options){0}, SPGEMM_ERROR_UNSUPPORTED,
              "B.values is NULL");
    refuse_of(&B, &B, (spgemm_options){.product.alpha = values}, INVALID,
              "options.product.alpha");
    refuse_of(&B, &B, (spgemm_options){.filter.keep_top = 1}, INVALID,
              "keep_top");
    B = spgemm_csr_view(1, 2, 3, (int64_t[]){0, 3}, colidx, values, SPGEMM_I32,
                        SPGEMM_FP64);
    refuse_of(&A, &B, (spgemm_options){0}, SPGEMM_ERROR_SHAPE,
              "A has 2 columns, and B has 1 rows");
    B = matrix();
    B.value_type = SPGEMM_CFP32;
    refuse_of(&B, &B, (spgemm_options){.product.semiring = SPGEMM_MIN_PLUS},
              SPGEMM_ERROR_UNSUPPORTED, "options.product.semiring, min_plus");
    refuse_of(&B, &B,
              (spgemm_options){.filter.keep_top = 1,
                               .filter.top_by = SPGEMM_TOP_VALUE},
              SPGEMM_ERROR_UNSUPPORTED, "options.filter.top_by");
    refuse_of(&A, NULL, (spgemm_options){0}, INVALID, "B is NULL");
    B = matrix();
    B.colidx = (int32_t[]){0, -1, 1};
    refuse_of(&A, &B, (spgemm_options){0}, SPGEMM_ERROR_STRUCTURE,
              "B.colidx[1] is -1");
    refuse_of(&A, &B, (spgemm_options){.product.op_b = SPGEMM_OP_TRANSPOSE},
              SPGEMM_ERROR_STRUCTURE, "B.colidx[1] is -1");
}

static void refuse_forms(void)
{
    int64_t wide[] = {0, 1, 1};
    spgemm_csr X = matrix();
    refuse((spgemm_options){.filter.mask_mode = SPGEMM_MASK_VALUES}, INVALID,
           "options.filter.mask is NULL");
    refuse((spgemm_options){.product.beta = values}, INVALID,
           "options.product.D is NULL");
    X.ncols = 3;
    refuse((spgemm_options){.filter.mask = &X}, SPGEMM_ERROR_SHAPE,
           "options.filter.mask is 2 x 3");
    refuse((spgemm_options){.product.D = &X}, SPGEMM_ERROR_SHAPE,
           "options.product.D is 2 x 3");
    X = matrix();
    X.index_type = SPGEMM_I64;
    X.colidx = wide;
    refuse((spgemm_options){.filter.mask = &X}, SPGEMM_ERROR_UNSUPPORTED,
           "options.filter.mask->index_type");
    X = matrix();
    X.values = NULL;
    refuse((spgemm_options){.filter.mask = &X,
                            .filter.mask_mode = SPGEMM_MASK_VALUES},
           INVALID, "options.filter.mask->values");
    refuse((spgemm_options){.product.D = &X}, INVALID,
           "options.product.D->values");
    X = matrix();
    X.value_type = SPGEMM_INT64;
    refuse((spgemm_options){.product.D = &X}, SPGEMM_ERROR_UNSUPPORTED,
           "options.product.D->value_type");
    X = matrix();
    X.colidx = (int32_t[]){0, 77, 1};
    refuse((spgemm_options){.filter.mask = &X}, SPGEMM_ERROR_STRUCTURE,
           "mask.colidx[1] is 77");
}

static int stop(void *context, double done)
{
    (void)context;
    (void)done;
    return 1;
}

static void refuse_products(void)
{
    spgemm_csr A = matrix();
    expect(spgemm_predicted(NULL, &A, &A, NULL, NULL), INVALID, "C is NULL");
    spgemm_csr C = matrix();
    expect(spgemm_predicted(&A, &A, &A, NULL, NULL), INVALID, "C is A itself");
    expect(
        spgemm_predicted(&C, &A, &A, &(spgemm_options){.product.D = &C}, NULL),
        INVALID, "C is options.product.D itself");
    expect(spgemm_predicted(&C, &A, &A, &(spgemm_options){.filter.mask = &C},
                            NULL),
           INVALID, "C is options.filter.mask itself");
    refuse((spgemm_options){.resources.memory_limit_bytes = 1},
           SPGEMM_ERROR_MEMORY_LIMIT,
           "options.resources.memory_limit_bytes is 1");
    refuse((spgemm_options){.resources.progress = stop}, SPGEMM_ERROR_CANCELLED,
           "progress asked to stop");
    expect(spgemm_predict(NULL, &A, &A, NULL, NULL), INVALID,
           "prediction is NULL");
    spgemm_prediction prediction;
    expect(spgemm_predict(&prediction, &A, NULL, NULL, NULL), INVALID,
           "B is NULL");
    if (!strstr(prediction.refusal, "B is NULL"))
        failures++;
    expect(spgemm_predict(&prediction, &A, &A,
                          &(spgemm_options){.filter.top_by = SPGEMM_TOP_VALUE},
                          NULL),
           INVALID, "options.filter.top_by is given");
    expect(spgemm_context_create(NULL, NULL), INVALID, "context is NULL");
}

/* A limit that C's prediction alone is above. */
static void refuse_hopeless(void)
{
    enum { N = 1000 };
    static int64_t pointers[N + 1];
    static int32_t columns[N];
    static double ones[N];
    for (int i = 0; i < N; i++) {
        pointers[i + 1] = i + 1;
        columns[i] = i;
        ones[i] = 1;
    }
    const spgemm_csr I = spgemm_csr_view(N, N, N, pointers, columns, ones,
                                         SPGEMM_I32, SPGEMM_FP64);
    spgemm_options options = {.predict.method = SPGEMM_PREDICTOR_STRATIFIED,
                              .resources.memory_limit_bytes = 90000};
    refuse_of(&I, &I, options, SPGEMM_ERROR_MEMORY_LIMIT, "C alone");
    /* Few products are tried without a prediction first. */
    options.predict.method = SPGEMM_PREDICTOR_AUTO;
    options.resources.memory_limit_bytes = 20000;
    refuse_of(&I, &I, options, SPGEMM_ERROR_MEMORY_LIMIT,
              "20000, and at least ");
}

/* ---- Plans and streams ------------------------------------------------------ */

static void refuse_plans(void)
{
    spgemm_plan *plan;
    const spgemm_csr A = matrix();
    spgemm_csr other = matrix();
    spgemm_csr C;
    expect(spgemm_plan_create(NULL, &C, &A, &A, NULL, NULL), INVALID,
           "plan is NULL");
    expect(spgemm_plan_create(&plan, &C, &A, &A,
                              &(spgemm_options){.filter.keep_top = 1}, NULL),
           SPGEMM_ERROR_UNSUPPORTED, "options.filter.keep_top");
    if (spgemm_plan_create(&plan, &C, &A, &A, NULL, NULL) < 0) {
        failures++;
        return;
    }
    expect(spgemm_plan_repeat(NULL, &C, &A, &A, NULL), INVALID, "plan is NULL");
    expect(spgemm_plan_repeat_watched(plan, &C, &A, &A, stop, NULL, NULL),
           SPGEMM_ERROR_CANCELLED, "progress asked to stop");
    expect(spgemm_plan_repeat(plan, &C, NULL, &A, NULL), INVALID, "A is NULL");
    other.values = NULL;
    expect(spgemm_plan_repeat(plan, &C, &other, &A, NULL), INVALID,
           "A.values is NULL");
    other = matrix();
    other.colidx = (int32_t[]){0, 0, 1};
    expect(spgemm_plan_repeat(plan, &C, &A, &other, NULL), SPGEMM_ERROR_PATTERN,
           "B is not what was planned for");
    other = C;
    other.nnz--;
    expect(spgemm_plan_repeat(plan, &other, &A, &A, NULL), SPGEMM_ERROR_PATTERN,
           "C is not what was planned for: its shape");
    other = C;
    other.values = NULL;
    expect(spgemm_plan_repeat(plan, &other, &A, &A, NULL), INVALID,
           "C.values is NULL");
    other = A;
    other.values = C.values;
    expect(spgemm_plan_repeat(plan, &C, &other, &A, NULL), INVALID,
           "C.values overlaps A.values");
    other = C;
    other.values = C.colidx;
    expect(spgemm_plan_repeat(plan, &other, &A, &A, NULL), INVALID,
           "C.values overlaps C.colidx");
    ((int32_t *)C.colidx)[0] = 1;
    expect(spgemm_plan_repeat(plan, &C, &A, &A, NULL), SPGEMM_ERROR_PATTERN,
           "C is not what was planned for: its rowptr or colidx");
    spgemm_plan_destroy(plan);
    spgemm_csr_destroy(&C);
}

static int decline(void *context, const spgemm_csr *rows, int64_t first_row)
{
    (void)context;
    (void)rows;
    (void)first_row;
    return 5;
}

static void refuse_streams(void)
{
    const spgemm_csr A = matrix();
    int64_t pointers[3];
    const spgemm_out out = {.rowptr = pointers};
    expect(spgemm_stream(&A, &A, NULL, 0, NULL, NULL, NULL), INVALID,
           "sink is NULL");
    expect(spgemm_stream(&A, &A, &(spgemm_options){.resources.out = &out}, 0,
                         decline, NULL, NULL),
           INVALID, "options.resources.out");
    expect(spgemm_stream(&A, &A, NULL, 0, decline, NULL, NULL),
           SPGEMM_ERROR_CANCELLED, "sink returned 5");
    expect(spgemm_stream(&A, &A, NULL, 1, decline, NULL, NULL),
           SPGEMM_ERROR_MEMORY_LIMIT, "row 0");
}

/* ---- R A P ------------------------------------------------------------------- */

static void refuse_rap_of(const spgemm_csr *R, spgemm_options options,
                          spgemm_status wanted, const char *name)
{
    const spgemm_csr A = matrix();
    spgemm_csr C;
    expect(spgemm_rap(&C, R, &A, &A, &options, NULL), wanted, name);
}

static void refuse_rap(void)
{
    spgemm_csr A = matrix();
    spgemm_csr wide = matrix();
    int64_t pointers[3];
    const int64_t rows[] = {2};
    const spgemm_out onto = {.rowptr = pointers,
                             .colidx = A.colidx,
                             .values = A.values,
                             .capacity = 3};
    const spgemm_options none = {0};
    wide.ncols = 3;
    expect(spgemm_rap(NULL, &A, &A, &A, NULL, NULL), INVALID, "C is NULL");
    expect(spgemm_rap(&A, &wide, &A, &A, NULL, NULL), INVALID, "C is A itself");
    expect(spgemm_rap(&wide, &wide, &A, &A, NULL, NULL), INVALID,
           "C is R itself");
    refuse_rap_of(&wide, none, SPGEMM_ERROR_SHAPE,
                  "R has 3 columns, and A P has 2 rows");
    refuse_rap_of(NULL, (spgemm_options){.product.op_b = SPGEMM_OP_TRANSPOSE},
                  INVALID, "R is NULL");
    refuse_rap_of(&A,
                  (spgemm_options){.product.rows = rows, .product.nrows = 1},
                  INVALID, "op(R) has 2 rows");
    refuse_rap_of(&A,
                  (spgemm_options){.product.cols = rows, .product.ncols = 1},
                  INVALID, "op(P) has 2 columns");
    refuse_rap_of(
        &A, (spgemm_options){.predict.method = SPGEMM_PREDICTOR_UPPER_BOUND},
        INVALID, "options.predict.method");
    refuse_rap_of(&A, (spgemm_options){.predict.budget = 5}, INVALID,
                  "options.predict.budget");
    refuse_rap_of(&A, (spgemm_options){.predict.error = 0.5}, INVALID,
                  "options.predict.error");
    refuse_rap_of(&A, (spgemm_options){.resources.out = &onto}, INVALID,
                  "overlaps");
    refuse_rap_of(&A, (spgemm_options){.resources.memory_limit_bytes = 1},
                  SPGEMM_ERROR_MEMORY_LIMIT, "memory_limit_bytes is 1");
}

/* ---- A B C ------------------------------------------------------------------- */

static void refuse_chain_options(void)
{
    const spgemm_csr A = matrix();
    const int64_t list[] = {0};
    const struct {
        spgemm_options options;
        const char *name;
    } all[] = {
        {{.product.semiring = SPGEMM_MIN_PLUS}, "product.semiring"},
        {{.product.alpha = list}, "product.alpha"},
        {{.product.beta = list, .product.D = &A}, "product.beta"},
        {{.product.op_a = SPGEMM_OP_TRANSPOSE}, "product.op_a"},
        {{.product.op_b = SPGEMM_OP_TRANSPOSE}, "product.op_b"},
        {{.product.rows = list, .product.nrows = 1}, "product.rows"},
        {{.product.cols = list, .product.ncols = 1}, "product.cols"},
        {{.product.row_order = SPGEMM_ROWS_UNSORTED}, "product.row_order"},
        {{.filter.mask = &A}, "filter.mask"},
        {{.filter.drop_zeros = true}, "filter.drop_zeros"},
        {{.filter.drop_tolerance = 1}, "filter.drop_tolerance"},
        {{.filter.keep_top = 1}, "filter.keep_top"},
        {{.predict.method = SPGEMM_PREDICTOR_PRECISE}, "predict.method"},
        {{.predict.error = 0.5}, "predict.error"},
        {{.resources.memory_limit_bytes = 1}, "resources.memory_limit_bytes"},
    };
    spgemm_chain chain;
    for (size_t t = 0; t < sizeof all / sizeof *all; t++)
        expect(spgemm_predict_chain(&chain, &A, &A, &A, &all[t].options),
               INVALID, all[t].name);
}

static void refuse_chain(void)
{
    const spgemm_csr A = matrix();
    spgemm_csr other = matrix();
    spgemm_chain chain;
    refuse_chain_options();
    expect(spgemm_predict_chain(NULL, &A, &A, &A, NULL), INVALID,
           "chain is NULL");
    expect(spgemm_predict_chain(&chain, NULL, &A, &A, NULL), INVALID,
           "A is NULL");
    expect(spgemm_predict_chain(&chain, &A, NULL, &A, NULL), INVALID,
           "B is NULL");
    expect(spgemm_predict_chain(&chain, &A, &A, NULL, NULL), INVALID,
           "C is NULL");
    other.ncols = 3;
    expect(spgemm_predict_chain(&chain, &other, &A, &A, NULL),
           SPGEMM_ERROR_SHAPE, "A has 3 columns, and B has 2 rows");
    expect(spgemm_predict_chain(&chain, &A, &other, &A, NULL),
           SPGEMM_ERROR_SHAPE, "B has 3 columns, and C has 2 rows");
}

/* ---- Matrix Market ---------------------------------------------------------- */

static ptrdiff_t read_nothing(void *context, void *buffer, size_t size)
{
    (void)context;
    (void)buffer;
    (void)size;
    return 0;
}

static int fail_to_write(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
    return -1;
}

static void refuse_texts(void)
{
    const spgemm_mtx_source none = {0};
    const spgemm_mtx_source empty = {.read = read_nothing};
    const spgemm_csr A = matrix();
    spgemm_csr X = matrix();
    expect(spgemm_mtx_read(NULL, &empty, NULL, NULL), INVALID, "A is NULL");
    expect(spgemm_mtx_read(&X, NULL, NULL, NULL), INVALID, "source is NULL");
    expect(spgemm_mtx_read(&X, &none, NULL, NULL), INVALID,
           "source->read is NULL");
    expect(spgemm_mtx_read(&X, &empty, &(spgemm_mtx_options){.nthreads = -1},
                           NULL),
           INVALID, "options.nthreads is -1");
    expect(spgemm_mtx_read(&X, &empty,
                           &(spgemm_mtx_options){.reserved = {0, 1}}, NULL),
           INVALID, "options.reserved[1]");
    expect(spgemm_mtx_read(&X, &empty, NULL, NULL), SPGEMM_ERROR_IO, "line 1");
    expect(spgemm_mtx_read_file(&X, NULL, NULL, NULL), INVALID, "path is NULL");
    expect(spgemm_mtx_read_file(&X, "/nobody/has/this", NULL, NULL),
           SPGEMM_ERROR_IO, "could not be opened");
    expect(spgemm_mtx_write(&A, NULL, NULL), INVALID, "sink is NULL");
    expect(spgemm_mtx_write(&A, fail_to_write, NULL), SPGEMM_ERROR_IO,
           "sink failed");
    expect(spgemm_mtx_write_header(1, -1, 1, SPGEMM_FP64, fail_to_write, NULL),
           INVALID, "ncols is -1");
    expect(spgemm_mtx_write_rows(&A, INT64_MAX, NULL, fail_to_write, NULL),
           INVALID, "first_row is 9223372036854775807");
    X.value_type = SPGEMM_ELEMENTS(8);
    expect(spgemm_mtx_write(&X, fail_to_write, NULL), SPGEMM_ERROR_UNSUPPORTED,
           "value_type is");
    X.colidx = NULL;
    expect(spgemm_mtx_write(&X, fail_to_write, NULL), INVALID, "A.colidx");
}

int main(void)
{
    refuse_create();
    refuse_structure();
    refuse_views();
    refuse_triplets();
    refuse_enums();
    refuse_numbers();
    refuse_lists();
    refuse_user();
    refuse_out();
    refuse_kinds();
    refuse_forms();
    refuse_products();
    refuse_hopeless();
    refuse_plans();
    refuse_streams();
    refuse_rap();
    refuse_chain();
    refuse_texts();
    return failures > 0;
}
