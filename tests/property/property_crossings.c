/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that meet: out with a plan that fails and with a prediction, a mask of
   duplicates with long rows, a plan whose C or lists were changed. */
#include <math.h>
#include <stdlib.h>

#include "every_form.h"
#include "failing_allocator.h"
#include "spgemm/plan.h"
#include "spgemm/predict.h"

/* ---- out -------------------------------------------------------------------- */

typedef struct small_out {
    int64_t rowptr[65];
    int32_t colidx[256];
    double values[256];
} small_out;

static spgemm_out view_out(small_out *arrays)
{
    return (spgemm_out){.rowptr = arrays->rowptr,
                        .colidx = arrays->colidx,
                        .values = arrays->values,
                        .capacity = 256};
}

static spgemm_csr make_bands(maker *m, int64_t n)
{
    *m = (maker){{11}, SPGEMM_I32, VALUES_INTEGER};
    return make_uniform(m, n, n, 2);
}

/* Whatever fails, the arrays of the caller are nobody's to give back. */
Test(crossings, a_plan_that_fails_leaves_out_to_the_caller)
{
    maker m;
    small_out arrays;
    spgemm_csr A = make_bands(&m, 12);
    spgemm_out out = view_out(&arrays);
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    const spgemm_options options = {.resources.out = &out,
                                    .resources.allocator = &hooks};
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    for (long at = 0; status != SPGEMM_SUCCESS; at++) {
        spgemm_plan *plan = NULL;
        spgemm_csr C = {0};
        failing_allocator_arm(f, at, at % 2);
        status = spgemm_plan_create(&plan, &C, &A, &A, &options, NULL);
        spgemm_plan_destroy(plan);
        spgemm_csr_destroy(&C);
        cr_assert_eq(f->foreign, 0, "call %ld: not its own", at);
        cr_assert_eq(f->live, 0, "call %ld: %ld blocks left", at, f->live);
    }
    failing_allocator_destroy(f);
    free_csr(&A);
}

Test(crossings, a_plan_beyond_its_limit_leaves_out_to_the_caller)
{
    maker m;
    small_out arrays;
    spgemm_csr A = make_bands(&m, 12);
    spgemm_out out = view_out(&arrays);
    spgemm_status status = SPGEMM_ERROR_MEMORY_LIMIT;
    for (size_t limit = 1; status == SPGEMM_ERROR_MEMORY_LIMIT; limit += 100) {
        spgemm_plan *plan = NULL;
        spgemm_csr C = {0};
        const spgemm_options options = {.resources.out = &out,
                                        .resources.memory_limit_bytes = limit};
        status = spgemm_plan_create(&plan, &C, &A, &A, &options, NULL);
        spgemm_plan_destroy(plan);
        spgemm_csr_destroy(&C);
    }
    cr_assert_eq(status, SPGEMM_SUCCESS, "%s", spgemm_error_text());
    free_csr(&A);
}

/* Options that nobody reads are no options: they are refused, by name. */
static void expect_unused(spgemm_status status, const char *option)
{
    cr_expect_eq(status, SPGEMM_ERROR_INVALID);
    cr_expect(strstr(spgemm_error_text(), option), "%s: %s", option,
              spgemm_error_text());
}

Test(crossings, a_prediction_does_not_use_out)
{
    maker m;
    small_out arrays = {.rowptr = {-7}};
    spgemm_csr A = make_bands(&m, 12);
    spgemm_out out = view_out(&arrays);
    spgemm_prediction p;
    expect_unused(spgemm_predict(&p, &A, &A,
                                 &(spgemm_options){.resources.out = &out},
                                 NULL),
                  "resources.out");
    expect_unused(
        spgemm_predict(&p, &A, &A, &(spgemm_options){.predict.slack = 2}, NULL),
        "predict.slack");
    cr_assert_eq(arrays.rowptr[0], -7);
    free_csr(&A);
}

static double predict_all(void *context, int64_t row, int64_t products)
{
    (void)context;
    (void)row;
    return (double)products;
}

Test(crossings, products_that_are_counted_use_no_prediction)
{
    maker m;
    spgemm_csr A = make_bands(&m, 12);
    spgemm_csr C;
    const struct {
        const char *name;
        spgemm_predict_options predict;
    } unused[] = {
        {"predict.method", {.method = SPGEMM_PREDICTOR_STRATIFIED}},
        {"predict.budget", {.budget = 5}},
        {"predict.error", {.error = 0.01}},
        {"predict.seed", {.seed = 5}},
        {"predict.slack", {.slack = 2}},
        {"predict.row_nnz", {.row_nnz = predict_all}},
    };
    for (size_t t = 0; t < sizeof unused / sizeof *unused; t++) {
        const spgemm_options options = {.predict = unused[t].predict};
        expect_unused(spgemm_precise(&C, &A, &A, &options, NULL),
                      unused[t].name);
        expect_unused(spgemm_upper_bound(&C, &A, &A, &options, NULL),
                      unused[t].name);
    }
    free_csr(&A);
}

