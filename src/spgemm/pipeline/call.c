/* SPDX-License-Identifier: BSD-3-Clause */
/* What the three products and the prediction have in common. */
#include "spgemm/pipeline/call.h"

#include <math.h>
#include <string.h>

#include "common/caller_mode.h"
#include "common/checked.h"
#include "common/refusal.h"
#include "common/team.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/pipeline/kept.h"

#define TEAM_PRODUCTS 16384 /* least products that are worth a thread */

/* Products, were all rows of B of one length, from which on nobody counts whether they
   are few: A would have to refer to the short ones. */
#define SURELY_NOT_FEW ((int64_t)2 * FEW_PRODUCTS)

/* A C of at most so many entries by its bound (3 MB of doubles), from as many products
   (some 20 ms, in which nobody is told of progress), is not predicted, and one thread
   makes it in one block. Measured on a Zen 4, how many times as long 25 small squares
   took with a prediction, in blocks: one thread 1.25, from 1.12 to 1.54, two 1.13. */
#define SMALL_C        ((int64_t)1 << 18)
#define SMALL_PRODUCTS ((int64_t)1 << 21)

/* What was counted, to those who ask for it. */
static void use_counts(call *c)
{
    c->ops.products = c->counts.row;
    c->ops.row_class = c->counts.row_class;
    if (c->ops.mask || c->ops.epilogue)
        spgemm_kept_bounds(&c->counts, &c->ops, c->options.resources.nthreads);
    c->report.products = c->counts.total;
    c->report.products_seconds += timer_lap(&c->lap_seconds);
}

spgemm_status spgemm_call_count_products(call *c)
{
    const spgemm_status status = spgemm_products_count(
        &c->counts, c->ops.A, c->ops.B, c->options.resources.nthreads, &c->m);
    if (status == SPGEMM_SUCCESS)
        use_counts(c);
    return status;
}

/* Whether X, of rows of one entry at most, each right of those above, has all that are
   on its diagonal. */
static bool is_diagonal(const spgemm_csr *X)
{
    return X->nnz == X->nrows && X->nrows == X->ncols;
}

const spgemm_csr *spgemm_call_pattern_of_c(const call *c)
{
    const operands *ops = &c->ops;
    if (ops->value_size > 0 && !c->kernels->refill)
        return NULL;
    if (ops->scales_columns && is_diagonal(ops->B))
        return ops->A;
    if (ops->scales_rows && c->of_A.increases && is_diagonal(ops->A))
        return ops->B;
    return NULL;
}

/* Where C has the pattern of X each row has as many products as that of X. */
static spgemm_status count_scaled(call *c)
{
    const spgemm_csr *X = spgemm_call_pattern_of_c(c);
    spgemm_status status = SPGEMM_SUCCESS;
    if (X)
        c->counts = (product_counts){
            .nrows = X->nrows, .total = X->nnz, .bound = X->nnz};
    else
        status = spgemm_products_count_scaled(
            &c->counts, c->ops.A, c->ops.B, operands_b_has_one_each(&c->ops),
            c->options.resources.nthreads, &c->m);
    if (status == SPGEMM_SUCCESS)
        use_counts(c);
    return status;
}

bool spgemm_call_is_scaled(const call *c)
{
    return (c->ops.scales_columns || c->ops.scales_rows) && !c->ops.mask &&
           !c->ops.epilogue;
}

/* Products, were the rows of B, so many, all of one length. */
static int64_t mean_products(const spgemm_csr *A, const spgemm_csr *B,
                             int64_t nrows)
{
    const double length = (double)B->nnz / (double)max_i64(1, nrows);
    return checked_capacity((double)A->nnz * length, 0, INT64_MAX);
}

/* Whether the caller asks nothing of the prediction. */
static bool is_default(const spgemm_predict_options *predict)
{
    return predict->method == SPGEMM_PREDICTOR_AUTO && predict->budget == 0 &&
           predict->error == 0 && predict->slack == 0;
}

static int64_t nnz_of_d(const call *c)
{
    const epilogue *f = c->ops.epilogue;
    return f && f->D ? f->D->nnz : 0;
}

/* Whether products are few, and then counted. */
static spgemm_status count_few(call *c, bool *are_few)
{
    const operands *ops = &c->ops;
    *are_few = false;
    if (!is_default(&c->options.predict) || nnz_of_d(c) > SMALL_C ||
        mean_products(ops->A, ops->B, ops->B->nrows) > SURELY_NOT_FEW)
        return SPGEMM_SUCCESS;
    const spgemm_status status =
        spgemm_products_count_few(&c->counts, ops->A, ops->B, &c->m, are_few);
    if (status == SPGEMM_SUCCESS && *are_few)
        use_counts(c);
    return status;
}

/* Whether progress is told of a product of the caller's semiring: an addition of it may
   take any time, and what is one block is told of at its end alone. */
