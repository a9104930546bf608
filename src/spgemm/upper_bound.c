/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B in one pass into min(products, ncols) entries a row, then compacted.
   The same kernels and blocks as the product of one pass. */
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/execute/placed.h"
#include "spgemm/pass_of_call.h"

static spgemm_status multiply(call *c, void *context)
{
    (void)context;
    spgemm_status status = SPGEMM_SUCCESS;
    placed_pass d = {0};
    const pass_input in = pass_of_call(c);
    SPGEMM_TRY(spgemm_call_plan_bound(c, false));
    SPGEMM_TRY(spgemm_placed_begin(&d, &in, &c->made, spgemm_call_team(c)));
    const int64_t bound = spgemm_placed_at_bounds(&d);
    SPGEMM_TRY(spgemm_call_allocate_entries(c, bound));
    SPGEMM_TRY(spgemm_placed_numeric(&d, 0.0));
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);

    SPGEMM_TRY(spgemm_placed_compact(&d, bound));
    c->report.compact_seconds = timer_lap(&c->lap_seconds);

cleanup:
    spgemm_placed_end(&d, &c->report);
    return status;
}

static const entry_point self = {
    .name = "spgemm_upper_bound", .multiplies = true, .makes_c = true};

spgemm_status spgemm_upper_bound(spgemm_csr *C, const spgemm_csr *A,
                                 const spgemm_csr *B,
                                 const spgemm_options *options,
                                 spgemm_report *report)
{
    static const product_ways ways = {.usual = multiply};
    return spgemm_call_product(&self, C, A, B, options, report, &ways, NULL);
}
