/* SPDX-License-Identifier: BSD-3-Clause */
#include "spgemm/pipeline/operands.h"

#include <complex.h>
#include <criterion/criterion.h>

#include "generate.h"
#include "reference.h"
#include "typed.h"

/* One preparation, with an account of its own. */
typedef struct trial {
    memory m;
    operand_copies p;
    spgemm_fault fault;
} trial;

static spgemm_status prepare(trial *t, const spgemm_csr *A, const spgemm_csr *B,
                             const spgemm_options *options, bool needs_values)
{
    *t = (trial){0};
    spgemm_memory_init(&t->m, NULL);
    return spgemm_operands_make(&t->p, A, B, &(operand_names){0}, options,
                                (operand_needs){.values = needs_values},
                                &t->fault, &t->m);
}

/* What is prepared lies in *t, which must not move. */
static void begin_trial(trial *t, const spgemm_csr *A, const spgemm_csr *B,
                        spgemm_options options)
{
    cr_assert_eq(prepare(t, A, B, &options, true), SPGEMM_SUCCESS);
}

static void end_trial(trial *t)
{
    spgemm_operands_clear(&t->p, &t->m);
    cr_expect_eq(t->m.live_bytes, 0);
}

static spgemm_csr square(maker *m)
{
    return make_uniform(m, 300, 300, 5);
}

Test(operands, is_free_when_nothing_is_asked_for)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = square(&m);
    spgemm_csr B = square(&m);
    set_column_of(&A, 7, -1); /* nobody looks */
    trial t;
    begin_trial(&t, &A, &B, (spgemm_options){0});
    cr_expect_eq(t.p.A, &A);
    cr_expect_eq(t.p.B, &B);
    cr_expect_eq(t.m.peak_bytes, 0);
    end_trial(&t);
    begin_trial(&t, &A, &A, (spgemm_options){0});
    cr_expect_eq(t.p.A, &A);
    cr_expect_eq(t.p.B, &A);
    end_trial(&t);
    free_csr(&A);
    free_csr(&B);
}

Test(operands, keeps_one_matrix_one_where_it_can)
{
    static const int64_t list[] = {0, 3};
    const spgemm_operation turned = SPGEMM_OP_TRANSPOSE;
    const spgemm_operation conjugate = SPGEMM_OP_CONJUGATE_TRANSPOSE;
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = square(&m);
    spgemm_csr Z = typed_copy(&A, SPGEMM_CFP64);
    const struct {
        const spgemm_csr *X;
        spgemm_options options;
        bool is_one;
    } tries[] = {
        {&A, {.product.op_a = turned, .product.op_b = turned}, true},
        {&A, {.product.op_a = turned, .product.op_b = conjugate}, true},
        {&Z, {.product.op_a = conjugate, .product.op_b = conjugate}, true},
        {&Z, {.product.op_a = turned, .product.op_b = conjugate}, false},
        {&A, {.product.op_a = turned}, false},
        {&A, {.product.op_b = turned}, false},
        {&A, {.product.rows = list, .product.nrows = 2}, false},
        {&A,
         {.product.op_a = turned,
          .product.op_b = turned,
          .product.cols = list,
          .product.ncols = 2},
         false},
    };
    for (size_t n = 0; n < sizeof tries / sizeof tries[0]; n++) {
        trial t;
        begin_trial(&t, tries[n].X, tries[n].X, tries[n].options);
        cr_expect_eq(t.p.A == t.p.B, tries[n].is_one, "try %zu", n);
        end_trial(&t);
    }
    free_csr(&A);
    free_csr(&Z);
}

Test(operands, leaves_alone_what_is_not_transformed)
{
    static const int64_t list[] = {0, 3};
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = square(&m);
    trial t;
    begin_trial(&t, &A, &A,
                (spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE});
    cr_expect_eq(t.p.A, &t.p.made_A);
    cr_expect_eq(t.p.B, &A);
    end_trial(&t);
    begin_trial(&t, &A, &A,
                (spgemm_options){.product.cols = list, .product.ncols = 2});
    cr_expect_eq(t.p.A, &A);
    cr_expect_eq(t.p.B, &t.p.made_B);
    cr_expect_eq(t.p.B->ncols, 2);
    end_trial(&t);
    free_csr(&A);
}

Test(operands, conjugates)
{
    static const int64_t rowptr[] = {0, 1};
    static const int32_t colidx[] = {0};
    static const double complex value[] = {1 + 2 * I};
    const spgemm_csr A = spgemm_csr_view(1, 1, 1, rowptr, colidx, value,
                                         SPGEMM_I32, SPGEMM_CFP64);
    trial t;
    begin_trial(&t, &A, &A,
                (spgemm_options){.product.op_a = SPGEMM_OP_CONJUGATE_TRANSPOSE,
                                 .product.op_b = SPGEMM_OP_TRANSPOSE});
    cr_expect(*(const double complex *)t.p.A->values == 1 - 2 * I);
    cr_expect(*(const double complex *)t.p.B->values == 1 + 2 * I);
    end_trial(&t);
}

