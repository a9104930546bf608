/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <math.h>

#include "generate.h"
#include "predict/stratified/strata.h"
#include "predictor_bench.h"

static void begin_case(predictor_bench *b, const char *name)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case(name), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    predictor_bench_begin(b, A, B);
}

/* 400 dense rows hidden in many sparse ones: one compression for all rows errs
   by hundreds of per cent. */
static void begin_mixed(predictor_bench *b)
{
    maker m = {{21}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_mixed(&m, 60000, 2000, 3, 300, 150);
    spgemm_csr B = make_uniform(&m, 2000, 2000, 12);
    predictor_bench_begin(b, A, B);
}

static double relative_error(const predictor_bench *b, double nnz)
{
    return fabs(nnz - (double)b->C.nnz) / (double)b->C.nnz;
}

Test(stratified, finds_hidden_rows)
{
    predictor_bench b;
    begin_mixed(&b);
    double worst = 0;
    double uniform_worst = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        b.options.predict.seed = seed;
        const prediction p = predictor_bench_run(&b, spgemm_predict_stratified);
        const prediction q = predictor_bench_run(&b, spgemm_predict_sampled_cr);
        worst = fmax(worst, relative_error(&b, p.nnz));
        uniform_worst = fmax(uniform_worst, relative_error(&b, q.nnz));
        cr_expect_lt(p.products_sampled, 0.04 * (double)b.counts.total,
                     "%g of the products",
                     (double)p.products_sampled / (double)b.counts.total);
    }
    cr_expect_lt(worst, 0.02, "errs by %g", worst);
    cr_expect_gt(uniform_worst, 0.1, "the case is too easy");
    predictor_bench_end(&b);
}

Test(stratified, rows_sum_to_the_total)
{
    static const char *const names[] = {"uniform", "rmat", "hidden rows",
                                        "fem"};
    for (int t = 0; t < 4; t++) {
        predictor_bench b;
        begin_case(&b, names[t]);
        const prediction p = predictor_bench_run(&b, spgemm_predict_stratified);
        double sum = 0;
        for (int64_t i = 0; i < b.A.nrows; i++)
            if (b.counts.row[i] > 0)
                sum += (double)b.counts.row[i] /
                       p.compression[b.counts.row_class[i]];
        cr_expect_leq(fabs(sum - p.nnz), 1e-9 * p.nnz, "%s: %g, not %g",
                      names[t], sum, p.nnz);
        predictor_bench_end(&b);
    }
}

/* Three standard errors hold the truth in nearly all of 60 seeds. */
Test(stratified, standard_error_covers)
{
    enum { SEEDS = 60 };
    predictor_bench b;
    int covered = 0;
    begin_case(&b, "rmat");
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        b.options.predict.seed = seed;
        const prediction p = predictor_bench_run(&b, spgemm_predict_stratified);
        cr_expect_geq(p.standard_error, 0);
        covered += fabs(p.nnz - (double)b.C.nnz) <= 3 * p.standard_error + 1e-9;
    }
    cr_expect_geq(covered, SEEDS * 9 / 10, "%d of 60", covered);
    predictor_bench_end(&b);
}

Test(stratified, is_exact_when_all_rows_of_a_class_are_alike)
{
    predictor_bench b;
    maker m = {{2}, SPGEMM_I32, VALUES_INTEGER};
    predictor_bench_begin(&b, make_diagonal(&m, 3000), make_diagonal(&m, 3000));
    const prediction p = predictor_bench_run(&b, spgemm_predict_stratified);
    cr_expect_leq(fabs(p.nnz - 3000.0), 1e-9);
    cr_expect_leq(p.standard_error, 1e-9);
    predictor_bench_end(&b);
}

Test(stratified, samples_each_row_once)
{
    predictor_bench b;
    begin_case(&b, "hidden rows");
    const prediction p = predictor_bench_run(&b, spgemm_predict_stratified);
    cr_expect_eq(p.rows_sampled, b.rows_asked);
    cr_expect_leq(p.rows_sampled, b.A.nrows);
    cr_expect_leq(p.products_sampled, b.counts.total);
    predictor_bench_end(&b);
}