static bool is_told_of_callers(const call *c)
{
    return c->options.resources.progress && c->options.product.user;
}

bool spgemm_call_is_small(const call *c)
{
    return !is_told_of_callers(c) && is_default(&c->options.predict) &&
           c->counts.bound <= SMALL_C && c->counts.total <= SMALL_PRODUCTS;
}

int spgemm_call_team(const call *c)
{
    return spgemm_team_size(c->options.resources.nthreads,
                            saturating_add_i64(c->counts.total, nnz_of_d(c)),
                            TEAM_PRODUCTS);
}

/* All threads, if the product is worth them, as far as is known before it is
   counted, or 1. How many all are takes as long to tell as a tiny product. */
static int team_of_all(const spgemm_csr *A, const spgemm_csr *B, int64_t nrows,
                       int nthreads)
{
    const int counting = spgemm_products_team(A, nthreads);
    const int multiplying =
        spgemm_team_size(nthreads, mean_products(A, B, nrows), TEAM_PRODUCTS);
    if (counting == 1 && multiplying == 1)
        return 1;
    const int all = spgemm_team_of_all(nthreads);
    return counting > 1 || multiplying == all ? all : 1;
}

/* What is made ready by a few is multiplied by all: a team of another size would be
   made anew. */
int spgemm_call_team_of_unchecked(const spgemm_csr *A, const spgemm_csr *B,
                                  const spgemm_options *options)
{
    static const spgemm_options none = {0};
    const spgemm_options *o = options ? options : &none;
    if (!A || !B || o->product.rows || o->product.cols)
        return 1;
    return team_of_all(A, B,
                       o->product.op_b == SPGEMM_OP_NONE ? B->nrows : B->ncols,
                       o->resources.nthreads);
}

typedef struct steps_with_team {
    team_steps *steps;
    void *context;
    spgemm_status status;
} steps_with_team;

static void take_steps(void *context)
{
    steps_with_team *w = context;
    caller_mode mode;
    spgemm_caller_mode_put_aside(&mode);
    w->status = w->steps(w->context);
    spgemm_caller_mode_put_back(&mode);
}

spgemm_status spgemm_call_with_team(int size, team_steps *steps, void *context)
{
    steps_with_team w = {steps, context, SPGEMM_SUCCESS};
    spgemm_team_open(size, take_steps, &w);
    return w.status;
}

/* Parts of a giant row do not know of one another, nor of columns that have no
   products. */
static bool needs_whole_rows(const operands *ops)
{
    return ops->epilogue && (ops->epilogue->D || ops->epilogue->keep_top > 0);
}

spgemm_status spgemm_call_plan(call *c, slab *rows, bool splits_rows)
{
    const spgemm_status status = spgemm_schedule_make(
        &c->p, &c->ops, rows,
        splits_rows && c->ops.b_is_sorted && !c->copies.b_is_counted &&
            !needs_whole_rows(&c->ops),
        spgemm_call_team(c));
    c->report.blocks += c->p.count;
    return status;
}

spgemm_status spgemm_call_plan_bound(call *c, bool splits_rows)
{
    spgemm_status status = SPGEMM_SUCCESS;
    slab all = spgemm_slab_of_all(&c->counts);
    SPGEMM_TRY(spgemm_call_predict(c, SPGEMM_PREDICTOR_UPPER_BOUND));
    SPGEMM_TRY(spgemm_call_plan(c, &all, splits_rows));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));

cleanup:
    return status;
}

/* Standard errors that C is allocated beyond its prediction, but no more than
   such a share of it: a total that is short all the same costs a further
   segment, not a failure. */
#define STANDARD_ERRORS 3.0
#define MOST_SLACK      0.08

/* A method without a standard error gets a twentieth. */
#define BLIND_SLACK 1.05

double spgemm_call_expected(const call *c)
{
    const prediction *p = &c->prediction;
    const double expected =
        c->options.predict.slack > 0 ? p->nnz * c->options.predict.slack
        : isnan(p->standard_error)
            ? p->nnz * BLIND_SLACK
            : p->nnz + fmin(STANDARD_ERRORS * p->standard_error,
                            MOST_SLACK * p->nnz);
    /* No entries times an infinite slack is not a number: the bound then, too. */
    return fmin(expected, (double)c->counts.bound);
}

/* Whether the limit had no room for one way to the product: then all but what is
   checked is given back, for another. */
static bool has_no_room(call *c, spgemm_status status,
                        const spgemm_report *before)
{
    if (status != SPGEMM_ERROR_OUT_OF_MEMORY ||
        atomic_exchange(&spgemm_memory_account(&c->m)->refused_bytes, 0) == 0)
        return false;
    spgemm_call_drop_c(c);
    spgemm_schedule_clear(&c->p);
    spgemm_memory_release(&c->m, c->prediction.row_nnz, c->counts.nrows,
                          sizeof *c->prediction.row_nnz);
    c->prediction = (prediction){0};
    spgemm_products_clear(&c->counts, &c->m);
    c->report = *before;
    return true;
}

