/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C(i,:)), exactly: a symbolic pass over all products. */
#include <math.h>

#include "common/try.h"
#include "predict/predictor.h"

spgemm_status spgemm_predict_precise(prediction *out, const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t nrows = in->A->nrows;
    int64_t *row_nnz = spgemm_memory_allocate(in->m, nrows, sizeof *row_nnz);
    SPGEMM_REQUIRE(row_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    /* Rows of which entries are dropped are multiplied, by what is predicted of them. */
    prediction_fill(out, INFINITY);
    SPGEMM_TRY(in->count_rows(in->count_context, NULL, nrows, row_nnz));

    out->row_nnz = spgemm_memory_allocate(in->m, nrows, sizeof *out->row_nnz);
    SPGEMM_REQUIRE(out->row_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    int64_t nnz = 0;
    for (int64_t i = 0; i < nrows; i++) {
        nnz += row_nnz[i];
        out->row_nnz[i] = (double)row_nnz[i];
    }
    out->nnz = (double)nnz;
    out->is_exact = true;
    out->rows_sampled = nrows;
    out->products_sampled = in->counts->total;

cleanup:
    spgemm_memory_release(in->m, row_nnz, nrows, sizeof *row_nnz);
    return status;
}
