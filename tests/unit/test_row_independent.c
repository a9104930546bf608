/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "expect_prediction.h"
#include "generate.h"

/* The formula as it is written, in long double. */
static double estimate_row(const predictor_bench *b, int64_t i)
{
    const long double n = (long double)b->B.ncols;
    long double missed = 1;
    for (int64_t p = b->A.rowptr[i]; p < b->A.rowptr[i + 1]; p++) {
        const int64_t k = column_of(&b->A, p);
        const int64_t nnz = b->B.rowptr[k + 1] - b->B.rowptr[k];
        missed *= nnz < b->B.ncols ? 1 - (long double)nnz / n : 0;
    }
    return b->B.ncols > 0 ? (double)(n * (1 - missed)) : 0;
}

/* In the widest matrices 1 - b / N has no digits left for b: see below. */
Test(row_independent, is_the_published_formula)
{
    for (int c = 0; c < predictor_bench_case_count; c++)
        if (strcmp(predictor_bench_cases[c], "widest") != 0)
            expect_row_formula(spgemm_predict_row_independent, estimate_row,
                               predictor_bench_cases[c], c % 2, NULL, 1e-9);
}

Test(row_independent, has_no_error_to_state)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "banded", SPGEMM_I32);
    prediction p = predictor_bench_run(&b, spgemm_predict_row_independent);
    cr_expect(isnan(p.standard_error));
    predictor_bench_clear(&b, &p);
    predictor_bench_end(&b);
}

Test(row_independent, keeps_its_digits_in_the_widest_matrices)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "widest", SPGEMM_I64);
    prediction p = predictor_bench_run(&b, spgemm_predict_row_independent);
    for (int64_t i = 0; i < b.A.nrows; i++)
        cr_assert_float_eq(p.row_nnz[i], (double)b.counts.row[i], 1e-9);
    predictor_bench_clear(&b, &p);
    predictor_bench_end(&b);
}

/* Columns at random are what it assumes. */
Test(row_independent, is_right_where_columns_are_random)
{
    predictor_bench b;
    maker m = {{11}, SPGEMM_I32, VALUES_INTEGER};
    predictor_bench_begin(&b, make_uniform(&m, 3000, 2000, 30),
                          make_uniform(&m, 2000, 1000, 40));
    prediction p = predictor_bench_run(&b, spgemm_predict_row_independent);
    cr_expect_float_eq(p.nnz / (double)b.C.nnz, 1, 0.005);
    cr_expect_leq(predictor_bench_row_error(&b, &p), 0.02);
    predictor_bench_clear(&b, &p);
    predictor_bench_end(&b);
}

/* And a band is what it does not know. */
Test(row_independent, is_too_high_where_rows_overlap)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "banded", SPGEMM_I32);
    prediction p = predictor_bench_run(&b, spgemm_predict_row_independent);
    cr_expect_gt(p.nnz, 3 * (double)b.C.nnz);
    predictor_bench_clear(&b, &p);
    predictor_bench_end(&b);
}
