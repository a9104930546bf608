/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "common/hash.h"
#include "expect_prediction.h"
#include "generate.h"

enum { MOST_REGISTERS = 1024 };

/* The sketch of row i of C, over its columns. */
static void sketch_row(const predictor_bench *b, int64_t i, int64_t m,
                       int *registers)
{
    const uint64_t key = hash_key(b->options.predict.seed, HASH_COLUMNS);
    int bits = 0;
    while ((1 << bits) < m)
        bits++;
    memset(registers, 0, (size_t)m * sizeof *registers);
    for (int64_t p = b->C.rowptr[i]; p < b->C.rowptr[i + 1]; p++) {
        const uint64_t hash = hash_index(key, column_of(&b->C, p));
        const uint64_t bucket = hash >> (64 - bits);
        int rank = 1;
        while (rank <= 64 - bits && !(hash << (bits + rank - 1) >> 63))
            rank++;
        if (rank > registers[bucket])
            registers[bucket] = rank;
    }
}

static double estimate_row(const predictor_bench *b, int64_t i)
{
    int registers[MOST_REGISTERS];
    const int64_t m = b->options.predict.size;
    sketch_row(b, i, m, registers);
    const double alpha = m == 16   ? 0.673
                         : m == 32 ? 0.697
                         : m == 64 ? 0.709
                                   : 0.7213 / (1 + 1.079 / (double)m);
    double sum = 0;
    double empty = 0;
    for (int64_t t = 0; t < m; t++) {
        sum += ldexp(1, -registers[t]);
        empty += registers[t] == 0;
    }
    const double raw = alpha * (double)(m * m) / sum;
    if (raw > 2.5 * (double)m || empty == 0)
        return raw;
    const double linear = log(empty / (double)m) / log(1 - 1 / (double)m);
    const double load = linear / (double)m;
    return fmax(linear - (exp(load) - load - 1) / 2, empty < (double)m);
}

/* Sketches merged along A are those of C. */
Test(hyperloglog, is_the_published_formula)
{
    static const int64_t sizes[] = {16, 32, 64, 1024};
    static const char *const names[] = {
        "empty 0x0",        "empty nx0",  "empty inner dimension",
        "no entries",       "one by one", "dense row",
        "row times column", "duplicates", "unsorted",
        "hypersparse",      "widest",     "fem"};
    for (int c = 0; c < 12; c++)
        for (int s = 0; s < 4; s++)
            expect_row_formula(spgemm_predict_hyperloglog, estimate_row,
                               names[c], (c + s) % 2,
                               &(spgemm_options){.predict.size = sizes[s],
                                                 .predict.seed = (uint64_t)c},
                               1e-9);
}

Test(hyperloglog, is_exact_for_rows_of_one_entry)
{
    predictor_bench b;
    predictor_bench_begin_case(&b, "diagonal", SPGEMM_I32);
    const prediction p = predictor_bench_run(&b, spgemm_predict_hyperloglog);
    cr_expect_eq(p.nnz, (double)b.C.nnz);
    predictor_bench_end(&b);
}

/* Mean relative error of rows: 0.8 times 1.04 / sqrt(m), less of short ones. */
Test(hyperloglog, predicts_rows)
{
    const spgemm_options options = {.predict.size = 1024};
    expect_rows(spgemm_predict_hyperloglog, "banded", &options, 0.03);
    expect_rows(spgemm_predict_hyperloglog, "uniform", &options, 0.03);
    expect_rows(spgemm_predict_hyperloglog, "fem", &options, 0.03);
}

/* Counted linearly, in between, and long rows. */
Test(hyperloglog, knows_its_error)
{
    static const char *const names[] = {"rmat", "banded", "fem", "strided"};
    for (int t = 0; t < 8; t++) {
        const spgemm_options options = {.predict.size = t % 2 ? 16 : 64};
        expect_honest(spgemm_predict_hyperloglog, names[t / 2], &options, 300);
        expect_near(spgemm_predict_hyperloglog, names[t / 2], &options, 20);
    }
}

/* Each row twice over, so that C is at half its bound. */
static spgemm_csr make_twice_identity(int64_t n)
{
    csr_builder b = build_begin(n, n);
    for (int64_t i = 0; i < n; i++) {
        build_add(&b, i, 1);
        build_add(&b, i, 1);
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

/* 180 entries a row, 2.8 m: 1 % too high in the mean, which thousands of rows
   do not average out. */
Test(hyperloglog, knows_its_bias)
{
    predictor_bench b;
    maker m = {{2}, SPGEMM_I32, VALUES_INTEGER};
    predictor_bench_begin(&b, make_twice_identity(3000),
                          make_uniform(&m, 3000, 1000000, 180));
    const predictor_spread s =
        predictor_bench_spread(&b, spgemm_predict_hyperloglog, 20);
    cr_expect_leq(s.worst, 4, "%g", s.worst);
    cr_expect_leq(s.stated, 0.017, "%g", s.stated);
    cr_expect_gt(s.bias, 0.005, "%g", s.bias);
    predictor_bench_end(&b);
}
