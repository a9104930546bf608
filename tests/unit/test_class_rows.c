/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/stratified/class_rows.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "generate.h"
#include "predictor_bench.h"

/* The rank of each row within its class. */
static int64_t *ranks_of_rows(const product_counts *counts)
{
    int64_t seen[PREDICTION_CLASSES] = {0};
    int64_t *rank = must_allocate(counts->nrows, sizeof *rank);
    for (int64_t i = 0; i < counts->nrows; i++)
        rank[i] = counts->row[i] > 0 ? seen[counts->row_class[i]]++ : -1;
    return rank;
}

/* Every `step`-th row of each class is found. */
static void expect_rows(const predictor_bench *b, int64_t step)
{
    const product_counts *counts = &b->counts;
    int64_t *rank = ranks_of_rows(counts);
    class_pick *picks = must_allocate(counts->nrows + 1, sizeof *picks);
    int64_t n = 0;
    for (int c = 0; c < PREDICTION_CLASSES; c++)
        for (int64_t t = 0; t < counts->classes[c].rows; t += step)
            picks[n++] = (class_pick){.class = c, .rank = t, .row = -1};
    cr_assert_eq(spgemm_find_class_rows(picks, n, &b->in), SPGEMM_SUCCESS);
    int64_t rank_wanted = 0;
    for (int64_t t = 0; t < n; t++) {
        const int64_t i = picks[t].row;
        const bool is_first = t == 0 || picks[t].class != picks[t - 1].class;
        rank_wanted = is_first ? 0 : rank_wanted + step;
        cr_assert(i >= 0 && i < counts->nrows);
        cr_assert_eq(counts->row_class[i], picks[t].class);
        cr_assert_eq(rank[i], rank_wanted);
    }
    free(picks);
    free(rank);
}

Test(class_rows, are_found_by_their_rank)
{
    for (int number = 0; number < product_case_count; number++) {
        predictor_bench b;
        spgemm_csr A;
        spgemm_csr B;
        make_case(number, SPGEMM_I32, VALUES_INTEGER, &A, &B);
        predictor_bench_begin(&b, A, B);
        for (int64_t step = 1; step <= 1000; step *= 10)
            expect_rows(&b, step);
        predictor_bench_end(&b);
    }
}

/* More rows than a block has, by several threads. */
Test(class_rows, are_found_over_many_blocks)
{
    predictor_bench b;
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_mixed(&m, 300000, 400, 3, 2000, 90);
    spgemm_csr B = make_uniform(&m, 400, 50, 4);
    predictor_bench_begin(&b, A, B);
    cr_assert_gt(b.counts.nblocks, 100);
    for (int nthreads = 1; nthreads <= 7; nthreads += 3) {
        b.options.resources.nthreads = nthreads;
        expect_rows(&b, 1);
        expect_rows(&b, 997);
    }
    predictor_bench_end(&b);
}

Test(class_rows, of_no_picks_are_none)
{
    predictor_bench b;
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    predictor_bench_begin(&b, make_diagonal(&m, 9), make_diagonal(&m, 9));
    cr_assert_eq(spgemm_find_class_rows(NULL, 0, &b.in), SPGEMM_SUCCESS);
    predictor_bench_end(&b);
}
