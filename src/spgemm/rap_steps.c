/* SPDX-License-Identifier: BSD-3-Clause */
/* C = R W, slab by slab: the rows of W = A P that some rows of R need are made,
   as far as those before have not, and multiplied from the left while they are in
   the cache. */
#include "spgemm/rap_steps.h"

#include <math.h>

#include "common/checked.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/one_pass.h"
#include "spgemm/pass_of_call.h"
#include "spgemm/rap_plan.h"

/* Products that a window has room for, of those that it cannot do without: what
   stays is moved, and looked at again, for each slab. Measured on one and two
   threads, four grids, time over that of two calls (geometric mean), and peak: 2
   took 1.03 and 0.25 to 0.44, 3 1.02 and 0.30 to 0.57, 4 1.03 and 0.34 to 0.69, 6
   1.00 and 0.44 to 1. Two threads that other work holds up wait at the end of each
   slab: there 2 takes 8 % more than 3. */
#define WINDOW_SHARE 2.0

/* A window that is such a share of W is not worth one. */
#define WHOLE_SHARE 0.5

/* What W is predicted from: its rows are only to have chunks of about their
   size. */
#define BUDGET ((int64_t)1 << 15)

/* Room of a window, over what is predicted. */
#define WINDOW_SLACK 1.125

typedef struct slabs {
    rap *p;
    rap_plan plan;
    rap_window window;
    ordered_pass pass; /* of R W */
    growable entries;  /* of C */
    double nnz;        /* of R W, as it is predicted */
    int64_t products;  /* of R W, done */
    int64_t bound;     /* of the rows of C that are done */

    /* Of the slab in hand: */
    spgemm_csr R; /* its columns are those of the window */
    int64_t rows_room;
    int64_t entries_room;
    spgemm_csr W;
    spgemm_csr mask;
    spgemm_csr last_mask; /* of the epilogue */
    spgemm_csr D;
} slabs;

/* ---- What there is to do --------------------------------------------------- */

/* Whether rows of W shall pass through a window: then how large it is. */
static bool fits_window(slabs *s)
{
    const double total = (double)s->p->of_W.counts.total;
    const bool is_forced = s->p->least_window == 0;
    const double share = is_forced ? 1.0 : WINDOW_SHARE;
    const double needed = share * (double)s->plan.widest;
    const double least =
        s->p->least_window / (double)spgemm_call_entry_bytes(&s->p->of_W);
    s->plan.most = checked_capacity(fmax(needed, least), 1, INT64_MAX);
    return is_forced || (double)s->plan.most < WHOLE_SHARE * total;
}

/* The window in products of W that a window in bytes is. */
static void widen(slabs *s)
{
    const call *c = &s->p->of_W;
    const double compression =
        (double)c->counts.total / fmax(1.0, c->prediction.nnz);
    const double least =
        compression * s->p->least_window / (double)spgemm_call_entry_bytes(c);
    s->plan.most =
        checked_capacity(fmax((double)s->plan.most, least), 1, INT64_MAX);
}

static spgemm_status begin_window(slabs *s)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call *c = &s->p->of_W;
    c->options.predict.budget = BUDGET;
    SPGEMM_TRY(spgemm_call_predict_for_pass(c));
    widen(s);
    const double share = (double)s->plan.most / (double)c->counts.total;
    const int64_t capacity = checked_capacity(
        WINDOW_SLACK * share * c->prediction.nnz, 1, c->counts.bound);
    SPGEMM_TRY(spgemm_rap_window_begin(&s->window, c, &c->progress, capacity));

cleanup:
    return status;
}

/* Products of R W, about: as if all rows of W were of one length. */
static double expected_products(const rap *p)
{
    return (double)p->R.nnz * p->of_W.prediction.nnz /
           (double)p->of_W.counts.nrows;
}

/* Entries of row i of C, at most: as many as its rows of W may have, and no more
   than there are columns. */
static int64_t bound_of_row(const rap *p, int64_t i)
{
    const spgemm_csr *R = &p->R;
    const bool is_wide = R->index_type == SPGEMM_I64;
    const int64_t most = p->W.ncols;
    int64_t sum = 0;
    for (int64_t t = R->rowptr[i]; t < R->rowptr[i + 1] && sum < most; t++) {
        const int64_t k = column_at(R->colidx, is_wide, t);
        sum += min_i64(p->of_W.counts.row[k], most - sum);
    }
    return sum;
}

/* Entries of C, at most. Where room is made for what is predicted, a bound by its
   shape will do: to look at all entries of R takes 1 to 7 % of the call. A slack of the
   caller's may ask for the bound itself. */
static int64_t bound_of_C(const rap *p)
{
    const epilogue *f = p->of_C.ops.epilogue;
    int64_t bound = f && f->D ? f->D->nnz : 0;
    if (p->of_C.options.predict.slack == 0)
        return checked_capacity((double)p->R.nrows * (double)p->W.ncols, 0,
                                INT64_MAX);
    for (int64_t i = 0; i < p->R.nrows; i++)
        bound = saturating_add_i64(bound, bound_of_row(p, i));
    return bound;
}

