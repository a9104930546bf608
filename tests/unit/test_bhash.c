/* SPDX-License-Identifier: BSD-3-Clause */
#include "expect_prediction.h"
#include "generate.h"
#include "predict/published/pair_sample.h"

static bool hash_place(const predictor_bench *b, int64_t i, int64_t j,
                       uint64_t *hash)
{
    uint64_t x;
    uint64_t y;
    const bool is_drawn = predictor_bench_draws(b, 0.1, i, j, &x, &y);
    *hash = pair_hash(rng_mix(x + y), x, y);
    return is_drawn;
}

/* In every case, for k on either side of nnz(C'); 0 is one in ten. */
Test(bhash, is_the_published_formula)
{
    static const int64_t sizes[] = {1, 2, 50, 1 << 20};
    for (int c = 0; c < predictor_bench_case_count; c++)
        for (int t = 0; t < 8; t++) {
            const spgemm_options options = {.predict.size = sizes[t / 2],
                                            .predict.probability =
                                                t % 2 ? 0.4 : 0,
                                            .predict.seed = (uint64_t)t};
            expect_places(spgemm_predict_bhash, hash_place,
                          predictor_bench_cases[c], c % 2, &options,
                          t % 2 ? 0.4 * 0.4 : 0.1 * 0.1);
        }
}

Test(bhash, draws_one_row_in_ten)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "diagonal", SPGEMM_I32);
    const prediction p = predictor_bench_run(&b, spgemm_predict_bhash);
    /* Of 3000, 4 standard deviations. */
    cr_expect_float_eq((double)p.rows_sampled, 300, 4 * sqrt(270));
    predictor_bench_end(&b);
}

Test(bhash, of_all_rows_and_columns_is_exact)
{
    expect_exact(spgemm_predict_bhash, "duplicates", 1);
    expect_exact(spgemm_predict_bhash, "strided", 1);
}

/* The draws of few rows and columns weigh most. */
Test(bhash, knows_its_error)
{
    static const char *const names[] = {"rmat", "banded", "fem"};
    for (int c = 0; c < 3; c++) {
        expect_honest(spgemm_predict_bhash, names[c], NULL, 300);
        expect_near(spgemm_predict_bhash, names[c], NULL, 20);
    }
}
