/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C(i,:)) as the caller says: options.row_nnz. */
#include "common/partition.h"
#include "common/refusal.h"
#include "common/team.h"
#include "predict/predictor.h"

#define CALLER_GRAIN 4096

typedef struct asking {
    const predict_input *in;
    double *row_nnz;
    int64_t tasks;
} asking;

static void ask(void *context, int64_t t)
{
    const asking *w = context;
    const spgemm_options *options = w->in->options;
    const int64_t nrows = w->in->A->nrows;
    const int64_t end = partition_bound(nrows, w->tasks, t + 1);
    for (int64_t i = partition_bound(nrows, w->tasks, t); i < end; i++)
        w->row_nnz[i] = options->predict.row_nnz(
            options->predict.row_nnz_context, i, w->in->counts->row[i]);
}

spgemm_status spgemm_predict_caller(prediction *out, const predict_input *in)
{
    const spgemm_options *options = in->options;
    const int64_t nrows = in->A->nrows;
    const int64_t *products = in->counts->row;
    double *row_nnz = spgemm_memory_allocate(in->m, nrows, sizeof *row_nnz);
    if (!row_nnz)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    out->row_nnz = row_nnz;

    const int team =
        spgemm_team_size(options->resources.nthreads, nrows, CALLER_GRAIN);
    asking w = {in, row_nnz, nrows / CALLER_GRAIN + 1};
    char refusal[SPGEMM_REFUSAL_BYTES];
    spgemm_refusal_keep(refusal);
    spgemm_team_for(team, w.tasks, ask, &w);
    spgemm_refusal_restore(refusal);

    /* In order, and of what is possible: the same for any number of threads. */
    for (int64_t i = 0; i < nrows; i++)
        out->nnz +=
            (double)prediction_row(out, i, products[i], 0, in->B->ncols);
    out->standard_error = NAN;
    return SPGEMM_SUCCESS;
}
