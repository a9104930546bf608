/* SPDX-License-Identifier: BSD-3-Clause */
/* z of some rows of each stratum, counted whole or, where they are too expensive, in
   parts. */
#include "predict/stratified/sampler.h"

#include "common/checked.h"
#include "common/compiler.h"
#include "common/partition.h"
#include "common/rng.h"
#include "common/try.h"

/* Asks for what is read first of the rows drawn: they lie anywhere. */
static void prefetch_picks(const sampler *m)
{
    for (int64_t n = 0; n < m->picked; n++) {
        PREFETCH(&m->in->counts->row[m->picks[n].row]);
        PREFETCH(&m->in->A->rowptr[m->picks[n].row]);
    }
}

/* Draws take rows of each class: rank t lies in the t-th of as many parts
   of the class's rows. */
spgemm_status spgemm_sampler_draw(sampler *m, int stage)
{
    const uint64_t seed =
        rng_bits(m->in->options->predict.seed, (uint64_t)stage);
    const row_class *classes = m->in->counts->classes;
    int64_t n = 0;
    for (int t = 0; t < m->s.count; t++)
        m->picked += m->s.of[t].take;
    m->picks = spgemm_memory_allocate(m->in->m, m->picked, sizeof *m->picks);
    if (!m->picks)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int t = 0; t < m->s.count; t++) {
        const stratum *k = &m->s.of[t];
        int class = k->first_class;
        int64_t before = 0; /* rows of the stratum in the classes before */
        for (int64_t e = 0; e < k->take; e++) {
            const int64_t low = partition_bound(k->all.rows, k->take, e);
            const int64_t high = partition_bound(k->all.rows, k->take, e + 1);
            const uint64_t counter =
                ((uint64_t)k->first_class << 48) + (uint64_t)e;
            const int64_t rank = low + rng_below(seed, counter, high - low);
            while (rank - before >= classes[class].rows)
                before += classes[class ++].rows;
            m->picks[n++] = (class_pick){.class = class, .rank = rank - before};
        }
    }
    const spgemm_status status =
        spgemm_find_class_rows(m->picks, m->picked, m->in);
    if (status == SPGEMM_SUCCESS)
        prefetch_picks(m);
    return status;
}

void spgemm_sampler_release_picks(sampler *m)
{
    spgemm_memory_release(m->in->m, m->picks, m->picked, sizeof *m->picks);
    m->picks = NULL;
    m->picked = 0;
}

/* Room for n more samples. */
spgemm_status spgemm_sampler_grow(sampler *m, int64_t n)
{
    const int64_t room = m->count + n;
    if (room <= m->room)
        return SPGEMM_SUCCESS;
    stratum_sample *longer = spgemm_memory_resize(m->in->m, m->samples, m->room,
                                                  room, sizeof *m->samples);
    if (!longer)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    m->samples = longer;
    m->room = room;
    return SPGEMM_SUCCESS;
}

/* g of a row, where it is its bound; 0: it is still to be measured. */
static double known_g(const predict_input *in, int64_t row)
{
    return in->bound_of_row ? (double)in->bound_of_row(in->count_context, row)
                            : 0.0;
}

/* Lists a row drawn of stratum t, unless it is too many. */
static void list_whole(sampler *m, int t, int64_t row, int64_t *rows,
                       int64_t *count)
{
    const partial_sum *p = &m->s.of[t].partial;
    const int64_t products = m->in->counts->row[row];
    const double looks = p->products * (p->is_instead ? TIMES_OF_WHOLE : 1.0);
    if ((double)products + looks > spgemm_sampler_left(m) && m->spent > 0)
        return;
    rows[(*count)++] = row;
    m->samples[m->count++] = (stratum_sample){.stratum = t,
                                              .row = row,
                                              .products = (double)products,
                                              .g = known_g(m->in, row),
                                              .counted = products};
    m->s.of[t].rows++;
    m->spent += products;
    m->reserved += looks;
}

/* The rows drawn of classes that are counted whole. */
static spgemm_status count_whole(sampler *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const predict_input *in = m->in;
    int64_t n = 0;
    int64_t *rows = spgemm_memory_allocate(in->m, 2 * m->picked, sizeof *rows);
    SPGEMM_REQUIRE(rows, SPGEMM_ERROR_OUT_OF_MEMORY);
    int64_t *row_nnz = rows + m->picked;
    SPGEMM_TRY(spgemm_sampler_grow(m, m->picked));
    const class_pick *pick = m->picks + m->picked;
    const int64_t first = m->count;
    /* From the cheapest rows on: all may cost no more than the cap. */
    for (int t = m->s.count - 1; t >= 0; t--) {
        pick -= m->s.of[t].take;
        for (int64_t e = 0; m->s.of[t].parts == 1 && e < m->s.of[t].take; e++)
            list_whole(m, t, pick[e].row, rows, &n);
    }
    SPGEMM_TRY(in->count_rows(in->count_context, rows, n, row_nnz));
    for (int64_t e = 0; e < n; e++)
        m->samples[first + e].nnz = (double)row_nnz[e];

cleanup:
    spgemm_memory_release(in->m, rows, 2 * m->picked, sizeof *rows);
    return status;
}

