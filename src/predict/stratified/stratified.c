/* SPDX-License-Identifier: BSD-3-Clause */
/* Z = sum over classes of F_c / r_c, from a few rows of each class.

   Rows that have about as many products, from about as many rows of B,
   compress alike: a sample of each class tells what all have, where one
   compression for all rows fails as soon as rows differ. A first sample shows
   how much rows of a class still differ; a second one, where that is needed,
   is taken where it lowers the error most. Samples are spread evenly over the
   rows of a class: systematic sampling with a random place in each part.
   Where rows differ so much that this would not do, the second sample is of rows
   and columns (column_sample.h): nnz of A' B', rows of A and columns of B drawn,
   each entry standing for those of its row's class and of its column's like.

   The estimator is Cochran's (see strata.h); it is used here as Du et al.,
   arXiv:2207.13848, use theirs, which has one class, uniform samples with
   replacement, and no error bar. */
#include "common/checked.h"
#include "common/partition.h"
#include "common/rng.h"
#include "common/try.h"
#include "predict/stratified/class_rows.h"
#include "predict/stratified/column_sample_rows.h"
#include "predict/stratified/row_sketch.h"
#include "predict/stratified/strata.h"

/* What is counted first, and at most: shares of all products where there are
   many, products where there are few, but no more than shares of these. */
#define FIRST_SHARE    0.0015
#define FIRST_PRODUCTS 15000.0
#define FIRST_OF_FEW   0.010
#define MOST_SHARE     0.01  /* of the first MANY_PRODUCTS */
#define BEYOND_SHARE   0.005 /* of those beyond */
#define MANY_PRODUCTS  1e7
#define MOST_PRODUCTS  50000.0
#define MOST_OF_FEW    0.02
#define COLUMN_SHARE   0.4 /* of the most, where columns are drawn as well */

/* Fewer columns than these say too little of the others: a few then have most of
   the products. */
#define LEAST_COLUMNS 64

/* Lists of columns, or marks of rows, may take this part of a limit of memory: a
   product that is streamed needs the rest. */
#define LISTS_A_LIMIT 8

/* Relative half-width of the 95 % error bar that is good enough. */
#define GOOD_ERROR 0.0135

typedef struct sampler {
    const predict_input *in;
    strata s;
    class_pick *picks; /* [picked] of one stage */
    int64_t picked;
    stratum_sample *samples; /* [count] of all stages, of [room] */
    int64_t count;
    int64_t room;
    int64_t spent; /* products counted */
} sampler;

static double share_of(double total, double share, double few, double of_few)
{
    return fmax(share * total, fmin(few, of_few * total));
}

/* What the options ask for. A budget without an error is spent. */
static sample_budget budget_for(const spgemm_options *options, double total)
{
    const double beyond = fmax(0.0, total - MANY_PRODUCTS);
    sample_budget b = {
        .first = share_of(total, FIRST_SHARE, FIRST_PRODUCTS, FIRST_OF_FEW),
        .most =
            share_of(total - beyond, MOST_SHARE, MOST_PRODUCTS, MOST_OF_FEW) +
            BEYOND_SHARE * beyond,
        .error = GOOD_ERROR,
    };
    b.columns = COLUMN_SHARE * b.most;
    if (options->predict.budget > 0) {
        b.most = (double)options->predict.budget;
        b.columns = fmax(1.0, b.most - fmin(b.first, b.most));
        b.error = 0.0;
    }
    if (options->predict.error > 0) {
        b.error = NORMAL_95 * options->predict.error;
        if (options->predict.budget == 0)
            b.most = total;
    }
    b.first = fmin(b.first, b.most);
    return b;
}

/* Draws take rows of each class: rank t lies in the t-th of as many parts
   of the class's rows. */
static spgemm_status draw(sampler *m, int stage)
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
    return spgemm_find_class_rows(m->picks, m->picked, m->in);
}

static void release_picks(sampler *m)
{
    spgemm_memory_release(m->in->m, m->picks, m->picked, sizeof *m->picks);
    m->picks = NULL;
    m->picked = 0;
}

/* Room for n more samples. */
static spgemm_status grow_samples(sampler *m, int64_t n)
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

