/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that compress unlike those that were counted, as some of A's entries say. */
#ifndef SPGEMM_PREDICT_STRATIFIED_STRANGE_H
#define SPGEMM_PREDICT_STRATIFIED_STRANGE_H

#include "predict/stratified/strata.h"

/* Strange rows that are counted, of all strata. */
#define MOST_STRANGE 12

static inline bool stratum_sample_is_whole(const stratum_sample *e)
{
    return e->stratum >= 0 && !e->is_partial;
}

static inline bool strata_has_partial(const strata *s, const stratum_sample *e)
{
    return e->stratum >= 0 && e->partial_nnz > 0 &&
           s->of[e->stratum].partial.count > 0;
}

/* x / g of a sample. */
static inline double stratum_sample_partial(const stratum_sample *e)
{
    return e->partial_nnz / e->g;
}

/** Medians of the rows counted, and what is known of strange ones. */
void spgemm_strata_find_strange(strata *s, const stratum_sample *samples,
                                int64_t count);

/** e of a sample: what it is off the median, if it is strange; else 0. */
double spgemm_strata_excess(const strata *s, const stratum_sample *sample);

/** Whether a row that is estimated is strange, and is to be looked at again. */
bool spgemm_strata_is_strange(const strata *s, const stratum_sample *sample);

/** Whether it still is, having been looked at again, and may be counted. */
bool spgemm_strata_stays_strange(const strata *s, const stratum_sample *sample);

#endif
