/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/rng.h"
#include "expect_prediction.h"
#include "predict/sample.h"

/* Every row and the total is that of row_independent, times z* / g*. */
static void expect_formula(const char *name, int64_t size, uint64_t seed)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, name, (spgemm_index_type)(seed % 2));
    b.options.predict.seed = seed;
    prediction g = predictor_bench_run(&b, spgemm_predict_row_independent);
    b.options.predict.size = size;
    prediction p =
        predictor_bench_run(&b, spgemm_predict_row_independent_ratio);
    double g_sum = 0;
    double z_sum = 0;
    double total = 0;
    for (int64_t i = 0; i < b.A.nrows; i++)
        total += g.row_nnz[i];
    for (int64_t t = 0; t < p.rows_sampled; t++) {
        const int64_t i = rng_below(seed, (uint64_t)t, b.A.nrows);
        g_sum += g.row_nnz[i];
        z_sum += (double)(b.C.rowptr[i + 1] - b.C.rowptr[i]);
    }
    const double ratio = z_sum > 0 ? z_sum / g_sum : 1;
    if (size > 0)
        cr_expect_eq(p.rows_sampled, size < b.A.nrows ? size : b.A.nrows);
    cr_expect_float_eq(p.nnz, total * ratio, 1e-9 * total, "%s: %g, not %g",
                       name, p.nnz, total * ratio);
    for (int64_t i = 0; i < b.A.nrows; i++)
        cr_assert_float_eq(p.row_nnz[i], ratio * g.row_nnz[i],
                           1e-9 * p.row_nnz[i]);
    predictor_bench_clear(&b, &p);
    predictor_bench_clear(&b, &g);
    predictor_bench_end(&b);
}

Test(row_independent_ratio, is_the_ratio_estimator)
{
    for (int number = 0; number < predictor_bench_case_count; number++) {
        expect_formula(predictor_bench_cases[number], 0, 3);
        expect_formula(predictor_bench_cases[number], 200, 4);
    }
}

/* The same rows as the methods of Du et al. */
Test(row_independent_ratio, samples_the_rows_of_sampled_cr)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "rmat", SPGEMM_I32);
    for (uint64_t seed = 0; seed < 10; seed++) {
        b.options.predict.seed = seed;
        prediction p =
            predictor_bench_run(&b, spgemm_predict_row_independent_ratio);
        const prediction q = predictor_bench_run(&b, spgemm_predict_sampled_cr);
        cr_expect_eq(p.rows_sampled, q.rows_sampled);
        cr_expect_eq(p.products_sampled, q.products_sampled);
        predictor_bench_clear(&b, &p);
    }
    predictor_bench_end(&b);
}

/* A thousand rows; of skewed ones fewer would not do. */
Test(row_independent_ratio, knows_its_error)
{
    static const char *const names[] = {"rmat", "banded", "tall skinny"};
    const spgemm_options options = {.predict.size = 1000};
    for (int c = 0; c < 3; c++) {
        expect_honest(spgemm_predict_row_independent_ratio, names[c], &options,
                      200);
        expect_near(spgemm_predict_row_independent_ratio, names[c], &options,
                    20);
    }
}

/* On graphs g is the better covariate: with the same rows, a third of the
   error. */
Test(row_independent_ratio, is_better_than_products_on_graphs)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "rmat", SPGEMM_I32);
    b.options.predict.size = 200;
    const predictor_spread by_g =
        predictor_bench_spread(&b, spgemm_predict_row_independent_ratio, 100);
    const predictor_spread by_products =
        predictor_bench_spread(&b, spgemm_predict_sampled_cr, 100);
    cr_expect_lt(by_g.error, 0.5 * by_products.error, "%g, %g", by_g.error,
                 by_products.error);
    predictor_bench_end(&b);
}
