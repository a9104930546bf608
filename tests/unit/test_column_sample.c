/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/stratified/column_sample.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "generate.h"
#include "predictor_bench.h"

/* All rows of A, of weight 1. */
typedef struct all_rows {
    predictor_bench b;
    int64_t *rows;
    stratum_sample *samples;
} all_rows;

static void begin(all_rows *a, const char *name, spgemm_index_type type)
{
    predictor_bench_begin_case(&a->b, name, type);
    const int64_t n = a->b.A.nrows;
    a->rows = must_allocate(n, sizeof *a->rows);
    a->samples = must_allocate(n, sizeof *a->samples);
    for (int64_t i = 0; i < n; i++) {
        a->rows[i] = i;
        a->samples[i] = (stratum_sample){.weight = (int64_t)COLUMN_WEIGHT};
    }
}

static void end(all_rows *a)
{
    free(a->rows);
    free(a->samples);
    predictor_bench_end(&a->b);
}

static column_sample make(all_rows *a, double share)
{
    column_sample thin;
    cr_assert_eq(spgemm_column_sample_make(&thin, &a->b.in, a->rows, a->samples,
                                           a->b.A.nrows, share),
                 SPGEMM_SUCCESS);
    return thin;
}

/* Products of A B', and what they stand for. */
static void sum_products(const all_rows *a, const column_sample *thin,
                         double *n, double *sum)
{
    const spgemm_csr *A = &a->b.A;
    for (int64_t p = 0; p < A->nnz; p++) {
        const int64_t k = column_of(A, p);
        const column_sample_row *row = &thin->rows[k];
        for (int64_t q = row->begin; q < row->end; q++) {
            *n += 1;
            *sum += (double)thin->weight[thin->numbers[q]] / COLUMN_WEIGHT;
        }
    }
}

static const char *const names[] = {"rmat", "duplicates", "hypersparse",
                                    "empty nx0", "wide and light"};

Test(column_sample, are_all_of_them_where_all_may_be)
{
    for (int c = 0; c < 5; c++) {
        all_rows a;
        double n = 0;
        double sum = 0;
        begin(&a, names[c], (spgemm_index_type)(c % 2));
        column_sample thin = make(&a, 1.0);
        sum_products(&a, &thin, &n, &sum);
        cr_expect_eq((int64_t)n, a.b.counts.total, "%s", names[c]);
        cr_expect_eq((int64_t)sum, a.b.counts.total, "%s", names[c]);
        spgemm_column_sample_clear(&thin, &a.b.m);
        end(&a);
    }
}

/* One number a column, in every row of B that has it and is met. */
Test(column_sample, have_one_number_each)
{
    all_rows a;
    begin(&a, "rmat", SPGEMM_I32);
    column_sample thin = make(&a, 1.0);
    int64_t *column = must_allocate(thin.count, sizeof *column);
    for (int64_t x = 0; x < thin.count; x++)
        column[x] = -1;
    for (int64_t p = 0; p < a.b.A.nnz; p++) {
        const int64_t k = column_of(&a.b.A, p);
        const column_sample_row *row = &thin.rows[k];
        const int64_t first = a.b.B.rowptr[k];
        cr_assert_eq(row->end - row->begin, a.b.B.rowptr[k + 1] - first);
        for (int64_t q = row->begin; q < row->end; q++) {
            const int64_t j = column_of(&a.b.B, first + q - row->begin);
            int64_t *of = &column[thin.numbers[q]];
            cr_assert(*of < 0 || *of == j);
            *of = j;
        }
    }
    free(column);
    spgemm_column_sample_clear(&thin, &a.b.m);
    end(&a);
}

/* In the mean over the seeds they have the share of the products that was asked
   for, and stand for all. */
Test(column_sample, stand_for_all)
{
    enum { SEEDS = 300 };
    for (int c = 0; c < 2; c++) {
        all_rows a;
        double n = 0;
        double sum = 0;
        begin(&a, c ? "uniform" : "rmat", SPGEMM_I32);
        const double total = (double)a.b.counts.total * SEEDS;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            a.b.options.predict.seed = seed;
            column_sample thin = make(&a, 0.1);
            sum_products(&a, &thin, &n, &sum);
            spgemm_column_sample_clear(&thin, &a.b.m);
        }
        cr_expect_float_eq(n / total, 0.1, 0.005, "%g", n / total);
        cr_expect_float_eq(sum / total, 1.0, 0.02, "%g", sum / total);
        end(&a);
    }
}
