/* SPDX-License-Identifier: BSD-3-Clause */
/* C = R W, W = A P: operands and options of both products checked, W made whole
   where its rows cannot pass through a window, and one report. */
#include "spgemm/rap.h"

#include <math.h>

#include "common/refusal.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/pipeline/out_overlap.h"
#include "spgemm/rap_steps.h"

static const entry_point self = {.name = "spgemm_rap",
                                 .samples = true,
                                 .multiplies = true,
                                 .makes_c = true,
                                 .b_is_to_come = true};

/* The share of the whole that one of the two calls is told of. */
static int tell(void *context, double done)
{
    const rap_share *s = context;
    const double of_all = s->begin + (s->end - s->begin) * done;
    *s->told = fmax(*s->told, of_all);
    return s->tell(s->context, *s->told);
}

static void share_progress(rap *p, rap_share *s, spgemm_resource_options *of,
                           double begin, double end)
{
    if (!of->progress)
        return;
    *s = (rap_share){of->progress, of->progress_context, begin, end, &p->told};
    of->progress = tell;
    of->progress_context = s;
}

/* What of the options is of W. */
static spgemm_options options_of_W(rap *p, const spgemm_options *all)
{
    spgemm_options of_W = {.product.semiring = all->product.semiring,
                           .product.user = all->product.user,
                           .product.op_b = all->product.op_b,
                           .product.cols = all->product.cols,
                           .product.ncols = all->product.ncols,
                           .predict.seed = all->predict.seed,
                           .resources = all->resources};
    of_W.resources.out = NULL;
    share_progress(p, &p->shares[0], &of_W.resources, 0.0, RAP_SHARE_OF_W);
    return of_W;
}

/* And what of C. */
static spgemm_options options_of_C(rap *p, const spgemm_options *all,
                                   bool has_R)
{
    spgemm_options of_C = *all;
    of_C.product.op_b = SPGEMM_OP_NONE;
    of_C.product.cols = NULL;
    of_C.product.ncols = 0;
    if (!has_R && of_C.product.op_a == SPGEMM_OP_NONE)
        of_C.product.op_a = SPGEMM_OP_TRANSPOSE;
    share_progress(p, &p->shares[1], &of_C.resources, RAP_SHARE_OF_W, 1.0);
    return of_C;
}

/* C is there, and none of the three; with P in the place of R, op(P) is no
   question that has one answer. */
static spgemm_status check_arguments(const spgemm_csr *C, const spgemm_csr *R,
                                     const spgemm_csr *A, const spgemm_csr *P,
                                     const spgemm_options *all)
{
    if (C && C == R)
        return spgemm_refuse(SPGEMM_ERROR_INVALID, "C is R itself");
    if (!R && all->product.op_b != SPGEMM_OP_NONE)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.product.op_b is given, but R is NULL");
    return spgemm_call_check_c(C, A, "P", P, all);
}

/* W as far as it can be told of before it is made: its shape and types, and an
   entry for those who ask whether it has values, or lacks them. */
static void outline(rap *p, const spgemm_csr *A, const spgemm_csr *P)
{
    static int64_t nothing;
    const operands *ops = &p->of_W.ops;
    const bool has_values = ops->value_size > 0;
    p->W =
        (spgemm_csr){.nrows = ops->A->nrows,
                     .ncols = ops->B->ncols,
                     .nnz = has_values ? A->nnz > 0 && P->nnz > 0
                                       : ops->A->nrows > 0 && ops->B->ncols > 0,
                     .values = has_values ? &nothing : NULL,
                     .index_type = ops->index_type,
                     .value_type = ops->A->value_type};
}

/* Both calls begun: R, A and P are in order. */
static spgemm_status begin(rap *p, const spgemm_csr *C, const spgemm_csr *R,
                           const spgemm_csr *A, const spgemm_csr *P,
                           const spgemm_options *all, spgemm_report *report)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const operand_names names = {"A", "P"};
    entry_point inner = {.name = self.name,
                         .predicts = true,
                         .multiplies = true,
                         .names = names,
                         .account = &p->m};
    entry_point outer = self;
    outer.names = (operand_names){R ? "R" : "P", "A P"};
    outer.account = &p->m;
    const spgemm_options of_W = options_of_W(p, all);
    const spgemm_options of_C = options_of_C(p, all, R);
    /* W's columns are as wide for one call as for the other. */
    inner.stays_wide = !spgemm_narrow_pays(A, P, &of_W, true) ||
                       !spgemm_narrow_pays(R ? R : P, A, &of_C, true);
    outer.stays_wide = inner.stays_wide;
    SPGEMM_TRY(spgemm_call_begin(&p->of_W, &inner, A, P, &of_W, report));
    SPGEMM_TRY(spgemm_options_check(all, &self));
    SPGEMM_TRY(check_arguments(C, R, A, P, all));
    outline(p, A, P);
    p->has_C = true;
    SPGEMM_TRY(
        spgemm_call_begin(&p->of_C, &outer, R ? R : P, &p->W, &of_C, report));
    p->W.index_type = p->of_W.ops.A->index_type;
    p->of_W.ops.index_type = p->W.index_type;
    SPGEMM_TRY(
        spgemm_out_check_overlap(all, A, P, &names, p->of_C.ops.A->nrows));
    p->of_W.lap_seconds = p->of_C.lap_seconds;
    p->R = *p->of_C.ops.A;
    p->R.flags = p->of_C.a_is_sorted ? SPGEMM_SORTED_ROWS : 0u;
    p->of_C.ops.A = &p->R;

