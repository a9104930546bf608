/* SPDX-License-Identifier: BSD-3-Clause */
#include "expect_prediction.h"
#include "generate.h"
#include "predict/published/pair_sample.h"

static bool hash_place(const predictor_bench *b, int64_t i, int64_t j,
                       uint64_t *hash)
{
    uint64_t x;
    uint64_t y;
    const bool is_drawn = predictor_bench_draws(b, 1, i, j, &x, &y);
    *hash = pair_hash(x - y, x, y);
    return is_drawn;
}

/* The walk finds what a search of all places finds, in every case, for k on
   either side of nnz(C'), with and without draws. */
Test(kmv_sampled, is_the_published_formula)
{
    static const int64_t sizes[] = {1, 2, 50, 1 << 20};
    for (int c = 0; c < predictor_bench_case_count; c++)
        for (int t = 0; t < 8; t++) {
            const double p = t % 2 ? 0.3 : 1;
            const spgemm_options options = {.predict.size = sizes[t / 2],
                                            .predict.probability = p,
                                            .predict.seed = (uint64_t)t};
            expect_places(spgemm_predict_kmv_sampled, hash_place,
                          predictor_bench_cases[c], c % 2, &options, p * p);
        }
}

Test(kmv_sampled, is_exact_where_there_are_fewer_than_k)
{
    static const char *const names[] = {"duplicates", "hypersparse", "strided",
                                        "empty inner dimension", "dense row"};
    for (int c = 0; c < 5; c++)
        expect_exact(spgemm_predict_kmv_sampled, names[c], 0);
}

/* For k of 200, some thousand of 400 thousand products and more. */
Test(kmv_sampled, looks_at_few_products)
{
    static const char *const names[] = {"uniform", "rmat", "banded", "fem"};
    for (int c = 0; c < 4; c++) {
        predictor_bench b;
        predictor_bench_begin_case(&b, names[c], SPGEMM_I32);
        b.options.predict.size = 200;
        const double compression = (double)b.counts.total / (double)b.C.nnz;
        for (b.options.predict.seed = 0; b.options.predict.seed < 20;
             b.options.predict.seed++) {
            const prediction p =
                predictor_bench_run(&b, spgemm_predict_kmv_sampled);
            cr_expect_geq(p.products_sampled, 200);
            cr_expect_leq((double)p.products_sampled, 200 * 4 * compression,
                          "%s: %d", names[c], (int)p.products_sampled);
        }
        predictor_bench_end(&b);
    }
}

Test(kmv_sampled, knows_its_error)
{
    static const char *const names[] = {"rmat", "banded", "fem"};
    for (int t = 0; t < 6; t++) {
        const spgemm_options options = {.predict.size = 256,
                                        .predict.probability = t % 2 ? 0.3 : 1};
        expect_honest(spgemm_predict_kmv_sampled, names[t / 2], &options, 200);
        expect_near(spgemm_predict_kmv_sampled, names[t / 2], &options, 20);
    }
}