/* A pattern needs no values, in no instruction of undefined behaviour either. */
Test(crossings, a_pattern_goes_to_an_out_without_values)
{
    maker m;
    small_out arrays;
    spgemm_csr A = make_bands(&m, 12);
    spgemm_csr C;
    spgemm_out out = view_out(&arrays);
    double *const values = A.values;
    out.values = NULL;
    A.values = NULL;
    cr_assert_eq(spgemm_predicted(&C, &A, &A,
                                  &(spgemm_options){.resources.out = &out},
                                  NULL),
                 SPGEMM_SUCCESS);
    cr_assert(C.colidx == arrays.colidx && !C.values);
    A.values = values;
    free_csr(&A);
}

/* ---- A mask with duplicates ------------------------------------------------- */

/* One row of `columns` ones, and one of a 10 in column 0. */
static spgemm_csr make_long_row(int64_t columns)
{
    csr_builder b = build_begin(2, columns);
    for (int64_t j = 0; j < columns; j++)
        build_add(&b, j, 1);
    build_end_row(&b);
    build_add(&b, 0, 10);
    build_end_row(&b);
    return build_finish(&b, SPGEMM_I32);
}

static spgemm_csr make_row(int64_t columns, int64_t j, int64_t k, double x,
                           double y)
{
    csr_builder b = build_begin(1, columns);
    build_add(&b, j, x);
    build_add(&b, k, y);
    build_end_row(&b);
    return build_finish(&b, SPGEMM_I32);
}

/* [1 1] times rows that are much longer than the mask's: 11 in column 0. */
static void expect_masked(int64_t columns, unsigned mode, double x, double y)
{
    spgemm_csr A = make_row(2, 0, 1, 1, 1);
    spgemm_csr B = make_long_row(columns);
    spgemm_csr mask = make_row(columns, 0, 0, x, y);
    const bool passes = !(mode & SPGEMM_MASK_VALUES) || x + y != 0;
    const bool is_in = passes == !(mode & SPGEMM_MASK_COMPLEMENT);
    const int64_t nnz =
        mode & SPGEMM_MASK_COMPLEMENT ? columns - passes : passes;
    const spgemm_options options = {.filter.mask = &mask,
                                    .filter.mask_mode = mode};
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C;
        cr_assert_eq(multiply_variants[v].multiply(&C, &A, &B, &options, NULL),
                     SPGEMM_SUCCESS);
        cr_assert_eq(C.nnz, nnz, "%s, mode %u: %d entries",
                     multiply_variants[v].name, mode, (int)C.nnz);
        cr_assert_eq(spgemm_csr_check(&C, NULL), SPGEMM_SUCCESS, "%s",
                     spgemm_error_text());
        if (is_in)
            cr_assert(column_of(&C, 0) == 0 && value_of(&C, 0) == 11);
        spgemm_csr_destroy(&C);
    }
    free_csr(&A);
    free_csr(&B);
    free_csr(&mask);
}

Test(crossings, duplicates_of_a_mask_are_one_entry_or_their_sum)
{
    const unsigned modes[] = {SPGEMM_MASK_STRUCTURE, SPGEMM_MASK_VALUES,
                              SPGEMM_MASK_COMPLEMENT,
                              SPGEMM_MASK_VALUES | SPGEMM_MASK_COMPLEMENT};
    for (int64_t columns = 4; columns <= 4096; columns *= 4)
        for (int t = 0; t < 4; t++) {
            expect_masked(columns, modes[t], 1, 1);
            expect_masked(columns, modes[t], 1, -1);
        }
}

/* ---- A plan and what was changed -------------------------------------------- */

static void expect_pattern(const spgemm_plan *plan, spgemm_csr *C,
                           const spgemm_csr *A, const char *what)
{
    cr_assert_eq(spgemm_plan_repeat(plan, C, A, A, NULL), SPGEMM_ERROR_PATTERN,
                 "%s", what);
}