cleanup:
    return status;
}

/* W, which is made, is the right operand of C. */
static void adopt_W(rap *p)
{
    p->W = p->of_W.made;
    p->W.flags = SPGEMM_SORTED_ROWS;
    if (p->of_W.ops.value_size == 0)
        p->W.values = NULL;
    /* What W was made with takes as much as is gained elsewhere. */
    spgemm_call_clear(&p->of_W);
}

/* Rows of W by the window, if that pays and has room; else W as a whole. */
static spgemm_status multiply(rap *p)
{
    const bool is_forced = p->least_window <= 0;
    const product_ways of_W = {.usual = spgemm_rap_steps,
                               .of_few = is_forced ? NULL : spgemm_few_steps,
                               .of_limit = spgemm_precise_steps};
    static const product_ways of_C = {.usual = spgemm_predicted_steps,
                                      .of_few = spgemm_few_steps,
                                      .of_limit = spgemm_precise_steps};
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(spgemm_call_take(&p->of_W, &of_W, p));
    if (p->is_done)
        return status;
    adopt_W(p);
    p->of_C.lap_seconds = p->of_W.lap_seconds;
    SPGEMM_TRY(spgemm_call_analyze(&p->of_C));
    SPGEMM_TRY(spgemm_call_take(&p->of_C, &of_C, NULL));

cleanup:
    return status;
}

/* What W took, to the report. */
static void add_report(spgemm_report *all, const spgemm_report *of_W)
{
    all->products += of_W->products;
    all->blocks += of_W->blocks;
    all->chunks += of_W->chunks;
    all->overflow_rows += of_W->overflow_rows;
    all->overflow_entries += of_W->overflow_entries;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        all->rows_by_accumulator[a] += of_W->rows_by_accumulator[a];
    if (all->nthreads < of_W->nthreads)
        all->nthreads = of_W->nthreads;
    all->operands_seconds += of_W->operands_seconds;
    all->check_seconds += of_W->check_seconds;
    all->products_seconds += of_W->products_seconds;
    all->predict_seconds += of_W->predict_seconds;
    all->allocate_seconds += of_W->allocate_seconds;
    all->multiply_seconds += of_W->multiply_seconds;
    all->compact_seconds += of_W->compact_seconds;
}

/* Everything but C goes back. */
static spgemm_status end(rap *p, spgemm_csr *C, spgemm_status status)
{
    call *of_W = &p->of_W;
    if (!p->has_C)
        return spgemm_call_end(of_W, NULL, status);
    spgemm_call_drop_c(of_W);
    spgemm_call_clear(of_W);
    p->of_C.start_seconds = of_W->start_seconds;
    /* Both had the same context. */
    if (p->of_C.context_bytes < of_W->context_bytes)
        p->of_C.context_bytes = of_W->context_bytes;
    add_report(&p->of_C.report, &of_W->report);
    return spgemm_call_end(&p->of_C, C, status);
}

/* A product, and nothing of it is checked. */
typedef struct unchecked_rap {
    spgemm_csr *C;
    const spgemm_csr *R;
    const spgemm_csr *A;
    const spgemm_csr *P;
    const spgemm_options *options;
    spgemm_report *report;
    double least_window;
} unchecked_rap;

static spgemm_status check_and_multiply(void *context)
{
    static const spgemm_options defaults;
    const unchecked_rap *w = context;
    const spgemm_options *all = w->options ? w->options : &defaults;
    spgemm_status status = SPGEMM_SUCCESS;
    rap p = {.least_window = w->least_window};
    spgemm_memory_init(&p.m, NULL);
    spgemm_memory_limit(&p.m, all->resources.memory_limit_bytes);
    SPGEMM_TRY(begin(&p, w->C, w->R, w->A, w->P, all, w->report));
    SPGEMM_TRY(multiply(&p));
    p.of_C.made.flags |= p.of_C.ops.sort_rows ? SPGEMM_SORTED_ROWS : 0u;

cleanup:
    return end(&p, w->C, status);
}

spgemm_status spgemm_rap_within(spgemm_csr *C, const spgemm_csr *R,
                                const spgemm_csr *A, const spgemm_csr *P,
                                const spgemm_options *options,
                                spgemm_report *report, double least_window)
{
    unchecked_rap w = {C, R, A, P, options, report, least_window};
    return spgemm_call_with_team(spgemm_call_team_of_unchecked(A, P, options),
                                 check_and_multiply, &w);
}

/* Of a window that fits the second caches of some cores nothing is gained. */
#define LEAST_WINDOW 4e6

spgemm_status spgemm_rap(spgemm_csr *C, const spgemm_csr *R,
                         const spgemm_csr *A, const spgemm_csr *P,
                         const spgemm_options *options, spgemm_report *report)
{
    return spgemm_rap_within(C, R, A, P, options, report, LEAST_WINDOW);
}
