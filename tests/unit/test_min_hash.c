/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash.h"
#include "expect_prediction.h"
#include "generate.h"

static bool hash_place(const predictor_bench *b, int64_t i, int64_t j,
                       uint64_t *hash)
{
    const uint64_t key = hash_key(b->options.predict.seed, HASH_ROWS);
    *hash = hash_index(hash_index(key, i), j);
    return true;
}

/* In every case, with both index types, for k on either side of nnz(C). */
Test(min_hash, is_the_published_formula)
{
    static const int64_t sizes[] = {1, 2, 50, 1 << 20};
    for (int c = 0; c < predictor_bench_case_count; c++)
        for (int s = 0; s < 4; s++)
            expect_places(spgemm_predict_min_hash, hash_place,
                          predictor_bench_cases[c], s % 2,
                          &(spgemm_options){.predict.size = sizes[s],
                                            .predict.seed = (uint64_t)c},
                          1);
}

Test(min_hash, is_exact_where_there_are_fewer_than_k)
{
    static const char *const names[] = {"duplicates", "hypersparse", "strided",
                                        "empty inner dimension", "dense row"};
    for (int c = 0; c < 5; c++)
        expect_exact(spgemm_predict_min_hash, names[c], 0);
}

Test(min_hash, knows_its_error)
{
    static const char *const names[] = {"rmat", "banded", "fem"};
    const spgemm_options options = {.predict.size = 128};
    for (int c = 0; c < 3; c++) {
        expect_honest(spgemm_predict_min_hash, names[c], &options, 200);
        expect_near(spgemm_predict_min_hash, names[c], &options, 20);
    }
}

Test(min_hash, of_one_or_two_hashes_has_no_error_to_state)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "banded", SPGEMM_I32);
    for (int64_t k = 1; k <= 3; k++) {
        b.options.predict.size = k;
        const prediction p = predictor_bench_run(&b, spgemm_predict_min_hash);
        cr_expect_eq(!isnan(p.standard_error), k == 3);
    }
    predictor_bench_end(&b);
}

/* Rows get the share of their products: where all rows are alike, theirs. */
Test(min_hash, shares_the_total_out_by_products)
{
    expect_rows(spgemm_predict_min_hash, "fem",
                &(spgemm_options){.predict.size = 1 << 20}, 0.05);
}
