/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/sample.h"

#include <criterion/criterion.h>
#include <math.h>

#include "common/rng.h"
#include "generate.h"
#include "predictor_bench.h"

/* What the paper's formulas are made of, from the same rows. */
typedef struct sums {
    int64_t rows;
    double products; /* f* */
    double nnz;      /* z* */
} sums;

static int64_t published_size(int64_t nrows)
{
    int64_t size = (int64_t)(0.003 * (double)nrows);
    size = size < 300 ? size : 300;
    size = size > 1 ? size : 1;
    return size < nrows ? size : nrows;
}

static sums sample_directly(const predictor_bench *b)
{
    sums s = {published_size(b->A.nrows), 0, 0};
    for (int64_t t = 0; t < s.rows; t++) {
        const int64_t i =
            rng_below(b->options.predict.seed, (uint64_t)t, b->A.nrows);
        s.products += (double)count_row_products(&b->A, &b->B, i);
        s.nnz += (double)(b->C.rowptr[i + 1] - b->C.rowptr[i]);
    }
    return s;
}

static void begin_case(predictor_bench *b, const char *name)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case(name), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    predictor_bench_begin(b, A, B);
}

static void expect_close(double got, double want, const char *what)
{
    cr_expect_leq(fabs(got - want), 1e-12 * fabs(want), "%s: %g, not %g", what,
                  got, want);
}

static const char *const names[] = {"uniform",     "banded",    "rmat",
                                    "hidden rows", "dense row", "one by one"};

Test(sampled_nnz, is_the_published_formula)
{
    for (int t = 0; t < 6; t++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            predictor_bench b;
            begin_case(&b, names[t]);
            b.options.predict.seed = seed;
            const prediction p =
                predictor_bench_run(&b, spgemm_predict_sampled_nnz);
            const sums s = sample_directly(&b);
            expect_close(p.nnz, s.nnz * (double)b.A.nrows / (double)s.rows,
                         names[t]);
            cr_expect_eq(p.rows_sampled, s.rows);
            cr_expect_eq((double)p.products_sampled, s.products);
            predictor_bench_end(&b);
        }
}

Test(sampled_cr, is_the_published_formula)
{
    for (int t = 0; t < 6; t++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            predictor_bench b;
            begin_case(&b, names[t]);
            b.options.predict.seed = seed;
            const prediction p =
                predictor_bench_run(&b, spgemm_predict_sampled_cr);
            const sums s = sample_directly(&b);
            /* Where no sampled row has products: the products themselves. */
            const double ratio = s.nnz > 0 ? s.products / s.nnz : 1.0;
            expect_close(p.nnz, (double)b.counts.total / ratio, names[t]);
            cr_expect_eq(p.rows_sampled, s.rows);
            cr_expect_eq((double)p.products_sampled, s.products);
            predictor_bench_end(&b);
        }
}

/* 0.003 M is 0 below 334 rows: the published code divides by it. */
Test(sample, has_at_least_one_row)
{
    for (int64_t nrows = 1; nrows <= 700; nrows++) {
        predictor_bench b;
        maker m = {{(uint64_t)nrows}, SPGEMM_I32, VALUES_INTEGER};
        uniform_sample s = {0};
        predictor_bench_begin(&b, make_diagonal(&m, nrows),
                              make_diagonal(&m, nrows));
        cr_assert_eq(spgemm_sample_uniform(&s, &b.in, NULL), SPGEMM_SUCCESS);
        cr_assert_eq(s.rows, published_size(nrows), "%d rows", (int)nrows);
        cr_assert_eq(s.nnz, s.rows);
        const prediction p = predictor_bench_run(&b, spgemm_predict_sampled_cr);
        cr_assert_eq(p.nnz, (double)nrows);
        const prediction q =
            predictor_bench_run(&b, spgemm_predict_sampled_nnz);
        cr_assert_float_eq(q.nnz, (double)nrows, 1e-9 * (double)nrows);
        predictor_bench_end(&b);
    }
}

Test(sample, has_at_most_300_rows)
{
    predictor_bench b;
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    uniform_sample s = {0};
    predictor_bench_begin(&b, make_diagonal(&m, 150000),
                          make_diagonal(&m, 150000));
    cr_assert_eq(spgemm_sample_uniform(&s, &b.in, NULL), SPGEMM_SUCCESS);
    cr_expect_eq(s.rows, 300);
    predictor_bench_end(&b);
}

Test(sample, of_no_rows_is_none)
{
    predictor_bench b;
    begin_case(&b, "empty 0xn");
    const prediction p = predictor_bench_run(&b, spgemm_predict_sampled_cr);
    const prediction q = predictor_bench_run(&b, spgemm_predict_sampled_nnz);
    cr_expect_eq(p.nnz, 0);
    cr_expect_eq(q.nnz, 0);
    cr_expect_eq(p.rows_sampled, 0);
    predictor_bench_end(&b);
}

/* Sums of sampled products pass 32 bits: 300 rows of 2^24 products each, none
   of which is made. */
Test(sample, sums_pass_32_bits)
{
    enum { ROWS = 100000 };
    predictor_bench b;
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    uniform_sample s = {0};
    predictor_bench_begin(&b, make_diagonal(&m, ROWS), make_diagonal(&m, ROWS));
    for (int64_t i = 0; i < ROWS; i++)
        b.counts.row[i] = (int64_t)1 << 24;
    b.counts.total = (int64_t)ROWS << 24;
    cr_assert_eq(spgemm_sample_uniform(&s, &b.in, NULL), SPGEMM_SUCCESS);
    cr_expect_eq(s.products, (int64_t)300 << 24);
    const prediction p = predictor_bench_run(&b, spgemm_predict_sampled_cr);
    cr_expect_eq(p.nnz, (double)ROWS);
    predictor_bench_end(&b);
}

/* Over many seeds the mean is the truth: 5 standard errors of that mean. */
static void expect_unbiased(predict_fn *predict, const char *name)
{
    enum { SEEDS = 400 };
    predictor_bench b;
    double sum = 0;
    double squares = 0;
    begin_case(&b, name);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        b.options.predict.seed = seed;
        const double nnz = predictor_bench_run(&b, predict).nnz;
        sum += nnz;
        squares += nnz * nnz;
    }
    const double mean = sum / SEEDS;
    const double deviation = sqrt(fmax(squares / SEEDS - mean * mean, 0));
    cr_expect_leq(fabs(mean - (double)b.C.nnz),
                  5 * deviation / sqrt(SEEDS) + 1e-9 * mean, "%s: %g, not %g",
                  name, mean, (double)b.C.nnz);
    predictor_bench_end(&b);
}

Test(sampled_nnz, is_unbiased)
{
    expect_unbiased(spgemm_predict_sampled_nnz, "uniform");
    expect_unbiased(spgemm_predict_sampled_nnz, "hidden rows");
}
