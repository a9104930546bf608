/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a product: rows drawn of each stratum, and what was counted of them. */
#ifndef SPGEMM_PREDICT_STRATIFIED_SAMPLER_H
#define SPGEMM_PREDICT_STRATIFIED_SAMPLER_H

#include "predict/stratified/class_rows.h"
#include "predict/stratified/strata.h"

typedef struct sampler {
    const predict_input *in;
    strata s;
    class_pick *picks; /* [picked] of one stage */
    int64_t picked;
    stratum_sample *samples; /* [count] of all stages, of [room] */
    int64_t count;
    int64_t room;
    int64_t spent;     /* products counted */
    int64_t looked_at; /* of rows that are estimated from these */
    double reserved;   /* for estimates of rows that are counted */
    double cap;        /* of all three */
    double kept;       /* of that, which strange rows leave to the last stage */
} sampler;

/** Products that may still be looked at. */
static inline double spgemm_sampler_left(const sampler *m)
{
    return fmax(0.0, m->cap - m->reserved - (double)(m->spent + m->looked_at));
}

/** Draws take rows of each stratum: rank t lies in the t-th of as many parts of its
    rows. Other stages draw others. */
spgemm_status spgemm_sampler_draw(sampler *m, int stage);

void spgemm_sampler_release_picks(sampler *m);

/** Room for n more samples. */
spgemm_status spgemm_sampler_grow(sampler *m, int64_t n);

/** Samples of strata that are now taken as a whole, or by columns, are not used any
    more. */
void spgemm_sampler_forget(sampler *m);

/** Draws and counts what is to be taken, and measures all that was. */
spgemm_status spgemm_sampler_take(sampler *m, int stage);

/** Draws what is to be taken, and counts it on sampled columns with one product in
    `parts`. *is_done: there are columns enough for that. */
spgemm_status spgemm_sampler_take_columns(sampler *m, int64_t parts,
                                          bool *is_done);

/** Draws the rows that are only estimated, and measures all that was. */
spgemm_status spgemm_sampler_take_partial(sampler *m, int stage);

/** Estimates samples [first, count) of strata whose rows are: those counted tell
    what the estimates of the others are worth. are_strange: only those that are
    unlike the others, with more of their entries. */
spgemm_status spgemm_sampler_estimate(sampler *m, int64_t first, int stage,
                                      bool are_strange);

/** Measures all samples, if a stage after the first drew any: else nothing would
    change. */
void spgemm_sampler_measure(sampler *m, int stage);

/** Estimates rows that are unlike the others once more, and counts some that stay
    so. */
spgemm_status spgemm_sampler_look_again(sampler *m, int stage);

#endif
