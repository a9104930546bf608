/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums begin at +0 and are entries of C whatever they come to: -0, nothing
   that cancels, infinities, NaN, in every accumulator. */
#include <math.h>

#include "every_way.h"
#include "expect.h"

static void set_values(spgemm_csr *A, dice *d, const double *from, int64_t n)
{
    double *values = A->values;
    for (int64_t p = 0; p < A->nnz; p++)
        values[p] = from[dice_below(d, n)];
}

/* What A's and B's values are drawn from; is_zero: all products are -0. */
typedef struct mixture {
    const char *name;
    double left[4];
    double right[4];
    bool is_zero;
} mixture;

static const mixture mixtures[] = {
    {"0 * -1", {0, 0, 0, 0}, {-1, -2, -1, -3}, true},
    {"-0 * 1", {-0.0, -0.0, -0.0, -0.0}, {1, 2, 0, 3}, true},
    {"underflow to -0",
     {0x1p-600, 0x1p-700, 0x1p-600, 0x1p-1074},
     {-0x1p-600, -0x1p-600, -0x1p-500, -0.0},
     true},
    {"zeros of both signs", {0, -0.0, 1, -1}, {0, -0.0, 1, -1}, false},
    {"what cancels", {1, -1, 1, -1}, {1, 1, 1, 1}, false},
    {"-0 and what cancels",
     {1, -1, -0.0, 0},
     {0x1p-1074, 0x1p-1074, 1, 0},
     false},
    {"denormals",
     {0x1p-537, -0x1p-537, 0x1p-1074, 1},
     {0x1p-537, 0x1p-538, -0x1p-1022, -0x1p-1074},
     false},
    {"infinities", {INFINITY, -INFINITY, 0, 1}, {1, -1, 0, 0x1p1023}, false},
    {"NaN now and then", {NAN, 1, -1, -0.0}, {1, 0, -1, -0.0}, false},
};
enum { MIXTURES = sizeof mixtures / sizeof mixtures[0] };

static void expect_plus_zeros(const spgemm_csr *A, const spgemm_csr *B)
{
    static const double zero = 0;
    spgemm_csr want = reference_multiply(A, B);
    spgemm_csr C =
        expect_success(&multiply_variants[VARIANT_PREDICTED], A, B, NULL, NULL);
    cr_assert_eq(C.nnz, want.nnz);
    for (int64_t p = 0; p < C.nnz; p++)
        cr_assert_eq(memcmp((double *)C.values + p, &zero, sizeof zero), 0);
    spgemm_csr_destroy(&C);
    free_csr(&want);
}

/* B may be A. */
static void expect_mixtures(spgemm_csr *A, spgemm_csr *B, path rows,
                            const char *name)
{
    dice d = {99};
    for (int t = 0; t < MIXTURES; t++) {
        char text[100];
        set_values(A, &d, mixtures[t].left, 4);
        set_values(B, &d, mixtures[t].right, 4);
        snprintf(text, sizeof text, "%s, %s", name, mixtures[t].name);
        expect_every_way(A, B, &rows, 1, text);
        if (mixtures[t].is_zero)
            expect_plus_zeros(A, B);
    }
    free_csr(A);
    free_csr(B);
}

static maker make_maker(void)
{
    return (maker){{21}, SPGEMM_I32, VALUES_INTEGER};
}

Test(signs, are_plus_in_tiny_rows)
{
    for (int64_t per_row = 3; per_row <= 7; per_row++) {
        maker m = make_maker();
        spgemm_csr A = make_uniform(&m, 120, 60, per_row);
        spgemm_csr B = make_uniform(&m, 60, 12, per_row);
        expect_mixtures(&A, &B, (path){SPGEMM_ACCUMULATOR_ESC, 120, 120, true},
                        "tiny");
    }
}

/* Every fifth row loses its last entry, and is like no other. */
static void shorten_some_rows(spgemm_csr *A)
{
    int32_t *columns = A->colidx;
    int64_t n = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t begin = A->rowptr[i];
        const int64_t end = A->rowptr[i + 1] - (i % 5 == 4);
        A->rowptr[i] = n;
        for (int64_t p = begin; p < end; p++)
            columns[n++] = columns[p];
    }
    A->rowptr[A->nrows] = n;
    A->nnz = n;
}

Test(signs, are_plus_in_blocks)
{
    for (int64_t dofs = 2; dofs <= 5; dofs++) {
        maker m = make_maker();
        spgemm_csr A = make_fem(&m, 30, 4, dofs);
        spgemm_csr B = make_fem(&m, 30, 4, dofs);
        expect_mixtures(&A, &B, all_rows_by(SPGEMM_ACCUMULATOR_SUPERNODE, &A),
                        "blocks");
        A = make_fem(&m, 30, 4, dofs);
        B = make_fem(&m, 30, 4, dofs);
        shorten_some_rows(&A);
        expect_mixtures(&A, &B, all_rows_by(SPGEMM_ACCUMULATOR_SUPERNODE, &A),
                        "blocks, and rows alone");
    }
}

Test(signs, are_plus_in_windows)
{
    maker m = make_maker();
    spgemm_csr A = make_uniform(&m, 90, 300, 12);
    spgemm_csr B = make_uniform(&m, 300, 900, 14);
    expect_mixtures(&A, &B, all_rows_by(SPGEMM_ACCUMULATOR_DENSE, &A),
                    "windows");
    A = make_uniform(&m, 90, 300, 12);
    B = make_uniform(&m, 300, 200000, 14);
    expect_mixtures(&A, &B, all_rows_by(SPGEMM_ACCUMULATOR_DENSE, &A),
                    "wide windows");
}

Test(signs, are_plus_in_slices)
{
    maker m = make_maker();
    spgemm_csr A = make_uniform(&m, 4, 120, 70);
    spgemm_csr B = make_uniform(&m, 120, 400000, 90);
    expect_mixtures(&A, &B, all_rows_by(SPGEMM_ACCUMULATOR_DENSE, &A),
                    "slices");
}

Test(signs, are_plus_in_tables)
{
    maker m = make_maker();
    spgemm_csr A = make_uniform(&m, 90, 40, 36); /* more than are ranked */
    spgemm_csr B = make_strided(&m, 40, 3000000, 14, 50000);
    expect_mixtures(&A, &B, all_rows_by(SPGEMM_ACCUMULATOR_HASH, &A), "hash");
}

Test(signs, are_plus_in_rows_that_repeat)
{
    for (int64_t halfwidth = 1; halfwidth <= 9; halfwidth += 4) {
        maker m = make_maker();
        spgemm_csr A = make_banded(&m, 200, halfwidth, 1.0);
        spgemm_csr B = make_banded(&m, 200, halfwidth, 1.0);
        expect_mixtures(&A, &B,
                        (path){SPGEMM_ACCUMULATOR_SHIFTED, 100, 199, true},
                        "repeated");
    }
}
