/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that a semiring does not read may be missing; where it reads none that
   are there, C is a pattern. */
#include "every_form.h"
#include "spgemm/rap.h"

enum { WITHOUT_A = 1, WITHOUT_B = 2, WITHOUTS = 4 };

/* Nothing that is read is missing, or everything. */
static bool is_accepted(spgemm_semiring semiring, int without)
{
    const bool lacks_a = ring_reads_first(semiring) && (without & WITHOUT_A);
    const bool lacks_b = ring_reads_second(semiring) && (without & WITHOUT_B);
    const bool has_a = ring_reads_first(semiring) && !(without & WITHOUT_A);
    const bool has_b = ring_reads_second(semiring) && !(without & WITHOUT_B);
    return !(lacks_a || lacks_b) || !(has_a || has_b);
}

static void expect_without(const form_shape *shape, const type_choice *choice,
                           int without)
{
    maker m = {{(uint64_t)(shape - form_shapes) + 1},
               choice->index_type,
               VALUES_INTEGER};
    spgemm_csr A;
    spgemm_csr B;
    make_form_shape(shape, &m, choice->type, &A, &B);
    if (without & WITHOUT_A)
        drop_values(&A);
    if (without & WITHOUT_B)
        drop_values(&B);
    for (int s = 0; s < SPGEMM_USER; s++) {
        trial t = {&A, &B, {.product.semiring = (spgemm_semiring)s}, NULL};
        t.name = form_text(&A, &t.options, shape->name);
        if (!ring_exists(t.options.product.semiring, choice->type))
            continue;
        if (is_accepted(t.options.product.semiring, without))
            expect_some_forms(&t, 2);
        else
            expect_refusal(&t, SPGEMM_ERROR_UNSUPPORTED);
    }
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(patterns, are_multiplied_on_every_accumulator)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, patterns,
                  are_multiplied_on_every_accumulator)
{
    for (int n = 0; n < form_shape_count; n++)
        for (int without = 1; without < WITHOUTS; without++) {
            const bool is_chosen = choice->type == SPGEMM_FP32 ||
                                   (n + without + (int)choice->type) % 3 == 0;
            if (is_chosen && !form_shapes[n].is_giant)
                expect_without(&form_shapes[n], choice, without);
        }
}

ParameterizedTestParameters(patterns, may_be_giant)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, patterns, may_be_giant)
{
    for (int n = 0; n < form_shape_count; n++) {
        maker m = {{(uint64_t)n}, choice->index_type, VALUES_INTEGER};
        spgemm_csr A;
        spgemm_csr B;
        if (!form_shapes[n].is_giant || choice->type % 2)
            continue;
        make_form_shape(&form_shapes[n], &m, choice->type, &A, &B);
        drop_values(&A);
        drop_values(&B);
        trial t = {&A, &B, {.product = {0}}, "a giant pattern"};
        expect_some_forms(&t, 3);
        t.options.product.semiring = SPGEMM_PLUS_PAIR;
        expect_some_forms(&t, 2);
        free_csr(&A);
        free_csr(&B);
    }
}

/* Selection, transposes, masks and guarded memory. */
ParameterizedTestParameters(patterns, take_every_form)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, patterns, take_every_form)
{
    const int64_t rows[] = {7, 0, 7, 3};
    const int64_t cols[] = {1, 2, 3, 11, 19};
    for (int op = 0; op < 9; op++) {
        maker m = {{(uint64_t)op + 1}, choice->index_type, VALUES_INTEGER};
        spgemm_csr A = make_jumbled(&m, 30, 30, 3);
        spgemm_csr mask = make_uniform(&m, 4, 5, 2);
        A.value_type = choice->type;
        drop_values(&A);
        trial t = {&A,
                   &A,
                   {.product.op_a = (spgemm_operation)(op / 3),
                    .product.op_b = (spgemm_operation)(op % 3)},
                   "a pattern"};
        expect_every_form(&t);
        t.options.product.semiring =
            op % 2 ? SPGEMM_ANY_PAIR : SPGEMM_PLUS_PAIR;
        expect_every_form(&t);
        t.options.product.semiring =
            op % 2 ? SPGEMM_PLUS_SECOND : SPGEMM_PLUS_TIMES;
        t.options.product.rows = rows;
        t.options.product.nrows = 4;
        t.options.product.cols = cols;
        t.options.product.ncols = 5;
        t.options.filter.mask = &mask;
        t.options.filter.mask_mode = op % 2 ? SPGEMM_MASK_COMPLEMENT : 0;
        expect_every_form(&t);
        free_csr(&mask);
        free_csr(&A);
    }
}

Test(patterns, may_be_masks)
{
    maker m = {{3}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_rmat(&m, 6, 400);
    spgemm_csr mask = make_uniform(&m, 64, 64, 9);
    drop_values(&mask);
    trial t = {&A, &A, {.filter.mask = &mask}, "a pattern as mask"};
    expect_every_form(&t);
    t.options.filter.mask_mode = SPGEMM_MASK_COMPLEMENT;
    expect_every_form(&t);
    free_csr(&A);
    free_csr(&mask);
}

Test(patterns, have_no_alpha_beta_or_addend)
{
    const double one = 1;
    maker m = {{3}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_uniform(&m, 9, 9, 3);
    spgemm_csr D = copy_typed(&A);
    drop_values(&A);
    const trial alpha = {&A, &A, {.product.alpha = &one}, "alpha"};
    const trial addend = {&A, &A, {.product.D = &D}, "D"};
    const trial beta = {
        &A, &A, {.product.D = &D, .product.beta = &one}, "beta"};
    expect_refusal(&alpha, SPGEMM_ERROR_INVALID);
    expect_refusal(&addend, SPGEMM_ERROR_INVALID);
    expect_refusal(&beta, SPGEMM_ERROR_INVALID);
    free_csr(&A);
    free_csr(&D);
}

/* Operands without entries lack no values, and have none. */
Test(patterns, may_be_empty)
{
    maker m = {{3}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr R = make_uniform(&m, 9, 9, 3);
    spgemm_csr E = make_empty(&m, 9, 9);
    spgemm_csr W;
    spgemm_csr C;
    drop_values(&R);
    drop_values(&E);
    cr_assert_eq(spgemm_predicted(&W, &E, &E, NULL, NULL), SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_predicted(&C, &R, &W, NULL, NULL), SPGEMM_SUCCESS, "%s",
                 spgemm_error_text());
    cr_expect_null(C.values);
    spgemm_csr_destroy(&C);
    spgemm_csr_destroy(&W);
    cr_assert_eq(spgemm_rap(&C, &R, &E, &E, NULL, NULL), SPGEMM_SUCCESS, "%s",
                 spgemm_error_text());
    spgemm_csr_destroy(&C);
    free_csr(&R);
    free_csr(&E);
}

/* C of plus_pair has values: alpha and D belong to it. */
Test(patterns, whose_product_has_values_take_alpha_and_an_addend)
{
    const double alpha = 2;
    maker m = {{3}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_jumbled(&m, 20, 20, 3);
    spgemm_csr D = make_uniform(&m, 20, 20, 4);
    drop_values(&A);
    trial t = {&A,
               &A,
               {.product.semiring = SPGEMM_PLUS_PAIR,
                .product.alpha = &alpha,
                .product.D = &D},
               "counts and D"};
    expect_every_form(&t);
    free_csr(&A);
    free_csr(&D);
}
