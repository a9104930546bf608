/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/published/pair_sample.h"

#include <criterion/criterion.h>

#include "generate.h"
#include "predictor_bench.h"

static int64_t count_drawn(const hash_sampler *s, int64_t count)
{
    int64_t drawn = 0;
    for (int64_t x = 0; x < count; x++)
        drawn += hash_draws(s, x);
    return drawn;
}

/* Row k of B' is row k of B without the columns that are not drawn. */
static void expect_columns(const pair_sample *s, const spgemm_csr *B)
{
    for (int64_t k = 0; k < B->nrows; k++) {
        int64_t at = s->start[k];
        for (int64_t q = B->rowptr[k]; q < B->rowptr[k + 1]; q++) {
            const int64_t j = column_of(B, q);
            if (s->uses[k] > 0 && hash_draws(&s->columns, j))
                cr_assert_eq(s->hashes[at++], hash_index(s->column_key, j));
        }
        cr_assert_eq(at, s->start[k + 1], "row %d", (int)k);
    }
}

static int64_t count_products(const pair_sample *s, const spgemm_csr *A)
{
    int64_t products = 0;
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const int64_t k = column_of(A, p);
            if (hash_draws(&s->rows, i))
                products += s->start[k + 1] - s->start[k];
        }
    return products;
}

Test(pair_sample, has_the_drawn_rows_and_columns)
{
    static const char *const names[] = {"rmat", "duplicates", "hypersparse",
                                        "empty nx0", "widest"};
    static const double probabilities[] = {1, 0.5, 0.1};
    for (int c = 0; c < 5; c++)
        for (int d = 0; d < 3; d++) {
            predictor_bench b;
            pair_sample s;
            predictor_bench_begin_case(&b, names[c],
                                       (spgemm_index_type)(d % 2));
            cr_assert_eq(spgemm_pair_sample_make(&s, &b.in, probabilities[d]),
                         SPGEMM_SUCCESS);
            expect_columns(&s, &b.B);
            cr_expect_eq(s.products, count_products(&s, &b.A));
            cr_expect_eq(s.rows_drawn, count_drawn(&s.rows, b.A.nrows));
            if (probabilities[d] == 1)
                cr_expect_eq(s.products, b.counts.total);
            spgemm_pair_sample_clear(&s, &b.m);
            predictor_bench_end(&b);
        }
}

Test(pair_sample, of_no_products_says_the_bound)
{
    predictor_bench b;
    pair_sample s;
    prediction p = {0};
    const kmin none = {.k = 10};
    predictor_bench_begin_case(&b, "one by one", SPGEMM_I32);
    while (true) {
        cr_assert_eq(spgemm_pair_sample_make(&s, &b.in, 0.1), SPGEMM_SUCCESS);
        if (s.products == 0)
            break;
        spgemm_pair_sample_clear(&s, &b.m);
        b.options.predict.seed++;
    }
    spgemm_pair_sample_predict(&p, &b.in, &s, &none);
    cr_expect_eq(p.nnz, 1.0);
    cr_expect(isnan(p.standard_error));
    spgemm_pair_sample_clear(&s, &b.m);
    predictor_bench_end(&b);
}

/* Groups take the place of the lowest bits and keep places apart. */
Test(pair_sample, hashes_places_by_value_and_group)
{
    const uint64_t hash = 0xfedcba9876543210u;
    cr_expect_eq(pair_hash(hash, 0, 0), 0xfedcba9876543000u);
    cr_expect_eq(pair_hash(hash, 63, 5), 0xfedcba9876543fc5u);
    cr_expect_eq(pair_hash(hash, 64 + 1, 128), 0xfedcba9876543040u);
}

/* 64 places of one row, one in each group of columns: sum z'^2 = 64^2, and of
   columns as evenly spread as this, sum c'^2 = 0. */
Test(pair_sample, knows_the_variance_of_one_row)
{
    predictor_bench b;
    uint64_t values[PAIR_GROUPS];
    prediction p = {0};
    const pair_sample s = {.probability = 0.5, .products = PAIR_GROUPS};
    const kmin places = {.k = 1000, .used = PAIR_GROUPS, .values = values};
    for (uint64_t t = 0; t < PAIR_GROUPS; t++)
        values[t] = pair_hash(t << 40, 17, t);
    predictor_bench_begin_case(&b, "banded", SPGEMM_I32);
    spgemm_pair_sample_predict(&p, &b.in, &s, &places);
    cr_expect_float_eq(p.nnz, 256, 1e-9);
    cr_expect_float_eq(p.standard_error, 4 * sqrt(0.5 * 64 * 64 - 0.25 * 64),
                       1e-9);
    predictor_bench_end(&b);
}
