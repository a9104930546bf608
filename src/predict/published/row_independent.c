/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C(i,:)) = N (1 - prod over k in row i of A of (1 - b_k / N)), b_k the
   entries of row k of B, N its columns.

   C. Lin, W. Luo, Y. Fang, C. Ma, X. Liu, Y. Ma, On efficient large sparse
   matrix chain multiplication, PACMMOD 2(3), 2024, doi:10.1145/3654959: the
   mean where each row of B has its columns at random, independently of the
   others. Where rows overlap as they do in stencils and bands it is far too
   high, and no number of rows mends that: it has no standard error. Differs
   from it in: a product of many factors is a sum of their logarithms, which
   are taken once a row of B. An entry of A or B that is there twice counts
   twice, which is too high.

   Time: rows of B logarithms, entries of A additions. Memory: 8 bytes a row of
   B and of C. */
#include "predict/published/row_independent.h"

#include "common/compiler.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/row_tasks.h"

#define PREFETCH_AHEAD 24 /* entries of A; the logarithms are random reads */

typedef struct independent_work {
    const spgemm_csr *A;
    const spgemm_csr *B;
    double *log_missed; /* [rows of B] log(1 - b_k / N) */
    double *row_nnz;
    double nnz[MOST_ROW_TASKS];
} independent_work;

static void take_logarithms(void *work, int64_t t, int64_t begin, int64_t end)
{
    const independent_work *w = work;
    const int64_t *Bp = w->B->rowptr;
    (void)t;
    for (int64_t k = begin; k < end; k++) {
        /* Repeated entries may be more than there are columns. */
        const int64_t nnz = min_i64(Bp[k + 1] - Bp[k], w->B->ncols);
        w->log_missed[k] =
            nnz > 0 ? log1p(-(double)nnz / (double)w->B->ncols) : 0.0;
    }
}

static void estimate(void *work, int64_t t, int64_t begin, int64_t end)
{
    independent_work *w = work;
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    for (int64_t i = begin; i < end; i++) {
        double sum = 0.0;
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            if (p + PREFETCH_AHEAD < A->nnz)
                PREFETCH(&w->log_missed[column_at(A->colidx, is_wide,
                                                  p + PREFETCH_AHEAD)]);
            sum += w->log_missed[column_at(A->colidx, is_wide, p)];
        }
        /* Of a full row of B the logarithm is -inf, and this is N. */
        w->row_nnz[i] = sum < 0 ? -expm1(sum) * (double)w->B->ncols : 0.0;
        w->nnz[t] += w->row_nnz[i];
    }
}

spgemm_status spgemm_row_independent(double *row_nnz, double *total,
                                     const predict_input *in)
{
    independent_work w = {.A = in->A, .B = in->B, .row_nnz = row_nnz};
    const int64_t inner = in->B->nrows;
    w.log_missed = spgemm_memory_allocate(in->m, inner, sizeof *w.log_missed);
    if (!w.log_missed)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    spgemm_row_tasks_run(in->B, in->options->resources.nthreads,
                         take_logarithms, &w);
    spgemm_row_tasks_run(in->A, in->options->resources.nthreads, estimate, &w);
    *total = sum_row_tasks(w.nnz);
    spgemm_memory_release(in->m, w.log_missed, inner, sizeof *w.log_missed);
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_predict_row_independent(prediction *out,
                                             const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    double total;
    out->row_nnz =
        spgemm_memory_allocate(in->m, in->A->nrows, sizeof *out->row_nnz);
    SPGEMM_REQUIRE(out->row_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(spgemm_row_independent(out->row_nnz, &total, in));
    out->nnz = fmin(total, (double)in->counts->bound);
    out->standard_error = NAN;

cleanup:
    return status;
}
