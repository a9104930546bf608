/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <math.h>

#include "generate.h"
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
        b.options.seed = seed;
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
        b.options.seed = seed;
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
