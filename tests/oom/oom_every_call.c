/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of every function fails once, and from then on for ever:
   OUT_OF_MEMORY, nothing written, nothing lost, inputs as they were, and the
   next call right. A loop ends at the first success. */
#include <stdio.h>

#include "expect.h"
#include "failing_allocator.h"
#include "reference_form.h"
#include "row_predictors.h"
#include "spgemm/chain.h"
#include "spgemm/mtx.h"
#include "spgemm/plan.h"
#include "spgemm/predict.h"
#include "spgemm/stream.h"

/* More allocations than any call here makes: a loop that does not end. */
enum { MOST_CALLS = 20000 };

/* What one call works on. */
typedef struct trial {
    const char *name;
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr want; /* the true result, or a zeroed struct */
    spgemm_options options;
    const multiply_variant *variant;
    size_t block_bytes; /* of a stream */
    int64_t rows_taken;
    failing_allocator *heap;
    spgemm_allocator hooks;
} trial;

/* Calls the function once. On success the result is checked and freed; on
   failure it is asserted that nothing was written. */
typedef spgemm_status trial_function(trial *t);

static void expect_untouched(const trial *t, const void *out, size_t size)
{
    for (size_t byte = 0; byte < size; byte++)
        cr_assert_eq(((const unsigned char *)out)[byte], 0x3c,
                     "%s: output touched on failure", t->name);
}

static void expect_clean(const trial *t, long live)
{
    cr_assert_eq(t->heap->live, live, "%s: %ld blocks live", t->name,
                 t->heap->live - live);
    cr_assert_eq(t->heap->foreign, 0, "%s: foreign block freed", t->name);
}

/* Who may succeed although an allocation failed. */
typedef enum survivors {
    NO_SURVIVORS = 0,
    SHRINKS =
        2, /* C's two arrays, when they cannot be shortened, stay longer */
    ANY_SURVIVORS = MOST_CALLS /* a team may do with fewer members */
} survivors;

static survivors survivors_of(int nthreads)
{
    return nthreads > 1 ? ANY_SURVIVORS : SHRINKS;
}

static void run_trial(trial *t, trial_function *call, survivors most)
{
    spgemm_csr A_copy = copy_csr(&t->A);
    spgemm_csr B_copy = copy_csr(&t->B);
    const long live = t->heap->live;
    long failed = 0;
    for (int forever = 0; forever < 2; forever++) {
        long at = 0;
        int survived = 0;
        for (; at < MOST_CALLS; at++) {
            failing_allocator_arm(t->heap, at, forever);
            const spgemm_status status = call(t);
            const long failures = t->heap->failures;
            failing_allocator_arm(t->heap, -1, false);
            expect_clean(t, live);
            cr_assert(spgemm_csr_equal(&t->A, &A_copy), "%s: A", t->name);
            cr_assert(spgemm_csr_equal(&t->B, &B_copy), "%s: B", t->name);
            if (failures == 0) {
                cr_assert_eq(status, SPGEMM_SUCCESS, "%s", t->name);
                break;
            }
            failed += status == SPGEMM_ERROR_OUT_OF_MEMORY;
            survived += status == SPGEMM_SUCCESS;
            cr_assert(status == SPGEMM_ERROR_OUT_OF_MEMORY ||
                          (status == SPGEMM_SUCCESS && survived <= (int)most),
                      "%s: call %ld failed %s: %s", t->name, at,
                      forever ? "for ever" : "once",
                      spgemm_status_string(status));
        }
        cr_assert_lt(at, MOST_CALLS, "%s: never succeeds", t->name);
        cr_assert_eq(call(t), SPGEMM_SUCCESS, "%s: the call after", t->name);
    }
    cr_assert_gt(failed, 0, "%s: nothing ever failed", t->name);
    free_csr(&A_copy);
    free_csr(&B_copy);
}

static trial begin_trial(const char *name, const char *case_name, int type)
{
    trial t = {.name = name, .heap = failing_allocator_create()};
    make_case(find_case(case_name), (spgemm_index_type)type, VALUES_INTEGER,
              &t.A, &t.B);
    t.want = reference_multiply(&t.A, &t.B);
    t.hooks = failing_allocator_hooks(t.heap);
    return t;
}

