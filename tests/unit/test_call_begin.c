/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call sees of matrices that are given twice. */
#include <criterion/criterion.h>

#include "generate.h"
#include "spgemm/pipeline/call.h"

static const entry_point self = {
    .name = "test", .predicts = true, .multiplies = true, .makes_c = true};

static spgemm_csr make(void)
{
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    return make_uniform(&m, 100, 100, 5);
}

static void end(call *c)
{
    spgemm_csr none;
    cr_assert_eq(spgemm_call_end(c, &none, SPGEMM_SUCCESS), SPGEMM_SUCCESS);
}

/* Whether A and this view of its arrays are taken as one matrix. */
static void expect_one(const spgemm_csr *A, const spgemm_csr *view, bool is_one)
{
    call c;
    cr_assert_eq(spgemm_call_begin(&c, &self, A, view, NULL, NULL),
                 SPGEMM_SUCCESS);
    cr_assert_eq(c.ops.A == c.ops.B, is_one);
    end(&c);
}

Test(call_begin, takes_two_views_of_one_matrix_as_one)
{
    spgemm_csr A = make();
    spgemm_csr other = make();
    spgemm_csr view = A;
    expect_one(&A, &view, true);
    view.values = other.values;
    expect_one(&A, &view, false);
    view = A;
    view.flags ^= SPGEMM_SORTED_ROWS;
    expect_one(&A, &view, false);
    expect_one(&A, &other, false);
    free_csr(&other);
    free_csr(&A);
}

/* Of rows in order it is used as it is; else a copy is sorted. */
static void expect_mask(spgemm_csr *A, bool is_used)
{
    call c;
    const spgemm_csr mask = *A;
    const spgemm_options options = {.filter.mask = &mask};
    cr_assert_eq(spgemm_call_begin(&c, &self, A, A, &options, NULL),
                 SPGEMM_SUCCESS);
    cr_assert_eq(c.ops.mask->colidx == mask.colidx, is_used);
    end(&c);
}

Test(call_begin, knows_a_mask_that_is_an_operand)
{
    spgemm_csr A = make();
    expect_mask(&A, true);
    swap_entries(&A, 0, 1);
    expect_mask(&A, false);
    free_csr(&A);
}

Test(call_begin, tells_that_masked_rows_are_sorted)
{
    spgemm_csr A = make();
    spgemm_csr C;
    spgemm_report report;
    const spgemm_options options = {.filter.mask = &A,
                                    .product.row_order = SPGEMM_ROWS_UNSORTED};
    cr_assert_eq(spgemm_predicted(&C, &A, &A, &options, &report),
                 SPGEMM_SUCCESS);
    cr_assert_eq(report.row_order, SPGEMM_ROWS_SORTED);
    cr_assert(C.flags & SPGEMM_SORTED_ROWS);
    spgemm_csr_destroy(&C);
    free_csr(&A);
}
