/* SPDX-License-Identifier: BSD-3-Clause */
/* Z2* = F / r*, r* = f* / z*: products divided by the sampled compression.

   The proposed method, section IV-D of Du et al., arXiv:2207.13848. Differs
   from it in: see sample.c; where no sampled row has products, r* is 1; a
   standard error, of the ratio estimator (Cochran, Sampling Techniques, 1977,
   6.4). */
#include "predict/sample.h"

spgemm_status spgemm_predict_sampled_cr(prediction *out,
                                        const predict_input *in)
{
    uniform_sample s = {0};
    const spgemm_status status = spgemm_sample_uniform(&s, in);
    if (status < 0)
        return status;
    const double total = (double)in->counts->total;
    const double compression =
        s.nnz > 0 ? (double)s.products / (double)s.nnz : 1.0;
    out->nnz = total / compression;
    /* The relative error of z* about the ratio line, carried to the total. */
    out->standard_error = s.nnz > 0 ? out->nnz * sqrt((double)s.rows) *
                                          s.ratio_deviation / (double)s.nnz
                                    : NAN;
    out->rows_sampled = s.rows;
    out->products_sampled = s.products;
    prediction_fill(out, compression);
    return SPGEMM_SUCCESS;
}
