/* SPDX-License-Identifier: BSD-3-Clause */
/* The default prediction where few rows have much of C, and where a mask leaves rows
   nothing: the truth is within the bars of most seeds. */
#include <criterion/criterion.h>
#include <math.h>

#include "build_csr.h"
#include "dice.h"
#include "spgemm/predict.h"

enum { SEEDS = 40 };

/* Frees A and B. */
static void expect_covered(const char *name, spgemm_csr A, spgemm_csr B,
                           const spgemm_csr *mask, unsigned mode)
{
    spgemm_options options = {.filter.mask = mask,
                              .filter.mask_mode = mode,
                              .predict.method = SPGEMM_PREDICTOR_PRECISE};
    spgemm_prediction exact;
    int covered = 0;
    cr_assert_eq(spgemm_predict(&exact, &A, &B, &options, NULL),
                 SPGEMM_SUCCESS);
    options.predict.method = SPGEMM_PREDICTOR_STRATIFIED;
    for (options.predict.seed = 0; options.predict.seed < SEEDS;
         options.predict.seed++) {
        spgemm_prediction p;
        cr_assert_eq(spgemm_predict(&p, &A, &B, &options, NULL),
                     SPGEMM_SUCCESS);
        const double error = fabs(p.nnz - exact.nnz);
        covered += error <= fmax(1.96 * p.standard_error, 1e-3 * exact.nnz);
        cr_expect_leq(p.rows_sampled, A.nrows);
    }
    cr_expect_geq(covered, SEEDS * 17 / 20, "%s: %d bars of %d hold it", name,
                  covered, SEEDS);
    free_csr(&A);
    free_csr(&B);
}

