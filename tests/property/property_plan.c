/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan repeated for other values gives what a fresh product gives, bit for
   bit, and refuses other patterns. */
#include "spgemm/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "expect.h"
#include "fewer_ways.h"

/* Other values in the places of these. */
static void change_values(spgemm_csr *X, dice *d)
{
    double *values = X->values;
    for (int64_t p = 0; p < X->nnz; p++)
        values[p] = (double)(int64_t)(dice_below(d, 2001)) / 64.0 - 15.0;
}

static void *protected_copy(const void *from, size_t bytes)
{
    void *copy = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(copy, MAP_FAILED);
    if (bytes > 0)
        memcpy(copy, from, bytes);
    cr_assert_eq(mprotect(copy, bytes + 1, PROT_READ), 0);
    return copy;
}

/* Into C's values; its pattern may be others' as well, and is not written. */
static spgemm_status repeat_values(const spgemm_plan *plan, const spgemm_csr *C,
                                   const spgemm_csr *A, const spgemm_csr *B,
                                   spgemm_report *report)
{
    const size_t of_rows = (size_t)(C->nrows + 1) * sizeof *C->rowptr;
    const size_t of_columns =
        (size_t)C->nnz * (C->index_type == SPGEMM_I64 ? 8 : 4);
    spgemm_csr D = *C;
    D.rowptr = protected_copy(C->rowptr, of_rows);
    D.colidx = protected_copy(C->colidx, of_columns);
    const spgemm_status status = spgemm_plan_repeat(plan, &D, A, B, report);
    munmap(D.rowptr, of_rows + 1);
    munmap(D.colidx, of_columns + 1);
    return status;
}

/* The plan of A*B, repeated twice for new values. */
static void expect_repeats(spgemm_csr *A, spgemm_csr *B,
                           const spgemm_options *options, const char *name)
{
    dice d = {5};
    spgemm_plan *plan = NULL;
    spgemm_csr C = {0};
    spgemm_report report;
    cr_assert_eq(spgemm_plan_create(&plan, &C, A, B, options, &report),
                 SPGEMM_SUCCESS, "%s: %s", name, report.refusal);
    for (int time = 0; time < 3; time++) {
        spgemm_csr fresh = {0};
        cr_assert_eq(spgemm_predicted(&fresh, A, B, options, NULL),
                     SPGEMM_SUCCESS, "%s", name);
        expect_agree(&C, &fresh, name);
        spgemm_csr_destroy(&fresh);
        change_values(A, &d);
        if (B != A)
            change_values(B, &d);
        cr_assert_eq(repeat_values(plan, &C, A, B, &report), SPGEMM_SUCCESS,
                     "%s", name);
        cr_assert_eq(report.nnz, C.nnz, "%s", name);
    }
    spgemm_csr_destroy(&C);
    spgemm_plan_destroy(plan);
}

ParameterizedTestParameters(plan, equals_fresh_products)
{
    return choose_cases();
}
ParameterizedTest(case_choice *c, plan, equals_fresh_products)
{
    static const int teams[] = {1, 2, 7};
    const char *name = product_cases[c->number].name;
    for (size_t t = 0; t < 3; t++)
        for (int order = 0; order < 2; order++) {
            spgemm_csr A;
            spgemm_csr B;
            if (!tries_way(c->index_type, (int64_t)t + 2 * order + c->number))
                continue;
            make_case(c->number, c->index_type, VALUES_ARBITRARY, &A, &B);
            const spgemm_options options = {.resources.nthreads = teams[t],
                                            .product.row_order =
                                                order ? SPGEMM_ROWS_UNSORTED
                                                      : SPGEMM_ROWS_SORTED};
            expect_repeats(&A, &B, &options, name);
            free_csr(&A);
            free_csr(&B);
        }
}

