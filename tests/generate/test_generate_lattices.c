/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "make_kind.h"

/* ---- mc2depi ------------------------------------------------------------- */

Test(generate_mc2depi, has_four_entries_a_row_but_at_the_border)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 9}, {7, 1}, {5, 4}, {30, 7}};
    for (int k = 0; k < 5; k++) {
        char text[64];
        const int64_t nx = sizes[k][0];
        const int64_t ny = sizes[k][1];
        snprintf(text, sizeof text, "mc2depi %" PRId64 " %" PRId64, nx, ny);
        spgemm_csr A = make_kind(text);
        cr_expect_eq(A.nrows, nx * ny);
        cr_expect_eq(A.nnz, 4 * nx * ny - 2 * (nx + ny) + 1, "%s", text);
        spgemm_csr_destroy(&A);
    }
}

Test(generate_mc2depi, steps_as_the_epidemic_does)
{
    spgemm_csr A = make_kind("mc2depi 10 6");
    const int64_t middle = 3 * 10 + 4;
    cr_assert_eq(A.rowptr[middle + 1] - A.rowptr[middle], 4);
    cr_expect(has_entry(&A, middle, middle));
    cr_expect(has_entry(&A, middle, middle - 1));
    cr_expect(has_entry(&A, middle, middle + 10));
    cr_expect(has_entry(&A, middle, middle + 1 - 10));
    spgemm_csr_destroy(&A);
}

/* ---- majorbasis ---------------------------------------------------------- */

Test(generate_majorbasis, has_eleven_entries_a_row_but_at_the_border)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 5}, {9, 8}};
    for (int k = 0; k < 3; k++) {
        char text[64];
        const int64_t nx = sizes[k][0];
        const int64_t ny = sizes[k][1];
        snprintf(text, sizeof text, "majorbasis %" PRId64 " %" PRId64, nx, ny);
        spgemm_csr A = make_kind(text);
        cr_expect_eq(A.nrows, 4 * nx * ny);
        cr_expect_eq(A.nnz, 4 * ((3 * nx - 2) * (3 * ny - 2) + 2 * nx * ny),
                     "%s", text);
        cr_expect_leq(longest_row(&A), 11);
        spgemm_csr_destroy(&A);
    }
}

/* Each field meets itself and its neighbours in the ring, at every point. */
Test(generate_majorbasis, couples_three_fields_of_four)
{
    spgemm_csr A = make_kind("majorbasis 7 5");
    for (int64_t i = 0; i < A.nrows; i++)
        for (int64_t field = 0; field < 4; field++) {
            const bool is_opposite = (i / 35 + 2) % 4 == field;
            cr_assert_eq(has_entry(&A, i, field * 35 + i % 35), !is_opposite);
        }
    spgemm_csr_destroy(&A);
}

/* ---- conf5 --------------------------------------------------------------- */

enum { EXTENT = 3, TIMES = 5, SITES = EXTENT * EXTENT * EXTENT * TIMES };

static spgemm_csr make_conf5(void)
{
    char text[32];
    snprintf(text, sizeof text, "conf5 %d %d", EXTENT, TIMES);
    return make_kind(text);
}

Test(generate_conf5, has_39_entries_a_row_and_a_column)
{
    spgemm_csr A = make_conf5();
    spgemm_csr T = {0};
    cr_assert_eq(spgemm_csr_transpose(&T, &A), SPGEMM_SUCCESS);
    cr_expect_eq(A.nrows, 12 * SITES);
    for (int64_t i = 0; i < A.nrows; i++) {
        cr_assert_eq(A.rowptr[i + 1], 39 * (i + 1));
        cr_assert_eq(T.rowptr[i + 1], 39 * (i + 1));
    }
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&T);
}

/* gamma_5 A gamma_5 is the adjoint of A: spins 0, 1 and 2, 3 change places. */
static int64_t swap_spins(int64_t i)
{
    return i / 12 * 12 + (i + 6) % 12;
}