static void end_trial(trial *t)
{
    free_csr(&t->A);
    free_csr(&t->B);
    free_csr(&t->want);
    failing_allocator_destroy(t->heap);
}

/* ---- Products ----------------------------------------------------------- */

static spgemm_status call_multiply(trial *t)
{
    spgemm_csr C;
    memset(&C, 0x3c, sizeof C);
    t->options.resources.allocator = &t->hooks;
    const spgemm_status status =
        t->variant->multiply(&C, &t->A, &t->B, &t->options, NULL);
    if (status != SPGEMM_SUCCESS) {
        expect_untouched(t, &C, sizeof C);
        return status;
    }
    if (t->options.product.row_order == SPGEMM_ROWS_SORTED)
        expect_agree(&C, &t->want, t->name);
    cr_assert_eq(C.nnz, t->want.nnz);
    spgemm_csr_destroy(&C);
    return SPGEMM_SUCCESS;
}

static void try_products(const char *case_name, int nthreads, bool resizable)
{
    for (int v = 0; v < VARIANT_COUNT; v++) {
        trial t = begin_trial(multiply_variants[v].name, case_name, v % 2);
        if (!resizable)
            t.hooks = failing_allocator_plain_hooks(t.heap);
        t.variant = &multiply_variants[v];
        t.options.resources.nthreads = nthreads;
        run_trial(&t, call_multiply, survivors_of(nthreads));
        end_trial(&t);
    }
}

Test(oom, products_on_one_thread)
{
    try_products("duplicates", 1, true);
}
Test(oom, products_with_a_wide_window)
{
    try_products("very wide", 1, true);
}
Test(oom, products_without_a_resize_hook)
{
    try_products("fem", 1, false);
}
Test(oom, products_of_graphs)
{
    try_products("rmat", 1, false);
}
Test(oom, products_on_two_threads)
{
    try_products("rmat", 2, true);
}
Test(oom, products_of_giant_rows)
{
    try_products("giant rows", 2, false);
}
Test(oom, products_on_three_threads)
{
    try_products("hidden rows", 3, true);
}

/* C does not fit it, whatever it is. */
Test(oom, products_into_an_empty_out)
{
    for (int v = 0; v < VARIANT_COUNT; v++) {
        trial t = begin_trial(multiply_variants[v].name, "fem", v % 2);
        const spgemm_out out = {
            .rowptr = must_allocate(t.A.nrows + 1, sizeof(int64_t))};
        t.variant = &multiply_variants[v];
        t.options.resources.nthreads = 1;
        t.options.resources.out = &out;
        run_trial(&t, call_multiply, SHRINKS);
        free(out.rowptr);
        end_trial(&t);
    }
}

/* Rows of C of which the largest entries alone are looked for. */
Test(oom, products_of_the_largest)
{
    for (int v = 0; v < VARIANT_COUNT; v++) {
        maker m = {{7}, SPGEMM_I32, VALUES_INTEGER};
        trial t = {.name = multiply_variants[v].name,
                   .A = make_uniform(&m, 7, 60, 25),
                   .B = make_uniform(&m, 60, 700, 90),
                   .options.filter.keep_top = 9,
                   .options.resources.nthreads = 1,
                   .variant = &multiply_variants[v],
                   .heap = failing_allocator_create()};
        t.want = reference_form(&t.A, &t.B, &t.options);
        t.hooks = failing_allocator_hooks(t.heap);
        run_trial(&t, call_multiply, SHRINKS);
        end_trial(&t);
    }
}

