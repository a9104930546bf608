/* SPDX-License-Identifier: BSD-3-Clause */
/* The report tells the truth. */
#include <math.h>
#include <stdio.h>

#include "expect.h"
#include "failing_allocator.h"
#include "row_predictors.h"
#include "spgemm/predict.h"

/* An empty array takes a byte. */
static size_t bytes_of(const spgemm_csr *C, int64_t nnz)
{
    const size_t index = C->index_type == SPGEMM_I64 ? 8 : 4;
    const size_t entries = (size_t)nnz * (index + sizeof(double));
    return (size_t)(C->nrows + 1) * sizeof(int64_t) +
           (entries > 0 ? entries : 2);
}

/* Counts of A*B, made here. */
typedef struct counts {
    int64_t products;
    int64_t bound;
    int64_t rows_with_products;
} counts;

static counts count(const spgemm_csr *A, const spgemm_csr *B)
{
    counts all = {0, 0, 0};
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t products = count_row_products(A, B, i);
        all.products += products;
        all.bound += products < B->ncols ? products : B->ncols;
        all.rows_with_products += products > 0;
    }
    return all;
}

static bool has_zero(const spgemm_csr *C)
{
    const double *values = C->values;
    int64_t zeros = 0;
    for (int64_t p = 0; p < C->nnz; p++)
        zeros += values[p] == 0;
    return zeros > 0;
}

static void expect_truth(const spgemm_report *r, const spgemm_csr *C,
                         const counts *true_counts, const char *what)
{
    cr_expect_eq(r->products, true_counts->products, "%s: products", what);
    cr_expect_eq(r->nnz, C->nnz, "%s: nnz", what);
    cr_expect_leq(r->nnz, true_counts->bound, "%s: bound", what);
    cr_expect_eq(r->c_bytes, bytes_of(C, C->nnz), "%s: c_bytes", what);
    cr_expect_eq(r->upper_bound_bytes, bytes_of(C, true_counts->bound),
                 "%s: upper_bound_bytes %zu", what, r->upper_bound_bytes);
    cr_expect_geq(r->allocated_bytes, r->c_bytes, "%s: allocated", what);
    cr_expect_geq(r->peak_bytes, r->c_bytes, "%s: peak", what);
    cr_expect_geq(r->nthreads, 1, "%s: threads", what);
    cr_expect_not_null(r->isa, "%s: isa", what);
    cr_expect_not_null(r->memory, "%s: memory", what);
    cr_expect_not(r->lacks_zeros && has_zero(C), "%s: zeros", what);

    int64_t rows = 0;
    for (int t = 0; t < SPGEMM_ACCUMULATOR_COUNT; t++) {
        cr_expect_geq(r->rows_by_accumulator[t], 0);
        rows += r->rows_by_accumulator[t];
    }
    cr_expect_geq(rows, true_counts->rows_with_products, "%s: rows", what);
    cr_expect_leq(rows, C->nrows, "%s: rows", what);

    const double steps = r->check_seconds + r->products_seconds +
                         r->predict_seconds + r->allocate_seconds +
                         r->multiply_seconds + r->compact_seconds;
    cr_expect_geq(r->total_seconds, 0, "%s: total", what);
    cr_expect_leq(steps, r->total_seconds + 1e-4, "%s: seconds", what);
    cr_expect_null(r->fault.array, "%s: fault", what);
}

