/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(A*B), predicted, without a product. */
#include "spgemm/predict.h"

#include "common/try.h"
#include "spgemm/call.h"

static void fill_rows(double *row_nnz, const call *c)
{
    for (int64_t i = 0; i < c->counts.nrows; i++)
        row_nnz[i] =
            (double)prediction_row(&c->prediction, i, c->counts.row[i],
                                   c->counts.row_class[i], c->ops.B->ncols);
}

spgemm_status spgemm_predict(spgemm_prediction *out,
                             const spgemm_csr *A,
                             const spgemm_csr *B,
                             const spgemm_options *options,
                             double *row_nnz)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call c;
    spgemm_csr none;
    if (!out)
        return SPGEMM_ERROR_INVALID;
    SPGEMM_TRY(spgemm_call_begin(&c, A, B, options, NULL, false));
    c.wants_rows = row_nnz != NULL;
    SPGEMM_TRY(spgemm_call_count_products(&c));
    spgemm_progress_pass(&c.progress, 0.0, 1.0, c.counts.total);
    SPGEMM_TRY(spgemm_call_predict(&c, c.options.predictor));
    if (row_nnz)
        fill_rows(row_nnz, &c);

cleanup:
    if (status == SPGEMM_SUCCESS)
        *out = (spgemm_prediction){
            .predictor = c.report.predictor,
            .products = c.counts.total,
            .bound = c.counts.bound,
            .nnz = c.prediction.nnz,
            .standard_error = c.prediction.standard_error,
            .rows_sampled = c.prediction.rows_sampled,
            .products_sampled = c.prediction.products_sampled,
            .products_seconds = c.report.products_seconds,
            .predict_seconds = c.report.predict_seconds,
        };
    else
        *out = (spgemm_prediction){.fault = c.report.fault};
    return spgemm_call_end(&c, &none, status);
}