/* The rows drawn of classes that are counted whole. */
static spgemm_status count_whole(sampler *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const predict_input *in = m->in;
    int64_t n = 0;
    int64_t *rows = spgemm_memory_allocate(in->m, 2 * m->picked, sizeof *rows);
    SPGEMM_REQUIRE(rows, SPGEMM_ERROR_OUT_OF_MEMORY);
    int64_t *row_nnz = rows + m->picked;
    SPGEMM_TRY(grow_samples(m, m->picked));
    const class_pick *pick = m->picks;
    stratum_sample *sample = m->samples + m->count;
    for (int t = 0; t < m->s.count; pick += m->s.of[t++].take)
        for (int64_t e = 0; m->s.of[t].parts == 1 && e < m->s.of[t].take; e++) {
            rows[n] = pick[e].row;
            sample[n++] = (stratum_sample){
                .stratum = t,
                .row = pick[e].row,
                .products = (double)in->counts->row[pick[e].row],
                .counted = in->counts->row[pick[e].row]};
        }
    SPGEMM_TRY(in->count_rows(in->count_context, rows, n, row_nnz));
    for (int64_t e = 0; e < n; e++) {
        sample[e].nnz = (double)row_nnz[e];
        m->spent += sample[e].counted;
    }
    m->count += n;

cleanup:
    spgemm_memory_release(in->m, rows, 2 * m->picked, sizeof *rows);
    return status;
}

/* Parts of the rows picked of class t: each row gives as many, one from each of
   as many parts of its columns. */
static spgemm_status count_cut(sampler *m, int t, const class_pick *pick)
{
    const predict_input *in = m->in;
    const stratum *k = &m->s.of[t];
    row_part pieces[CLASS_PIECES];
    const int64_t each = CLASS_PIECES / k->take;
    const int64_t n = each * k->take;
    for (int64_t e = 0; e < n; e++) {
        const int64_t low = partition_bound(k->parts, each, e % each);
        const int64_t high = partition_bound(k->parts, each, e % each + 1);
        const uint64_t counter =
            ((uint64_t)(PREDICTION_CLASSES + k->first_class) << 48) +
            (uint64_t)e;
        pieces[e] =
            (row_part){.row = pick[e / each].row,
                       .part = low + rng_below(in->options->predict.seed,
                                               counter, high - low),
                       .parts = k->parts};
    }
    spgemm_status status = in->count_parts(in->count_context, pieces, n);
    if (status == SPGEMM_SUCCESS)
        status = grow_samples(m, n);
    if (status < 0)
        return status;
    for (int64_t e = 0; e < n; e++) {
        m->samples[m->count++] =
            (stratum_sample){.stratum = t,
                             .row = pieces[e].row,
                             .products = (double)pieces[e].products,
                             .nnz = (double)pieces[e].nnz};
        m->spent += pieces[e].products;
    }
    return SPGEMM_SUCCESS;
}

/* A class that is now taken as a whole needs no samples of it. */
static void forget_samples(sampler *m)
{
    for (int64_t e = 0; e < m->count; e++) {
        const int t = m->samples[e].stratum;
        if (t >= 0 && (m->s.of[t].has_column_sample ||
                       m->s.of[t].take == m->s.of[t].all.rows))
            m->samples[e].stratum = -1;
    }
}

/* The rows drawn of classes that are sampled by columns. */
static int64_t list_column_sampled(sampler *m, int64_t *rows,
                                   stratum_sample *samples)
{
    int64_t n = 0;
    for (int t = 0; t < m->s.count; t++) {
        const stratum *k = &m->s.of[t];
        const double weight =
            COLUMN_WEIGHT * (double)k->all.rows / fmax(1.0, (double)k->take);
        for (int64_t e = 0; e < k->take; e++, n++) {
            rows[n] = m->picks[n].row;
            samples[n] = (stratum_sample){.stratum = t,
                                          .row = rows[n],
                                          .whole = m->in->counts->row[rows[n]],
                                          .weight = (int64_t)(weight + 0.5)};
        }
    }
    return n;
}

/* Counts the rows listed, on the columns drawn. */
static spgemm_status count_column_sample(sampler *m,
                                         const column_sample *columns,
                                         const int64_t *rows,
                                         stratum_sample *samples, int64_t count)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const predict_input *in = m->in;
    int64_t *column_nnz = spgemm_memory_allocate_zeroed(in->m, columns->count,
                                                        sizeof *column_nnz);
    SPGEMM_REQUIRE(column_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(spgemm_column_sample_count_rows(in, columns, rows, samples,
                                               count, column_nnz));
    spgemm_strata_begin_column_sample(&m->s);
    forget_samples(m);
    m->count += count;
    for (int64_t e = 0; e < count; e++)
        m->spent += samples[e].counted;
    for (int t = 0; t < m->s.count; t++)
        m->s.of[t].rows += m->s.of[t].take;
    spgemm_strata_measure_columns(&m->s, column_nnz, columns->weight,
                                  columns->count);
    spgemm_strata_measure(&m->s, m->samples, m->count);

cleanup:
    spgemm_memory_release(in->m, column_nnz, columns->count,
                          sizeof *column_nnz);
    return status;
}

