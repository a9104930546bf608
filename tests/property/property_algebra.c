/* SPDX-License-Identifier: BSD-3-Clause */
/* The laws of matrix products, exact in small integers. */
#include "expect.h"

static spgemm_csr transpose(const spgemm_csr *A)
{
    spgemm_csr T = {0};
    cr_assert_eq(spgemm_csr_transpose(&T, A), SPGEMM_SUCCESS);
    return T;
}

static spgemm_csr multiply(const spgemm_csr *A, const spgemm_csr *B)
{
    return expect_success(&multiply_variants[VARIANT_PREDICTED], A, B, NULL,
                          NULL);
}

/* Entries that cancel may be stored on one side only: compare without zeros. */
static spgemm_csr drop_zeros(const spgemm_csr *A)
{
    csr_builder b = build_begin(A->nrows, A->ncols);
    for (int64_t i = 0; i < A->nrows; i++) {
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            if (value_of(A, p) != 0)
                build_add(&b, column_of(A, p), value_of(A, p));
        build_end_row(&b);
    }
    return build_finish(&b, A->index_type);
}

/* A transpose has as many rows as its matrix has columns. */
static bool can_transpose(const spgemm_csr *A)
{
    return A->ncols <= 10000000;
}

ParameterizedTestParameters(algebra, transposes_in_reverse)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, algebra, transposes_in_reverse)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, VALUES_INTEGER, &A, &B);
    if (can_transpose(&B)) {
        spgemm_csr C = multiply(&A, &B);
        spgemm_csr Ct = transpose(&C);
        spgemm_csr At = transpose(&A);
        spgemm_csr Bt = transpose(&B);
        spgemm_csr BtAt = multiply(&Bt, &At);
        expect_agree(&BtAt, &Ct, "transpose of B times transpose of A");
        spgemm_csr_destroy(&C);
        spgemm_csr_destroy(&Ct);
        spgemm_csr_destroy(&At);
        spgemm_csr_destroy(&Bt);
        spgemm_csr_destroy(&BtAt);
    }
    free_csr(&A);
    free_csr(&B);
}

Test(algebra, associates)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{77}, (spgemm_index_type)type, VALUES_INTEGER};
        spgemm_csr A = make_jumbled(&m, 300, 200, 4);
        spgemm_csr B = make_uniform(&m, 200, 500, 5);
        spgemm_csr D = make_banded(&m, 500, 6, 0.5);
        spgemm_csr AB = multiply(&A, &B);
        spgemm_csr BD = multiply(&B, &D);
        spgemm_csr left = multiply(&AB, &D);
        spgemm_csr right = multiply(&A, &BD);
        spgemm_csr left_dropped = drop_zeros(&left);
        spgemm_csr right_dropped = drop_zeros(&right);
        expect_agree(&left_dropped, &right_dropped, "(AB)D and A(BD)");
        expect_agree(&left, &right, "structure of (AB)D and A(BD)");
        spgemm_csr_destroy(&AB);
        spgemm_csr_destroy(&BD);
        spgemm_csr_destroy(&left);
        spgemm_csr_destroy(&right);
        free_csr(&left_dropped);
        free_csr(&right_dropped);
        free_csr(&A);
        free_csr(&B);
        free_csr(&D);
    }
}

/* `number` cases with a square or sorted A; A itself is the answer. */
static void expect_neutral(spgemm_csr *A, const char *what)
{
    maker m = {{1}, A->index_type, VALUES_INTEGER};
    spgemm_csr left = make_identity(&m, A->nrows);
    spgemm_csr right = make_identity(&m, A->ncols);
    for (int v = 0; v < VARIANT_COUNT; v++) {
        expect_product(&multiply_variants[v], A, &right, NULL, A, what);
        expect_product(&multiply_variants[v], &left, A, NULL, A, what);
    }
    free_csr(&left);
    free_csr(&right);
}

Test(algebra, has_a_neutral_element)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{5}, (spgemm_index_type)type, VALUES_ARBITRARY};
        spgemm_csr uniform = make_uniform(&m, 900, 1100, 9);
        spgemm_csr fem = make_fem(&m, 60, 2, 3);
        spgemm_csr wide = make_uniform(&m, 2, 30000, 25000);
        expect_neutral(&uniform, "uniform");
        expect_neutral(&fem, "fem");
        expect_neutral(&wide, "wide");
        free_csr(&uniform);
        free_csr(&fem);
        free_csr(&wide);
    }
}

/* Row i of P is row order[i] of the identity. */
Test(algebra, permuting_rows_commutes)
{
    maker m = {{6}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_mixed(&m, 512, 512, 3, 90, 7);
    csr_builder b = build_begin(A.nrows, A.nrows);
    for (int64_t i = 0; i < A.nrows; i++) {
        build_add(&b, (i * 77 + 5) % A.nrows, 1.0);
        build_end_row(&b);
    }
    spgemm_csr P = build_finish(&b, SPGEMM_I32);
    spgemm_csr PA = reference_multiply(&P, &A);
    spgemm_csr want = multiply(&A, &A);
    spgemm_csr permuted_after = multiply(&P, &want);
    spgemm_csr permuted_before = multiply(&PA, &A);
    expect_agree(&permuted_after, &permuted_before, "P(AA) and (PA)A");
    spgemm_csr_destroy(&want);
    spgemm_csr_destroy(&permuted_after);
    spgemm_csr_destroy(&permuted_before);
    free_csr(&P);
    free_csr(&PA);
    free_csr(&A);
}

Test(algebra, squares_a_matrix_that_is_both_operands)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{8}, (spgemm_index_type)type, VALUES_ARBITRARY};
        spgemm_csr A = make_rmat(&m, 10, 9000);
        spgemm_csr want = reference_multiply(&A, &A);
        for (int v = 0; v < VARIANT_COUNT; v++)
            expect_product(&multiply_variants[v], &A, &A, NULL, &want,
                           "A times A");
        free_csr(&A);
        free_csr(&want);
    }
}

ParameterizedTestParameters(algebra, leaves_its_operands_alone)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, algebra, leaves_its_operands_alone)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, VALUES_ARBITRARY, &A, &B);
    const spgemm_csr A_before = A;
    const spgemm_csr B_before = B;
    spgemm_csr A_copy = copy_csr(&A);
    spgemm_csr B_copy = copy_csr(&B);
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C =
            expect_success(&multiply_variants[v], &A, &B, NULL, NULL);
        cr_assert_eq(memcmp(&A, &A_before, sizeof A), 0);
        cr_assert_eq(memcmp(&B, &B_before, sizeof B), 0);
        cr_assert(spgemm_csr_equal(&A, &A_copy));
        cr_assert(spgemm_csr_equal(&B, &B_copy));
        spgemm_csr_destroy(&C);
    }
    free_csr(&A);
    free_csr(&B);
    free_csr(&A_copy);
    free_csr(&B_copy);
}
