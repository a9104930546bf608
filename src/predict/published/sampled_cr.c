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
    const spgemm_status status = spgemm_sample_uniform(&s, in, NULL);
    if (status < 0)
        return status;
    const double compression =
        s.nnz > 0 ? (double)s.products / (double)s.nnz : 1.0;
    spgemm_sample_predict(out, &s, (double)in->counts->total / compression);
    prediction_fill(out, compression);
    return SPGEMM_SUCCESS;
}