Test(crossings, a_plan_looks_at_its_C)
{
    maker m;
    spgemm_csr A = make_bands(&m, 200);
    spgemm_csr C;
    spgemm_plan *plan;
    cr_assert_eq(spgemm_plan_create(&plan, &C, &A, &A, NULL, NULL),
                 SPGEMM_SUCCESS);
    int32_t *columns = C.colidx;
    for (int32_t change = -5000000; change <= 5000000; change += 2500000) {
        const int32_t before = columns[C.nnz / 2];
        columns[C.nnz / 2] = change;
        expect_pattern(plan, &C, &A, "a column");
        columns[C.nnz / 2] = before;
    }
    C.rowptr[1]++;
    expect_pattern(plan, &C, &A, "rowptr[1]");
    C.rowptr[1]--;
    C.rowptr[C.nrows]--;
    expect_pattern(plan, &C, &A, "the last of rowptr");
    C.rowptr[C.nrows]++;
    cr_assert_eq(spgemm_plan_repeat(plan, &C, &A, &A, NULL), SPGEMM_SUCCESS);
    spgemm_plan_destroy(plan);
    spgemm_csr_destroy(&C);
    free_csr(&A);
}

Test(crossings, a_plan_looks_at_its_lists)
{
    maker m;
    spgemm_csr A = make_bands(&m, 200);
    spgemm_csr C;
    spgemm_plan *plan;
    int64_t rows[] = {3, 100, 7};
    int64_t cols[] = {1, 50, 120, 199};
    const spgemm_options options = {.product.rows = rows,
                                    .product.nrows = 3,
                                    .product.cols = cols,
                                    .product.ncols = 4};
    cr_assert_eq(spgemm_plan_create(&plan, &C, &A, &A, &options, NULL),
                 SPGEMM_SUCCESS);
    rows[1] = 5000;
    expect_pattern(plan, &C, &A, "rows");
    rows[1] = 100;
    cols[2] = 119;
    expect_pattern(plan, &C, &A, "cols");
    cols[2] = 120;
    cr_assert_eq(spgemm_plan_repeat(plan, &C, &A, &A, NULL), SPGEMM_SUCCESS);
    spgemm_plan_destroy(plan);
    spgemm_csr_destroy(&C);
    free_csr(&A);
}

/* The limit of a plan is that of its shifted_programs, too. */
Test(crossings, a_plan_tells_its_limit_from_no_memory)
{
    maker m;
    spgemm_csr A = make_bands(&m, 200);
    spgemm_csr C = {0};
    spgemm_plan *plan = NULL;
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    spgemm_options options = {.resources.allocator = &hooks};
    spgemm_report report;
    cr_assert_eq(spgemm_predicted(&C, &A, &A, &options, &report),
                 SPGEMM_SUCCESS);
    spgemm_csr_destroy(&C);
    for (size_t more = 0; more < 4000; more += 8) {
        options.resources.memory_limit_bytes = report.peak_bytes + more;
        if (spgemm_plan_create(&plan, &C, &A, &A, &options, NULL) < 0)
            continue;
        const spgemm_status status = spgemm_plan_repeat(plan, &C, &A, &A, NULL);
        cr_assert(status == SPGEMM_SUCCESS ||
                      status == SPGEMM_ERROR_MEMORY_LIMIT,
                  "limit %zu: %s", options.resources.memory_limit_bytes,
                  spgemm_error_text());
        spgemm_plan_destroy(plan);
        spgemm_csr_destroy(&C);
    }
    failing_allocator_destroy(f);
    free_csr(&A);
}

/* ---- The account ------------------------------------------------------------ */

Test(crossings, hooks_see_what_the_report_says)
{
    for (int64_t n = 0; n < 6; n++) {
        maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
        spgemm_csr A = make_uniform(&m, n, n, 1);
        failing_allocator *f = failing_allocator_create();
        const spgemm_allocator hooks[] = {failing_allocator_hooks(f),
                                          failing_allocator_plain_hooks(f)};
        for (int h = 0; h < 2; h++)
            for (int v = 0; v < VARIANT_COUNT; v++) {
                spgemm_csr C;
                spgemm_report report;
                spgemm_options options = {.resources.allocator = &hooks[h]};
                f->peak_bytes = 0;
                cr_assert_eq(multiply_variants[v].multiply(&C, &A, &A, &options,
                                                           &report),
                             SPGEMM_SUCCESS);
                cr_assert_eq(f->live_bytes, report.c_bytes);
                cr_assert_eq(f->peak_bytes, report.peak_bytes);
                spgemm_csr_destroy(&C);
                /* Just as much is enough, and a byte less is not. */
                options.resources.memory_limit_bytes = report.peak_bytes;
                cr_assert_eq(multiply_variants[v].multiply(&C, &A, &A, &options,
                                                           &report),
                             SPGEMM_SUCCESS);
                spgemm_csr_destroy(&C);
            }
        failing_allocator_destroy(f);
        free_csr(&A);
    }
}