/* Parts of the rows picked of class t: each row gives as many, spread over its
   columns, and those of another row lie between them; or fewer of them, evenly, where
   all would cost more than is left. */
static spgemm_status count_cut(sampler *m, int t, const class_pick *pick)
{
    const predict_input *in = m->in;
    stratum *k = &m->s.of[t];
    row_part pieces[CLASS_PIECES];
    const int64_t each = CLASS_PIECES / k->take;
    const int64_t all = each * k->take;
    const int64_t n = checked_capacity(
        spgemm_sampler_left(m) * (double)k->parts / stratum_products(k), 1,
        all);
    for (int64_t u = 0; u < n; u++) {
        const int64_t e = partition_bound(all, n, u);
        const int64_t at = e % each * k->take + e / each;
        const int64_t low = partition_bound(k->parts, all, at);
        const int64_t high = partition_bound(k->parts, all, at + 1);
        const uint64_t counter =
            ((uint64_t)(PREDICTION_CLASSES + k->first_class) << 48) +
            (uint64_t)e;
        pieces[u] =
            (row_part){.row = pick[e / each].row,
                       .part = low + rng_below(in->options->predict.seed,
                                               counter, high - low),
                       .parts = k->parts};
        k->rows += u == 0 || pieces[u].row != pieces[u - 1].row;
    }
    spgemm_status status = in->count_parts(in->count_context, pieces, n);
    if (status == SPGEMM_SUCCESS)
        status = spgemm_sampler_grow(m, n);
    if (status < 0)
        return status;
    for (int64_t u = 0; u < n; u++) {
        m->samples[m->count++] =
            (stratum_sample){.stratum = t,
                             .products = (double)pieces[u].products,
                             .g = known_g(in, pieces[u].row) / (double)k->parts,
                             .whole = in->counts->row[pieces[u].row],
                             .nnz = (double)pieces[u].nnz};
        m->spent += pieces[u].products;
    }
    return SPGEMM_SUCCESS;
}

/* A class that is now taken as a whole needs no samples of it. */
void spgemm_sampler_forget(sampler *m)
{
    for (int t = 0; t < m->s.count; t++)
        if (m->s.of[t].take == m->s.of[t].all.rows)
            m->s.of[t].rows = 0;
    for (int64_t e = 0; e < m->count; e++) {
        const int t = m->samples[e].stratum;
        if (t >= 0 && ((m->s.of[t].has_column_sample && m->s.of[t].take > 0) ||
                       m->s.of[t].take == m->s.of[t].all.rows))
            m->samples[e].stratum = -1;
    }
}

/* Parts of the rows drawn of classes whose rows are too expensive: what they cost
   is known when they are counted. */
static spgemm_status count_all_cut(sampler *m)
{
    const class_pick *pick = m->picks;
    for (int t = 0; t < m->s.count; t++) {
        const stratum *k = &m->s.of[t];
        if (k->take > 0 && k->parts > 1 &&
            (m->spent == 0 ||
             spgemm_stratum_cost(k) <= spgemm_sampler_left(m))) {
            const spgemm_status status = count_cut(m, t, pick);
            if (status < 0)
                return status;
        }
        pick += k->take;
    }
    return SPGEMM_SUCCESS;
}

void spgemm_sampler_measure(sampler *m, int stage)
{
    if (m->picked > 0 || stage == 0)
        spgemm_strata_measure(&m->s, m->samples, m->count);
}

/* Draws and counts what is to be taken, and measures all that was. */
spgemm_status spgemm_sampler_take(sampler *m, int stage)
{
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(spgemm_sampler_draw(m, stage));
    spgemm_sampler_forget(m);
    SPGEMM_TRY(count_all_cut(m));
    const int64_t first = m->count;
    SPGEMM_TRY(count_whole(m));
    SPGEMM_TRY(spgemm_sampler_estimate(m, first, stage, false));
    spgemm_sampler_measure(m, stage);
    SPGEMM_TRY(spgemm_sampler_look_again(m, stage));

cleanup:
    spgemm_sampler_release_picks(m);
    return status;
}