Test(generate_conf5, is_its_own_adjoint_between_two_gamma_5)
{
    spgemm_csr A = make_conf5();
    const int32_t *columns = A.colidx;
    for (int64_t i = 0; i < A.nrows; i++)
        for (int64_t p = A.rowptr[i]; p < A.rowptr[i + 1]; p++)
            cr_assert(has_entry(&A, swap_spins(columns[p]), swap_spins(i)));
    cr_expect_not(has_symmetric_places(&A));
    spgemm_csr_destroy(&A);
}

/* The site one step along an axis whose stride is `stride`. */
static int64_t shift(int64_t i, int64_t stride, int64_t extent)
{
    const int64_t site = i / 12;
    const int64_t x = site / stride % extent;
    return 12 * (site + ((x + 1) % extent - x) * stride) + i % 12;
}

Test(generate_conf5, looks_the_same_from_every_site)
{
    static const int64_t axes[][2] = {{1, EXTENT},
                                      {EXTENT, EXTENT},
                                      {EXTENT * EXTENT, EXTENT},
                                      {EXTENT * EXTENT * EXTENT, TIMES}};
    spgemm_csr A = make_conf5();
    const int32_t *columns = A.colidx;
    for (int axis = 0; axis < 4; axis++)
        for (int64_t i = 0; i < A.nrows; i++)
            for (int64_t p = A.rowptr[i]; p < A.rowptr[i + 1]; p++)
                cr_assert(
                    has_entry(&A, shift(i, axes[axis][0], axes[axis][1]),
                              shift(columns[p], axes[axis][0], axes[axis][1])));
    spgemm_csr_destroy(&A);
}

/* ---- matching-complex ---------------------------------------------------- */

Test(generate_matching, has_rows_and_columns_for_sets_of_triples)
{
    static const struct {
        const char *kind;
        int64_t nrows;
        int64_t ncols;
        int64_t degree;
    } sets[] = {{"matching-complex 3 1", 1, 1, 1},
                {"matching-complex 7 2", 70, 35, 2},
                {"matching-complex 9 3", 280, 840, 3},
                {"matching-complex 12 4", 15400, 61600, 4},
                {"m133-b3", 200200, 200200, 4}};
    for (int k = 0; k < 5; k++) {
        spgemm_csr A = make_kind(sets[k].kind);
        cr_expect_eq(A.nrows, sets[k].nrows, "%s", sets[k].kind);
        cr_expect_eq(A.ncols, sets[k].ncols, "%s", sets[k].kind);
        for (int64_t i = 0; i <= A.nrows; i++)
            cr_assert_eq(A.rowptr[i], sets[k].degree * i);
        spgemm_csr_destroy(&A);
    }
}

/* A boundary has no boundary: two triples are dropped in either order, so that
   with signs each sum of the product is none. */
Test(generate_matching, drops_two_triples_in_two_ways)
{
    spgemm_csr A = make_kind("matching-complex 10 3");
    spgemm_csr B = make_kind("matching-complex 10 2");
    const int32_t *Aj = A.colidx;
    const int32_t *Bj = B.colidx;
    int *count = calloc((size_t)B.ncols, sizeof *count);
    cr_assert_not_null(count);
    cr_assert_eq(A.ncols, B.nrows);
    for (int64_t i = 0; i < A.nrows; i++) {
        for (int64_t p = A.rowptr[i]; p < A.rowptr[i + 1]; p++)
            for (int64_t q = B.rowptr[Aj[p]]; q < B.rowptr[Aj[p] + 1]; q++)
                count[Bj[q]]++;
        for (int64_t j = 0; j < B.ncols; j++) {
            cr_assert(count[j] == 0 || count[j] == 2);
            count[j] = 0;
        }
    }
    free(count);
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&B);
}

Test(generate_matching, is_m133_b3_for_four_triples_of_13_points)
{
    spgemm_csr A = make_kind("m133-b3 --seed 3");
    spgemm_csr B = make_kind("matching-complex 13 4 --seed 3");
    cr_expect(spgemm_csr_equal(&A, &B));
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&B);
}
