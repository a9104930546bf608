/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are unlike all others are looked at again, and some of them counted. */
#include "common/checked.h"
#include "common/try.h"
#include "predict/stratified/sampler.h"
#include "predict/stratified/strange.h"

/* Another look at a row looks at others of its entries. */
#define STRANGE_STAGE 8

/* Samples to count: of those that stay strange one in so many, spread over all, as
   far as the cap has room. Returns how many. */
static int64_t list_strange(const sampler *m, int64_t *listed)
{
    int64_t met = 0;
    int64_t room = MOST_STRANGE;
    int64_t n = 0;
    double left = spgemm_sampler_left(m) - m->kept;
    for (int64_t e = 0; e < m->count; e++) {
        met += spgemm_strata_stays_strange(&m->s, &m->samples[e]);
        room -= m->samples[e].was_counted;
    }
    const int64_t every = room > 0 ? max_i64(1, met / room) : 1;
    met = 0;
    for (int64_t e = 0; n < room && e < m->count; e++) {
        if (!spgemm_strata_stays_strange(&m->s, &m->samples[e]) ||
            met++ % every > 0 || m->samples[e].products > left)
            continue;
        left -= m->samples[e].products;
        listed[n++] = e;
    }
    return n;
}

/* Counts some rows that stay strange, if there are any, and measures all. */
static spgemm_status count_strange(sampler *m)
{
    int64_t listed[MOST_STRANGE];
    int64_t rows[MOST_STRANGE];
    int64_t row_nnz[MOST_STRANGE];
    const int64_t n = list_strange(m, listed);
    if (n == 0)
        return SPGEMM_SUCCESS;
    for (int64_t k = 0; k < n; k++)
        rows[k] = m->samples[listed[k]].row;
    const spgemm_status status =
        m->in->count_rows(m->in->count_context, rows, n, row_nnz);
    for (int64_t k = 0; status == SPGEMM_SUCCESS && k < n; k++) {
        stratum_sample *e = &m->samples[listed[k]];
        e->nnz = (double)row_nnz[k];
        e->was_counted = true;
        m->spent += (int64_t)e->products;
    }
    spgemm_strata_measure(&m->s, m->samples, m->count);
    return status;
}

spgemm_status spgemm_sampler_look_again(sampler *m, int stage)
{
    spgemm_status status = SPGEMM_SUCCESS;
    bool is_any = false;
    for (int64_t e = 0; !is_any && e < m->count; e++)
        is_any = spgemm_strata_is_strange(&m->s, &m->samples[e]);
    if (!is_any)
        return SPGEMM_SUCCESS;
    SPGEMM_TRY(spgemm_sampler_estimate(m, 0, stage + STRANGE_STAGE, true));
    spgemm_strata_measure(&m->s, m->samples, m->count);
    SPGEMM_TRY(count_strange(m));

cleanup:
    return status;
}