Test(plan, of_a_square)
{
    maker m = {{3}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_fem(&m, 200, 3, 3);
    expect_repeats(&A, &A, NULL, "square");
    free_csr(&A);
}

/* From 32 MB of values on these are written past the caches: of rows taken
   together, of rows that repeat, and of scattered ones. */
Test(plan, of_products_that_leave_the_caches)
{
    static const char *const names[] = {"together", "repeating", "scattered"};
    for (int number = 0; number < 3; number++) {
        maker m = {{6}, SPGEMM_I32, VALUES_ARBITRARY};
        const spgemm_options options = {.resources.nthreads = 1 + number % 2};
        spgemm_csr A = number == 0   ? make_fem(&m, 10000, 8, 3)
                       : number == 1 ? make_banded(&m, 120000, 9, 1.0)
                                     : make_uniform(&m, 40000, 40000, 11);
        spgemm_csr C;
        cr_assert_eq(spgemm_predicted(&C, &A, &A, NULL, NULL), SPGEMM_SUCCESS);
        cr_assert_gt(C.nnz, (INT64_C(32) << 20) / 8, "%s", names[number]);
        spgemm_csr_destroy(&C);
        expect_repeats(&A, &A, &options, names[number]);
        free_csr(&A);
    }
}

/* ---- Places of products --------------------------------------------------- */

/* Rows of B of 251 to 263 entries: on both sides of what a byte can name. */
static spgemm_csr make_about_256(spgemm_index_type type, dice *d)
{
    csr_builder b = build_begin(13, 40000);
    for (int64_t k = 0; k < 13; k++) {
        for (int64_t j = 0; j < 251 + k; j++)
            build_add(&b, j * (1 + k % 3) * 50, (double)dice_below(d, 7) - 3.0);
        build_end_row(&b);
    }
    return build_finish(&b, type);
}

/* Rows of one pattern come one, two, three and seven at a time; every fifth has
   one column of A more than often, and none. */
static spgemm_csr make_in_groups(spgemm_index_type type, dice *d)
{
    static const int sizes[] = {1, 2, 3, 1, 7, 2};
    csr_builder b = build_begin(130, 13);
    for (int64_t i = 0, group = 0; i < 130; group++)
        for (int t = 0; t < sizes[group % 6] && i < 130; t++, i++) {
            for (int64_t k = group % 13; k < 13 && group % 5 != 4;
                 k += 1 + group % 4)
                build_add(&b, k, (double)dice_below(d, 9) / 4.0);
            build_end_row(&b);
        }
    return build_finish(&b, type);
}

Test(plan, of_rows_as_long_as_a_byte_can_name)
{
    for (int number = 0; number < 8; number++) {
        dice d = {11};
        const spgemm_index_type type = number & 1 ? SPGEMM_I64 : SPGEMM_I32;
        const spgemm_options options = {
            .resources.nthreads = number & 2 ? 3 : 1,
            .product.row_order =
                number & 4 ? SPGEMM_ROWS_UNSORTED : SPGEMM_ROWS_SORTED};
        spgemm_csr A = make_in_groups(type, &d);
        spgemm_csr B = make_about_256(type, &d);
        expect_repeats(&A, &B, &options, "about 256");
        free_csr(&A);
        free_csr(&B);
    }
}

/* Blocks of rows of one pattern, which are taken together, between others. */
Test(plan, of_rows_together_and_alone)
{
    maker m = {{12}, SPGEMM_I32, VALUES_ARBITRARY};
    for (int64_t dofs = 1; dofs <= 4; dofs++) {
        const spgemm_options options = {.resources.nthreads =
                                            (int)dofs % 2 + 1};
        spgemm_csr A = make_fem(&m, 300, 4, dofs);
        expect_repeats(&A, &A, &options, "a mesh");
        const int64_t p = A.rowptr[A.nrows / 2]; /* this row is like no other */
        const int64_t j = column_of(&A, p);
        set_column_of(&A, p, j > 0 ? j - 1 : j);
        expect_repeats(&A, &A, &options, "a mesh with a row of its own");
        free_csr(&A);
    }
}

/* A band, by programs, and behind it rows at random, by places. */
Test(plan, of_rows_that_repeat_and_others)
{
    enum { BAND = 11000, ALL = 12000 };
    dice d = {14};
    csr_builder b = build_begin(ALL, ALL);
    for (int64_t i = 0; i < ALL; i++) {
        for (int64_t j = i - 4; i < BAND && j <= i + 4; j++)
            if (j >= 0)
                build_add(&b, j, (double)dice_below(&d, 9) / 8.0);
        for (int64_t j = dice_below(&d, 1500); i >= BAND && j < ALL;
             j += 1 + dice_below(&d, 3000))
            build_add(&b, j, (double)dice_below(&d, 9) / 8.0);
        build_end_row(&b);
    }
    spgemm_csr A = build_finish(&b, SPGEMM_I32);
    const spgemm_options options = {.resources.nthreads = 2};
    expect_repeats(&A, &A, &options, "a band and others");
    spgemm_plan *plan;
    spgemm_csr C;
    spgemm_report report;
    cr_assert_eq(spgemm_plan_create(&plan, &C, &A, &A, &options, NULL),
                 SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_plan_repeat(plan, &C, &A, &A, &report), SPGEMM_SUCCESS);
    cr_assert_gt(report.rows_by_accumulator[SPGEMM_ACCUMULATOR_SHIFTED], 0);
    cr_assert_gt(report.rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE], 0);
    spgemm_csr_destroy(&C);
    spgemm_plan_destroy(plan);
    free_csr(&A);
}

