/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B, allocated from a prediction of nnz(C), multiplied in one pass:
   check, count products, predict, plan, allocate, multiply, commit, finish. */
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/execute/ordered.h"
#include "spgemm/one_pass.h"
#include "spgemm/pass_of_call.h"

/* A small C is given room for its bound. */
static spgemm_status predict(call *c)
{
    if (!spgemm_call_is_small(c))
        return spgemm_call_predict_for_pass(c);
    spgemm_progress_pass(&c->progress, 0.0, 1.0, c->counts.total);
    return spgemm_call_predict(c, SPGEMM_PREDICTOR_UPPER_BOUND);
}

spgemm_status spgemm_predicted_steps(call *c, void *context)
{
    (void)context;
    spgemm_status status = SPGEMM_SUCCESS;
    growable entries = {0};
    ordered_pass w = {0};
    const pass_input in = pass_of_call(c);
    slab all = spgemm_slab_of_all(&c->counts);
    SPGEMM_TRY(predict(c));
    SPGEMM_TRY(spgemm_one_pass_check(c));
    SPGEMM_TRY(spgemm_call_narrow(c));
    SPGEMM_TRY(spgemm_call_sort_b(c));
    SPGEMM_TRY(spgemm_call_plan(c, &all, true));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));
    SPGEMM_REQUIRE(spgemm_one_pass_begin(&entries, c),
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(
        spgemm_ordered_begin(&w, &in, context_of_call(c), spgemm_call_team(c)));
    w.is_last = true;
    c->report.allocate_seconds = timer_lap(&c->lap_seconds);
    status = spgemm_ordered_run(&w, &entries, c->made.rowptr, 0);
    spgemm_ordered_report(&w, &c->report);
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);
    SPGEMM_TRY(status);
    SPGEMM_TRY(spgemm_one_pass_finish(c, &entries));

cleanup:
    c->context_bytes = spgemm_ordered_end(&w);
    spgemm_growable_clear(&entries);
    c->report.compact_seconds = timer_lap(&c->lap_seconds);
    return status;
}

static const entry_point self = {.name = "spgemm_predicted",
                                 .predicts = true,
                                 .multiplies = true,
                                 .makes_c = true,
                                 .narrows_later = true};

spgemm_status spgemm_predicted(spgemm_csr *C, const spgemm_csr *A,
                               const spgemm_csr *B,
                               const spgemm_options *options,
                               spgemm_report *report)
{
    static const product_ways ways = {.usual = spgemm_predicted_steps,
                                      .of_few = spgemm_few_steps,
                                      .of_scaled = spgemm_scaled_steps,
                                      .of_limit = spgemm_precise_steps};
    return spgemm_call_product(&self, C, A, B, options, report, &ways, NULL);
}