Test(stratified, takes_any_shape)
{
    for (int number = 0; number < product_case_count; number++) {
        predictor_bench b;
        begin_case(&b, product_cases[number].name);
        const prediction p = predictor_bench_run(&b, spgemm_predict_stratified);
        cr_expect(isfinite(p.nnz) && p.nnz >= 0, "%s",
                  product_cases[number].name);
        cr_expect(p.nnz <= (double)b.counts.bound * (1 + 1e-12),
                  "%s: beyond the bound", product_cases[number].name);
        predictor_bench_end(&b);
    }
}

/* Mean |error|, and share of the products sampled, over 20 seeds. */
static double mean_error(predictor_bench *b, double *sampled)
{
    double sum = 0;
    *sampled = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        b->options.predict.seed = seed;
        const prediction p = predictor_bench_run(b, spgemm_predict_stratified);
        sum += relative_error(b, p.nnz) / 20;
        *sampled += (double)p.products_sampled / (double)b->counts.total / 20;
    }
    return sum;
}

Test(stratified, errs_less_for_a_larger_budget)
{
    predictor_bench b;
    double few;
    double many;
    begin_case(&b, "rmat");
    b.options.predict.budget = b.counts.total / 50;
    const double coarse = mean_error(&b, &few);
    b.options.predict.budget = b.counts.total / 2;
    const double fine = mean_error(&b, &many);
    /* Of the first sample each class may take what is over. */
    cr_expect_leq(few, 0.05, "%g of the products for a budget of 0.02", few);
    cr_expect_leq(many, 0.6, "%g of the products for a budget of 0.5", many);
    cr_expect_geq(many, 0.4, "%g of the products for a budget of 0.5", many);
    cr_expect_lt(2 * fine, coarse, "%g, and with 25 times the budget %g",
                 coarse, fine);
    predictor_bench_end(&b);
}

/* What a few products cannot tell is not said to be known: bars of 95 % hold for most
   seeds. A budget is passed by one row, or a piece of one, at most. */
Test(stratified, tells_when_a_budget_is_too_small)
{
    enum { SEEDS = 40 };
    static const int64_t budgets[] = {1, 100, 1000};
    maker m = {{7}, SPGEMM_I32, VALUES_INTEGER};
    predictor_bench b;
    predictor_bench_begin(&b, make_rmat(&m, 11, 1 << 15),
                          make_rmat(&m, 11, 1 << 15));
    for (int t = 0; t < 3; t++) {
        int held = 0;
        b.options.predict.budget = budgets[t];
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            b.options.predict.seed = seed;
            const prediction p =
                predictor_bench_run(&b, spgemm_predict_stratified);
            held +=
                fabs(p.nnz - (double)b.C.nnz) <= NORMAL_95 * p.standard_error;
            cr_expect_leq(p.products_sampled, budgets[t] + b.counts.longest,
                          "%lld for %lld", (long long)p.products_sampled,
                          (long long)budgets[t]);
        }
        cr_expect_geq(held, SEEDS / 2,
                      "%d of 40 bars hold for a budget of %lld", held,
                      (long long)budgets[t]);
    }
    predictor_bench_end(&b);
}

Test(stratified, goes_on_until_the_error_is_small)
{
    predictor_bench b;
    double sampled;
    double before = 0;
    begin_case(&b, "rmat");
    for (double error = 0.1; error > 0.002; error /= 3) {
        b.options.predict.error = error;
        const double found = mean_error(&b, &sampled);
        cr_expect_leq(found, 1.5 * error, "%g for %g", found, error);
        cr_expect_geq(sampled, before);
        before = sampled;
    }
    predictor_bench_end(&b);
}