/* The same rows of A' whichever way they are taken, of any type. */
Test(operands, takes_rows_of_a_transpose_in_any_order)
{
    static const int64_t few[] = {3, 17, 200};
    static const int64_t jumbled[] = {200, 3, 200, 17, 3};
    maker m = {{4}, SPGEMM_I64, VALUES_INTEGER};
    spgemm_csr A = square(&m);
    int64_t all[900];
    for (int64_t t = 0; t < 900; t++)
        all[t] = t * 77 % 300;
    const struct {
        const int64_t *rows;
        int64_t nrows;
    } lists[] = {{few, 3}, {jumbled, 5}, {all, 100}, {all, 300}, {all, 900}};
    spgemm_csr numbers = numbered_copy(&A);
    for (size_t n = 0; n < sizeof lists / sizeof lists[0]; n++) {
        const spgemm_options options = {.product.op_a = SPGEMM_OP_TRANSPOSE,
                                        .product.rows = lists[n].rows,
                                        .product.nrows = lists[n].nrows};
        spgemm_csr T = {0};
        cr_assert_eq(spgemm_csr_transpose(&T, &numbers), SPGEMM_SUCCESS);
        csr_builder b = build_begin(lists[n].nrows, A.nrows);
        for (int64_t t = 0; t < lists[n].nrows; t++) {
            const int64_t i = lists[n].rows[t];
            for (int64_t p = T.rowptr[i]; p < T.rowptr[i + 1]; p++)
                build_add(&b, column_of(&T, p), value_of(&T, p));
            build_end_row(&b);
        }
        spgemm_csr places = build_finish(&b, SPGEMM_I64);
        for (int type = 0; type < TYPED_COUNT; type++) {
            spgemm_csr typed = typed_copy(&A, typed_type(type));
            trial t;
            begin_trial(&t, &typed, &A, options);
            cr_expect(elements_agree(t.p.A, &typed, &places), "list %zu", n);
            cr_expect(t.p.A->flags & SPGEMM_SORTED_ROWS);
            end_trial(&t);
            free_csr(&typed);
        }
        free_csr(&places);
        spgemm_csr_destroy(&T);
    }
    free_csr(&numbers);
    free_csr(&A);
}

/* A' has eight million rows; of three of them nothing is as long. */
Test(operands, takes_a_few_rows_of_a_long_transpose_for_little)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 40, 8000000, 10);
    const int64_t rows[] = {column_of(&A, 5), 3, column_of(&A, 11)};
    const int64_t cols[] = {0, 3};
    trial t;
    begin_trial(&t, &A, &A,
                (spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE,
                                 .product.rows = rows,
                                 .product.nrows = 3,
                                 .product.op_b = SPGEMM_OP_TRANSPOSE,
                                 .product.cols = cols,
                                 .product.ncols = 2});
    cr_expect_eq(t.p.A->nrows, 3);
    cr_expect_eq(t.p.A->nnz, 2);
    cr_expect_eq(t.p.B->nnz, 20);
    spgemm_csr_release(&t.p.made_B, &t.m);
    cr_expect_lt(t.m.live_bytes, 1000);
    end_trial(&t);
    free_csr(&A);
}

/* Rows of A in no order are told to be sorted once they are transposed. */
Test(operands, knows_what_is_sorted)
{
    static const int64_t list[] = {2, 1, 2};
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = square(&m);
    set_column_of(&A, 0, 299);
    set_column_of(&A, 1, 0);
    trial t;
    begin_trial(&t, &A, &A,
                (spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE});
    cr_expect(t.p.A->flags & SPGEMM_SORTED_ROWS);
    end_trial(&t);
    begin_trial(&t, &A, &A,
                (spgemm_options){.product.rows = list, .product.nrows = 3});
    cr_expect_not(t.p.A->flags & SPGEMM_SORTED_ROWS);
    end_trial(&t);
    spgemm_csr B = square(&m);
    begin_trial(&t, &B, &A,
                (spgemm_options){.product.rows = list, .product.nrows = 3});
    cr_expect(t.p.A->flags & SPGEMM_SORTED_ROWS, "found by its check");
    end_trial(&t);
    free_csr(&A);
    free_csr(&B);
}

Test(operands, makes_patterns_where_values_are_not_needed)
{
    static const int64_t list[] = {2, 5};
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = square(&m);
    const spgemm_options options = {.product.op_a = SPGEMM_OP_TRANSPOSE,
                                    .product.cols = list,
                                    .product.ncols = 2};
    trial t;
    cr_assert_eq(prepare(&t, &A, &A, &options, false), SPGEMM_SUCCESS);
    cr_expect_null(t.p.A->values);
    cr_expect_null(t.p.B->values);
    end_trial(&t);
    free_csr(&A);
}

Test(operands, names_the_operand_that_is_malformed)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = square(&m);
    spgemm_csr B = square(&m);
    const spgemm_options both = {.product.op_a = SPGEMM_OP_TRANSPOSE,
                                 .product.op_b = SPGEMM_OP_TRANSPOSE};
    trial t;
    set_column_of(&B, 17, 300);
    cr_expect_eq(prepare(&t, &A, &B, &both, true), SPGEMM_ERROR_STRUCTURE);
    cr_expect_str_eq(t.fault.operand, "B");
    cr_expect_str_eq(t.fault.array, "colidx");
    cr_expect_eq(t.fault.position, 17);
    cr_expect_eq(t.fault.value, 300);
    end_trial(&t);
    cr_expect_eq(prepare(&t, &B, &A, &both, true), SPGEMM_ERROR_STRUCTURE);
    cr_expect_str_eq(t.fault.operand, "A");
    end_trial(&t);
    cr_expect_eq(prepare(&t, &B, &B, &both, true), SPGEMM_ERROR_STRUCTURE);
    cr_expect_str_eq(t.fault.operand, "A");
    end_trial(&t);
    cr_expect_eq(prepare(&t, &A, &A, &both, true), SPGEMM_SUCCESS);
    cr_expect_null(t.fault.operand);
    end_trial(&t);
    free_csr(&A);
    free_csr(&B);
}
