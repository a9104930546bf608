/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of predictors assert again and again, each of one case. */
#ifndef SPGEMM_TESTS_EXPECT_PREDICTION_H
#define SPGEMM_TESTS_EXPECT_PREDICTION_H

#include <criterion/criterion.h>
#include <math.h>

#include "predictor_bench.h"

static inline void begin_prediction(predictor_bench *b, const char *name,
                                    int type, const spgemm_options *options)
{
    predictor_bench_begin_case(b, name, (spgemm_index_type)type);
    if (options)
        b->options = *options;
}

/** The total is what a search of all places of C finds, `share` of them drawn;
    the bound, where none is. */
static inline void expect_places(predict_fn *predict, place_hash *hash,
                                 const char *name, int type,
                                 const spgemm_options *options, double share)
{
    predictor_bench b;
    begin_prediction(&b, name, type, options);
    const double bound = (double)b.counts.bound;
    const double places =
        predictor_bench_places(&b, hash, options->predict.size);
    const double want = places > 0 ? fmin(places / share, bound) : bound;
    const prediction p = predictor_bench_run(&b, predict);
    cr_expect_float_eq(p.nnz, want, 1e-12 * want, "%s, k %d: %g, not %g", name,
                       (int)options->predict.size, p.nnz, want);
    predictor_bench_end(&b);
}

/** The total is nnz(C), and said to be exact; all products are looked at. */
static inline void expect_exact(predict_fn *predict, const char *name,
                                double probability)
{
    predictor_bench b;
    begin_prediction(&b, name, SPGEMM_I64, NULL);
    b.options.predict.size = b.C.nnz + 1;
    b.options.predict.probability = probability;
    const prediction p = predictor_bench_run(&b, predict);
    cr_expect_eq(p.nnz, (double)b.C.nnz, "%s: %g", name, p.nnz);
    cr_expect_eq(p.standard_error, 0.0, "%s", name);
    cr_expect_eq(p.products_sampled, b.counts.total, "%s", name);
    predictor_bench_end(&b);
}

/** Over `seeds` seeds, 200 or more, the errors are spread as is stated, within
    20 % or 4 standard deviations of a spread; and their mean is 0 within 4 of
    its standard errors. C must be well below its bound, where estimates are
    cut off. */
static inline void expect_honest(predict_fn *predict, const char *name,
                                 const spgemm_options *options, uint64_t seeds)
{
    predictor_bench b;
    begin_prediction(&b, name, SPGEMM_I32, options);
    const predictor_spread s = predictor_bench_spread(&b, predict, seeds);
    cr_expect_float_eq(s.error / s.stated, 1, 0.2, "%s: %g, stated %g", name,
                       s.error, s.stated);
    cr_expect_leq(fabs(s.bias), 4 * s.stated / sqrt((double)seeds), "%s: %g",
                  name, s.bias);
    predictor_bench_end(&b);
}

/** Each of `seeds` predictions is within 4 of its standard errors. */
static inline void expect_near(predict_fn *predict, const char *name,
                               const spgemm_options *options, uint64_t seeds)
{
    predictor_bench b;
    begin_prediction(&b, name, SPGEMM_I32, options);
    const predictor_spread s = predictor_bench_spread(&b, predict, seeds);
    cr_expect(isfinite(s.stated) && s.worst <= 4, "%s: %g", name, s.worst);
    predictor_bench_end(&b);
}

/** Rows are off by `most` of nnz(C) in all, at most. */
static inline void expect_rows(predict_fn *predict, const char *name,
                               const spgemm_options *options, double most)
{
    predictor_bench b;
    begin_prediction(&b, name, SPGEMM_I32, options);
    prediction p = predictor_bench_run(&b, predict);
    const double error = predictor_bench_row_error(&b, &p);
    cr_expect_leq(error, most, "%s: %g", name, error);
    predictor_bench_clear(&b, &p);
    predictor_bench_end(&b);
}

/** nnz of row i of C as a formula has it; 0 for an empty row. */
typedef double row_formula(const predictor_bench *b, int64_t i);

/** Every row, and the total up to the bound, is as the formula has it. */
static inline void expect_row_formula(predict_fn *predict, row_formula *formula,
                                      const char *name, int type,
                                      const spgemm_options *options,
                                      double tolerance)
{
    predictor_bench b;
    double total = 0;
    begin_prediction(&b, name, type, options);
    prediction p = predictor_bench_run(&b, predict);
    for (int64_t i = 0; i < b.C.nrows; i++) {
        const double want = formula(&b, i);
        total += want;
        cr_assert_float_eq(p.row_nnz[i], want, tolerance * want,
                           "%s, row %d: %g, not %g", name, (int)i, p.row_nnz[i],
                           want);
    }
    cr_expect_float_eq(p.nnz, fmin(total, (double)b.counts.bound),
                       tolerance * total, "%s", name);
    predictor_bench_clear(&b, &p);
    predictor_bench_end(&b);
}

#endif