ParameterizedTestParameters(report, tells_the_truth)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, report, tells_the_truth)
{
    const char *name = product_cases[choice->number].name;
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, VALUES_INTEGER, &A, &B);
    const counts true_counts = count(&A, &B);
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int nthreads = 1; nthreads <= 3; nthreads += 2) {
            char text[128];
            spgemm_report r;
            memset(&r, 0xa5, sizeof r);
            spgemm_csr C = expect_success(
                &multiply_variants[v], &A, &B,
                &(spgemm_options){.resources.nthreads = nthreads}, &r);
            snprintf(text, sizeof text, "%s, %s, %d threads", name,
                     multiply_variants[v].name, nthreads);
            expect_truth(&r, &C, &true_counts, text);
            cr_expect_leq(r.nthreads, nthreads, "%s", text);
            spgemm_csr_destroy(&C);
        }
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(report, an_exact_prediction_overflows_no_row)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, report,
                  an_exact_prediction_overflows_no_row)
{
    spgemm_report r;
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, VALUES_INTEGER, &A, &B);
    const spgemm_options options = {.predict.method = SPGEMM_PREDICTOR_PRECISE,
                                    .resources.nthreads = 2};
    spgemm_csr C = expect_success(&multiply_variants[VARIANT_PREDICTED], &A, &B,
                                  &options, &r);
    cr_expect_eq(r.overflow_rows, 0);
    cr_expect_eq(r.overflow_entries, 0);
    cr_expect_eq(r.nnz_predicted, C.nnz);
    cr_expect_eq(r.nnz_standard_error, 0.0);
    cr_expect_eq(r.predictor, SPGEMM_PREDICTOR_PRECISE);
    spgemm_csr_destroy(&C);
    free_csr(&A);
    free_csr(&B);
}

/* A*B, of whose entries that of `row`, if it is one, is zero. */
static void expect_one_zero(spgemm_csr *A, const spgemm_csr *B, int64_t row)
{
    double *values = A->values;
    const double before = row >= 0 ? values[A->rowptr[row]] : 0.0;
    if (row >= 0)
        values[A->rowptr[row]] = row % 2 ? 0.0 : -0.0;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int nthreads = 1; nthreads <= 2; nthreads++) {
            spgemm_report r;
            spgemm_csr C = expect_success(
                &multiply_variants[v], A, B,
                &(spgemm_options){.resources.nthreads = nthreads}, &r);
            cr_expect_eq(r.lacks_zeros, row < 0, "%s, row %ld of %ld",
                         multiply_variants[v].name, (long)row, (long)A->nrows);
            cr_expect_eq(has_zero(&C), row >= 0);
            spgemm_csr_destroy(&C);
        }
    if (row >= 0)
        values[A->rowptr[row]] = before;
}

/* One zero among C's entries is seen wherever it is: of few products and of many, of
   a copied pattern (by a diagonal) and of rows chosen. */
Test(report, tells_of_one_zero)
{
    const int64_t sizes[] = {300, 60000, 300000};
    for (int t = 0; t < 3; t++)
        for (int shift = 0; shift < 2; shift++) {
            const int64_t n = sizes[t];
            maker m = {.index_type = SPGEMM_I32};
            spgemm_csr A = make_identity(&m, n);
            spgemm_csr B = make_identity(&m, n);
            int32_t *columns = A.colidx;
            for (int64_t i = 0; i < n; i++)
                columns[i] = (int32_t)((i + shift) % n);
            for (int64_t row = -1; row < n; row += 1 + n / 7)
                expect_one_zero(&A, &B, row);
            free_csr(&A);
            free_csr(&B);
        }
}

/* Overflow rows are there when every row is larger than was said. */
Test(report, a_low_prediction_overflows_rows)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case("banded"), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    spgemm_csr want = reference_multiply(&A, &B);
    for (int t = 0; t < row_predictor_count; t++) {
        const row_predictor *liar = &row_predictors[t];
        if (strcmp(liar->name, "zero") != 0 && strcmp(liar->name, "one") != 0 &&
            strcmp(liar->name, "a tenth") != 0)
            continue;
        spgemm_report r;
        spgemm_options options = lying_options(liar, &want);
        options.predict.slack = 1.0;
        spgemm_csr C = expect_success(&multiply_variants[VARIANT_PREDICTED], &A,
                                      &B, &options, &r);
        cr_expect_gt(r.overflow_rows, 0, "%s", liar->name);
        cr_expect_leq(r.overflow_rows, C.nrows, "%s", liar->name);
        cr_expect_geq(r.overflow_entries, r.overflow_rows, "%s", liar->name);
        cr_expect_leq(r.overflow_entries, C.nnz, "%s", liar->name);
        cr_expect_eq(r.predictor, SPGEMM_PREDICTOR_CALLER);
        spgemm_csr_destroy(&C);
    }
    free_csr(&A);
    free_csr(&B);
    free_csr(&want);
}

/* The account of the library against the account of the hooks. A block that a
   thread is about to take is in the library's before it is in the hook's, and one
   that it gives back is there after: of each of two threads or more, one. */
