/* SPDX-License-Identifier: BSD-3-Clause */
/* drift = (sum of w z + p) / (sum of w q_c g + p) - 1 over the samples in a
   part of the rows, w what a sample of class c stands for, and p the mean of
   this times PRIOR_SAMPLES: a few samples say little.

   Rows of a class may compress in one way here and in another there, as where a
   mesh is followed by a graph. Blocks of rows are made room for by what is said
   here. */
#include "common/checked.h"
#include "predict/stratified/strata.h"

#define PRIOR_SAMPLES 2

typedef struct part {
    double nnz;
    double expected;
} part;

static void add_sample(part *to, const strata *s, const stratum_sample *e)
{
    const stratum *k = &s->of[e->stratum];
    if (!(k->mean > 0))
        return;
    const double w = stratum_nnz(k) / ((double)k->samples * k->mean);
    to->nnz += w * e->nnz;
    to->expected += w * k->slope * strata_random_sample(s, e);
}

void spgemm_strata_drift(prediction *out, const strata *s,
                         const stratum_sample *samples, int64_t count,
                         int64_t nrows)
{
    part of[PREDICTION_PARTS] = {{0}};
    double all = 0.0;
    int64_t used = 0;
    for (int64_t e = 0; e < count; e++)
        if (samples[e].stratum >= 0) {
            const int at = prediction_part_of(samples[e].row, nrows);
            add_sample(&of[at], s, &samples[e]);
            used++;
        }
    for (int t = 0; t < PREDICTION_PARTS; t++)
        all += of[t].expected;
    const double prior = PRIOR_SAMPLES * all / (double)max_i64(used, 1);
    for (int t = 0; prior > 0 && t < PREDICTION_PARTS; t++)
        out->drift[t] = (of[t].nnz + prior) / (of[t].expected + prior) - 1.0;
}
