/* SPDX-License-Identifier: BSD-3-Clause */
/* Every semiring over every type, with every operation on the operands, every
   kind of mask and both orders, is the reference, on small matrices. */
#include "every_form.h"

/* A matrix of which op() is nrows-by-ncols. Every other is sorted and has each
   column once. */
static spgemm_csr make_operand(maker *m, spgemm_operation operation,
                               int64_t nrows, int64_t ncols,
                               spgemm_value_type type)
{
    const bool is_transposed = operation != SPGEMM_OP_NONE;
    const int64_t rows = is_transposed ? ncols : nrows;
    const int64_t columns = is_transposed ? nrows : ncols;
    spgemm_csr A = dice_below(&m->dice, 2) ? make_jumbled(m, rows, columns, 3)
                                           : make_uniform(m, rows, columns, 4);
    set_type(m, &A, type);
    return A;
}

/* The modes of a mask, and none. */
static void expect_masks(trial t, maker *m)
{
    spgemm_csr whole = reference_form(t.A, t.B, &t.options);
    expect_some_forms_of(&t, &whole, 2);
    for (unsigned mode = 0; mode < 4; mode++) {
        const mask_kind kind = (mask_kind)dice_below(&m->dice, MASK_KINDS);
        const int64_t type = dice_below(&m->dice, SPGEMM_VALUE_TYPE_COUNT);
        spgemm_csr mask = make_mask(m, &whole, kind, (spgemm_value_type)type);
        t.options.filter.mask = &mask;
        t.options.filter.mask_mode = mode;
        t.name = form_text(t.A, &t.options, mask_text(kind));
        expect_some_forms(&t, 2);
        free_csr(&mask);
    }
    free_csr(&whole);
}

static void expect_operations(const type_choice *choice,
                              spgemm_semiring semiring, spgemm_operation op_a,
                              spgemm_operation op_b)
{
    const int64_t seed = ((int64_t)semiring * 3 + (int64_t)op_a) * 3 + op_b;
    for (int kind = 0; kind < VALUE_KINDS; kind++) {
        maker m = {{(uint64_t)(seed * VALUE_KINDS + kind) * 977 + 5},
                   choice->index_type,
                   (value_kind)kind};
        spgemm_csr A = make_operand(&m, op_a, 13, 11, choice->type);
        spgemm_csr B = make_operand(&m, op_b, 11, 14, choice->type);
        trial t = {&A,
                   &B,
                   {.product.semiring = semiring,
                    .product.op_a = op_a,
                    .product.op_b = op_b},
                   NULL};
        t.name = form_text(&A, &t.options, "whole");
        expect_masks(t, &m);
        free_csr(&A);
        free_csr(&B);
    }
}

ParameterizedTestParameters(semirings, hold_for_every_type_operation_and_mask)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, semirings,
                  hold_for_every_type_operation_and_mask)
{
    for (int s = 0; s < SPGEMM_USER; s++)
        for (int op = 0; op < 9; op++)
            if (ring_exists((spgemm_semiring)s, choice->type))
                expect_operations(choice, (spgemm_semiring)s,
                                  (spgemm_operation)(op / 3),
                                  (spgemm_operation)(op % 3));
}

/* 2 to 100 products a row: sorted ones, alone and as one, ranked ones and others;
   of few columns, where many meet, and of many. */
ParameterizedTestParameters(semirings, hold_for_rows_of_any_length)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, semirings, hold_for_rows_of_any_length)
{
    for (int s = 0; s < SPGEMM_USER; s++)
        for (int longest = 1; longest <= 8; longest++) {
            if (!ring_exists((spgemm_semiring)s, choice->type))
                continue;
            maker m = {{(uint64_t)(s * 8 + longest) * 131},
                       choice->index_type,
                       longest % 2 ? VALUES_ARBITRARY : VALUES_SPECIAL};
            const int64_t ncols = longest % 3 ? 60 : 30000;
            spgemm_csr A = make_uniform(&m, 120, 90, longest);
            spgemm_csr B = make_uniform(&m, 90, ncols, 3 + longest);
            set_type(&m, &A, choice->type);
            set_type(&m, &B, choice->type);
            trial t = {&A, &B, {.product.semiring = (spgemm_semiring)s}, NULL};
            t.name = form_text(&A, &t.options, "rows of any length");
            expect_some_forms(&t, 2);
            free_csr(&A);
            free_csr(&B);
        }
}
