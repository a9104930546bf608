/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "generate.h"
#include "reference.h"

/* Column by column, in the order of A's rows. */
static spgemm_csr slow_transpose(const spgemm_csr *A)
{
    csr_builder b = build_begin(A->ncols, A->nrows);
    for (int64_t j = 0; j < A->ncols; j++) {
        for (int64_t i = 0; i < A->nrows; i++)
            for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
                if (column_of(A, p) == j)
                    build_add(&b, i, value_of(A, p));
        build_end_row(&b);
    }
    return build_finish(&b, A->index_type);
}

static void expect_transpose(spgemm_csr *A)
{
    char text[256];
    spgemm_csr T = {0};
    spgemm_csr want = slow_transpose(A);
    cr_assert_eq(spgemm_csr_transpose(&T, A), SPGEMM_SUCCESS);
    cr_expect_eq(spgemm_csr_check(&T, NULL), SPGEMM_SUCCESS);
    cr_expect(matrices_agree(&T, &want, text, sizeof text), "%s", text);
    spgemm_csr_destroy(&T);
    free_csr(&want);
    free_csr(A);
}

Test(csr_transpose, moves_every_entry_stably)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{4}, (spgemm_index_type)type, VALUES_SPECIAL};
        spgemm_csr uniform = make_uniform(&m, 40, 70, 5);
        spgemm_csr jumbled = make_jumbled(&m, 30, 12, 15);
        spgemm_csr hypersparse = make_hypersparse(&m, 200, 50, 9);
        expect_transpose(&uniform);
        expect_transpose(&jumbled);
        expect_transpose(&hypersparse);
    }
}

Test(csr_transpose, turns_empty_shapes)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr none = make_empty(&m, 0, 0);
    spgemm_csr flat = make_empty(&m, 0, 9);
    spgemm_csr thin = make_empty(&m, 9, 0);
    expect_transpose(&none);
    expect_transpose(&flat);
    expect_transpose(&thin);
}

Test(csr_transpose, keeps_a_pattern_a_pattern)
{
    maker m = {{4}, SPGEMM_I64, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 10, 12, 3);
    spgemm_csr pattern = A;
    pattern.values = NULL;
    spgemm_csr T = {0};
    cr_assert_eq(spgemm_csr_transpose(&T, &pattern), SPGEMM_SUCCESS);
    cr_expect_null(T.values);
    cr_expect_eq(T.nnz, A.nnz);
    spgemm_csr_destroy(&T);
    free_csr(&A);
}

Test(csr_transpose, refuses_null)
{
    spgemm_csr T = {0};
    maker m = {{4}, SPGEMM_I64, VALUES_INTEGER};
    spgemm_csr A = make_empty(&m, 2, 2);
    cr_expect_eq(spgemm_csr_transpose(NULL, &A), SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_csr_transpose(&T, NULL), SPGEMM_ERROR_INVALID);
    free_csr(&A);
}
