/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C(i,:)) = g_i z* / g*, g_i what the row had if columns were random
   (row_independent.c), z* and g* the sums of nnz and of g over a uniform sample
   of rows.

   The ratio estimator of W. G. Cochran, Sampling Techniques, 3rd edition,
   1977, 6.4, with g for covariate where Du et al., arXiv:2207.13848, have the
   products: see sample.c. On graphs g is nearer to nnz than products are.
   Where no sampled row has products, z* / g* is 1.

   Time: as row_independent.c, and the sampled rows. Memory: 8 bytes a row of B
   and of C, tables for the sampled rows. */
#include "common/partition.h"
#include "common/team.h"
#include "common/try.h"
#include "predict/published/row_independent.h"
#include "predict/sample.h"

#define ROW_GRAIN 65536 /* rows that are worth a thread */

typedef struct scaling {
    double *row_nnz;
    double ratio;
    int64_t nrows;
    int64_t tasks;
} scaling;

static void scale_task(void *context, int64_t t)
{
    const scaling *w = context;
    const int64_t end = partition_bound(w->nrows, w->tasks, t + 1);
    for (int64_t i = partition_bound(w->nrows, w->tasks, t); i < end; i++)
        w->row_nnz[i] *= w->ratio;
}

static void scale_rows(double *row_nnz, double ratio, const predict_input *in)
{
    const int64_t nrows = in->A->nrows;
    const int team =
        spgemm_team_size(in->options->resources.nthreads, nrows, ROW_GRAIN);
    scaling w = {row_nnz, ratio, nrows, nrows / ROW_GRAIN + 1};
    spgemm_team_for(team, w.tasks, scale_task, &w);
}

spgemm_status spgemm_predict_row_independent_ratio(prediction *out,
                                                   const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    uniform_sample s = {0};
    double total;
    out->row_nnz =
        spgemm_memory_allocate(in->m, in->A->nrows, sizeof *out->row_nnz);
    SPGEMM_REQUIRE(out->row_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(spgemm_row_independent(out->row_nnz, &total, in));
    SPGEMM_TRY(spgemm_sample_uniform(&s, in, out->row_nnz));
    const double ratio = s.nnz > 0 ? (double)s.nnz / s.covariate : 1.0;
    scale_rows(out->row_nnz, ratio, in);
    spgemm_sample_predict(out, &s, total * ratio);

cleanup:
    return status;
}
