/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C), predicted by the method of a call, as C will be: what is masked,
   dropped and kept is counted in the rows that are sampled. */
#include <math.h>

#include "common/checked.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/pipeline/call.h"
#include "spgemm/pipeline/kept.h"
#include "spgemm/pipeline/symbolic.h"

/* What is said of any prediction: it is within the bound, its error no more than
   there is on either side, and one of 0 is of what was counted. A sample that shows
   no spread, or what rounding leaves of none, shows no error either. */
#define ROUNDING_SHARE 1e-12

static void keep_promises(prediction *p, const product_counts *counts)
{
    const double bound = (double)counts->bound;
    p->nnz = fmin(p->nnz, bound);
    if (p->standard_error > fmax(p->nnz, bound - p->nnz))
        p->standard_error = fmax(p->nnz, bound - p->nnz);
    if (counts->bound == 0)
        p->is_exact = true;
    if (p->is_exact)
        p->standard_error = 0.0;
    else if (p->standard_error <= ROUNDING_SHARE * p->nnz)
        p->standard_error = NAN;
}

/* Of A*B is predicted; C has more by D, less by a mask or what is dropped, and
   is within its bound: how far off that is, nobody knows. */
void spgemm_call_predict_form(call *c)
{
    const epilogue *f = c->ops.epilogue;
    /* By alpha alone none comes and none goes. */
    if (f && !f->D && !spgemm_is_kept_in_part(&c->ops))
        return;
    if (f && f->D)
        c->prediction.nnz += (double)f->D->nnz;
    if (f)
        c->prediction.nnz = fmin(c->prediction.nnz, (double)c->counts.bound);
    /* The symbolic pass knows of masks. */
    if (c->counts.bound > 0 &&
        (f || (c->ops.mask && c->report.predictor != SPGEMM_PREDICTOR_PRECISE)))
        c->prediction.standard_error = NAN;
}

static part_counter *part_counter_of(const call *c, bool is_kept)
{
    const epilogue *f = c->ops.epilogue;
    if (!c->ops.b_is_sorted || c->copies.b_is_counted ||
        (is_kept && f && f->keep_top > 0))
        return NULL;
    return is_kept ? spgemm_count_kept_parts : spgemm_count_parts;
}

/* Whether each row of C has as many entries as it may: no two products of it meet, or
   those of any entry of A are in all columns. */
static bool is_bound_reached(const call *c)
{
    return spgemm_call_is_scaled(c) ||
           (c->ops.b_is_full && !c->ops.mask && !c->ops.epilogue);
}

/* A*B, or C as it is kept, within a share of the budget. */
static spgemm_status predict(call *c, prediction *out, bool is_kept,
                             int64_t share)
{
    operands ops = c->ops;
    if (!is_kept && c->report.predictor != SPGEMM_PREDICTOR_PRECISE) {
        ops.mask = NULL; /* they tell of A*B */
        ops.epilogue = NULL;
    }
    const count_context counter = {
        c->kernels, &ops, c->options.resources.nthreads, &c->progress, &c->m};
    spgemm_options options = c->options;
    const int64_t budget = options.predict.budget;
    options.predict.budget = budget > 0 ? max_i64(1, budget / share) : 0;
    const predict_input in = {
        .A = c->ops.A,
        .B = c->ops.B,
        .counts = &c->counts,
        .options = &options,
        .count_rows = is_kept ? spgemm_count_kept_rows : spgemm_count_rows,
        .count_parts = part_counter_of(c, is_kept),
        .bound_of_row = is_kept ? spgemm_kept_row_bound : NULL,
        .count_context = (void *)(uintptr_t)&counter,
        .wants_rows = c->wants_rows,
        .m = &c->m,
    };
    const spgemm_status status =
        spgemm_predictors[c->report.predictor].predict(out, &in);
    if (c->report.predictor == SPGEMM_PREDICTOR_UPPER_BOUND)
        out->is_exact = is_bound_reached(c);
    keep_promises(out, &c->counts);
    return status;
}

/* Whether the method counts rows as they are kept. */
static bool counts_kept(const call *c)
{
    return spgemm_is_kept_in_part(&c->ops) && c->counts.classes &&
           (c->report.predictor == SPGEMM_PREDICTOR_STRATIFIED ||
            (c->report.predictor == SPGEMM_PREDICTOR_PRECISE && !c->computes));
}

/* The same of a prediction: compressions are those of the sums, which kernels
   make room for, and the total that of what is kept of them. */
static void take_total(prediction *to, const prediction *kept)
{
    to->nnz = kept->nnz;
    to->standard_error = kept->standard_error;
    to->is_exact = kept->is_exact;
    to->rows_sampled += kept->rows_sampled;
    to->products_sampled += kept->products_sampled;
}

static spgemm_status predict_c(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const bool is_kept = counts_kept(c);
    /* Sums at the places of a mask need no room beside it. */
    const bool has_sums = !is_kept || (c->computes && !c->ops.mask);
    const int64_t share = is_kept && has_sums ? 2 : 1;
    prediction kept = {0};
    /* Another way to C, which had no room, may have predicted it too. */
    c->prediction = (prediction){0};
    if (has_sums)
        SPGEMM_TRY(predict(c, &c->prediction, false, share));
    if (!is_kept)
        spgemm_call_predict_form(c);
    else if (!has_sums)
        SPGEMM_TRY(predict(c, &c->prediction, true, share));
    else {
        SPGEMM_TRY(predict(c, &kept, true, share));
        take_total(&c->prediction, &kept);
    }

cleanup:
    return status;
}

void spgemm_call_report_prediction(call *c)
{
    c->report.nnz_predicted = checked_capacity(c->prediction.nnz, 0, INT64_MAX);
    c->report.nnz_standard_error = c->prediction.standard_error;
    c->report.rows_sampled = c->prediction.rows_sampled;
    c->report.products_sampled = c->prediction.products_sampled;
}

spgemm_status spgemm_call_predict(call *c, spgemm_predictor method)
{
    const bool is_known =
        method == SPGEMM_PREDICTOR_AUTO && is_bound_reached(c);
    c->report.predictor = is_known ? SPGEMM_PREDICTOR_UPPER_BOUND
                                   : spgemm_predictor_resolve(method);
    const spgemm_status status = predict_c(c);
    spgemm_call_report_prediction(c);
    c->report.predict_seconds = timer_lap(&c->lap_seconds);
    return status;
}

spgemm_status spgemm_call_predict_for_pass(call *c)
{
    const bool counts_all =
        c->options.predict.method == SPGEMM_PREDICTOR_PRECISE;
    const double share = counts_all ? SYMBOLIC_SHARE : 0.0;
    spgemm_progress_pass(&c->progress, 0.0, share, c->counts.total);
    const spgemm_status status =
        spgemm_call_predict(c, c->options.predict.method);
    spgemm_progress_pass(&c->progress, share, 1.0, c->counts.total);
    return status;
}
