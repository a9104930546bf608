/* SPDX-License-Identifier: BSD-3-Clause */
/* A uniform sample of rows of C: their products f and their nnz z.

   Section V-B and algorithm 2 of Du et al., arXiv:2207.13848. Differs from it
   in: at least one sample, or as many as are asked for; a counter-based
   generator with a seed; 64-bit sums; the rows are counted by the kernels of
   the symbolic pass. */
#include "predict/sample.h"

#include <math.h>

#include "common/rng.h"
#include "common/try.h"

/* As many rows as are asked for, or as published. */
static int64_t sample_size(int64_t nrows, int64_t wanted)
{
    const int64_t published =
        min_i64(nrows / 1000 * 3 + nrows % 1000 * 3 / 1000, 300);
    return min_i64(nrows, max_i64(wanted > 0 ? wanted : published, 1));
}

/* x of row i. */
static double covariate_of(const double *covariate, const predict_input *in,
                           int64_t row)
{
    return covariate ? covariate[row] : (double)in->counts->row[row];
}

/* Standard deviations about the mean and about the ratio line. */
static void measure_deviation(uniform_sample *s, const int64_t *rows,
                              const int64_t *row_nnz, const double *covariate,
                              const predict_input *in)
{
    const double n = (double)s->rows;
    const double mean = (double)s->nnz / n;
    const double ratio = s->nnz > 0 ? (double)s->nnz / s->covariate : 0.0;
    double about_mean = 0.0;
    double about_ratio = 0.0;
    for (int64_t t = 0; t < s->rows; t++) {
        const double z = (double)row_nnz[t];
        const double d = z - ratio * covariate_of(covariate, in, rows[t]);
        about_mean += (z - mean) * (z - mean);
        about_ratio += d * d;
    }
    /* One sample says nothing of the spread. */
    s->nnz_deviation = s->rows > 1 ? sqrt(about_mean / (n - 1)) : NAN;
    s->ratio_deviation = s->rows > 1 ? sqrt(about_ratio / (n - 1)) : NAN;
}

spgemm_status spgemm_sample_uniform(uniform_sample *sample,
                                    const predict_input *in,
                                    const double *covariate)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t nrows = in->A->nrows;
    uniform_sample made = {.rows =
                               sample_size(nrows, in->options->predict.size)};
    int64_t *row_nnz = NULL;
    int64_t *rows = spgemm_memory_allocate(in->m, made.rows, sizeof *rows);
    SPGEMM_REQUIRE(rows, SPGEMM_ERROR_OUT_OF_MEMORY);
    row_nnz = spgemm_memory_allocate(in->m, made.rows, sizeof *row_nnz);
    SPGEMM_REQUIRE(row_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);

    for (int64_t t = 0; t < made.rows; t++)
        rows[t] = rng_below(in->options->predict.seed, (uint64_t)t, nrows);
    SPGEMM_TRY(in->count_rows(in->count_context, rows, made.rows, row_nnz));
    for (int64_t t = 0; t < made.rows; t++) {
        made.nnz += row_nnz[t];
        made.products =
            saturating_add_i64(made.products, in->counts->row[rows[t]]);
        made.covariate += covariate_of(covariate, in, rows[t]);
    }
    measure_deviation(&made, rows, row_nnz, covariate, in);
    *sample = made;

cleanup:
    spgemm_memory_release(in->m, row_nnz, made.rows, sizeof *row_nnz);
    spgemm_memory_release(in->m, rows, made.rows, sizeof *rows);
    return status;
}

void spgemm_sample_predict(prediction *out, const uniform_sample *s, double nnz)
{
    out->nnz = nnz;
    out->standard_error = s->nnz > 0 ? nnz * sqrt((double)s->rows) *
                                           s->ratio_deviation / (double)s->nnz
                                     : NAN;
    out->rows_sampled = s->rows;
    out->products_sampled = s->products;
}
