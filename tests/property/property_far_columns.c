/* SPDX-License-Identifier: BSD-3-Clause */
/* B moved to the right, past what 32 bits can name, moves C as far, bit for bit. */
#include "every_form.h"
#include "expect.h"
#include "form_shapes.h"
#include "spgemm/plan.h"

/* Rows lie across the ends of signed and of unsigned 32-bit numbers, and behind;
   lines of eight columns begin anywhere in them. */
static const int64_t distances[] = {
    ((int64_t)1 << 31) - 45, ((int64_t)1 << 32) - 40, ((int64_t)5 << 40) + 3};
enum { DISTANCES = sizeof distances / sizeof distances[0] };

/* The values of a plan's C, computed once more, are those of a fresh product. */
static void expect_repeat(const trial *t)
{
    spgemm_plan *plan = NULL;
    spgemm_csr C = {0};
    spgemm_csr fresh = {0};
    cr_assert_eq(spgemm_plan_create(&plan, &C, t->A, t->B, &t->options, NULL),
                 SPGEMM_SUCCESS, "%s", t->name);
    cr_assert_eq(spgemm_predicted(&fresh, t->A, t->B, &t->options, NULL),
                 SPGEMM_SUCCESS, "%s", t->name);
    memset(C.values, 0x5a, (size_t)C.nnz * sizeof(double));
    cr_assert_eq(spgemm_plan_repeat(plan, &C, t->A, t->B, NULL), SPGEMM_SUCCESS,
                 "%s", t->name);
    expect_agree(&C, &fresh, t->name);
    spgemm_csr_destroy(&fresh);
    spgemm_csr_destroy(&C);
    spgemm_plan_destroy(plan);
}

static void expect_far(const form_shape *shape, spgemm_semiring semiring,
                       int64_t distance)
{
    maker m = {{(uint64_t)distance}, SPGEMM_I64, VALUES_SPECIAL};
    spgemm_csr A;
    spgemm_csr B;
    make_form_shape(shape, &m, SPGEMM_FP64, &A, &B);
    cr_assert_leq(B.ncols, INT64_MAX - distance, "%s", shape->name);
    move_columns(&B, distance);
    trial t = {&A, &B, {.product.semiring = semiring}, NULL};
    t.name = form_text(&A, &t.options, shape->name);
    expect_every_form(&t);
    expect_repeat(&t);
    free_csr(&A);
    free_csr(&B);
}

Test(far_columns, are_those_of_near_ones)
{
    static const spgemm_semiring semirings[] = {SPGEMM_PLUS_TIMES,
                                                SPGEMM_MIN_PLUS, SPGEMM_OR_AND};
    for (int n = 0; n < form_shape_count; n++)
        for (int d = 0; d < DISTANCES; d++)
            if (!form_shapes[n].is_giant)
                expect_far(&form_shapes[n], semirings[(n + d) % 3],
                           distances[d]);
}

/* Up to the last column that there can be: rows in many windows. */
static void expect_last_columns(int64_t nrows, int64_t keep_top)
{
    enum { EACH = 8000, WIDTH = 800000 };
    csr_builder b = build_begin(nrows, WIDTH);
    csr_builder a = build_begin(1, nrows);
    for (int64_t i = 0; i < nrows; i++) {
        for (int64_t k = 0; k < EACH; k++)
            build_add(&b, k * (WIDTH / EACH) + i, (double)(k % 97 + i));
        build_end_row(&b);
        build_add(&a, i, 1);
    }
    build_end_row(&a);
    spgemm_csr A = build_finish(&a, SPGEMM_I64);
    spgemm_csr B = build_finish(&b, SPGEMM_I64);
    const spgemm_options options = {.filter.keep_top = keep_top};
    spgemm_csr near;
    spgemm_csr far;
    cr_assert_eq(spgemm_precise(&near, &A, &B, &options, NULL), SPGEMM_SUCCESS);
    const int64_t distance = INT64_MAX - B.ncols;
    move_columns(&B, distance);
    cr_assert_eq(B.ncols, INT64_MAX);
    cr_assert_eq(spgemm_precise(&far, &A, &B, &options, NULL), SPGEMM_SUCCESS);
    cr_assert_eq(far.nnz, near.nnz);
    for (int64_t p = 0; p < far.nnz; p++) {
        cr_assert_eq(column_of(&far, p), column_of(&near, p) + distance);
        cr_assert_eq(value_of(&far, p), value_of(&near, p));
    }
    spgemm_csr_destroy(&near);
    spgemm_csr_destroy(&far);
    free_csr(&A);
    free_csr(&B);
}