/* C, as far as it can be told of before it is made. */
static spgemm_status begin_C(slabs *s)
{
    spgemm_status status = SPGEMM_SUCCESS;
    rap *p = s->p;
    call *c = &p->of_C;
    SPGEMM_TRY(spgemm_rap_predict(p));
    c->report.predict_seconds += timer_lap(&c->lap_seconds);
    s->nnz = c->prediction.nnz;
    c->counts.nrows = p->R.nrows;
    c->counts.bound = bound_of_C(p);
    c->counts.total = checked_capacity(expected_products(p), 1, INT64_MAX);
    spgemm_call_predict_form(c);
    spgemm_call_report_prediction(c);
    SPGEMM_TRY(spgemm_one_pass_check(c));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));
    SPGEMM_REQUIRE(spgemm_one_pass_begin(&s->entries, c),
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    pass_input in = pass_of_call(c);
    in.progress = &p->of_W.progress;
    p->shares[0].end = 1.0;
    spgemm_progress_pass(
        in.progress, 0.0, 1.0,
        saturating_add_i64(p->of_W.counts.total, c->counts.total));
    SPGEMM_TRY(spgemm_ordered_begin(&s->pass, &in, context_of_call(c),
                                    spgemm_call_team(c)));
    c->counts = (product_counts){0};

cleanup:
    c->report.allocate_seconds += timer_lap(&c->lap_seconds);
    return status;
}

/* ---- A slab ----------------------------------------------------------------- */

/* Rows from row_begin on of a matrix that has a row for each of C; NULL of NULL. */
static const spgemm_csr *rows_of(const spgemm_csr *X, const rap_slab *at,
                                 spgemm_csr *view)
{
    if (!X)
        return NULL;
    *view = *X;
    view->nrows = at->row_end - at->row_begin;
    view->rowptr = X->rowptr + at->row_begin;
    return view;
}

/* Row pointers and columns of R for the slab: no less than it has. */
static bool reserve_R(slabs *s, int64_t nrows, int64_t nnz)
{
    memory *m = &s->p->of_C.m;
    spgemm_csr *R = &s->R;
    const size_t index_size = spgemm_index_size(R->index_type);
    if (nrows > s->rows_room || !R->rowptr) {
        spgemm_memory_release(m, R->rowptr, s->rows_room + 1,
                              sizeof *R->rowptr);
        R->rowptr = spgemm_memory_allocate(m, nrows + 1, sizeof *R->rowptr);
        s->rows_room = nrows;
    }
    if (nnz > s->entries_room || !R->colidx) {
        spgemm_memory_release(m, R->colidx, s->entries_room, index_size);
        R->colidx = spgemm_memory_allocate(m, nnz, index_size);
        s->entries_room = nnz;
    }
    return R->rowptr && R->colidx;
}

static ALWAYS_INLINE void shift_columns(void *to, const void *from,
                                        bool is_wide, int64_t begin,
                                        int64_t count, int64_t shift)
{
    for (int64_t t = 0; t < count; t++)
        set_column(to, is_wide, t, column_at(from, is_wide, begin + t) - shift);
}

/* The slab's rows of R, by the window's rows. */
static spgemm_status make_R(slabs *s, const rap_slab *at)
{
    const spgemm_csr *R = &s->p->R;
    const int64_t nrows = at->row_end - at->row_begin;
    const int64_t *rowptr = R->rowptr + at->row_begin;
    const int64_t first = rowptr[0];
    const int64_t nnz = rowptr[nrows] - first;
    if (!reserve_R(s, nrows, nnz))
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int64_t t = 0; t <= nrows; t++)
        s->R.rowptr[t] = rowptr[t] - first;
    if (R->index_type == SPGEMM_I64)
        shift_columns(s->R.colidx, R->colidx, true, first, nnz, at->begin);
    else
        shift_columns(s->R.colidx, R->colidx, false, first, nnz, at->begin);
    s->R.nrows = nrows;
    s->R.ncols = at->end - at->begin;
    s->R.nnz = nnz;
    s->R.values = R->values ? (char *)R->values +
                                  (size_t)first * spgemm_csr_element_size(R)
                            : NULL;
    return SPGEMM_SUCCESS;
}

/* What the kernels read of the slab, and nothing of another. */
static void point_to(slabs *s, const rap_slab *at, const epilogue *whole,
                     const spgemm_csr *mask)
{
    call *c = &s->p->of_C;
    s->W = spgemm_rap_window_rows(&s->window);
    c->ops.A = &s->R;
    c->ops.B = &s->W;
    c->ops.mask = rows_of(mask, at, &s->mask);
    c->epilogue.applied.mask = rows_of(whole->mask, at, &s->last_mask);
    c->epilogue.applied.D = rows_of(whole->D, at, &s->D);
}

/* Compression, from the slab's share of what is predicted. */
static void predict_slab(slabs *s)
{
    call *c = &s->p->of_C;
    const double nnz =
        s->nnz * (double)s->R.nnz / fmax(1.0, (double)s->p->R.nnz);
    prediction_fill(&c->prediction,
                    fmax(1.0, (double)c->counts.total / fmax(nnz, 1.0)));
}

