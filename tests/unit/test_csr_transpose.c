/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <complex.h>
#include <stdlib.h>

#include "generate.h"
#include "matrix/csr.h"
#include "reference.h"
#include "typed.h"

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

/* The same by one pass over A, for matrices that threads share. */
static spgemm_csr plain_transpose(const spgemm_csr *A)
{
    spgemm_csr T = {.nrows = A->ncols,
                    .ncols = A->nrows,
                    .nnz = A->nnz,
                    .index_type = A->index_type};
    T.rowptr = calloc((size_t)A->ncols + 2, sizeof *T.rowptr);
    T.colidx = must_allocate(A->nnz, sizeof(int64_t));
    double *values = must_allocate(A->nnz, sizeof *values);
    cr_assert_not_null(T.rowptr);
    int64_t *next = T.rowptr + 1;
    for (int64_t p = 0; p < A->nnz; p++)
        next[column_of(A, p) + 1]++;
    for (int64_t j = 0; j < A->ncols; j++)
        next[j + 1] += next[j];
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const int64_t q = next[column_of(A, p)]++;
            set_column_of(&T, q, i);
            values[q] = value_of(A, p);
        }
    T.values = values;
    return T;
}

/* Row pointers alone. */
static void expect_counts(const spgemm_csr *A, const spgemm_csr *want, int team,
                          memory *m)
{
    spgemm_csr T;
    cr_assert_eq(spgemm_csr_transpose_counts(&T, A, team, m), SPGEMM_SUCCESS);
    cr_assert_eq(T.nrows, want->nrows);
    cr_assert_eq(T.ncols, want->ncols);
    cr_assert_eq(T.nnz, want->nnz);
    cr_assert_arr_eq(T.rowptr, want->rowptr,
                     (size_t)(want->nrows + 1) * sizeof *want->rowptr);
    cr_assert_null(T.colidx);
    spgemm_csr_release(&T, m);
}

/* Any type, any number of threads; frees A. */
static void expect_typed(spgemm_csr *A, const char *name)
{
    static const int teams[] = {1, 2, 7, 16};
    spgemm_csr numbers = numbered_copy(A);
    spgemm_csr places = plain_transpose(&numbers);
    memory m;
    spgemm_memory_init(&m, NULL);
    for (int n = 0; n < 4; n++) {
        expect_counts(A, &places, teams[n], &m);
        for (int t = 0; t <= TYPED_COUNT; t++) {
            spgemm_csr typed = typed_copy(A, typed_type(t % TYPED_COUNT));
            spgemm_csr pattern = pattern_of(&typed);
            spgemm_csr *from = t == TYPED_COUNT ? &pattern : &typed;
            spgemm_csr T;
            cr_assert_eq(
                spgemm_csr_transpose_into(&T, from, false, teams[n], &m),
                SPGEMM_SUCCESS);
            cr_assert(elements_agree(&T, from, &places),
                      "%s: type %d, %d threads", name, t, teams[n]);
            cr_assert_eq(spgemm_csr_check(&T, NULL), SPGEMM_SUCCESS);
            spgemm_csr_release(&T, &m);
            free_csr(&typed);
        }
    }
    cr_expect_eq(m.live_bytes, 0, "%s", name);
    free_csr(&numbers);
    free_csr(&places);
    free_csr(A);
}

Test(csr_transpose, is_the_same_for_any_type_and_team)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{4}, (spgemm_index_type)type, VALUES_INTEGER};
        spgemm_csr narrow = make_jumbled(&m, 30000, 50, 5);
        spgemm_csr square = make_jumbled(&m, 40000, 30000, 4);
        spgemm_csr wide = make_uniform(&m, 300, 400000, 500);
        spgemm_csr giant = make_one_row(&m, 200, 150000, 31, 150000);
        expect_typed(&narrow, "narrow: slabs");
        expect_typed(&square, "square: slabs and bands");
        expect_typed(&wide, "wide: bands");
        expect_typed(&giant, "a row that slabs share");
    }
}

