/* SPDX-License-Identifier: BSD-3-Clause */
/* x of some rows of each stratum: what some of A's entries say of them. */
#include "common/checked.h"
#include "common/rng.h"
#include "common/try.h"
#include "predict/stratified/partial_rows.h"
#include "predict/stratified/sampler.h"
#include "predict/stratified/strange.h"

/* One that is unlike all that were counted is looked at again, with so many times
   the entries: chance makes a few strange. */
#define ENTRIES_OF_STRANGE 4

/* Random numbers of their own, away from those that draw rows. */
#define PARTIAL_STREAM 0x70617274u

/* Products that are looked at, were those of all entries alike. */
static double expected_products(const predict_input *in, const partial_row *r)
{
    const int64_t *rowptr = in->A->rowptr;
    return (double)(r->times * r->entries) /
           (double)(rowptr[r->row + 1] - rowptr[r->row]) *
           (double)in->counts->row[r->row];
}

/* Whether what is looked at has as much of the row's products as of its
   entries: otherwise it meets, or misses, rows of B unlike the others. */
static bool is_typical(const partial_row *r, const predict_input *in)
{
    const double expected = expected_products(in, r);
    return fabs((double)r->products - expected) < expected / 2;
}

/* What is to be estimated of a sample: more, if it is strange. */
static partial_row partial_row_of(const sampler *m, const stratum_sample *e,
                                  bool is_strange)
{
    const predict_input *in = m->in;
    const stratum *k = &m->s.of[e->stratum];
    const int64_t length = in->A->rowptr[e->row + 1] - in->A->rowptr[e->row];
    const int64_t entries =
        spgemm_stratum_partial_entries(k, length, in->counts->row[e->row]);
    return (partial_row){
        .row = e->row,
        .entries = is_strange ? min_i64(length, ENTRIES_OF_STRANGE * entries)
                              : entries,
        .times = k->partial.is_instead && !e->is_partial ? TIMES_OF_WHOLE : 1,
        .is_corrected = k->partial.is_instead};
}

/* Whether a sample is to be estimated; of strange ones, once more. */
static bool is_estimated(const sampler *m, const stratum_sample *e,
                         bool is_strange)
{
    return is_strange
               ? spgemm_strata_is_strange(&m->s, e)
               : e->stratum >= 0 && m->s.of[e->stratum].partial.products > 0;
}

/* Rows that would say little, or cost more than is left, are not looked at: of
   those counted, with which the others are compared, as often as that pays for. */
static void keep_cap(const sampler *m, partial_row *rows, int64_t count,
                     bool is_strange)
{
    double left = spgemm_sampler_left(m) - (is_strange ? m->kept : 0.0);
    for (int64_t n = 0; n < count; n++) {
        partial_row *r = &rows[n];
        const double products = (double)r->products;
        if (!is_typical(r, m->in))
            r->times = 0;
        else if (products > left)
            r->times = (int64_t)((double)r->times * fmax(0.0, left) / products);
        left -= r->times > 0 ? products : 0.0;
    }
}

/* What a sample is said to have. */
static void note_estimate(sampler *m, stratum_sample *sample,
                          const partial_row *r, bool is_strange)
{
    m->looked_at += r->products;
    if (r->times > 0) {
        sample->partial_nnz = r->nnz;
        sample->partial_variance = r->variance;
        sample->partial_trend = r->trend;
        sample->partial_gap = r->gap;
        sample->was_strange = is_strange;
    } else if (sample->is_partial && !is_strange) {
        sample->stratum = -1;
    }
}

spgemm_status spgemm_sampler_estimate(sampler *m, int64_t first, int stage,
                                      bool is_strange)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const predict_input *in = m->in;
    const uint64_t seed =
        rng_bits(in->options->predict.seed, PARTIAL_STREAM + (uint64_t)stage);
    const int64_t room = m->count - first;
    int64_t n = 0;
    partial_row *rows = spgemm_memory_allocate(in->m, room, sizeof *rows);
    SPGEMM_REQUIRE(rows, SPGEMM_ERROR_OUT_OF_MEMORY);
    m->reserved = 0.0;
    for (int64_t e = first; e < m->count; e++)
        if (is_estimated(m, &m->samples[e], is_strange))
            rows[n++] = partial_row_of(m, &m->samples[e], is_strange);
    spgemm_partial_rows_cost(in, rows, n, seed);
    keep_cap(m, rows, n, is_strange);
    SPGEMM_TRY(spgemm_partial_rows_estimate(in, rows, n, seed));
    n = 0;
    for (int64_t e = first; e < m->count; e++)
        if (is_estimated(m, &m->samples[e], is_strange))
            note_estimate(m, &m->samples[e], &rows[n++], is_strange);

cleanup:
    spgemm_memory_release(in->m, rows, room, sizeof *rows);
    return status;
}

spgemm_status spgemm_sampler_take_partial(sampler *m, int stage)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t first = m->count;
    for (int t = 0; t < m->s.count; t++)
        m->s.of[t].take = m->s.of[t].partial.take;
    SPGEMM_TRY(spgemm_sampler_draw(m, stage));
    SPGEMM_TRY(spgemm_sampler_grow(m, m->picked));
    const class_pick *pick = m->picks;
    for (int t = 0; t < m->s.count; t++)
        for (int64_t e = 0; e < m->s.of[t].take; e++, pick++)
            m->samples[m->count++] = (stratum_sample){
                .stratum = t,
                .row = pick->row,
                .products = (double)m->in->counts->row[pick->row],
                .is_partial = true};
    SPGEMM_TRY(spgemm_sampler_estimate(m, first, stage, false));
    spgemm_sampler_measure(m, stage);
    SPGEMM_TRY(spgemm_sampler_look_again(m, stage));

cleanup:
    spgemm_sampler_release_picks(m);
    return status;
}