/* A plan, and its repetition. */
static spgemm_status call_plan(trial *t)
{
    spgemm_csr C;
    spgemm_plan *plan;
    memset(&C, 0x3c, sizeof C);
    t->options.resources.allocator = &t->hooks;
    spgemm_status status =
        spgemm_plan_create(&plan, &C, &t->A, &t->B, &t->options, NULL);
    if (status != SPGEMM_SUCCESS) {
        expect_untouched(t, &C, sizeof C);
        return status;
    }
    status = spgemm_plan_repeat(plan, &C, &t->A, &t->B, NULL);
    if (status == SPGEMM_SUCCESS)
        expect_agree(&C, &t->want, t->name);
    spgemm_plan_destroy(plan);
    spgemm_csr_destroy(&C);
    return status;
}

/* Without memory for the places of its products a plan does without them. */
Test(oom, plans)
{
    static const char *const names[] = {"fem", "rmat", "short wide"};
    for (int number = 0; number < 6; number++) {
        trial t = begin_trial("plan", names[number / 2], number % 2);
        t.options.resources.nthreads = number % 2 + 1;
        run_trial(&t, call_plan, ANY_SURVIVORS);
        end_trial(&t);
    }
}

/* A A B. */
static spgemm_status call_rap(trial *t)
{
    spgemm_csr C;
    memset(&C, 0x3c, sizeof C);
    t->options.resources.allocator = &t->hooks;
    const spgemm_status status =
        spgemm_rap(&C, &t->A, &t->A, &t->B, &t->options, NULL);
    if (status != SPGEMM_SUCCESS) {
        expect_untouched(t, &C, sizeof C);
        return status;
    }
    expect_agree(&C, &t->want, t->name);
    spgemm_csr_destroy(&C);
    return status;
}

/* A B as a whole: tests/unit/test_rap.c has windows. */
Test(oom, three_factors)
{
    static const char *const names[] = {"fem", "banded"};
    for (int number = 0; number < 4; number++) {
        trial t = begin_trial("rap", names[number / 2], number / 2);
        spgemm_csr twice = reference_multiply(&t.A, &t.want);
        free_csr(&t.want);
        t.want = twice;
        t.options.resources.nthreads = number % 2 + 1;
        run_trial(&t, call_rap, ANY_SURVIVORS);
        end_trial(&t);
    }
}

/* The overflow pool and a growing C take memory in the middle of the work. */
static void try_liars(const char *case_name, int nthreads)
{
    for (int p = 0; p < row_predictor_count; p++) {
        trial t = begin_trial(row_predictors[p].name, case_name, p % 2);
        t.variant = &multiply_variants[VARIANT_PREDICTED];
        t.options = lying_options(&row_predictors[p], &t.want);
        t.options.predict.slack = 1.0;
        t.options.resources.nthreads = nthreads;
        run_trial(&t, call_multiply, survivors_of(nthreads));
        end_trial(&t);
    }
}

Test(oom, products_that_overflow)
{
    try_liars("fem", 1);
}
Test(oom, scattered_products_that_overflow)
{
    try_liars("short wide", 1);
}
Test(oom, products_that_overflow_on_two_threads)
{
    try_liars("banded", 2);
}

Test(oom, unsorted_products)
{
    trial t = begin_trial("unsorted", "alternating", SPGEMM_I32);
    t.variant = &multiply_variants[VARIANT_PREDICTED];
    t.options.product.row_order = SPGEMM_ROWS_UNSORTED;
    t.options.resources.nthreads = 1;
    run_trial(&t, call_multiply, SHRINKS);
    end_trial(&t);
}

/* B's rows are put in order in a copy. */
Test(oom, products_by_rows_in_no_order)
{
    for (int nthreads = 1; nthreads <= 2; nthreads++) {
        trial t = begin_trial("no order", "dense blocks", nthreads % 2);
        turn_rows(&t.B);
        t.variant = &multiply_variants[VARIANT_PREDICTED];
        t.options.resources.nthreads = nthreads;
        run_trial(&t, call_multiply, survivors_of(nthreads));
        end_trial(&t);
    }
}

/* ---- Operands that are transformed -------------------------------------- */

/* M becomes its transpose. */
static void turn(spgemm_csr *M)
{
    spgemm_csr T = {0};
    cr_assert_eq(spgemm_csr_transpose(&T, M), SPGEMM_SUCCESS);
    free_csr(M);
    *M = copy_csr(&T);
    spgemm_csr_destroy(&T);
}