/* What the threads count in is of the size of the entries at most. */
Test(csr_transpose, takes_little_more_than_the_result)
{
    maker of = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr shapes[] = {make_uniform(&of, 60000, 60000, 8),
                           make_uniform(&of, 300, 1000000, 1000)};
    for (int t = 0; t < 2; t++) {
        spgemm_csr T;
        memory m;
        spgemm_memory_init(&m, NULL);
        cr_assert_eq(spgemm_csr_transpose_into(&T, &shapes[t], false, 16, &m),
                     SPGEMM_SUCCESS);
        cr_expect_leq(m.peak_bytes,
                      m.live_bytes + 8 * (size_t)T.nnz + 16 * sizeof(int64_t));
        spgemm_csr_release(&T, &m);
        free_csr(&shapes[t]);
    }
}

static uint32_t flags_of_transpose(spgemm_csr *A)
{
    spgemm_csr T;
    cr_assert_eq(spgemm_csr_transpose(&T, A), SPGEMM_SUCCESS);
    const uint32_t flags = T.flags;
    spgemm_csr_destroy(&T);
    free_csr(A);
    return flags;
}

Test(csr_transpose, is_sorted_unless_there_are_duplicates)
{
    csr_builder twice = build_begin(2, 3);
    build_add(&twice, 1, 5);
    build_add(&twice, 0, 5);
    build_add(&twice, 1, 5);
    csr_builder once = build_begin(2, 3);
    build_add(&once, 1, 5);
    build_add(&once, 0, 5);
    spgemm_csr A = build_finish(&twice, SPGEMM_I32);
    spgemm_csr B = build_finish(&once, SPGEMM_I32);
    cr_expect_eq(flags_of_transpose(&A), SPGEMM_OWNS_ARRAYS);
    cr_expect_eq(flags_of_transpose(&B),
                 SPGEMM_OWNS_ARRAYS | SPGEMM_SORTED_ROWS);
}

Test(csr_transpose, conjugates_complex_values)
{
    static const int64_t rowptr[] = {0, 2};
    static const int32_t colidx[] = {0, 1};
    static const double complex doubles[] = {1 + 2 * I, 3 - 4 * I};
    static const float complex floats[] = {1 + 2 * I, 3 - 4 * I};
    static const double reals[] = {1, 2};
    spgemm_csr A = spgemm_csr_view(1, 2, 2, rowptr, colidx, doubles, SPGEMM_I32,
                                   SPGEMM_CFP64);
    spgemm_csr T;
    memory m;
    spgemm_memory_init(&m, NULL);
    cr_assert_eq(spgemm_csr_transpose_into(&T, &A, true, 1, &m),
                 SPGEMM_SUCCESS);
    cr_expect(((double complex *)T.values)[0] == 1 - 2 * I);
    cr_expect(((double complex *)T.values)[1] == 3 + 4 * I);
    spgemm_csr_release(&T, &m);

    A = spgemm_csr_view(1, 2, 2, rowptr, colidx, floats, SPGEMM_I32,
                        SPGEMM_CFP32);
    cr_assert_eq(spgemm_csr_transpose_into(&T, &A, true, 1, &m),
                 SPGEMM_SUCCESS);
    cr_expect(((float complex *)T.values)[0] == 1 - 2 * I);
    cr_expect(((float complex *)T.values)[1] == 3 + 4 * I);
    spgemm_csr_release(&T, &m);

    A = spgemm_csr_view(1, 2, 2, rowptr, colidx, reals, SPGEMM_I32,
                        SPGEMM_FP64);
    cr_assert_eq(spgemm_csr_transpose_into(&T, &A, true, 1, &m),
                 SPGEMM_SUCCESS);
    cr_expect_eq(((double *)T.values)[1], 2);
    spgemm_csr_release(&T, &m);
    A.values = NULL;
    A.value_type = SPGEMM_CFP64;
    cr_assert_eq(spgemm_csr_transpose_into(&T, &A, true, 1, &m),
                 SPGEMM_SUCCESS);
    cr_expect_null(T.values);
    spgemm_csr_release(&T, &m);
}

/* A row more than 32-bit columns can name. */
Test(csr_transpose, refuses_rows_that_are_no_columns)
{
    static const int64_t rowptr[] = {0};
    const spgemm_csr A = {.nrows = (int64_t)1 << 31,
                          .rowptr = (int64_t *)(uintptr_t)rowptr};
    spgemm_csr T = {.nrows = 77};
    memory m;
    spgemm_memory_init(&m, NULL);
    cr_expect_eq(spgemm_csr_transpose_into(&T, &A, false, 1, &m),
                 SPGEMM_ERROR_OVERFLOW);
    cr_expect_eq(T.nrows, 77);
}