static void expect_account_of_hooks(const multiply_variant *multiply,
                                    const spgemm_csr *A, const spgemm_csr *B,
                                    int nthreads)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_plain_hooks(f);
    const spgemm_options options = {.resources.allocator = &hooks,
                                    .resources.nthreads = nthreads};
    spgemm_report r;
    spgemm_csr C = expect_success(multiply, A, B, &options, &r);
    cr_expect_str_eq(r.memory, "caller");
    cr_expect_leq(r.c_bytes, f->live_bytes);
    cr_expect_leq(f->live_bytes, r.c_bytes + 3 * sizeof(double));
    const size_t between = nthreads > 1 ? (size_t)nthreads : 0;
    cr_expect_leq(r.peak_bytes, f->peak_bytes + between * f->largest_bytes);
    /* A block that moves is twice there for a moment. */
    cr_expect_leq(f->peak_bytes, r.peak_bytes + f->largest_bytes);
    spgemm_csr_destroy(&C);
    cr_expect_eq(f->live, 0);
    cr_expect_eq(f->foreign, 0);
    failing_allocator_destroy(f);
}

ParameterizedTestParameters(report, counts_the_bytes_of_the_hooks)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, report, counts_the_bytes_of_the_hooks)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, VALUES_INTEGER, &A, &B);
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int nthreads = 1; nthreads <= 3; nthreads += 2)
            expect_account_of_hooks(&multiply_variants[v], &A, &B, nthreads);
    free_csr(&A);
    free_csr(&B);
}

/* Promise 4: C, some chunks a thread, some words a row; not 2 x C, not the
   products. */
static void expect_modest_peak(const spgemm_csr *A, const spgemm_csr *B,
                               const char *what)
{
    for (int nthreads = 1; nthreads <= 2; nthreads++) {
        spgemm_report r;
        spgemm_csr C = expect_success(
            &multiply_variants[VARIANT_PREDICTED], A, B,
            &(spgemm_options){.resources.nthreads = nthreads}, &r);
        cr_expect_leq((double)r.peak_bytes,
                      1.1 * (double)r.c_bytes + 16 * 0x1p20,
                      "%s: peak %zu, C %zu", what, r.peak_bytes, r.c_bytes);
        spgemm_csr_destroy(&C);
    }
}

Test(report, peak_is_c_and_little_more)
{
    maker m = {{12}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_banded(&m, 60000, 20, 0.5);
    expect_modest_peak(&A, &A, "banded");
    free_csr(&A);
}

Test(report, peak_of_giant_rows_is_c_and_little_more)
{
    static const char *const names[] = {"giant row", "giant rows",
                                        "giant wide row", "giant unsorted row"};
    for (int t = 0; t < 8; t++) {
        spgemm_csr A;
        spgemm_csr B;
        make_case(find_case(names[t / 2]), (spgemm_index_type)(t % 2),
                  VALUES_INTEGER, &A, &B);
        expect_modest_peak(&A, &B, names[t / 2]);
        free_csr(&A);
        free_csr(&B);
    }
}

/* How far a product comes before it fails shows in its report. */
Test(report, names_the_fault)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case("uniform"), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    set_column_of(&B, 1234, -7);
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C = {0};
        spgemm_report r;
        memset(&r, 0xa5, sizeof r);
        cr_assert_eq(multiply_variants[v].multiply(&C, &A, &B, NULL, &r),
                     SPGEMM_ERROR_STRUCTURE);
        cr_expect_str_eq(r.fault.operand, "B");
        cr_expect_str_eq(r.fault.array, "colidx");
        cr_expect_eq(r.fault.position, 1234);
        cr_expect_eq(r.fault.value, -7);
    }
    free_csr(&A);
    free_csr(&B);
}

/* A prediction has no other report than itself. */
Test(report, a_prediction_tells_its_times)
{
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 3000, 3000, 12);
    spgemm_prediction p;
    cr_assert_eq(spgemm_predict(&p, &A, &A, NULL, NULL), SPGEMM_SUCCESS);
    cr_expect_gt(p.products_seconds, 0);
    cr_expect_gt(p.predict_seconds, 0);
    cr_expect_lt(p.products_seconds + p.predict_seconds, 60);
    free_csr(&A);
}