static spgemm_status multiply_slab(slabs *s, const rap_slab *at)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call *c = &s->p->of_C;
    slab rows = {
        .row_end = at->row_end - at->row_begin, .room = INFINITY, .slack = 1.0};
    SPGEMM_TRY(spgemm_call_analyze(c));
    spgemm_products_clear(&c->counts, &c->m);
    SPGEMM_TRY(spgemm_call_count_products(c));
    rows.products = c->counts.total;
    s->products = saturating_add_i64(s->products, c->counts.total);
    s->bound = saturating_add_i64(s->bound, c->counts.bound);
    predict_slab(s);
    SPGEMM_TRY(spgemm_call_plan(c, &rows, true));
    status = spgemm_ordered_run(&s->pass, &s->entries,
                                c->made.rowptr + at->row_begin, 0);
    c->report.multiply_seconds += timer_lap(&c->lap_seconds);

cleanup:
    /* They are as long as the slab, which is another next. */
    spgemm_analysis_clear(&c->of_A);
    spgemm_analysis_clear(&c->of_B);
    return status;
}

/* ---- All slabs -------------------------------------------------------------- */

static spgemm_status multiply_all(slabs *s)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call *c = &s->p->of_C;
    const epilogue whole = c->epilogue.applied;
    const spgemm_csr *mask = c->ops.mask;
    rap_slab at = {0};
    s->R = s->p->R;
    s->R.rowptr = NULL;
    s->R.colidx = NULL;
    while (at.row_end < s->p->R.nrows) {
        spgemm_rap_plan_next(&s->plan, &at);
        SPGEMM_TRY(spgemm_rap_window_move(&s->window, at.begin, at.end));
        SPGEMM_TRY(make_R(s, &at));
        c->report.multiply_seconds += timer_lap(&c->lap_seconds);
        point_to(s, &at, &whole, mask);
        SPGEMM_TRY(multiply_slab(s, &at));
    }

cleanup:
    c->ops.mask = mask;
    c->epilogue.applied = whole;
    return status;
}

/* What was counted of all slabs, and none of them is in hand; once is enough. */
static void leave_slabs(slabs *s)
{
    rap *p = s->p;
    call *c = &p->of_C;
    const size_t index_size = spgemm_index_size(p->R.index_type);
    spgemm_products_clear(&c->counts, &c->m);
    c->counts.bound = s->bound;
    c->report.products = s->products;
    c->ops.A = &p->R;
    c->ops.B = &p->W;
    spgemm_memory_release(&c->m, s->R.rowptr, s->rows_room + 1,
                          sizeof *s->R.rowptr);
    spgemm_memory_release(&c->m, s->R.colidx, s->entries_room, index_size);
    spgemm_rap_window_end(&s->window);
    spgemm_rap_plan_clear(&s->plan, &c->m);
    s->R.rowptr = NULL;
    s->R.colidx = NULL;
    s->window = (rap_window){0};
    s->plan = (rap_plan){0};
}

static spgemm_status multiply_through_window(slabs *s)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call *c = &s->p->of_C;
    SPGEMM_TRY(begin_window(s));
    c->lap_seconds = s->p->of_W.lap_seconds;
    SPGEMM_TRY(begin_C(s));
    SPGEMM_TRY(multiply_all(s));
    spgemm_ordered_report(&s->pass, &c->report);
    leave_slabs(s);
    SPGEMM_TRY(spgemm_one_pass_finish(c, &s->entries));
    s->p->is_done = true;

cleanup:
    if (status < 0) {
        leave_slabs(s);
        spgemm_call_drop_c(c);
    }
    c->context_bytes = spgemm_ordered_end(&s->pass);
    spgemm_growable_clear(&s->entries);
    c->report.compact_seconds += timer_lap(&c->lap_seconds);
    return status;
}

/* C by rows of W that are not kept, where that pays; else *needs_W. */
static spgemm_status multiply_without_W(rap *p, bool *needs_W)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const product_counts *of_W = &p->of_W.counts;
    slabs s = {.p = p};
    *needs_W = false;
    if (spgemm_rap_chains(p))
        return spgemm_rap_multiply_chained(p);
    SPGEMM_TRY(spgemm_rap_plan_make(&s.plan, &p->R, of_W, &p->of_C.m));
    if (p->of_C.ops.sort_rows && p->R.nnz > 0 && of_W->total > 0 &&
        fits_window(&s))
        return multiply_through_window(&s);
    spgemm_rap_plan_clear(&s.plan, &p->of_C.m);
    *needs_W = true;

cleanup:
    return status;
}

spgemm_status spgemm_rap_steps(call *of_W, void *context)
{
    rap *p = context;
    const spgemm_report before = p->of_C.report;
    bool needs_W;
    const spgemm_status status = multiply_without_W(p, &needs_W);
    if (needs_W)
        return spgemm_predicted_steps(of_W, NULL);
    if (status == SPGEMM_ERROR_OUT_OF_MEMORY) { /* W may be made as a whole */
        p->shares[0].end = RAP_SHARE_OF_W;
        p->of_C.report = before;
    }
    return status;
}
