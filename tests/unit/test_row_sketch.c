/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/stratified/row_sketch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "common/hash.h"
#include "generate.h"
#include "predictor_bench.h"

/* One compression for all rows, about which they are known to differ so much. */
static prediction predict_rows(predictor_bench *b, double spread)
{
    prediction p = {.nnz = (double)b->C.nnz};
    double spreads[PREDICTION_CLASSES];
    for (int c = 0; c < PREDICTION_CLASSES; c++) {
        p.compression[c] = (double)b->counts.total / fmax(1.0, p.nnz);
        spreads[c] = spread;
    }
    cr_assert_eq(spgemm_row_sketch_predict(&p, &b->in, spreads),
                 SPGEMM_SUCCESS);
    return p;
}

/* Marks that the columns of row i of C set. */
static int marks_of(const predictor_bench *b, int64_t i)
{
    const uint64_t key = hash_key(b->options.predict.seed, HASH_COLUMNS);
    bool is_set[ROW_SKETCH_BITS] = {false};
    int set = 0;
    for (int64_t p = b->C.rowptr[i]; p < b->C.rowptr[i + 1]; p++)
        is_set[hash_index(key, column_of(&b->C, p)) % ROW_SKETCH_BITS] = true;
    for (int t = 0; t < ROW_SKETCH_BITS; t++)
        set += is_set[t];
    return set;
}

/* Where the class says nothing, rows are as linear counting has them: log of the
   share of marks that are missing, but for its bias and for one factor. */
Test(row_sketch, are_the_published_formula)
{
    for (int t = 0; t < predictor_bench_case_count; t++) {
        predictor_bench b;
        double factor = 0.0;
        predictor_bench_begin_case(&b, predictor_bench_cases[t],
                                   (spgemm_index_type)(t % 2));
        prediction p = predict_rows(&b, 1e9);
        for (int64_t i = 0; p.row_nnz && i < b.C.nrows; i++) {
            const int set = marks_of(&b, i);
            if (set == 0 || set == ROW_SKETCH_BITS)
                continue;
            const double n = log(1 - set / (double)ROW_SKETCH_BITS) /
                             log(1 - 1.0 / ROW_SKETCH_BITS);
            const double load = n / ROW_SKETCH_BITS;
            const double y = fmax(1, n - (exp(load) - load - 1) / 2);
            factor = factor > 0 ? factor : p.row_nnz[i] / y;
            cr_assert_float_eq(p.row_nnz[i], factor * y, 1e-6 * y, "%s, row %d",
                               predictor_bench_cases[t], (int)i);
        }
        predictor_bench_clear(&b, &p);
        predictor_bench_end(&b);
    }
}

Test(row_sketch, tell_rows_apart_that_their_class_does_not)
{
    static const char *const names[] = {"rmat", "fem", "hidden rows",
                                        "cliques"};
    for (int t = 0; t < 4; t++) {
        predictor_bench b;
        double sum = 0.0;
        predictor_bench_begin_case(&b, names[t], SPGEMM_I32);
        prediction p = predict_rows(&b, 0.5);
        for (int64_t i = 0; i < b.C.nrows; i++)
            sum += p.row_nnz[i];
        const double error = predictor_bench_row_error(&b, &p);
        cr_expect_lt(error, 0.05, "%s: rows err by %g", names[t], error);
        cr_expect_float_eq(sum, p.nnz, 1e-6 * p.nnz, "%s", names[t]);
        predictor_bench_clear(&b, &p);
        predictor_bench_end(&b);
    }
}

Test(row_sketch, are_the_same_for_any_number_of_threads)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "rmat", SPGEMM_I64);
    b.options.resources.nthreads = 1;
    prediction one = predict_rows(&b, 0.5);
    b.options.resources.nthreads = 7;
    prediction seven = predict_rows(&b, 0.5);
    cr_expect_eq(memcmp(one.row_nnz, seven.row_nnz,
                        (size_t)b.C.nrows * sizeof *one.row_nnz),
                 0);
    predictor_bench_clear(&b, &one);
    predictor_bench_clear(&b, &seven);
    predictor_bench_end(&b);
}

Test(row_sketch, are_not_made_where_rows_agree)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "rmat", SPGEMM_I32);
    prediction p = predict_rows(&b, 0.001);
    cr_expect_null(p.row_nnz);
    predictor_bench_clear(&b, &p);
    predictor_bench_end(&b);
}