/* Rows that were sorted are added at places, not sorted again; with no room for
   places they are, and C is the same. Which rows are sorted is a matter of the
   instruction set. */
Test(plan, knows_places_if_it_has_room)
{
    maker m = {{13}, SPGEMM_I32, VALUES_ARBITRARY};
    /* No small C: that of a fresh product takes less than a plan does. */
    spgemm_csr A = make_uniform(&m, 17000, 17000, 4);
    spgemm_options options = {.resources.nthreads = 1};
    spgemm_csr C;
    spgemm_report report;
    cr_assert_eq(spgemm_predicted(&C, &A, &A, &options, &report),
                 SPGEMM_SUCCESS);
    const int64_t esc = report.rows_by_accumulator[SPGEMM_ACCUMULATOR_ESC];
    const int64_t dense = report.rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE];
    cr_assert_gt(esc, 0);
    spgemm_csr_destroy(&C);
    for (int is_tight = 0; is_tight < 2; is_tight++) {
        spgemm_plan *plan;
        options.resources.memory_limit_bytes =
            is_tight ? report.peak_bytes + 4000 : 0;
        expect_repeats(&A, &A, &options, "tight");
        spgemm_report of_plan;
        cr_assert_eq(spgemm_plan_create(&plan, &C, &A, &A, &options, NULL),
                     SPGEMM_SUCCESS);
        cr_assert_eq(spgemm_plan_repeat(plan, &C, &A, &A, &of_plan),
                     SPGEMM_SUCCESS);
        cr_assert_eq(of_plan.rows_by_accumulator[SPGEMM_ACCUMULATOR_ESC],
                     is_tight ? esc : 0);
        cr_assert_eq(of_plan.rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE],
                     is_tight ? dense : dense + esc);
        spgemm_csr_destroy(&C);
        spgemm_plan_destroy(plan);
    }
    free_csr(&A);
}

/* A struct of its own: what reads it after free() is found by a sanitizer. */
static spgemm_csr *lend(const spgemm_csr *X)
{
    spgemm_csr *lent = malloc(sizeof *lent);
    cr_assert(lent);
    *lent = *X;
    return lent;
}