/* C becomes its rows in the list. */
static void choose_rows(spgemm_csr *C, const int64_t *rows, int64_t count)
{
    csr_builder b = build_begin(count, C->ncols);
    for (int64_t t = 0; t < count; t++) {
        for (int64_t p = C->rowptr[rows[t]]; p < C->rowptr[rows[t] + 1]; p++)
            build_add(&b, column_of(C, p), value_of(C, p));
        build_end_row(&b);
    }
    spgemm_csr chosen = build_finish(&b, C->index_type);
    free_csr(C);
    *C = chosen;
}

static void try_operations(spgemm_options options, const char *name)
{
    for (int v = 0; v < VARIANT_COUNT; v++) {
        trial t = begin_trial(name, "duplicates", v % 2);
        t.variant = &multiply_variants[v];
        t.options = options;
        t.options.resources.nthreads = 1;
        if (options.product.op_a != SPGEMM_OP_NONE)
            turn(&t.A);
        if (options.product.op_b != SPGEMM_OP_NONE)
            turn(&t.B);
        if (options.product.rows)
            choose_rows(&t.want, options.product.rows, options.product.nrows);
        run_trial(&t, call_multiply, SHRINKS);
        end_trial(&t);
    }
}

Test(oom, products_of_transposes)
{
    try_operations(
        (spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE,
                         .product.op_b = SPGEMM_OP_CONJUGATE_TRANSPOSE},
        "transposes");
}

Test(oom, products_of_some_rows)
{
    static const int64_t rows[] = {70, 2, 70, 299};
    int64_t many[300];
    for (int64_t t = 0; t < 300; t++)
        many[t] = t * 77 % 300;
    try_operations((spgemm_options){.product.rows = rows, .product.nrows = 4},
                   "rows");
    try_operations((spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE,
                                    .product.rows = rows,
                                    .product.nrows = 4},
                   "few rows of a transpose");
    try_operations((spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE,
                                    .product.rows = many,
                                    .product.nrows = 300},
                   "many rows of a transpose");
}

/* All columns: the list is what costs memory. */
Test(oom, products_of_some_columns)
{
    int64_t cols[40];
    for (int64_t t = 0; t < 40; t++)
        cols[t] = t;
    try_operations((spgemm_options){.product.cols = cols, .product.ncols = 40},
                   "columns");
    try_operations((spgemm_options){.product.op_b = SPGEMM_OP_TRANSPOSE,
                                    .product.cols = cols,
                                    .product.ncols = 40},
                   "columns of a transpose");
}

/* ---- Streams ------------------------------------------------------------ */

/* Rows handed over so far are those of `want`: what follows a failure too. */
static int take_rows(void *context, const spgemm_csr *rows, int64_t first_row)
{
    trial *t = context;
    const int64_t first = t->want.rowptr[first_row];
    bool is_same = first_row == t->rows_taken;
    for (int64_t i = 0; is_same && i <= rows->nrows; i++)
        is_same = rows->rowptr[i] + first == t->want.rowptr[first_row + i];
    for (int64_t p = 0; is_same && p < rows->nnz; p++)
        is_same = column_of(rows, p) == column_of(&t->want, first + p) &&
                  value_of(rows, p) == value_of(&t->want, first + p);
    if (!is_same)
        cr_assert_fail("%s: rows from %ld on", t->name, (long)first_row);
    t->rows_taken += rows->nrows;
    return 0;
}

static spgemm_status call_stream(trial *t)
{
    t->options.resources.allocator = &t->hooks;
    t->rows_taken = 0;
    const spgemm_status status = spgemm_stream(
        &t->A, &t->B, &t->options, t->block_bytes, take_rows, t, NULL);
    if (status == SPGEMM_SUCCESS)
        cr_assert_eq(t->rows_taken, t->A.nrows, "%s", t->name);
    return status;
}

