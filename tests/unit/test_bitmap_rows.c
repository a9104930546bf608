/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/bitmap_rows.h"

#include <criterion/criterion.h>

#include "mixture.h"

/* Row i of o is that of A, one byte after another. */
static void expect_row(const bitmap_rows *o, const spgemm_csr *A, int64_t i)
{
    int64_t at = o->row[i].begin - 1;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1];) {
        const int64_t place = column_of(A, p) / 8;
        unsigned taken = 0;
        for (; p < A->rowptr[i + 1] && column_of(A, p) / 8 == place; p++)
            taken |= 1u << column_of(A, p) % 8;
        at++;
        cr_assert_lt(at, o->total);
        cr_assert_eq(o->place[at], place, "row %lld", (long long)i);
        cr_assert_eq(o->taken[at], taken, "row %lld", (long long)i);
    }
    cr_assert_eq(at + 1, o->row[i].begin + o->row[i].count);
}

/* Bitmap rows of A, known to share rows or not, counted `step` rows at a time;
   returns how many. */
static int64_t expect_bitmaps(const spgemm_csr *A, bool shares, int64_t step)
{
    memory m;
    bitmap_rows o;
    uint8_t *same = must_allocate(A->nrows, 1);
    spgemm_memory_init(&m, NULL);
    spgemm_csr_mark_same(A, 0, A->nrows, same);
    cr_assert_eq(spgemm_bitmap_rows_begin(&o, A, &m), SPGEMM_SUCCESS);
    for (int64_t i = 0; i < A->nrows; i += step)
        spgemm_bitmap_rows_count(&o, A, shares ? same : NULL, i,
                                 i + step < A->nrows ? i + step : A->nrows);
    cr_assert_eq(spgemm_bitmap_rows_finish(&o, A, 3, &m), SPGEMM_SUCCESS);
    cr_assert_eq(o.nrows, A->nrows);
    for (int64_t i = 0; i < A->nrows; i++)
        expect_row(&o, A, i);
    const int64_t total = o.total;
    spgemm_bitmap_rows_clear(&o, &m);
    cr_assert_eq(atomic_load(&m.live_bytes), 0);
    free(same);
    return total;
}

Test(bitmap_rows, are_those_of_the_matrix)
{
    for (int t = 0; t < 40; t++) {
        maker m = {
            {(uint64_t)t + 1}, t % 2 ? SPGEMM_I64 : SPGEMM_I32, VALUES_INTEGER};
        spgemm_csr A = make_mixture(&m, 7 * t, 20 + 90 * t, t);
        const int64_t all = expect_bitmaps(&A, false, 10);
        for (int64_t step = 1; step <= 65; step *= 4)
            cr_assert_leq(expect_bitmaps(&A, true, step), all);
        free_csr(&A);
    }
}

/* More rows than one thread takes at a time: groups across its ends. */
Test(bitmap_rows, of_rows_of_one_pattern_are_written_once)
{
    maker m = {{9}, SPGEMM_I32, VALUES_INTEGER};
    csr_builder b = build_begin(60000, 43);
    for (int64_t i = 0; i < b.nrows; i++) {
        for (int64_t t = 0; t < 4; t++)
            build_add(&b, (i / 7 % 3) + 13 * t, make_value(&m));
        build_end_row(&b);
    }
    spgemm_csr A = build_finish(&b, SPGEMM_I32);
    const int64_t all = expect_bitmaps(&A, false, 5000);
    cr_assert_lt(expect_bitmaps(&A, true, 5000), all / 6);
    free_csr(&A);
}

/* At the last column of the widest matrix that has bitmap rows. */
Test(bitmap_rows, reach_the_last_column)
{
    const int64_t ncols = (int64_t)1 << 34;
    csr_builder b = build_begin(2, ncols);
    build_add(&b, 0, 1);
    build_add(&b, ncols - 2, 1);
    build_add(&b, ncols - 1, 1);
    build_end_row(&b);
    build_add(&b, ncols - 1, 1);
    spgemm_csr A = build_finish(&b, SPGEMM_I64);
    cr_assert_eq(expect_bitmaps(&A, true, 1), 3);
    free_csr(&A);
}

/* A row that meets rows [first, last] of another matrix. */
static double fill_of_rows(const spgemm_csr *B, int64_t first, int64_t last)
{
    csr_builder b = build_begin(1, last + 1);
    for (int64_t k = first; k <= last; k++)
        build_add(&b, k, 1);
    build_end_row(&b);
    spgemm_csr A = build_finish(&b, B->index_type);
    const double fill = spgemm_csr_bitmap_sample(&A, B, true).fill;
    free_csr(&A);
    return fill;
}

Test(bitmap_rows, are_filled_as_the_rows_that_are_met)
{
    maker m = {{2}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr B = make_strided(&m, 50, 800, 5, 8);
    cr_assert_eq(fill_of_rows(&B, 0, 49), 1.0);
    free_csr(&B);
    csr_builder b = build_begin(5, 64);
    for (int64_t j = 8; j < 24; j++)
        build_add(&b, j, 1);
    build_end_row(&b);
    for (int64_t j = 0; j < 16; j += 8)
        build_add(&b, j, 1);
    B = build_finish(&b, SPGEMM_I64);
    cr_assert_eq(fill_of_rows(&B, 0, 0), 8.0);
    cr_assert_eq(fill_of_rows(&B, 1, 1), 1.0);
    cr_assert_eq(fill_of_rows(&B, 0, 4), 18.0 / 4);
    cr_assert_eq(fill_of_rows(&B, 2, 4), 0.0); /* empty */
    cr_assert_eq(fill_of_rows(&B, 5, 7), 0.0); /* B has no such rows */
    free_csr(&B);
    B = make_empty(&m, 0, 5);
    cr_assert_eq(spgemm_csr_bitmap_sample(&B, &B, true).fill, 0.0);
    free_csr(&B);
}

/* What rows of 1000 entries and more, out of order, would fill nobody asks. */
Test(bitmap_rows, are_filled_as_they_would_be_in_order)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{5}, (spgemm_index_type)type, VALUES_INTEGER};
        spgemm_csr A = make_fem(&m, 40, 3, 5);
        const bitmap_sample in_order = spgemm_csr_bitmap_sample(&A, &A, true);
        spgemm_csr B = copy_csr(&A);
        turn_rows(&B);
        const bitmap_sample turned = spgemm_csr_bitmap_sample(&A, &B, false);
        cr_expect_eq(turned.fill, in_order.fill);
        cr_expect_eq(turned.length, in_order.length);
        free_csr(&A);
        free_csr(&B);
        A = make_all_entries(&m, 4, 1025);
        cr_expect_eq(spgemm_csr_bitmap_sample(&A, &A, false).fill, 0.0);
        free_csr(&A);
    }
}
