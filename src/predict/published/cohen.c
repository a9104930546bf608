/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C(i,:)) = (r - 1) / (m_1 + ... + m_r), m_t the minimum over the columns j
   of row i of C of exponential variables x_t(j).

   E. Cohen, Structure prediction and computation of sparse matrix products, J.
   Comb. Optim. 2(4), 1998: each column of B gets r variables, each row of B the
   minima over its columns, each row of A those over the rows of B that it
   meets. Differs from it in: the variables are a function of j and the seed,
   never stored, and drawn as uniform ones, the logarithm being taken of the
   minima only, as it is monotone; a standard error of the total. A row's is
   nnz / sqrt(r - 2), but rows share columns, so that theirs are not
   independent; rounds are: to first order the total errs by the mean over t of
   y_t = sum_i nnz(i)^2 m_t(i), whose spread is seen.

   Time: r of A's and of B's entries. Memory: 4 r bytes a row of B, 8 a row of
   C, 12 r a task. */
#include <math.h>

#include "common/hash.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/predictor.h"
#include "predict/row_tasks.h"

#define PREFETCH_AHEAD 8 /* entries of A; rows of minima are random reads */

typedef struct cohen_work {
    const spgemm_csr *A;
    const spgemm_csr *B;
    uint64_t key;
    int64_t r;
    float *minima;              /* [rows of B][r]; INFINITY where empty */
    float *scratch;             /* [task][r] */
    double *spread;             /* [task][r] y_t */
    double nnz[MOST_ROW_TASKS]; /* sums over rows */
    double *row_nnz;
} cohen_work;

/* Of no columns. */
static void fill(float *minima, int64_t r)
{
    for (int64_t t = 0; t < r; t++)
        minima[t] = INFINITY;
}

/* x_t(j) for all t, into the minima: uniform in [0, 1] as yet. As single
   precision keeps its digits near zero, minima of any number do not tie. */
static void lower(float *minima, uint64_t column, int64_t r)
{
    for (int64_t t = 0; t < r; t++) {
        const float x = (float)(int64_t)(hash_index(column, t) >> 1) * 0x1p-63f;
        minima[t] = x < minima[t] ? x : minima[t];
    }
}

/* Uniform variables as exponential ones; 1 would be infinite. */
static void make_exponential(float *minima, int64_t r)
{
    for (int64_t t = 0; t < r; t++)
        minima[t] = (float)-log1p(-fmin((double)minima[t], 1 - 0x1p-25));
}

/* The minima of rows of B, whether A meets them or not. */
static void make_minima(void *work, int64_t task, int64_t begin, int64_t end)
{
    const cohen_work *w = work;
    const spgemm_csr *B = w->B;
    const bool is_wide = B->index_type == SPGEMM_I64;
    (void)task;
    for (int64_t k = begin; k < end; k++) {
        float *minima = w->minima + k * w->r;
        fill(minima, w->r);
        for (int64_t q = B->rowptr[k]; q < B->rowptr[k + 1]; q++)
            lower(minima, hash_index(w->key, column_at(B->colidx, is_wide, q)),
                  w->r);
        if (B->rowptr[k] < B->rowptr[k + 1])
            make_exponential(minima, w->r);
    }
}

static ALWAYS_INLINE void take_lesser(float *restrict minima,
                                      const float *restrict others, int64_t r)
{
    for (int64_t t = 0; t < r; t++)
        minima[t] = others[t] < minima[t] ? others[t] : minima[t];
}

/* The minima of row i of C; their sum, INFINITY if the row is empty. */
static double merge_row(const cohen_work *w, int64_t i, float *minima)
{
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    double sum = 0.0;
    fill(minima, w->r);
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        if (p + PREFETCH_AHEAD < A->nnz)
            PREFETCH(w->minima +
                     w->r * column_at(A->colidx, is_wide, p + PREFETCH_AHEAD));
        take_lesser(minima, w->minima + w->r * column_at(A->colidx, is_wide, p),
                    w->r);
    }
    for (int64_t t = 0; t < w->r; t++)
        sum += (double)minima[t];
    return sum;
}

static void estimate(void *work, int64_t task, int64_t begin, int64_t end)
{
    cohen_work *w = work;
    float *minima = w->scratch + task * w->r;
    double *spread = w->spread + task * w->r;
    for (int64_t i = begin; i < end; i++) {
        const double sum = merge_row(w, i, minima);
        const double nnz = isfinite(sum) ? (double)(w->r - 1) / sum : 0.0;
        w->row_nnz[i] = nnz;
        w->nnz[task] += nnz;
        for (int64_t t = 0; t < w->r && nnz > 0; t++)
            spread[t] += nnz * nnz * (double)minima[t];
    }
}

/* Of the total: the standard deviation of y_t over sqrt(r - 2). */
static double standard_error(const cohen_work *w)
{
    const double r = (double)w->r;
    double mean = 0.0;
    double squares = 0.0;
    for (int64_t t = 0; t < w->r; t++) {
        for (int64_t task = 1; task < MOST_ROW_TASKS; task++)
            w->spread[t] += w->spread[task * w->r + t];
        mean += w->spread[t] / r;
    }
    for (int64_t t = 0; t < w->r; t++)
        squares += (w->spread[t] - mean) * (w->spread[t] - mean);
    return sqrt(squares / (r - 1) / (r - 2));
}

spgemm_status spgemm_predict_cohen(prediction *out, const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t r = predict_size(in->options, SPGEMM_PREDICTOR_COHEN);
    const int64_t inner = in->B->nrows;
    const size_t row = (size_t)r * sizeof(float);
    const int nthreads = in->options->resources.nthreads;
    cohen_work w = {.A = in->A,
                    .B = in->B,
                    .key = hash_key(in->options->predict.seed, HASH_COLUMNS),
                    .r = r};
    w.row_nnz = out->row_nnz =
        spgemm_memory_allocate(in->m, in->A->nrows, sizeof *w.row_nnz);
    SPGEMM_REQUIRE(w.row_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    w.minima = spgemm_memory_allocate(in->m, inner, row);
    SPGEMM_REQUIRE(w.minima, SPGEMM_ERROR_OUT_OF_MEMORY);
    w.scratch = spgemm_memory_allocate(in->m, MOST_ROW_TASKS, row);
    SPGEMM_REQUIRE(w.scratch, SPGEMM_ERROR_OUT_OF_MEMORY);
    w.spread = spgemm_memory_allocate_zeroed(in->m, MOST_ROW_TASKS * r,
                                             sizeof *w.spread);
    SPGEMM_REQUIRE(w.spread, SPGEMM_ERROR_OUT_OF_MEMORY);

    spgemm_row_tasks_run(in->B, nthreads, make_minima, &w);
    spgemm_row_tasks_run(in->A, nthreads, estimate, &w);
    out->nnz = fmin(sum_row_tasks(w.nnz), (double)in->counts->bound);
    out->standard_error = standard_error(&w);
    out->rows_sampled = in->A->nrows;

cleanup:
    spgemm_memory_release(in->m, w.spread, MOST_ROW_TASKS * r,
                          sizeof *w.spread);
    spgemm_memory_release(in->m, w.scratch, MOST_ROW_TASKS, row);
    spgemm_memory_release(in->m, w.minima, inner, row);
    return status;
}