/* A refusal makes slabs smaller: one is survived as a rule. */
static void try_stream(const char *case_name, int nthreads, int parts)
{
    for (int type = 0; type < 2; type++) {
        trial t = begin_trial("stream", case_name, type);
        t.options.resources.nthreads = nthreads;
        t.block_bytes = (size_t)((t.want.nnz * 16 + t.want.nrows * 8) / parts);
        run_trial(&t, call_stream, ANY_SURVIVORS);
        end_trial(&t);
    }
}

Test(oom, streams_on_one_thread)
{
    try_stream("fem", 1, 4);
}
Test(oom, streams_of_graphs)
{
    try_stream("rmat", 1, 3);
}
Test(oom, streams_on_two_threads)
{
    try_stream("duplicates", 2, 3);
}
Test(oom, streams_of_giant_rows)
{
    try_stream("giant rows", 2, 2);
}

Test(oom, streams_that_overflow)
{
    for (int p = 0; p < row_predictor_count; p++) {
        trial t = begin_trial(row_predictors[p].name, "banded", p % 2);
        t.options = lying_options(&row_predictors[p], &t.want);
        t.options.predict.slack = 1.0;
        t.options.resources.nthreads = 1 + p % 2;
        t.block_bytes = (size_t)(t.want.nnz * 5);
        run_trial(&t, call_stream, ANY_SURVIVORS);
        end_trial(&t);
    }
}

/* ---- Predictors --------------------------------------------------------- */

static spgemm_status call_predict(trial *t)
{
    spgemm_prediction prediction;
    double *row_nnz = must_allocate(t->A.nrows, sizeof *row_nnz);
    t->options.resources.allocator = &t->hooks;
    const spgemm_status status =
        spgemm_predict(&prediction, &t->A, &t->B, &t->options, row_nnz);
    free(row_nnz);
    if (status == SPGEMM_SUCCESS)
        cr_assert_geq(prediction.nnz, 0);
    return status;
}

static void try_predictor(spgemm_predictor p, const char *case_name,
                          int nthreads)
{
    trial t = begin_trial(spgemm_predictor_name(p), case_name, p % 2);
    if (p == SPGEMM_PREDICTOR_CALLER)
        t.options = lying_options(&row_predictors[0], &t.want);
    t.options.predict.method = p;
    t.options.resources.nthreads = nthreads;
    run_trial(&t, call_predict, nthreads > 1 ? ANY_SURVIVORS : NO_SURVIVORS);
    end_trial(&t);
}

Test(oom, predictors)
{
    for (int nthreads = 1; nthreads <= 2; nthreads++) {
        for (int p = 0; p < SPGEMM_PREDICTOR_COUNT; p++)
            try_predictor((spgemm_predictor)p, "rmat", nthreads);
        try_predictor(SPGEMM_PREDICTOR_STRATIFIED, "cliques", nthreads);
    }
}

/* A A B. */
static spgemm_status call_chain(trial *t)
{
    spgemm_chain chain;
    t->options.resources.allocator = &t->hooks;
    const spgemm_status status =
        spgemm_predict_chain(&chain, &t->A, &t->A, &t->B, &t->options);
    if (status == SPGEMM_SUCCESS)
        cr_assert_gt(chain.nnz.value, 0);
    return status;
}

Test(oom, chains)
{
    for (int number = 0; number < 4; number++) {
        trial t = begin_trial("chain", "rmat", number % 2);
        t.options.predict.budget = number / 2 ? 1000 : 0;
        t.options.resources.nthreads = number % 2 + 1;
        run_trial(&t, call_chain, ANY_SURVIVORS);
        end_trial(&t);
    }
}

/* ---- Matrices ----------------------------------------------------------- */

static spgemm_status call_create(trial *t)
{
    spgemm_csr M;
    memset(&M, 0x3c, sizeof M);
    const spgemm_status status =
        spgemm_csr_create(&M, 10, 20, 30, SPGEMM_I64, SPGEMM_FP64, &t->hooks);
    if (status != SPGEMM_SUCCESS)
        expect_untouched(t, &M, sizeof M);
    else
        spgemm_csr_destroy(&M);
    return status;
}