/* Draws what is to be taken, and counts it on sampled columns with one product in
   `parts`. *is_done: there are columns enough for that. */
static spgemm_status take_column_sample(sampler *m, int64_t parts,
                                        bool *is_done)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const predict_input *in = m->in;
    column_sample columns = {0};
    int64_t *rows = NULL;
    SPGEMM_TRY(draw(m, 1));
    rows = spgemm_memory_allocate(in->m, m->picked, sizeof *rows);
    SPGEMM_REQUIRE(rows, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(grow_samples(m, m->picked));
    stratum_sample *samples = m->samples + m->count;
    const int64_t n = list_column_sampled(m, rows, samples);
    SPGEMM_TRY(spgemm_column_sample_make(&columns, in, rows, samples, n,
                                         1.0 / (double)parts));
    *is_done = columns.count >= LEAST_COLUMNS;
    if (*is_done)
        SPGEMM_TRY(count_column_sample(m, &columns, rows, samples, n));

cleanup:
    spgemm_column_sample_clear(&columns, in->m);
    spgemm_memory_release(in->m, rows, m->picked, sizeof *rows);
    release_picks(m);
    return status;
}

/* Draws and counts what is to be taken, and measures all that was. */
static spgemm_status take_samples(sampler *m, int stage)
{
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(draw(m, stage));
    forget_samples(m);
    SPGEMM_TRY(count_whole(m));
    const class_pick *pick = m->picks;
    for (int t = 0; t < m->s.count; t++) {
        stratum *k = &m->s.of[t];
        if (k->take > 0 && k->parts > 1)
            SPGEMM_TRY(count_cut(m, t, pick));
        k->rows += k->take;
        pick += k->take;
    }
    spgemm_strata_measure(&m->s, m->samples, m->count);

cleanup:
    release_picks(m);
    return status;
}

/* Whether that is little of what may be held in memory. */
static bool has_room(const predict_input *in, double bytes)
{
    const double limit = (double)in->options->resources.memory_limit_bytes;
    return limit == 0 || bytes <= limit / LISTS_A_LIMIT;
}

/* The second stage, if the first was not enough. */
static spgemm_status take_more(sampler *m, const sample_budget *budget)
{
    bool is_done = false;
    int64_t parts = 1;
    if (!spgemm_strata_allot_more(&m->s, budget, (double)m->spent) &&
        has_room(m->in, spgemm_column_sample_bytes(m->in->B)))
        parts = spgemm_strata_allot_column_sample(&m->s, budget, m->in->B->nnz);
    if (parts > 1) {
        const spgemm_status status = take_column_sample(m, parts, &is_done);
        if (status < 0 || is_done)
            return status;
        /* As it was before that was tried. */
        spgemm_strata_allot_more(&m->s, budget, (double)m->spent);
    }
    return take_samples(m, 1);
}

/* nnz of each row, if that is asked for. */
static spgemm_status look_at_rows(prediction *out, const sampler *m)
{
    double deviation[PREDICTION_CLASSES];
    if (!m->in->wants_rows || !has_room(m->in, spgemm_row_sketch_bytes(m->in)))
        return SPGEMM_SUCCESS;
    spgemm_strata_row_deviations(deviation, &m->s);
    return spgemm_row_sketch_predict(out, m->in, deviation);
}

spgemm_status spgemm_predict_stratified(prediction *out,
                                        const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const double total = (double)in->counts->total;
    const sample_budget budget = budget_for(in->options, total);
    sampler m = {.in = in};
    m.samples = spgemm_memory_allocate(in->m, 0, sizeof *m.samples);
    SPGEMM_REQUIRE(m.samples, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(spgemm_strata_begin(&m.s, in->counts, &budget, in->B->ncols,
                                   in->count_parts != NULL, in->m));
    spgemm_strata_allot_first(&m.s, &budget);
    SPGEMM_TRY(take_samples(&m, 0));
    SPGEMM_TRY(take_more(&m, &budget));
    spgemm_strata_sum(out, &m.s, in->counts);
    out->products_sampled = m.spent;
    SPGEMM_TRY(look_at_rows(out, &m));

cleanup:
    spgemm_memory_release(in->m, m.samples, m.room, sizeof *m.samples);
    spgemm_strata_clear(&m.s, in->m);
    return status;
}