static void begin_cliques(predictor_bench *b)
{
    maker m = {{31}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A;
    spgemm_csr B;
    make_cliques(&m, 12000, 24, &A, &B);
    predictor_bench_begin(b, A, B);
}

/* With rows alone it errs by 4.3 % in the mean. */
Test(stratified, draws_columns_where_rows_differ)
{
    predictor_bench b;
    double sampled;
    int covered = 0;
    begin_cliques(&b);
    const double error = mean_error(&b, &sampled);
    cr_expect_leq(error, 0.035, "errs by %g", error);
    cr_expect_leq(sampled, 0.0125, "samples %g", sampled);
    for (uint64_t seed = 0; seed < 60; seed++) {
        b.options.predict.seed = seed;
        const prediction p = predictor_bench_run(&b, spgemm_predict_stratified);
        covered += relative_error(&b, p.nnz) <=
                   1.96 * p.standard_error / (double)b.C.nnz;
    }
    cr_expect_geq(covered, 54, "%d of 60 bars", covered);
    predictor_bench_end(&b);
}

/* Columns are not drawn where their lists would be much of what may be held. */
Test(stratified, draws_rows_alone_under_a_tight_limit)
{
    predictor_bench b;
    begin_cliques(&b);
    const prediction free_to =
        predictor_bench_run(&b, spgemm_predict_stratified);
    b.options.resources.memory_limit_bytes = (size_t)1 << 20;
    const prediction tight = predictor_bench_run(&b, spgemm_predict_stratified);
    b.options.resources.memory_limit_bytes = (size_t)1 << 40;
    const prediction wide = predictor_bench_run(&b, spgemm_predict_stratified);
    cr_expect_lt(tight.rows_sampled, free_to.rows_sampled);
    cr_expect_eq(wide.rows_sampled, free_to.rows_sampled);
    cr_expect_float_eq(wide.nnz, free_to.nnz, 0);
    predictor_bench_end(&b);
}

Test(stratified, looks_at_rows_that_are_asked_for)
{
    predictor_bench b;
    begin_cliques(&b);
    prediction used = predictor_bench_run(&b, spgemm_predict_stratified);
    b.in.wants_rows = true;
    prediction asked = predictor_bench_run(&b, spgemm_predict_stratified);
    b.options.resources.memory_limit_bytes = (size_t)1 << 20;
    prediction tight = predictor_bench_run(&b, spgemm_predict_stratified);
    cr_expect_null(used.row_nnz);
    cr_expect_null(tight.row_nnz);
    cr_expect_float_eq(asked.nnz, used.nnz, 0);
    cr_expect_lt(predictor_bench_row_error(&b, &asked),
                 0.3 * predictor_bench_row_error(&b, &used));
    predictor_bench_clear(&b, &asked);
    predictor_bench_end(&b);
}

/* Seeds of 60 whose bar has the truth. */
static int bars_right(predictor_bench *b)
{
    int right = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        b->options.predict.seed = seed;
        const prediction p = predictor_bench_run(b, spgemm_predict_stratified);
        right += fabs(p.nnz - (double)b->C.nnz) <= 1.96 * p.standard_error;
        cr_expect_lt(p.products_sampled, 0.2 * (double)b->counts.total);
    }
    return right;
}

/* Rows that no sample of the usual cost would reach, of which 7 of 8 products meet:
   as if at random they would have twice as many entries. */
Test(stratified, a_few_long_rows_are_looked_at)
{
    maker m = {{22}, SPGEMM_I32, VALUES_INTEGER};
    predictor_bench b;
    predictor_bench_begin(&b, make_uniform(&m, 8, 16384, 4000),
                          make_rmat(&m, 14, 1 << 17));
    const int right = bars_right(&b);
    cr_expect_geq(right, 54, "%d of 60", right);
    predictor_bench_end(&b);
}

Test(stratified, a_bar_says_when_nothing_is_known)
{
    maker m = {{23}, SPGEMM_I32, VALUES_INTEGER};
    predictor_bench b;
    predictor_bench_begin(&b, make_uniform(&m, 1, 16384, 4000),
                          make_rmat(&m, 14, 1 << 17));
    cr_expect_eq(bars_right(&b), 60);
    predictor_bench_end(&b);
}
