/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/stratified/partial_rows.h"

#include <criterion/criterion.h>
#include <math.h>

#include "build_csr.h"
#include "generate.h"
#include "predictor_bench.h"

enum { ENTRIES = 64, LENGTH = 40, WIDTH = 100000 };

/* Row 0 of A meets rows of B that are all one, row 1 rows that have no column in
   common, row 2 rows at random on the first 2000 columns. */
static void begin(predictor_bench *b, spgemm_index_type type)
{
    maker m = {{5}, type, VALUES_INTEGER};
    csr_builder a = build_begin(3, (int64_t)3 * ENTRIES);
    csr_builder rows = build_begin((int64_t)3 * ENTRIES, WIDTH);
    for (int64_t i = 0; i < 3; i++) {
        for (int64_t p = 0; p < ENTRIES; p++)
            build_add(&a, i * ENTRIES + p, 1);
        build_end_row(&a);
    }
    for (int64_t k = 0; k < ENTRIES; k++) {
        for (int64_t j = 0; j < LENGTH; j++)
            build_add(&rows, 7 * j, 1);
        build_end_row(&rows);
    }
    for (int64_t k = 0; k < ENTRIES; k++) {
        for (int64_t j = 0; j < LENGTH; j++)
            build_add(&rows, k * LENGTH + j, 1);
        build_end_row(&rows);
    }
    spgemm_csr random = make_uniform(&m, ENTRIES, 2000, LENGTH);
    for (int64_t k = 0; k < ENTRIES; k++) {
        for (int64_t q = random.rowptr[k]; q < random.rowptr[k + 1]; q++)
            build_add(&rows, column_of(&random, q), 1);
        build_end_row(&rows);
    }
    free_csr(&random);
    predictor_bench_begin(b, build_finish(&a, type), build_finish(&rows, type));
}

static void estimate(predictor_bench *b, partial_row *rows, int64_t count,
                     uint64_t seed)
{
    cr_assert_eq(spgemm_partial_rows_estimate(&b->in, rows, count, seed),
                 SPGEMM_SUCCESS);
}

Test(partial_rows, tell_rows_that_compress_from_those_that_do_not)
{
    for (int type = 0; type < 2; type++) {
        predictor_bench b;
        begin(&b, (spgemm_index_type)type);
        partial_row rows[] = {{.row = 0, .entries = 4, .times = 1},
                              {.row = 1, .entries = 4, .times = 1}};
        estimate(&b, rows, 2, 1);
        cr_expect_eq(rows[0].products, 4 * LENGTH);
        cr_expect_float_eq(rows[0].nnz, LENGTH, 0, "%g", rows[0].nnz);
        cr_expect_gt(rows[1].nnz, 0.9 * ENTRIES * LENGTH, "%g", rows[1].nnz);
        predictor_bench_end(&b);
    }
}

/* A quarter of the entries, 50 times: 1000 of 2560 products. */
Test(partial_rows, extrapolate_without_much_bias)
{
    predictor_bench b;
    begin(&b, SPGEMM_I32);
    partial_row row = {.row = 2, .entries = ENTRIES / 4, .times = 50};
    estimate(&b, &row, 1, 3);
    const double nnz = (double)(b.C.rowptr[3] - b.C.rowptr[2]);
    cr_expect_leq(fabs(row.nnz - nnz), 0.04 * nnz, "%g, not %g", row.nnz, nnz);
    predictor_bench_end(&b);
}

Test(partial_rows, are_exact_where_all_entries_are_looked_at)
{
    predictor_bench b;
    begin(&b, SPGEMM_I64);
    for (int64_t i = 0; i < 3; i++) {
        partial_row row = {.row = i, .entries = ENTRIES, .times = 1};
        estimate(&b, &row, 1, 0);
        cr_expect_eq(row.products, b.counts.row[i]);
        cr_expect_leq(row.nnz, (double)row.products);
        cr_expect_geq(row.nnz, (double)(b.C.rowptr[i + 1] - b.C.rowptr[i]));
        cr_expect_float_eq(row.nnz, (double)(b.C.rowptr[i + 1] - b.C.rowptr[i]),
                           1e-9);
    }
    predictor_bench_end(&b);
}

Test(partial_rows, are_the_same_for_any_number_of_threads)
{
    enum { COUNT = 600 };
    static partial_row one[COUNT];
    static partial_row many[COUNT];
    predictor_bench b;
    begin(&b, SPGEMM_I32);
    for (int64_t t = 0; t < COUNT; t++)
        one[t] = many[t] =
            (partial_row){.row = t % 3, .entries = 2 + t % 9, .times = 1};
    b.options.resources.nthreads = 1;
    estimate(&b, one, COUNT, 7);
    b.options.resources.nthreads = 4;
    estimate(&b, many, COUNT, 7);
    for (int64_t t = 0; t < COUNT; t++) {
        cr_expect_eq(one[t].products, many[t].products);
        cr_expect_float_eq(one[t].nnz, many[t].nnz, 0);
    }
    predictor_bench_end(&b);
}
