/* SPDX-License-Identifier: BSD-3-Clause */
/* Z = sum over classes of G_c q_c, from a few rows of each class (strata.h).

   Rows that have about as many products, from about as many rows of B,
   compress alike: a sample of each class tells what all have, where one
   compression for all rows fails as soon as rows differ. A first sample shows
   how much rows of a class still differ; a second one, where that is needed,
   is taken where it lowers the error most. Samples are spread evenly over the
   rows of a class: systematic sampling with a random place in each part.
   Many more rows are looked at through some of A's entries (partial_rows.h):
   they show what compresses unlike all rows counted, and stand for rows that are
   too expensive to count.
   Where rows differ so much that this would not do, the second sample is of rows
   and columns (column_sample.h): nnz of A' B', rows of A and columns of B drawn,
   each entry standing for those of its row's class and of its column's like.

   The estimator is Cochran's (see strata.h); it is used here as Du et al.,
   arXiv:2207.13848, use theirs, which has one class, uniform samples with
   replacement, and no error bar. */
#include "common/checked.h"
#include "common/try.h"
#include "predict/stratified/column_sample.h"
#include "predict/stratified/row_sketch.h"
#include "predict/stratified/sampler.h"

/* What is counted first, and at most: shares of all products where there are
   many, products where there are few, but no more than shares of these. */
#define FIRST_SHARE    0.0015
#define FIRST_PRODUCTS 15000.0
#define FIRST_OF_FEW   0.010
#define MOST_SHARE     0.01   /* of the first MANY_PRODUCTS */
#define BEYOND_SHARE   0.0045 /* of those beyond */
#define MANY_PRODUCTS  1e7
#define MOST_PRODUCTS  50000.0
#define MOST_OF_FEW    0.02
#define COLUMN_SHARE   0.4 /* of the most, where columns are drawn as well */
/* First, of rows that are estimated: enough to see what one in hundreds is. */
#define PARTIAL_SHARE    0.0012
#define PARTIAL_PRODUCTS 50000.0

/* What all stages together cost at most, whatever single rows cost. */
#define CAP_SHARE  0.019
#define CAP_OF_FEW 0.06 /* where products are not above CAP_MANY */
#define CAP_MANY   2.5e6
#define CAP_LEAST  4000.0

/* What one row of few products may cost, if it is all that is sampled: to know
   nothing is worse. */
#define LEAST_OF_FEW 0.15

/* Lists of columns, or marks of rows, may take this part of a limit of memory: a
   product that is streamed needs the rest. */
#define LISTS_A_LIMIT 8

/* Relative half-width of the 95 % error bar that is good enough. */
#define GOOD_ERROR 0.0135

static double share_of(double total, double share, double few, double of_few)
{
    return fmax(share * total, fmin(few, of_few * total));
}

/* What the options ask for. A budget is kept, and one without an error is spent as
   far as rows differ. */
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
    b.cap = fmax(total > CAP_MANY ? CAP_SHARE * total : CAP_OF_FEW * total,
                 fmin(total, CAP_LEAST));
    b.least = total > CAP_MANY ? b.cap : fmax(b.cap, LEAST_OF_FEW * total);
    if (options->predict.budget > 0) {
        b.most = (double)options->predict.budget;
        b.columns = fmax(1.0, b.most - fmin(b.first, b.most));
        b.error = 0.0;
        b.cap = b.least = b.most;
    }
    if (options->predict.error > 0) {
        b.error = NORMAL_95 * options->predict.error;
        if (options->predict.budget == 0)
            b.most = b.cap = b.least = total;
    }
    b.first = fmin(b.first, b.most);
    b.partial =
        fmin(fmin(PARTIAL_SHARE * total, PARTIAL_PRODUCTS), b.most - b.first);
    return b;
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
    if (!spgemm_strata_allot_more(&m->s, budget, (double)m->spent,
                                  spgemm_sampler_left(m)) &&
        !m->s.is_kept && has_room(m->in, spgemm_column_sample_bytes(m->in->B)))
        parts = spgemm_strata_allot_column_sample(
            &m->s, fmin(budget->columns, spgemm_sampler_left(m)),
            m->in->B->nnz);
    if (parts > 1) {
        const spgemm_status status =
            spgemm_sampler_take_columns(m, parts, &is_done);
        if (status < 0)
            return status;
        /* Rows of the classes that have no columns drawn: of all, if that was
           tried in vain. */
        spgemm_strata_allot_more(&m->s, budget, (double)m->spent,
                                 spgemm_sampler_left(m));
    }
    return spgemm_sampler_take(m, 1);
}

/* What is kept of each row: its bound, times what its class has of that. */
static spgemm_status share_bounds(prediction *out, const predict_input *in)
{
    const product_counts *counts = in->counts;
    double kept[PREDICTION_CLASSES];
    out->row_nnz =
        spgemm_memory_allocate(in->m, counts->nrows, sizeof *out->row_nnz);
    if (!out->row_nnz)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int c = 0; c < PREDICTION_CLASSES; c++) {
        const row_class *k = &counts->classes[c];
        kept[c] =
            k->rows > 0 && k->bound > 0
                ? (double)k->products / out->compression[c] / (double)k->bound
                : 0.0;
    }
    for (int64_t i = 0; i < counts->nrows; i++)
        out->row_nnz[i] = kept[counts->row_class[i]] *
                          (double)in->bound_of_row(in->count_context, i);
    return SPGEMM_SUCCESS;
}

/* nnz of each row, if that is asked for. */
static spgemm_status look_at_rows(prediction *out, const sampler *m)
{
    double deviation[PREDICTION_CLASSES];
    if (m->in->wants_rows && m->s.is_kept)
        return share_bounds(out, m->in);
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
    sampler m = {.in = in,
                 .cap = budget.cap,
                 .kept = COLUMN_SHARE * budget.most,
                 .s.is_kept = in->bound_of_row != NULL};
    m.samples = spgemm_memory_allocate(in->m, 0, sizeof *m.samples);
    SPGEMM_REQUIRE(m.samples, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(spgemm_strata_begin(&m.s, in->counts, &budget, in->B->ncols,
                                   in->count_parts != NULL, in->m));
    spgemm_strata_allot_first(&m.s, &budget);
    SPGEMM_TRY(spgemm_sampler_take(&m, 0));
    SPGEMM_TRY(spgemm_sampler_take_partial(&m, 2));
    spgemm_strata_allot_partial(&m.s, &budget, (double)m.looked_at,
                                fmax(0.0, spgemm_sampler_left(&m) - m.kept));
    SPGEMM_TRY(spgemm_sampler_take_partial(&m, 3));
    SPGEMM_TRY(take_more(&m, &budget));
    spgemm_strata_sum(out, &m.s, in->counts);
    out->products_sampled = m.spent + m.looked_at;
    SPGEMM_TRY(look_at_rows(out, &m));

cleanup:
    spgemm_memory_release(in->m, m.samples, m.room, sizeof *m.samples);
    spgemm_strata_clear(&m.s, in->m);
    return status;
}
