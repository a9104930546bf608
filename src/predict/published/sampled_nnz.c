/* SPDX-License-Identifier: BSD-3-Clause */
/* Z1* = z* / p, p = sampled rows / rows: sampled nnz, scaled up.

   The reference design, section IV-C of Du et al., arXiv:2207.13848. Its row
   structure is products(i) / (F / Z1*). Differs from it in: see sample.c; a
   standard error, of the mean of a simple random sample. */
#include "predict/sample.h"

spgemm_status spgemm_predict_sampled_nnz(prediction *out,
                                         const predict_input *in)
{
    uniform_sample s = {0};
    const spgemm_status status = spgemm_sample_uniform(&s, in, NULL);
    if (status < 0 || s.rows == 0)
        return status;
    const double scale = (double)in->A->nrows / (double)s.rows;
    out->nnz = scale * (double)s.nnz;
    out->standard_error = scale * sqrt((double)s.rows) * s.nnz_deviation;
    out->rows_sampled = s.rows;
    out->products_sampled = s.products;
    prediction_fill(out, (double)in->counts->total / out->nnz);
    return SPGEMM_SUCCESS;
}