static spgemm_status call_from_coo(trial *t)
{
    static const int32_t rows[] = {3, 0, 3, 9, 3};
    static const int32_t cols[] = {4, 1, 4, 0, 2};
    static const double values[] = {1, 2, 3, 4, 5};
    spgemm_csr M;
    memset(&M, 0x3c, sizeof M);
    const spgemm_status status = spgemm_csr_from_coo(
        &M, 10, 5, 5, rows, cols, values, SPGEMM_I32, SPGEMM_FP64, &t->hooks);
    if (status != SPGEMM_SUCCESS) {
        expect_untouched(t, &M, sizeof M);
        return status;
    }
    cr_assert_eq(M.nnz, 4);
    spgemm_csr_destroy(&M);
    return SPGEMM_SUCCESS;
}

static spgemm_status call_view32(trial *t)
{
    static const int32_t rowptr[] = {0, 1};
    static const int32_t colidx[] = {0};
    spgemm_csr M;
    memset(&M, 0x3c, sizeof M);
    const spgemm_status status = spgemm_csr_view32(
        &M, 1, 1, rowptr, colidx, NULL, SPGEMM_FP32, &t->hooks);
    if (status != SPGEMM_SUCCESS)
        expect_untouched(t, &M, sizeof M);
    else
        spgemm_csr_destroy(&M);
    return status;
}

static spgemm_status call_transpose(trial *t)
{
    spgemm_csr T;
    memset(&T, 0x3c, sizeof T);
    t->A.allocator = t->hooks;
    const spgemm_status status = spgemm_csr_transpose(&T, &t->A);
    if (status != SPGEMM_SUCCESS) {
        expect_untouched(t, &T, sizeof T);
        return status;
    }
    cr_assert_eq(T.nnz, t->A.nnz);
    spgemm_csr_destroy(&T);
    return SPGEMM_SUCCESS;
}

/* Sorts a copy, so that each call finds the rows as they were. */
static spgemm_status call_sort_rows(trial *t)
{
    spgemm_csr M = copy_csr(&t->A);
    M.allocator = t->hooks;
    const spgemm_status status = spgemm_csr_sort_rows(&M);
    if (status != SPGEMM_SUCCESS)
        cr_assert(spgemm_csr_equal(&M, &t->A), "half sorted");
    free_csr(&M);
    return status;
}

static void try_matrix_function(const char *name, trial_function *call)
{
    for (int type = 0; type < 2; type++) {
        trial t = begin_trial(name, "duplicates", type);
        run_trial(&t, call, NO_SURVIVORS);
        end_trial(&t);
    }
}

Test(oom, create)
{
    try_matrix_function("create", call_create);
}
Test(oom, view32)
{
    try_matrix_function("view32", call_view32);
}
Test(oom, from_coo)
{
    try_matrix_function("from_coo", call_from_coo);
}
Test(oom, transpose)
{
    try_matrix_function("transpose", call_transpose);
}
Test(oom, sort_rows)
{
    try_matrix_function("sort_rows", call_sort_rows);
}

static int swallow(void *context, const char *text, size_t length)
{
    (void)text;
    *(size_t *)context += length;
    return 0;
}

/* Writing takes memory, if any, from the matrix's allocator: where it takes
   none, the first call succeeds. */
Test(oom, mtx_write)
{
    trial t = begin_trial("mtx_write", "duplicates", SPGEMM_I32);
    t.A.allocator = t.hooks;
    for (long at = 0; at < MOST_CALLS; at++) {
        size_t length = 0;
        failing_allocator_arm(t.heap, at, true);
        const spgemm_status status = spgemm_mtx_write(&t.A, swallow, &length);
        expect_clean(&t, 0);
        if (t.heap->failures == 0) {
            cr_assert_eq(status, SPGEMM_SUCCESS);
            cr_assert_gt(length, 0);
            break;
        }
        cr_assert_eq(status, SPGEMM_ERROR_OUT_OF_MEMORY);
    }
    end_trial(&t);
}