static spgemm_csr make_random(dice *d, int64_t nrows, int64_t ncols, int each)
{
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        for (int k = 0; k < each; k++)
            build_add(&b, dice_below(d, ncols), 1);
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

/* Of one half of the rows nothing is left. */
Test(few_rows, under_a_mask_that_fills_half_of_them)
{
    enum { N = 20000, COLUMNS = 400 };
    dice d = {1};
    csr_builder b = build_begin(N, COLUMNS);
    for (int64_t i = 0; i < N; i++) {
        const bool is_full = dice_below(&d, 2) == 0;
        for (int64_t j = 0; is_full && j < COLUMNS; j++)
            build_add(&b, j, 1);
        build_end_row(&b);
    }
    spgemm_csr mask = build_finish(&b, SPGEMM_I32);
    expect_covered("full rows of a complement", make_random(&d, N, N, 8),
                   make_random(&d, N, COLUMNS, 8), &mask,
                   SPGEMM_MASK_COMPLEMENT);
    free_csr(&mask);
}

/* One row, alone in its class, of a twentieth of the products. */
Test(few_rows, one_hub)
{
    enum { N = 40000, HUB = 2000 };
    dice d = {2};
    csr_builder b = build_begin(N, N);
    for (int64_t i = 0; i < N; i++) {
        for (int64_t k = 0; k < (i == N / 2 ? HUB : 1); k++)
            build_add(&b, i == N / 2 ? k * (N / HUB) : dice_below(&d, N), 1);
        build_end_row(&b);
    }
    expect_covered("one hub", build_finish(&b, SPGEMM_I32),
                   make_random(&d, N, N, 10), NULL, SPGEMM_MASK_STRUCTURE);
}

/* Giant rows whose products lie in few of C's columns: pieces of columns meet none of
   them, as a rule. */
Test(few_rows, giants_of_gathered_columns)
{
    enum { GIANTS = 5, EACH = 20, SHORT = 2000, N = 1000000, BAND = 2000 };
    const int64_t inner = GIANTS * EACH + SHORT;
    dice d = {3};
    csr_builder a = build_begin(GIANTS + SHORT, inner);
    csr_builder b = build_begin(inner, N);
    for (int64_t i = 0; i < GIANTS + SHORT; i++) {
        for (int64_t k = 0; k < (i < GIANTS ? EACH : 2); k++)
            build_add(&a,
                      i < GIANTS ? i * EACH + k
                                 : GIANTS * EACH + dice_below(&d, SHORT),
                      1);
        build_end_row(&a);
    }
    for (int64_t k = 0; k < inner; k++) {
        const bool is_giants = k < GIANTS * EACH;
        const int64_t begin = dice_below(&d, N - BAND);
        build_add(&b, is_giants ? 0 : dice_below(&d, N), 1);
        for (int64_t q = 0; is_giants && q < BAND; q += 2)
            build_add(&b, 1 + begin + q, 1);
        build_add(&b, N - 1, 1);
        build_end_row(&b);
    }
    expect_covered("gathered giants", build_finish(&a, SPGEMM_I32),
                   build_finish(&b, SPGEMM_I32), NULL, SPGEMM_MASK_STRUCTURE);
}

/* One row has nine tenths of the products and is too much to count: the rows that are
   counted, of three, lose nothing, and it loses three quarters. */
Test(few_rows, a_giant_that_is_kept_in_part)
{
    enum { N = 10000, INNER = 6330, COLUMNS = 21530, BAND = 30 };
    dice d = {4};
    csr_builder a = build_begin(N, INNER);
    csr_builder b = build_begin(INNER, COLUMNS);
    csr_builder one = build_begin(N, COLUMNS);
    for (int64_t i = 0; i < N; i++) {
        for (int64_t k = 0; i == 0 && k < INNER; k++)
            build_add(&a, k, 1);
        if (i > 0 && dice_below(&d, 3) == 0)
            build_add(&a, dice_below(&d, INNER), 1);
        build_add(&one, i % COLUMNS, 1);
        build_end_row(&a);
        build_end_row(&one);
    }
    for (int64_t k = 0; k < INNER; k++) {
        const int64_t first = k * (COLUMNS - BAND) / INNER;
        for (int64_t j = 0; j < BAND; j++)
            if (dice_below(&d, 6) == 0)
                build_add(&b, first + j, 1);
        build_end_row(&b);
    }
    spgemm_csr mask = build_finish(&one, SPGEMM_I32);
    expect_covered("a giant beside a complement", build_finish(&a, SPGEMM_I32),
                   build_finish(&b, SPGEMM_I32), &mask, SPGEMM_MASK_COMPLEMENT);
    free_csr(&mask);
}

/* Rows that are alike, but some that hardly any sample has: how far off the prediction
   is nobody knows, and it does not say that it is exact. */
Test(few_rows, no_spread_is_no_certainty)
{
    enum { N = 20000, IN_A = 5, IN_B = 9, ODD = 5000 };
    static const spgemm_predictor methods[] = {
        SPGEMM_PREDICTOR_SAMPLED_CR, SPGEMM_PREDICTOR_ROW_INDEPENDENT_RATIO};
    dice d = {5};
    csr_builder a = build_begin(N, N);
    csr_builder b = build_begin(N, N);
    for (int64_t i = 0; i < N; i++) {
        for (int64_t k = 0; k < IN_A; k++)
            build_add(&a, i % ODD == 0 ? dice_below(&d, N) : (i + k) % N, 1);
        for (int64_t j = 0; j < IN_B; j++)
            build_add(&b, (i + j) % N, 1);
        build_end_row(&a);
        build_end_row(&b);
    }
    spgemm_csr A = build_finish(&a, SPGEMM_I32);
    spgemm_csr B = build_finish(&b, SPGEMM_I32);
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int m = 0; m < 2; m++) {
            const spgemm_options options = {.predict.method = methods[m],
                                            .predict.seed = seed};
            spgemm_prediction p;
            cr_assert_eq(spgemm_predict(&p, &A, &B, &options, NULL),
                         SPGEMM_SUCCESS);
            cr_expect_not(p.standard_error < 1e-6 * p.nnz, "%s, seed %d: %g",
                          spgemm_predictor_name(methods[m]), (int)seed,
                          p.standard_error);
        }
    free_csr(&A);
    free_csr(&B);
}