/* The structs that a plan was made of may go before it; arrays may be others. */
Test(plan, outlives_its_operands)
{
    static const spgemm_operation ops[] = {SPGEMM_OP_NONE, SPGEMM_OP_TRANSPOSE};
    for (int o = 0; o < 2; o++)
        for (int is_square = 0; is_square < 2; is_square++) {
            maker m = {{7}, SPGEMM_I32, VALUES_ARBITRARY};
            spgemm_csr X = make_fem(&m, 100, 3, 3);
            spgemm_csr *A = lend(&X);
            spgemm_csr *B = is_square ? A : lend(&X);
            const spgemm_options options = {.product.op_a = ops[o],
                                            .product.op_b = ops[o]};
            spgemm_plan *plan;
            spgemm_csr C;
            cr_assert_eq(spgemm_plan_create(&plan, &C, A, B, &options, NULL),
                         SPGEMM_SUCCESS);
            free(A);
            if (!is_square)
                free(B);
            spgemm_csr again = copy_csr(&X);
            cr_assert_eq(spgemm_plan_repeat(plan, &C, &again, &again, NULL),
                         SPGEMM_SUCCESS);
            free_csr(&again);
            spgemm_plan_destroy(plan);
            spgemm_csr_destroy(&C);
            free_csr(&X);
        }
}

Test(plan, of_a_whole_form)
{
    maker m = {{4}, SPGEMM_I32, VALUES_ARBITRARY};
    const double alpha = 0.5;
    const double beta = -2.0;
    spgemm_csr A = make_jumbled(&m, 300, 200, 6);
    spgemm_csr B = make_uniform(&m, 250, 300, 7);
    spgemm_csr D = make_jumbled(&m, 200, 250, 5);
    spgemm_csr mask = make_uniform(&m, 200, 250, 90);
    spgemm_options options = {.product.op_a = SPGEMM_OP_TRANSPOSE,
                              .product.op_b = SPGEMM_OP_TRANSPOSE,
                              .product.alpha = &alpha,
                              .product.beta = &beta,
                              .product.D = &D,
                              .resources.nthreads = 2};
    expect_repeats(&A, &B, &options, "alpha, beta, D");
    options.filter.mask = &mask;
    expect_repeats(&A, &B, &options, "mask, D");
    options.product.D = NULL;
    options.product.beta = NULL;
    options.filter.mask_mode = SPGEMM_MASK_COMPLEMENT;
    options.product.semiring = SPGEMM_MIN_PLUS;
    expect_repeats(&A, &B, &options, "complement, min_plus");
    free_csr(&A);
    free_csr(&B);
    free_csr(&D);
    free_csr(&mask);
}

/* Rows of D alone, of products alone, of both, and of neither, in the first
   thousands; every third entry twice. */
static spgemm_csr make_another(spgemm_index_type type, int64_t nrows,
                               int64_t ncols, dice *d)
{
    const int64_t step = 1 + ncols / 16;
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        const bool has_any = i < 4000 && i % 4 != 3;
        for (int64_t j = dice_below(d, 5); has_any && j < ncols;) {
            for (int twice = 0; twice < 1 + (j % 3 == 0); twice++)
                build_add(&b, j, (double)dice_below(d, 9) / 4.0 - 1.0);
            j = j < ncols - step ? j + 1 + dice_below(d, step) : ncols;
        }
        build_end_row(&b);
    }
    return build_finish(&b, type);
}

/* About half of them. */
static spgemm_csr some_entries_of(const spgemm_csr *C, dice *d)
{
    spgemm_csr some = copy_csr(C);
    int64_t n = 0;
    for (int64_t i = 0; i < C->nrows; i++) {
        for (int64_t p = C->rowptr[i]; p < C->rowptr[i + 1]; p++)
            if (dice_below(d, 2))
                set_column_of(&some, n++, column_of(C, p));
        some.rowptr[i + 1] = n;
    }
    some.nnz = n;
    return some;
}

/* With alpha or not; without D, with D, with beta D; without a mask, with one, with
   its complement. Of alpha, infinity times what is not there is no NaN. */
