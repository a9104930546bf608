/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C(i,:)) <= min(products(i), ncols): the bound, taken as a prediction. */
#include "predict/predictor.h"

spgemm_status spgemm_predict_upper_bound(prediction *out,
                                         const predict_input *in)
{
    /* prediction_row() clamps products / 1 to the columns. */
    prediction_fill(out, 1.0);
    out->nnz = (double)in->counts->bound;
    out->standard_error = NAN;
    return SPGEMM_SUCCESS;
}
