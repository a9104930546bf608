/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash.h"
#include "expect_prediction.h"
#include "generate.h"

/* (r - 1) / sum of the minima of row i of C, over its columns. */
static double estimate_row(const predictor_bench *b, int64_t i)
{
    const uint64_t key = hash_key(b->options.predict.seed, HASH_COLUMNS);
    const int64_t r = b->options.predict.size;
    double sum = 0;
    if (b->C.rowptr[i] == b->C.rowptr[i + 1])
        return 0;
    for (int64_t t = 0; t < r; t++) {
        double least = 1;
        for (int64_t p = b->C.rowptr[i]; p < b->C.rowptr[i + 1]; p++) {
            const uint64_t column = hash_index(key, column_of(&b->C, p));
            least = fmin(least, (double)hash_index(column, t) * 0x1p-64);
        }
        sum += -log1p(-least);
    }
    return (double)(r - 1) / sum;
}

/* Minima pushed through B and A are those of C, in single precision: near 1
   a uniform variable has 2^-25, so that the exponential one is off by 1e-3 at
   most where 10^4 are drawn. A column missed would cost one part in r. */
Test(cohen, is_the_published_formula)
{
    static const char *const names[] = {
        "empty 0x0",        "empty nx0",  "empty inner dimension",
        "no entries",       "one by one", "dense row",
        "row times column", "duplicates", "unsorted",
        "hypersparse",      "widest",     "strided"};
    for (int c = 0; c < 12; c++)
        for (int type = 0; type < 2; type++)
            expect_row_formula(spgemm_predict_cohen, estimate_row, names[c],
                               type,
                               &(spgemm_options){.predict.size = c % 2 ? 3 : 20,
                                                 .predict.seed = (uint64_t)c},
                               1e-4);
}

/* Rows are estimates of r variables each: their mean relative error is that
   of a gamma variate, about 0.8 / sqrt(r - 2). */
Test(cohen, predicts_rows)
{
    const spgemm_options options = {.predict.size = 1000};
    expect_rows(spgemm_predict_cohen, "banded", &options, 0.035);
    expect_rows(spgemm_predict_cohen, "uniform", &options, 0.035);
    expect_rows(spgemm_predict_cohen, "fem", &options, 0.035);
}

/* Rows that share columns err together, others do not: the stated error lies
   between that of a row and that of independent rows. */
Test(cohen, knows_its_error)
{
    static const char *const names[] = {"rmat", "banded", "fem", "tall skinny"};
    for (int c = 0; c < 4; c++) {
        expect_honest(spgemm_predict_cohen, names[c], NULL, 300);
        expect_near(spgemm_predict_cohen, names[c], NULL, 20);
    }
}