enum { FORMS = 2 * 3 * 3 };
static spgemm_options form_of(int number, const spgemm_csr *D,
                              const spgemm_csr *mask)
{
    const int of_d = number / 2 % 3;
    const int of_mask = number / 6;
    static const double alphas[] = {0.75, INFINITY};
    static const double beta = -2.0;
    return (spgemm_options){
        .product.alpha = number % 2 ? &alphas[number / 2 % 2] : NULL,
        .product.beta = of_d == 2 ? &beta : NULL,
        .product.D = of_d > 0 ? D : NULL,
        .filter.mask = of_mask > 0 ? mask : NULL,
        .filter.mask_mode =
            of_mask == 2 ? SPGEMM_MASK_COMPLEMENT : SPGEMM_MASK_STRUCTURE,
        .resources.nthreads = 1 + number % 2,
    };
}

ParameterizedTestParameters(plan, of_every_form)
{
    return choose_cases();
}
ParameterizedTest(case_choice *c, plan, of_every_form)
{
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr C;
    dice d = {21};
    make_case(c->number, c->index_type, VALUES_ARBITRARY, &A, &B);
    cr_assert_eq(spgemm_predicted(&C, &A, &B, NULL, NULL), SPGEMM_SUCCESS);
    spgemm_csr D = make_another(c->index_type, A.nrows, B.ncols, &d);
    spgemm_csr some = some_entries_of(&C, &d);
    for (int form = 0; form < FORMS; form++)
        for (int sr = 0; sr < SPGEMM_USER; sr++) {
            spgemm_options options =
                form_of(form, &D, (form + c->number) % 3 ? &some : &D);
            char text[99];
            options.product.semiring = (spgemm_semiring)sr;
            snprintf(text, sizeof text, "%s, form %d, %s",
                     product_cases[c->number].name, form,
                     spgemm_semiring_name((spgemm_semiring)sr));
            /* Not all of them: others of each case, and of wide columns. */
            const int drawn =
                form + sr + c->number + (c->index_type == SPGEMM_I64 ? 3 : 0);
            if (drawn % (sr == 0 ? 6 : 48) == 0 &&
                tries_way(c->index_type, form / 6 + c->number))
                expect_repeats(&A, &B, &options, text);
        }
    spgemm_csr_destroy(&C);
    free_csr(&some);
    free_csr(&D);
    free_csr(&A);
    free_csr(&B);
}

/* Rows of every form are added at places, however wide they are, and of unsorted B. */
static void expect_placed(const spgemm_csr *A, const spgemm_csr *B,
                          const spgemm_csr *D)
{
    const double alpha = 3.0;
    for (int form = 0; form < FORMS; form++) {
        spgemm_plan *plan;
        spgemm_csr C;
        spgemm_report report;
        spgemm_options options = form_of(form, D, D);
        options.product.alpha = form % 2 ? &alpha : NULL;
        cr_assert_eq(spgemm_plan_create(&plan, &C, A, B, &options, NULL),
                     SPGEMM_SUCCESS);
        cr_assert_eq(spgemm_plan_repeat(plan, &C, A, B, &report),
                     SPGEMM_SUCCESS);
        int64_t rows = 0;
        for (int64_t i = 0; i < C.nrows; i++)
            rows += C.rowptr[i] < C.rowptr[i + 1];
        const int64_t placed =
            report.rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE];
        /* Of a mask so sparse, some would take more than they have in C. */
        const bool is_sparse =
            options.filter.mask &&
            options.filter.mask_mode != SPGEMM_MASK_COMPLEMENT;
        cr_assert(is_sparse ? placed <= rows : placed == rows,
                  "form %d: %" PRId64 " rows placed of %" PRId64, form, placed,
                  rows);
        spgemm_csr_destroy(&C);
        spgemm_plan_destroy(plan);
    }
}