Test(far_columns, are_the_last_there_can_be, .timeout = 60)
{
    expect_last_columns(3, 0);
    expect_last_columns(3, 10);
}

/* An array of more than 2^63 - 1 row pointers nobody has: no size of it overflows. */
Test(far_columns, of_transposes_are_refused)
{
    int64_t rowptr[] = {0, 1};
    int64_t colidx[] = {0};
    double values[] = {1};
    const spgemm_csr A = spgemm_csr_view(1, INT64_MAX, 1, rowptr, colidx,
                                         values, SPGEMM_I64, SPGEMM_FP64);
    const spgemm_csr B = spgemm_csr_view(1, 1, 1, rowptr, colidx, values,
                                         SPGEMM_I64, SPGEMM_FP64);
    int64_t rows[2];
    int64_t columns[1];
    double sums[1];
    const spgemm_out out = {rows, columns, sums, 1};
    spgemm_options options = {.product.op_a = SPGEMM_OP_TRANSPOSE,
                              .resources.out = &out};
    spgemm_csr C;
    cr_expect_lt(spgemm_predicted(&C, &A, &B, &options, NULL), 0);
    options = (spgemm_options){.product.op_b = SPGEMM_OP_TRANSPOSE,
                               .filter.mask = &B};
    cr_expect_lt(spgemm_predicted(&C, &A, &A, &options, NULL), 0);
    options = (spgemm_options){.product.op_b = SPGEMM_OP_TRANSPOSE};
    cr_expect_lt(spgemm_predicted(&C, &B, &A, &options, NULL), 0);
    spgemm_csr D = B;
    D.nrows = INT64_MAX;
    options = (spgemm_options){.product.D = &D, .resources.out = &out};
    cr_expect_lt(spgemm_predicted(&C, &B, &B, &options, NULL), 0);
}

/* No values: a pattern's C. */
Test(far_columns, of_patterns)
{
    for (int n = 0; n < form_shape_count; n++) {
        maker m = {{9}, SPGEMM_I64, VALUES_INTEGER};
        spgemm_csr A;
        spgemm_csr B;
        if (form_shapes[n].is_giant)
            continue;
        make_form_shape(&form_shapes[n], &m, SPGEMM_FP64, &A, &B);
        move_columns(&B, distances[n % DISTANCES]);
        spgemm_csr X = A;
        spgemm_csr Y = B;
        spgemm_csr C = {0};
        spgemm_csr want = {0};
        X.values = NULL;
        Y.values = NULL;
        cr_assert_eq(spgemm_predicted(&C, &X, &Y, NULL, NULL), SPGEMM_SUCCESS,
                     "%s", form_shapes[n].name);
        cr_assert_eq(spgemm_predicted(&want, &A, &B, NULL, NULL),
                     SPGEMM_SUCCESS, "%s", form_shapes[n].name);
        cr_assert_eq(C.nnz, want.nnz, "%s", form_shapes[n].name);
        for (int64_t p = 0; p < C.nnz; p++)
            cr_assert_eq(column_of(&C, p), column_of(&want, p), "%s",
                         form_shapes[n].name);
        spgemm_csr_destroy(&C);
        spgemm_csr_destroy(&want);
        free_csr(&A);
        free_csr(&B);
    }
}
