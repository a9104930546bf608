/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C) of C = R A P, from rows of R that are drawn, with replacement, by their
   length, and counted: nnz(R) times the mean of nnz(C(i,:)) / nnz(R(i,:)).

   M. H. Hansen, W. N. Hurwitz, On the theory of sampling from finite populations,
   Annals of Mathematical Statistics 14(4):333-362, 1943,
   doi:10.1214/aoms/1177731356 */
#include <math.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/rng.h"
#include "common/try.h"
#include "spgemm/rap_steps.h"

/* Rows that are drawn: a share of all, but some of few, and no more than say all
   that is asked for. */
#define DRAWN_SHARE 128
#define LEAST_DRAWN 8
#define MOST_DRAWN  64

/* A pattern whose rows nobody looks at but those that are multiplied. */
static spgemm_csr pattern_of(const spgemm_csr *X)
{
    spgemm_csr pattern = *X;
    pattern.values = NULL;
    pattern.flags = 0;
    return pattern;
}

/* T = X(rows,:) Y, its pattern. */
static spgemm_status multiply_patterns(spgemm_csr *T, rap *p,
                                       const spgemm_csr *X, const spgemm_csr *Y,
                                       const int64_t *rows, int64_t count)
{
    static const product_ways ways = {.usual = spgemm_predicted_steps,
                                      .of_few = spgemm_few_steps};
    const entry_point self = {.name = "spgemm_rap",
                              .predicts = true,
                              .multiplies = true,
                              .makes_c = true,
                              .account = &p->m};
    const spgemm_resource_options *all = &p->of_C.options.resources;
    const spgemm_options options = {
        .product.rows = rows,
        .product.nrows = rows ? count : 0,
        .predict.seed = p->of_C.options.predict.seed,
        .resources = {.nthreads = all->nthreads,
                      .memory_limit_bytes = all->memory_limit_bytes,
                      .input_check = SPGEMM_CHECK_NONE,
                      .allocator = all->allocator},
    };
    const spgemm_csr left = pattern_of(X);
    const spgemm_csr right = pattern_of(Y);
    const spgemm_status status = spgemm_call_product(
        &self, T, &left, &right, &options, NULL, &ways, NULL);
    if (status != SPGEMM_ERROR_MEMORY_LIMIT)
        return status;
    /* Of the sample, not of C: there are other ways. */
    atomic_store(&p->m.refused_bytes, all->memory_limit_bytes + 1);
    return SPGEMM_ERROR_OUT_OF_MEMORY;
}

/* nnz of row rows[t] of C, to T->rowptr[t + 1] - T->rowptr[t]. */
static spgemm_status count_rows(spgemm_csr *T, rap *p, const int64_t *rows,
                                int64_t count)
{
    spgemm_csr half = {0};
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(multiply_patterns(&half, p, &p->R, p->of_W.ops.A, rows, count));
    SPGEMM_TRY(multiply_patterns(T, p, &half, p->of_W.ops.B, NULL, 0));

cleanup:
    spgemm_csr_release(&half, &p->of_C.m);
    return status;
}

/* Mean and standard error of entries of C for one of R. */
static void estimate(prediction *out, const spgemm_csr *R, const spgemm_csr *T,
                     const int64_t *rows, int64_t count)
{
    double sum = 0.0;
    double squares = 0.0;
    for (int64_t t = 0; t < count; t++) {
        const int64_t i = rows[t];
        const double y = (double)(T->rowptr[t + 1] - T->rowptr[t]) /
                         (double)(R->rowptr[i + 1] - R->rowptr[i]);
        sum += y;
        squares += y * y;
    }
    const double n = (double)count;
    const double mean = sum / n;
    const double variance = (squares / n - mean * mean) / (n - 1.0);
    out->nnz = mean * (double)R->nnz;
    out->standard_error = (double)R->nnz * sqrt(fmax(variance, 0.0));
    if (out->standard_error == 0.0)
        out->standard_error = NAN;
    out->rows_sampled = count;
}

spgemm_status spgemm_rap_predict(rap *p)
{
    const spgemm_csr *R = &p->R;
    prediction *out = &p->of_C.prediction;
    const int64_t count =
        min_i64(MOST_DRAWN, max_i64(LEAST_DRAWN, R->nrows / DRAWN_SHARE));
    const uint64_t seed = p->of_C.options.predict.seed;
    spgemm_csr T = {0};
    spgemm_status status = SPGEMM_SUCCESS;
    int64_t rows[MOST_DRAWN];
    for (int64_t t = 0; t < count; t++) {
        const int64_t at = rng_below(seed, (uint64_t)t, R->nnz);
        rows[t] = partition_search(R->rowptr, R->nrows, at + 1) - 1;
    }
    SPGEMM_TRY(count_rows(&T, p, rows, count));
    estimate(out, R, &T, rows, count);

cleanup:
    spgemm_csr_release(&T, &p->of_C.m);
    return status;
}