Test(plan, knows_places_of_forms)
{
    static const int64_t widths[] = {3000, 3 << 20};
    for (int w = 0; w < 2; w++) {
        maker m = {{22}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A = make_jumbled(&m, 3000, 3000, 6);
        spgemm_csr B = make_jumbled(&m, 3000, widths[w], 6);
        spgemm_csr D = make_uniform(&m, 3000, widths[w], 5);
        expect_placed(&A, &B, &D);
        free_csr(&A);
        free_csr(&B);
        free_csr(&D);
    }
}

/* A repetition that must fail, and C as it was. */
static void expect_refused(const spgemm_plan *plan, spgemm_csr *C,
                           const spgemm_csr *A, const spgemm_csr *B,
                           spgemm_status why, const char *what)
{
    spgemm_csr before = copy_csr(C);
    cr_assert_eq(spgemm_plan_repeat(plan, C, A, B, NULL), why, "%s", what);
    expect_agree(C, &before, what);
    free_csr(&before);
}

Test(plan, refuses_other_patterns)
{
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 400, 300, 6);
    spgemm_csr B = make_uniform(&m, 300, 200, 5);
    spgemm_csr C = {0};
    spgemm_plan *plan = NULL;
    cr_assert_eq(spgemm_plan_create(&plan, &C, &A, &B, NULL, NULL),
                 SPGEMM_SUCCESS);

    /* One column, one row pointer, a shape, a type, no values. */
    const int64_t j = column_of(&A, A.nnz - 1);
    set_column_of(&A, A.nnz - 1, j > 0 && j < 299 ? j + 1 : 150);
    expect_refused(plan, &C, &A, &B, SPGEMM_ERROR_PATTERN, "column");
    set_column_of(&A, A.nnz - 1, j);
    B.rowptr[17]++;
    expect_refused(plan, &C, &A, &B, SPGEMM_ERROR_PATTERN, "rowptr");
    B.rowptr[17]--;
    B.ncols++;
    expect_refused(plan, &C, &A, &B, SPGEMM_ERROR_PATTERN, "shape");
    B.ncols--;
    A.nnz--;
    expect_refused(plan, &C, &A, &B, SPGEMM_ERROR_PATTERN, "nnz");
    A.nnz++;
    A.value_type = SPGEMM_INT64;
    expect_refused(plan, &C, &A, &B, SPGEMM_ERROR_PATTERN, "type");
    A.value_type = SPGEMM_FP64;
    void *values = A.values;
    A.values = NULL;
    expect_refused(plan, &C, &A, &B, SPGEMM_ERROR_INVALID, "values");
    A.values = values;
    C.nrows--;
    cr_assert_eq(spgemm_plan_repeat(plan, &C, &A, &B, NULL),
                 SPGEMM_ERROR_PATTERN);
    C.nrows++;
    cr_assert_eq(spgemm_plan_repeat(plan, &C, &A, &B, NULL), SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_plan_repeat(NULL, &C, &A, &B, NULL),
                 SPGEMM_ERROR_INVALID);

    spgemm_csr_destroy(&C);
    spgemm_plan_destroy(plan);
    spgemm_plan_destroy(NULL);
    free_csr(&A);
    free_csr(&B);
}

Test(plan, refuses_what_depends_on_values)
{
    maker m = {{7}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 50, 50, 4);
    const spgemm_options drops[] = {
        {.filter.drop_zeros = true},
        {.filter.drop_tolerance = 0.5},
        {.filter.keep_top = 3},
        {.filter.mask = &A, .filter.mask_mode = SPGEMM_MASK_VALUES},
    };
    for (size_t t = 0; t < sizeof drops / sizeof *drops; t++) {
        spgemm_csr C = {0};
        spgemm_plan *plan = NULL;
        cr_assert_eq(spgemm_plan_create(&plan, &C, &A, &A, &drops[t], NULL),
                     SPGEMM_ERROR_UNSUPPORTED);
        cr_assert_null(plan);
        cr_assert_null(C.rowptr);
    }
    free_csr(&A);
}
