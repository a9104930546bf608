/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "common/rng.h"
#include "spgemm/spgemm.h"

static spgemm_status from_coo(spgemm_csr *A,
                              int64_t nrows,
                              int64_t ncols,
                              int64_t ntriplets,
                              const int32_t *rows,
                              const int32_t *cols,
                              const double *values)
{
    return spgemm_csr_from_coo(A, nrows, ncols, ntriplets, rows, cols, values,
                               SPGEMM_I32, SPGEMM_FP64, NULL);
}

Test(csr_from_coo, sorts_and_sums_in_the_order_given)
{
    static const int32_t rows[] = {2, 0, 2, 2, 0, 2};
    static const int32_t cols[] = {1, 3, 0, 1, 3, 1};
    static const double values[] = {0.1, 1, 5, 0.2, -1, 0.3};
    spgemm_csr A;
    cr_assert_eq(from_coo(&A, 3, 4, 6, rows, cols, values), SPGEMM_SUCCESS);
    const int32_t *columns = A.colidx;
    const double *sums = A.values;
    cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    cr_expect(A.flags & SPGEMM_SORTED_ROWS);
    cr_expect_eq(A.nnz, 3);
    cr_expect_eq(A.rowptr[1], 1);
    cr_expect_eq(A.rowptr[2], 1);
    cr_expect_eq(columns[0], 3);
    cr_expect_eq(sums[0], 0);
    cr_expect_eq(columns[1], 0);
    cr_expect_eq(sums[1], 5);
    cr_expect_eq(columns[2], 1);
    cr_expect_eq(sums[2], 0.1 + 0.2 + 0.3);
    spgemm_csr_destroy(&A);
}

Test(csr_from_coo, makes_empty_matrices)
{
    spgemm_csr A;
    cr_assert_eq(from_coo(&A, 0, 5, 0, NULL, NULL, NULL), SPGEMM_SUCCESS);
    cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    spgemm_csr_destroy(&A);
    cr_assert_eq(from_coo(&A, 5, 0, 0, NULL, NULL, NULL), SPGEMM_SUCCESS);
    cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    spgemm_csr_destroy(&A);
}

Test(csr_from_coo, refuses_what_cannot_be)
{
    static const int32_t zero[] = {0};
    static const int32_t two[] = {2};
    static const int32_t minus[] = {-1};
    static const double one[] = {1};
    spgemm_csr A = {.nrows = 77};
    cr_expect_eq(from_coo(NULL, 2, 2, 1, zero, zero, one),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, -1, 2, 1, zero, zero, one), SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, 2, 2, -1, zero, zero, one), SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, 2, 2, 1, NULL, zero, one), SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, 2, 2, 1, zero, NULL, one), SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, 2, 2, 1, zero, zero, NULL), SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, 2, 2, 1, two, zero, one), SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, 2, 2, 1, zero, two, one), SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, 2, 2, 1, minus, zero, one), SPGEMM_ERROR_INVALID);
    cr_expect_eq(from_coo(&A, (int64_t)1 << 32, 2, 1, zero, zero, one),
                 SPGEMM_ERROR_OVERFLOW);
    cr_expect_eq(from_coo(&A, 2, (int64_t)1 << 32, 1, zero, zero, one),
                 SPGEMM_ERROR_OVERFLOW);
    cr_expect_eq(A.nrows, 77, "A was touched");
}

/* Random triplets, many at one place, against a dense sum. */
static void compare_with_dense(int64_t nrows, int64_t ncols, int64_t ntriplets)
{
    int64_t *rows = calloc((size_t)ntriplets + 1, sizeof *rows);
    int64_t *cols = calloc((size_t)ntriplets + 1, sizeof *cols);
    double *values = calloc((size_t)ntriplets + 1, sizeof *values);
    double *dense = calloc((size_t)(nrows * ncols), sizeof *dense);
    char *is_there = calloc((size_t)(nrows * ncols), 1);
    cr_assert(rows && cols && values && dense && is_there);
    for (int64_t t = 0; t < ntriplets; t++) {
        rows[t] = rng_below(1, (uint64_t)t, nrows);
        cols[t] = rng_below(2, (uint64_t)t, ncols);
        values[t] = rng_unit(3, (uint64_t)t) - 0.5;
        dense[rows[t] * ncols + cols[t]] += values[t];
        is_there[rows[t] * ncols + cols[t]] = 1;
    }
    spgemm_csr A;
    cr_assert_eq(spgemm_csr_from_coo(&A, nrows, ncols, ntriplets, rows, cols,
                                     values, SPGEMM_I64, SPGEMM_FP64, NULL),
                 SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    int64_t wrong = 0;
    int64_t nnz = 0;
    for (int64_t place = 0; place < nrows * ncols; place++)
        nnz += is_there[place];
    cr_expect_eq(A.nnz, nnz);
    for (int64_t i = 0; i < nrows; i++)
        for (int64_t p = A.rowptr[i]; p < A.rowptr[i + 1]; p++) {
            const int64_t place = i * ncols + ((const int64_t *)A.colidx)[p];
            wrong += !is_there[place] ||
                     ((const double *)A.values)[p] != dense[place];
        }
    cr_expect_eq(wrong, 0);
    spgemm_csr_destroy(&A);
    free(rows);
    free(cols);
    free(values);
    free(dense);
    free(is_there);
}

Test(csr_from_coo, agrees_with_a_dense_sum)
{
    compare_with_dense(1, 1, 1000);
    compare_with_dense(50, 3, 2000);
    compare_with_dense(3, 5000, 40000);
    compare_with_dense(700, 400, 500000);
}
