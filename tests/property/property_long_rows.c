/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions of few rows that are too long to count: entries next to each other meet
   rows of B that have most of their columns together, or some columns are far more
   likely than others. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "build_csr.h"
#include "generate.h"
#include "reference.h"
#include "spgemm/predict.h"

enum { SEEDS = 40, N = 60000 };

/* What is said is off by `most` at most, in the mean, and knows by how much. */
static void expect_near(const char *name, spgemm_csr A, spgemm_csr B,
                        double most)
{
    spgemm_csr C;
    spgemm_options options = {.predict.method = SPGEMM_PREDICTOR_STRATIFIED,
                              .resources.nthreads = 1};
    cr_assert_eq(spgemm_precise(&C, &A, &B, NULL, NULL), SPGEMM_SUCCESS);
    const double nnz = (double)C.nnz;
    double sum = 0.0;
    int right = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        spgemm_prediction p;
        options.predict.seed = (uint64_t)seed;
        cr_assert_eq(spgemm_predict(&p, &A, &B, &options, NULL),
                     SPGEMM_SUCCESS);
        sum += fabs(p.nnz - nnz) / nnz;
        right += fabs(p.nnz - nnz) <= 1.96 * p.standard_error + 0.001 * nnz;
    }
    cr_expect_leq(sum / SEEDS, most, "%s: %g", name, sum / SEEDS);
    cr_expect_geq(right, 34, "%s: %d of %d", name, right, SEEDS);
    spgemm_csr_destroy(&C);
    free_csr(&A);
    free_csr(&B);
}

/* Rows of a third of all columns each, one after another. */
static spgemm_csr make_windows(int64_t count)
{
    csr_builder b = build_begin(count, N);
    for (int64_t i = 0; i < count; i++) {
        const int64_t begin = i * (N - N / 3) / count;
        for (int64_t j = begin; j < begin + N / 3; j++)
            build_add(&b, j, 1);
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

static spgemm_csr make_band(int64_t reach)
{
    csr_builder b = build_begin(N, N);
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = i < reach ? 0 : i - reach; j < N && j <= i + reach;
             j++)
            build_add(&b, j, 1);
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

Test(long_rows, of_entries_in_a_row_through_a_band)
{
    expect_near("12 windows, reach 10", make_windows(12), make_band(10), 0.12);
    expect_near("40 windows, reach 10", make_windows(40), make_band(10), 0.12);
    expect_near("24 windows, reach 3", make_windows(24), make_band(3), 0.3);
}

/* Columns as likely as 1 / (j + 1)^0.9. */
static spgemm_csr make_unequal(maker *m)
{
    const double whole = pow(N + 1.0, 0.1) - 1.0;
    csr_builder b = build_begin(N, N);
    for (int64_t i = 0; i < N; i++) {
        for (int t = 0; t < 8; t++) {
            const double u = dice_unit(&m->dice) * whole + 1.0;
            const int64_t j = (int64_t)pow(u, 10.0) - 1;
            build_add(&b, j < 0 ? 0 : j < N ? j : N - 1, 1);
        }
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

Test(long_rows, of_columns_that_are_unequally_likely)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr B = make_unequal(&m);
    expect_near("unequal columns", make_uniform(&m, 24, N, 12000), B, 0.4);
}