typedef spgemm_status count_products(call *c);

/* A product once it is checked. */
typedef struct checked_work {
    call *c;
    count_products *count;
    product_steps *steps;
    void *context;
} checked_work;

static spgemm_status take_product_steps(void *context)
{
    const checked_work *w = context;
    return w->steps(w->c, w->context);
}

static spgemm_status count_and_take_steps(void *context)
{
    checked_work *w = context;
    const spgemm_status status = w->count(w->c);
    return status == SPGEMM_SUCCESS
               ? spgemm_call_with_team(spgemm_call_team(w->c),
                                       take_product_steps, w)
               : status;
}

static spgemm_status count_and(call *c, count_products *count,
                               product_steps *steps, void *context)
{
    checked_work w = {c, count, steps, context};
    const operands *ops = &c->ops;
    return spgemm_call_with_team(team_of_all(ops->A, ops->B, ops->B->nrows,
                                             c->options.resources.nthreads),
                                 count_and_take_steps, &w);
}

spgemm_status spgemm_call_count_and(call *c, product_steps *steps,
                                    void *context)
{
    return count_and(c, spgemm_call_count_products, steps, context);
}

/* The ways of a call, of which one is chosen when products are counted. */
typedef struct way_choice {
    const product_ways *ways;
    void *context;
} way_choice;

/* A small C is made by one thread as one of few products. */
static spgemm_status take_counted(call *c, void *context)
{
    const way_choice *w = context;
    const bool is_alone =
        spgemm_team_of_all(c->options.resources.nthreads) == 1;
    return w->ways->of_few && spgemm_call_is_small(c) && is_alone
               ? w->ways->of_few(c, w->context)
               : w->ways->usual(c, w->context);
}

/* The steps of few products, or of such as do not meet, if these are some;
   *is_done: there is nothing left to do. */
static spgemm_status take_short_way(call *c, const product_ways *ways,
                                    void *context, const spgemm_report *before,
                                    bool *is_done)
{
    spgemm_status status = SPGEMM_SUCCESS;
    bool are_few = false;
    bool is_scaled = false;
    if (ways->of_few && !is_told_of_callers(c))
        status = count_few(c, &are_few);
    if (status == SPGEMM_SUCCESS && are_few)
        status = ways->of_few(c, context);
    else if (status == SPGEMM_SUCCESS && ways->of_scaled) {
        is_scaled = spgemm_call_is_scaled(c) && is_default(&c->options.predict);
        if (is_scaled)
            status = count_and(c, count_scaled, ways->of_scaled, context);
    }
    *is_done = status == SPGEMM_SUCCESS ? are_few || is_scaled
                                        : !has_no_room(c, status, before);
    return status;
}

spgemm_status spgemm_call_take(call *c, const product_ways *ways, void *context)
{
    const spgemm_report before = c->report;
    way_choice choice = {ways, context};
    bool is_done = false;
    spgemm_status status = take_short_way(c, ways, context, &before, &is_done);
    if (is_done)
        return status;
    status = spgemm_call_count_and(c, take_counted, &choice);
    return ways->of_limit && has_no_room(c, status, &before)
               ? spgemm_call_count_and(c, ways->of_limit, context)
               : status;
}

/* A product, and nothing of it is checked. */
typedef struct unchecked_work {
    const entry_point *self;
    spgemm_csr *C;
    const spgemm_csr *A;
    const spgemm_csr *B;
    const spgemm_options *options;
    spgemm_report *report;
    const product_ways *ways;
    void *context;
} unchecked_work;

static spgemm_status check_and_take(void *context)
{
    const unchecked_work *w = context;
    spgemm_status status = SPGEMM_SUCCESS;
    call c;
    SPGEMM_TRY(
        spgemm_call_begin(&c, w->self, w->A, w->B, w->options, w->report));
    SPGEMM_TRY(spgemm_call_check_c(w->C, w->A, "B", w->B, &c.options));
    SPGEMM_TRY(spgemm_call_take(&c, w->ways, w->context));
    c.made.flags |= c.ops.sort_rows ? SPGEMM_SORTED_ROWS : 0u;

cleanup:
    return spgemm_call_end(&c, w->C, status);
}

spgemm_status spgemm_call_product(const entry_point *self, spgemm_csr *C,
                                  const spgemm_csr *A, const spgemm_csr *B,
                                  const spgemm_options *options,
                                  spgemm_report *report,
                                  const product_ways *ways, void *context)
{
    unchecked_work w = {self, C, A, B, options, report, ways, context};
    return spgemm_call_with_team(spgemm_call_team_of_unchecked(A, B, options),
                                 check_and_take, &w);
}
