/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <math.h>

#include "matrix/csr.h"
#include "mixture.h"

static bool is_same(const spgemm_csr *A, int64_t i, int64_t period,
                    int64_t shift)
{
    const int64_t length = A->rowptr[i + 1] - A->rowptr[i];
    const int64_t before = A->rowptr[i - period];
    if (length == 0 || A->rowptr[i - period + 1] - before != length)
        return false;
    for (int64_t t = 0; t < length; t++)
        if (column_of(A, A->rowptr[i] + t) != column_of(A, before + t) + shift)
            return false;
    return true;
}

static double share(const spgemm_csr *A, int64_t period, int64_t shift)
{
    int64_t same = 0;
    for (int64_t i = period; i < A->nrows; i++)
        same += is_same(A, i, period, shift);
    return A->nrows > period ? (double)same / (double)(A->nrows - period) : 0.0;
}

/* `step` rows at a time. */
static void expect_marks(const spgemm_csr *A, int64_t step)
{
    uint8_t *same = must_allocate(A->nrows, 1);
    memset(same, 9, (size_t)A->nrows);
    for (int64_t i = 0; i < A->nrows; i += step)
        spgemm_csr_mark_same(A, i, i + step < A->nrows ? i + step : A->nrows,
                             same);
    for (int64_t i = 0; i < A->nrows; i++)
        cr_assert_eq(same[i], i > 0 && is_same(A, i, 1, 0), "row %lld",
                     (long long)i);
    free(same);
}

Test(csr_same_rows, marks_rows_of_one_pattern)
{
    for (int t = 0; t < 60; t++) {
        maker m = {
            {(uint64_t)t + 1}, t % 2 ? SPGEMM_I64 : SPGEMM_I32, VALUES_INTEGER};
        spgemm_csr A = make_mixture(&m, 5 * t, 9 + 8 * t, t);
        expect_marks(&A, 1 + 5 * t);
        free_csr(&A);
    }
}

/* One entry that is another, at each place of rows of each length. */
Test(csr_same_rows, sees_every_entry)
{
    for (int64_t length = 1; length <= 40; length++)
        for (int64_t other = -1; other < length; other++) {
            csr_builder b = build_begin(2, 100);
            for (int64_t t = 0; t < 2 * length; t++) {
                build_add(
                    &b, 2 * (t % length) + (other >= 0 && t == length + other),
                    1);
                if (t == length - 1)
                    build_end_row(&b);
            }
            spgemm_csr A = build_finish(&b, SPGEMM_I32);
            expect_marks(&A, 2);
            cr_assert_eq(share(&A, 1, 0), other < 0);
            free_csr(&A);
        }
}

/* Of a short matrix, all of whose pairs of rows are looked at. */
static void expect_share(const spgemm_csr *A, int64_t period, int64_t shift)
{
    const double found = share(A, period, shift);
    if (found > 0)
        cr_assert(spgemm_csr_is_often_same(A, period, shift, found));
    cr_assert_not(
        spgemm_csr_is_often_same(A, period, shift, nextafter(found, 2.0)));
}

Test(csr_same_rows, has_the_share_of_rows_that_shift)
{
    for (int t = 0; t < 60; t++) {
        maker m = {
            {(uint64_t)t + 1}, t % 2 ? SPGEMM_I64 : SPGEMM_I32, VALUES_INTEGER};
        spgemm_csr A = make_mixture(&m, 5 * t, 9 + 8 * t, t);
        for (int64_t period = 1; period < 4; period++)
            for (int64_t shift = 0; shift < 3; shift++)
                expect_share(&A, period, shift);
        free_csr(&A);
    }
}

/* A shift is what makes the row another: none is 0. */
Test(csr_same_rows, finds_the_shift_of_each_row)
{
    for (int t = 0; t < 60; t++) {
        maker m = {
            {(uint64_t)t + 1}, t % 2 ? SPGEMM_I64 : SPGEMM_I32, VALUES_INTEGER};
        spgemm_csr A = make_mixture(&m, 5 * t, 9 + 8 * t, t);
        for (int64_t period = 1; period < 4; period++)
            for (int64_t i = 0; i < A.nrows; i++) {
                const int64_t found = spgemm_csr_row_shift(&A, i, period);
                if (found != 0) {
                    cr_assert(is_same(&A, i, period, found));
                    continue;
                }
                for (int64_t shift = 1; i >= period && shift < 9; shift++)
                    cr_assert(!is_same(&A, i, period, shift));
            }
        free_csr(&A);
    }
}

/* Nothing is read outside the arrays, whatever the row pointers say. */
Test(csr_same_rows, are_not_looked_for_outside_the_arrays)
{
    static const int64_t wrong[] = {-1, INT64_MIN, 7, INT64_MAX, 0};
    for (size_t t = 0; t < sizeof wrong / sizeof wrong[0]; t++)
        for (int at = 0; at < 4; at++) {
            int64_t rowptr[] = {0, 2, 4, 6};
            int32_t columns[] = {1, 2, 2, 3, INT32_MAX, INT32_MIN};
            rowptr[at] = wrong[t];
            const spgemm_csr A = spgemm_csr_view(3, 9, 6, rowptr, columns, NULL,
                                                 SPGEMM_I32, SPGEMM_FP64);
            const bool is_any = spgemm_csr_is_often_same(&A, 1, 1, 1e-9);
            cr_assert(is_any || !spgemm_csr_is_often_same(&A, 1, 1, 1.0));
            for (int64_t i = 0; i < 3; i++)
                cr_assert(spgemm_csr_row_shift(&A, i, 1) <= 1);
        }
}

/* Lines of a grid, whose second rows have an entry more than their first; as many
   lines as rows are looked at, and fewer and more. */
Test(csr_same_rows, are_found_whatever_the_lines_of_a_grid)
{
    enum { LINE = 30 };
    for (int64_t lines = 1000; lines <= 1100; lines += 4) {
        const int64_t n = LINE * lines + 1;
        csr_builder b = build_begin(n, n);
        for (int64_t i = 0; i < n; i++) {
            const int64_t x = i % LINE;
            for (int64_t j = x > 0 ? -1 : 0; j <= 1; j++)
                if (x + j < LINE && i + j < n)
                    build_add(&b, i + j, 1);
            build_end_row(&b);
        }
        spgemm_csr A = build_finish(&b, SPGEMM_I32);
        cr_assert(spgemm_csr_is_often_same(&A, 1, 1, 0.85), "%lld lines",
                  (long long)lines);
        cr_assert_not(spgemm_csr_is_often_same(&A, 1, 1, 0.95));
        free_csr(&A);
    }
}
