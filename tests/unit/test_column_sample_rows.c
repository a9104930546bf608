/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/stratified/column_sample_rows.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "generate.h"
#include "predictor_bench.h"

/* Every other row of A, counted on columns with a share of the products. */
typedef struct counted {
    column_sample columns;
    int64_t *rows;
    stratum_sample *samples;
    int64_t *column_nnz;
    int64_t count;
} counted;

static counted count_rows(predictor_bench *b, double share)
{
    counted c = {.count = b->A.nrows / 2};
    c.rows = must_allocate(c.count, sizeof *c.rows);
    c.samples = must_allocate(c.count, sizeof *c.samples);
    for (int64_t t = 0; t < c.count; t++) {
        c.rows[t] = 2 * t;
        c.samples[t] = (stratum_sample){.weight = 2 * (int64_t)COLUMN_WEIGHT};
    }
    cr_assert_eq(spgemm_column_sample_make(&c.columns, &b->in, c.rows,
                                           c.samples, c.count, share),
                 SPGEMM_SUCCESS);
    c.column_nnz = must_allocate(c.columns.count, sizeof *c.column_nnz);
    for (int64_t j = 0; j < c.columns.count; j++)
        c.column_nnz[j] = 0;
    cr_assert_eq(spgemm_column_sample_count_rows(&b->in, &c.columns, c.rows,
                                                 c.samples, c.count,
                                                 c.column_nnz),
                 SPGEMM_SUCCESS);
    return c;
}

static void clear(predictor_bench *b, counted *c)
{
    spgemm_column_sample_clear(&c->columns, &b->m);
    free(c->rows);
    free(c->samples);
    free(c->column_nnz);
}

Test(column_sample_rows, are_those_of_the_product_on_all_columns)
{
    static const char *const names[] = {"rmat", "duplicates", "hypersparse",
                                        "fem", "tall skinny"};
    for (int t = 0; t < 5; t++) {
        predictor_bench b;
        double sum = 0;
        int64_t column_sum = 0;
        predictor_bench_begin_case(&b, names[t], (spgemm_index_type)(t % 2));
        counted c = count_rows(&b, 1.0);
        for (int64_t e = 0; e < c.count; e++) {
            const int64_t i = c.rows[e];
            const int64_t nnz = b.C.rowptr[i + 1] - b.C.rowptr[i];
            cr_assert_eq(c.samples[e].counted, b.counts.row[i]);
            cr_assert_eq((int64_t)c.samples[e].products, b.counts.row[i]);
            cr_assert_eq((int64_t)c.samples[e].nnz, nnz, "%s, row %d", names[t],
                         (int)i);
            sum += c.samples[e].nnz;
        }
        for (int64_t j = 0; j < c.columns.count; j++)
            column_sum += c.column_nnz[j];
        cr_expect_eq(column_sum, 2 * (int64_t)(COLUMN_WEIGHT * sum));
        clear(&b, &c);
        predictor_bench_end(&b);
    }
}

Test(column_sample_rows, are_the_same_for_any_number_of_threads)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "rmat", SPGEMM_I32);
    b.options.resources.nthreads = 1;
    counted one = count_rows(&b, 0.2);
    b.options.resources.nthreads = 7;
    counted seven = count_rows(&b, 0.2);
    for (int64_t e = 0; e < one.count; e++) {
        cr_assert_eq(one.samples[e].nnz, seven.samples[e].nnz);
        cr_assert_eq(one.samples[e].products, seven.samples[e].products);
    }
    cr_assert_eq(one.columns.count, seven.columns.count);
    cr_expect_arr_eq(one.column_nnz, seven.column_nnz,
                     (size_t)one.columns.count * sizeof *one.column_nnz);
    clear(&b, &one);
    clear(&b, &seven);
    predictor_bench_end(&b);
}

/* nnz of some columns stands for nnz of all, in the mean over the seeds. */
Test(column_sample_rows, stand_for_whole_rows)
{
    enum { SEEDS = 200 };
    predictor_bench b;
    double sum = 0;
    double exact = 0;
    predictor_bench_begin_case(&b, "rmat", SPGEMM_I32);
    for (int64_t i = 0; i + 1 < b.A.nrows; i += 2)
        exact += (double)(b.C.rowptr[i + 1] - b.C.rowptr[i]);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        b.options.predict.seed = seed;
        counted c = count_rows(&b, 0.1);
        for (int64_t e = 0; e < c.count; e++)
            sum += c.samples[e].nnz / SEEDS;
        clear(&b, &c);
    }
    cr_expect_float_eq(sum / exact, 1.0, 0.02, "%g", sum / exact);
    predictor_bench_end(&b);
}
