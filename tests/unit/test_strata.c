/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/stratified/strata.h"

#include <criterion/criterion.h>

enum { ROWS = 1000, SAMPLES = 40 };

/* Rows of 2^14 to 2^15 products on 10,000 columns: their mean is full of more
   columns than they are in the mean. */
Test(strata, rows_at_random_are_counted_with_their_spread)
{
    row_class k = {.rows = ROWS};
    double sum = 0.0;
    for (int64_t i = 0; i < ROWS; i++) {
        const int64_t products = 16384 + 16384 * i / ROWS;
        k.products += products;
        k.squares += products_excess(products) * products_excess(products);
        sum += strata_random_nnz((double)products, 10000);
    }
    const double mean = (double)k.products / ROWS;
    const int c = prediction_class((int64_t)mean, 64, 256);
    const strata s = {.ncols = 10000};
    const double G = spgemm_strata_random_class(&s, &k, c);
    cr_expect_float_eq(G / sum, 1.0, 1e-3, "%g", G / sum);
    cr_expect_gt(ROWS * strata_random_nnz(mean, 10000) / sum, 1.005);
}

/* Of a class of rows of 100 products on very many columns. */
static stratum make_stratum(void)
{
    return (stratum){.all = {.rows = ROWS, .products = 100 * ROWS},
                     .parts = 1,
                     .expected = 100 * ROWS,
                     .ratio = 1.0};
}

static strata measure(stratum *k, stratum_sample *samples)
{
    strata s = {.count = 1, .of = k, .ncols = 1e12, .total = 100 * ROWS};
    spgemm_strata_measure(&s, samples, SAMPLES);
    return s;
}

static void set_samples(stratum_sample *samples, double (*nnz)(int e))
{
    for (int e = 0; e < SAMPLES; e++)
        samples[e] = (stratum_sample){.products = 100, .nnz = nnz(e)};
}

static double in_turn(int e)
{
    return e % 2 ? 40 : 60;
}

static double in_halves(int e)
{
    return e < SAMPLES / 2 ? 40 : 60;
}

/* Half rows of 40, half of 60: in halves a systematic sample has just as many of
   each, however it is drawn. */
Test(strata, neighbours_tell_the_spread_of_a_systematic_sample)
{
    stratum_sample samples[SAMPLES];
    stratum mixed = make_stratum();
    stratum sorted = make_stratum();
    set_samples(samples, in_turn);
    const strata s = measure(&mixed, samples);
    set_samples(samples, in_halves);
    const strata t = measure(&sorted, samples);
    const strata_deviations of_mixed = spgemm_strata_deviations(&s);
    const strata_deviations of_sorted = spgemm_strata_deviations(&t);
    cr_expect_geq(spgemm_stratum_deviation(&mixed, &of_mixed), 0.2);
    cr_expect_leq(spgemm_stratum_deviation(&sorted, &of_sorted), 0.07);
    /* Single rows are 20 % off all the same. */
    double spread[PREDICTION_CLASSES];
    spgemm_strata_row_deviations(spread, &t);
    cr_expect_float_eq(spread[0], 0.2, 0.005, "%g", spread[0]);
}

static double all_there(int e)
{
    (void)e;
    return 100;
}

static double half_there(int e)
{
    (void)e;
    return 50;
}

/* Rows that lose nothing of their products can hardly differ. */
Test(strata, a_class_without_samples_may_differ_by_what_it_loses)
{
    stratum_sample samples[SAMPLES];
    stratum k = make_stratum();
    const stratum full = make_stratum();
    stratum half = make_stratum();
    half.ratio = 0.5;
    set_samples(samples, all_there);
    strata s = measure(&k, samples);
    strata_deviations all = spgemm_strata_deviations(&s);
    cr_expect_gt(spgemm_stratum_deviation(&half, &all),
                 20 * spgemm_stratum_deviation(&full, &all));
    cr_expect_gt(spgemm_stratum_deviation(&full, &all), 0);
    cr_expect_geq(spgemm_stratum_pessimistic_deviation(&full, &all), 0.1);
    /* Where others of as great a loss agree, it may be expected to as well. */
    set_samples(samples, half_there);
    s = measure(&k, samples);
    const strata_deviations none = spgemm_strata_deviations(&(strata){0});
    all = spgemm_strata_deviations(&s);
    cr_expect_lt(spgemm_stratum_deviation(&half, &all),
                 0.1 * spgemm_stratum_deviation(&half, &none));
}

