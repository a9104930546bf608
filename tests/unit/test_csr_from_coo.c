/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "spgemm/spgemm.h"
#include "typed.h"

static spgemm_status from_coo(spgemm_csr *A, int64_t nrows, int64_t ncols,
                              int64_t ntriplets, const int32_t *rows,
                              const int32_t *cols, const double *values)
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

/* A of some type from these triplets: row 1 is (0, x0) (2, x1 + x2 + x3), row 0
   is (1, x4). */
static spgemm_status few_triplets(spgemm_csr *A, const void *values,
                                  spgemm_value_type type)
{
    static const int32_t rows[] = {1, 1, 1, 1, 0};
    static const int32_t cols[] = {0, 2, 2, 2, 1};
    return spgemm_csr_from_coo(A, 2, 3, 5, rows, cols, values, SPGEMM_I32, type,
                               NULL);
}

/* The values of A are `want`, bit for bit. */
static void expect_sums(const void *values, const void *want,
                        spgemm_value_type type)
{
    spgemm_csr A;
    cr_assert_eq(few_triplets(&A, values, type), SPGEMM_SUCCESS);
    cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    cr_expect(A.flags & SPGEMM_SORTED_ROWS);
    cr_assert_eq(A.nnz, 3);
    cr_expect_eq(A.value_type, type);
    cr_expect_eq(memcmp(A.values, want, 3 * spgemm_value_bytes(type)), 0, "%s",
                 spgemm_value_type_name(type));
    spgemm_csr_destroy(&A);
}

Test(csr_from_coo, adds_as_the_type_does)
{
    expect_sums((double[]){1, 0.1, 0.2, 0.3, 4},
                (double[]){4, 1, 0.1 + 0.2 + 0.3}, SPGEMM_FP64);
    expect_sums((float[]){1, 0.1f, 0.2f, 0.3f, 4},
                (float[]){4, 1, 0.1f + 0.2f + 0.3f}, SPGEMM_FP32);
    expect_sums((double complex[]){1, 2 + I, 3 - I, 4 * I, 5},
                (double complex[]){5, 1, 5 + 4 * I}, SPGEMM_CFP64);
    expect_sums((float complex[]){1, 2 + I, 3 - I, 4 * I, 5},
                (float complex[]){5, 1, 5 + 4 * I}, SPGEMM_CFP32);
    expect_sums((int64_t[]){1, INT64_MAX, 1, 3, -2},
                (int64_t[]){-2, 1, INT64_MIN + 3}, SPGEMM_INT64);
    expect_sums((int32_t[]){1, INT32_MIN, -1, 0, -2},
                (int32_t[]){-2, 1, INT32_MAX}, SPGEMM_INT32);
    expect_sums((uint8_t[]){1, 0, 4, 2, 0}, (uint8_t[]){0, 1, 1}, SPGEMM_BOOL);
    expect_sums((uint8_t[]){7, 0, 0, 0, 255}, (uint8_t[]){1, 1, 0},
                SPGEMM_BOOL);
}

Test(csr_from_coo, cannot_add_elements)
{
    static const char elements[5 * 3] = "aaabbbcccdddeee";
    static const int32_t rows[] = {1, 0, 1};
    static const int32_t cols[] = {2, 1, 0};
    spgemm_csr A = {.nrows = 77};
    cr_expect_eq(few_triplets(&A, elements, SPGEMM_ELEMENTS(3)),
                 SPGEMM_ERROR_UNSUPPORTED);
    cr_expect_eq(A.nrows, 77);
    cr_assert_eq(spgemm_csr_from_coo(&A, 2, 3, 3, rows, cols, elements,
                                     SPGEMM_I32, SPGEMM_ELEMENTS(3), NULL),
                 SPGEMM_SUCCESS);
    cr_expect_eq(memcmp(A.values, "bbbcccaaa", 9), 0);
    spgemm_csr_destroy(&A);
}

Test(csr_from_coo, makes_patterns)
{
    for (int t = 0; t < TYPED_COUNT; t++) {
        spgemm_csr A;
        cr_assert_eq(few_triplets(&A, NULL, typed_type(t)), SPGEMM_SUCCESS);
        cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
        cr_expect_null(A.values);
        cr_expect_eq(A.nnz, 3);
        cr_expect_eq(((const int32_t *)A.colidx)[0], 1);
        cr_expect_eq(((const int32_t *)A.colidx)[1], 0);
        cr_expect_eq(((const int32_t *)A.colidx)[2], 2);
        spgemm_csr_destroy(&A);
    }
}

/* Each element where its number is, of triplets that do not repeat. */
Test(csr_from_coo, moves_elements_of_any_type)
{
    enum { ROWS = 300, COLS = 500, TRIPLETS = 150000 };
    int64_t *rows = must_allocate(TRIPLETS, sizeof *rows);
    int64_t *cols = must_allocate(TRIPLETS, sizeof *cols);
    for (int64_t t = 0; t < TRIPLETS; t++) {
        const int64_t place = t * 7919 % TRIPLETS;
        rows[t] = place / COLS;
        cols[t] = place % COLS;
    }
    for (int type = 0; type < TYPED_COUNT; type++) {
        if (typed_type(type) == SPGEMM_BOOL)
            continue; /* made 0 or 1 */
        spgemm_csr A;
        const size_t size = spgemm_value_bytes(typed_type(type));
        char *values = must_allocate(TRIPLETS, size);
        for (size_t t = 0; t < TRIPLETS * size; t++)
            values[t] = (char)(t * 167 + t / 253);
        cr_assert_eq(spgemm_csr_from_coo(&A, ROWS, COLS, TRIPLETS, rows, cols,
                                         values, SPGEMM_I64, typed_type(type),
                                         NULL),
                     SPGEMM_SUCCESS);
        cr_assert_eq(A.nnz, TRIPLETS);
        int64_t wrong = 0;
        for (size_t t = 0; t < TRIPLETS; t++)
            wrong += memcmp((char *)A.values +
                                (size_t)(rows[t] * COLS + cols[t]) * size,
                            values + t * size, size) != 0;
        cr_expect_eq(wrong, 0, "type %d", type);
        spgemm_csr_destroy(&A);
        free(values);
    }
    free(rows);
    free(cols);
}
