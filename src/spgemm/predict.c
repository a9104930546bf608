/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(A*B), predicted, without a product. */
#include "spgemm/predict.h"

#include <math.h>

#include "common/checked.h"
#include "common/refusal.h"
#include "common/try.h"
#include "spgemm/pipeline/call.h"
#include "spgemm/pipeline/kept.h"

static void fill_rows(double *row_nnz, const call *c)
{
    const prediction *p = &c->prediction;
    const bool is_kept = spgemm_is_kept_in_part(&c->ops);
    for (int64_t i = 0; i < c->counts.nrows; i++) {
        const int64_t products = c->counts.row[i];
        const int64_t bound = operands_row_bound(&c->ops, i);
        row_nnz[i] =
            is_kept && p->row_nnz
                ? fmin(fmax(p->row_nnz[i], 0.0), (double)bound)
                : (double)min_i64(prediction_row(p, i, products,
                                                 c->counts.row_class[i],
                                                 c->ops.B->ncols),
                                  bound);
    }
}

static void fill(spgemm_prediction *out, const call *c)
{
    *out = (spgemm_prediction){
        .predictor = c->report.predictor,
        .products = c->counts.total,
        .bound = c->counts.bound,
        .nnz = c->prediction.nnz,
        .standard_error = c->prediction.standard_error,
        .rows_sampled = c->prediction.rows_sampled,
        .products_sampled = c->prediction.products_sampled,
        .products_seconds = c->report.products_seconds,
        .predict_seconds = c->report.predict_seconds,
    };
}

static spgemm_status predict_steps(call *c, void *context)
{
    double *row_nnz = context;
    c->wants_rows = row_nnz != NULL;
    spgemm_progress_pass(&c->progress, 0.0, 1.0, c->counts.total);
    const spgemm_status status =
        spgemm_call_predict(c, c->options.predict.method);
    if (status == SPGEMM_SUCCESS && row_nnz)
        fill_rows(row_nnz, c);
    return status;
}

static const entry_point self = {.name = "spgemm_predict", .predicts = true};

/* A prediction, and nothing of it is checked. */
typedef struct unchecked_prediction {
    spgemm_prediction *out;
    const spgemm_csr *A;
    const spgemm_csr *B;
    const spgemm_options *options;
    double *row_nnz;
} unchecked_prediction;

static spgemm_status check_and_predict(void *context)
{
    const unchecked_prediction *w = context;
    spgemm_prediction *out = w->out;
    spgemm_status status = SPGEMM_SUCCESS;
    call c;
    spgemm_csr none;
    SPGEMM_TRY(spgemm_call_begin(&c, &self, w->A, w->B, w->options, NULL));
    SPGEMM_REQUIRE(out,
                   spgemm_refuse(SPGEMM_ERROR_INVALID, "prediction is NULL"));
    SPGEMM_TRY(spgemm_call_count_and(&c, predict_steps, w->row_nnz));

cleanup:
    if (status == SPGEMM_SUCCESS)
        fill(out, &c);
    status = spgemm_call_end(&c, &none, status);
    if (status < 0 && out) {
        *out = (spgemm_prediction){.fault = c.report.fault};
        spgemm_refusal_copy(out->refusal, status);
    }
    return status;
}

spgemm_status spgemm_predict(spgemm_prediction *out, const spgemm_csr *A,
                             const spgemm_csr *B, const spgemm_options *options,
                             double *row_nnz)
{
    unchecked_prediction w = {out, A, B, options, row_nnz};
    return spgemm_call_with_team(spgemm_call_team_of_unchecked(A, B, options),
                                 check_and_predict, &w);
}