enum { PARTIAL = 2000 };

/* Rows of 100 products of which 10 are left, with what some of A's entries say of
   them: of rows that are counted, and of others. */
static void set_partial(stratum_sample *samples, double (*nnz)(int e),
                        double (*said)(int e))
{
    for (int e = 0; e < SAMPLES + PARTIAL; e++)
        samples[e] = (stratum_sample){.products = 100,
                                      .nnz = e < SAMPLES ? nnz(e) : 0,
                                      .partial_nnz = said(e),
                                      .is_partial = e >= SAMPLES};
}

static double measured_ratio(double (*nnz)(int e), double (*said)(int e),
                             double *error)
{
    static stratum_sample samples[SAMPLES + PARTIAL];
    stratum k = make_stratum();
    strata s = {.count = 1, .of = &k, .ncols = 1e12, .total = 100 * ROWS};
    k.all.rows = 1000 * ROWS;
    k.all.products = 100 * k.all.rows;
    set_partial(samples, nnz, said);
    spgemm_strata_measure(&s, samples, SAMPLES + PARTIAL);
    *error = spgemm_stratum_partial_error(&k);
    return k.ratio;
}

static double a_tenth(int e)
{
    (void)e;
    return 10;
}

/* One row in 100 keeps all, and none of these was counted. */
static double a_tenth_but_for_some(int e)
{
    return e >= SAMPLES && e % 100 == 0 ? 100 : 10;
}

Test(strata, rows_that_no_counted_one_is_like_are_believed)
{
    double error;
    const double ratio = measured_ratio(a_tenth, a_tenth_but_for_some, &error);
    cr_expect_float_eq(ratio, 0.109, 1e-4, "%g", ratio);
    cr_expect(error > 0.01 && error < 0.04, "%g", error);
    cr_expect_float_eq(measured_ratio(a_tenth, a_tenth, &error), 0.1, 1e-9);
    cr_expect_float_eq(error, 0, 1e-9);
}

/* Something else altogether, as far as rows that were counted tell. */
static double noise(int e)
{
    return 5.0 + e * 7 % 11;
}

static double a_tenth_more_or_less(int e)
{
    return e % 2 ? 11 : 9;
}

Test(strata, what_says_nothing_of_counted_rows_is_not_believed)
{
    double error;
    const double ratio = measured_ratio(a_tenth_more_or_less, noise, &error);
    cr_expect_float_eq(ratio, 0.1, 1e-3, "%g", ratio);
    cr_expect_leq(error, 1e-3, "%g", error);
}

/* Parts that one stratum is cut into: so many rows of 400 entries of A, each with 50
   products. */
static int64_t parts_of_rows(int64_t rows)
{
    row_class classes[PREDICTION_CLASSES] = {0};
    const sample_budget budget = {.first = 1000, .most = 2000, .cap = 2000};
    const int c = prediction_class(20000, 400, 50);
    memory m;
    strata s = {0};
    spgemm_memory_init(&m, NULL);
    classes[c] = (row_class){.rows = rows,
                             .products = 20000 * rows,
                             .entries = 400 * rows,
                             .bound = 20000 * rows};
    const product_counts counts = {.nrows = rows,
                                   .total = 20000 * rows,
                                   .bound = 20000 * rows,
                                   .classes = classes};
    cr_assert_eq(spgemm_strata_begin(&s, &counts, &budget, 1 << 20, true, &m),
                 SPGEMM_SUCCESS);
    const int64_t parts = s.of[0].parts;
    spgemm_strata_clear(&s, &m);
    return parts;
}

/* Each piece looks at 400 rows of B. */
Test(strata, few_rows_are_not_cut_where_looking_at_them_is_the_work)
{
    cr_expect_eq(parts_of_rows(2), 1);
    cr_expect_gt(parts_of_rows(2000), 1);
}
