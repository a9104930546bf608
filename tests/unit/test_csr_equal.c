/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "generate.h"
#include "typed.h"

/* Two equal matrices, one of which the caller changes. */
static void make_twins(spgemm_csr *A, spgemm_csr *B)
{
    maker m = {{4}, SPGEMM_I32, VALUES_SPECIAL};
    *A = make_jumbled(&m, 20, 30, 4);
    *B = copy_csr(A);
}

Test(csr_equal, is_true_of_a_copy)
{
    spgemm_csr A;
    spgemm_csr B;
    make_twins(&A, &B);
    cr_expect(spgemm_csr_equal(&A, &B));
    cr_expect(spgemm_csr_equal(&A, &A));
    free_csr(&A);
    free_csr(&B);
}

Test(csr_equal, sees_every_difference)
{
    spgemm_csr A;
    spgemm_csr B;
    make_twins(&A, &B);
    double *Bx = B.values;
    const double last = Bx[B.nnz - 1];

    Bx[B.nnz - 1] = 3.25;
    cr_expect_not(spgemm_csr_equal(&A, &B), "a value");
    Bx[B.nnz - 1] = last;
    set_column_of(&B, 0, (column_of(&B, 0) + 1) % 30);
    cr_expect_not(spgemm_csr_equal(&A, &B), "a column");
    set_column_of(&B, 0, column_of(&A, 0));
    cr_expect(spgemm_csr_equal(&A, &B));
    B.ncols++;
    cr_expect_not(spgemm_csr_equal(&A, &B), "ncols");
    B.ncols--;
    B.values = NULL;
    cr_expect_not(spgemm_csr_equal(&A, &B), "a pattern");
    B.values = Bx;
    B.rowptr[1]++;
    cr_expect_not(spgemm_csr_equal(&A, &B), "rowptr");
    free_csr(&A);
    free_csr(&B);
}

Test(csr_equal, tells_zeros_and_types_apart)
{
    const int64_t rowptr[] = {0, 1};
    const int32_t narrow[] = {0};
    const int64_t wide[] = {0};
    const double plus[] = {0.0};
    const double minus[] = {-0.0};
    const spgemm_csr A =
        spgemm_csr_view(1, 1, 1, rowptr, narrow, plus, SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr B = spgemm_csr_view(1, 1, 1, rowptr, narrow, minus,
                                         SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr D =
        spgemm_csr_view(1, 1, 1, rowptr, wide, plus, SPGEMM_I64, SPGEMM_FP64);
    cr_expect_not(spgemm_csr_equal(&A, &B));
    cr_expect_not(spgemm_csr_equal(&A, &D));
}

Test(csr_equal, is_true_of_empty_matrices)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_empty(&m, 0, 0);
    spgemm_csr B = make_empty(&m, 0, 0);
    cr_expect(spgemm_csr_equal(&A, &B));
    free_csr(&A);
    free_csr(&B);
}

Test(csr_equal, compares_every_byte_of_any_type)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 5, 9, 3);
    for (int t = 0; t < TYPED_COUNT; t++) {
        const spgemm_value_type type = typed_type(t);
        spgemm_csr X = typed_copy(&A, type);
        spgemm_csr Y = copy_csr(&X);
        char *last =
            (char *)Y.values + (size_t)Y.nnz * spgemm_value_bytes(type) - 1;
        cr_expect(spgemm_csr_equal(&X, &Y));
        *last = (char)(*last + 1);
        cr_expect_not(spgemm_csr_equal(&X, &Y), "type %d", t);
        *last = (char)(*last - 1);
        Y.value_type = typed_type((t + 1) % TYPED_COUNT);
        cr_expect_not(spgemm_csr_equal(&X, &Y), "type %d", t);
        free_csr(&X);
        free_csr(&Y);
    }
    free_csr(&A);
}
