/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B in two passes: symbolic, then numeric into an exactly allocated C.
   The same kernels and blocks as the product of one pass. */
#include <math.h>

#include "common/timer.h"
#include "common/try.h"
#include "spgemm/execute/placed.h"
#include "spgemm/pass_of_call.h"

spgemm_status spgemm_precise_steps(call *c, void *context)
{
    (void)context;
    spgemm_status status = SPGEMM_SUCCESS;
    placed_pass d = {0};
    const pass_input in = pass_of_call(c);
    SPGEMM_TRY(spgemm_call_plan_bound(c, true));
    SPGEMM_TRY(spgemm_placed_begin(&d, &in, &c->made, spgemm_call_team(c)));
    SPGEMM_TRY(spgemm_placed_symbolic(&d));
    const int64_t nnz = spgemm_placed_offsets(&d);
    c->report.predictor = SPGEMM_PREDICTOR_PRECISE;
    c->report.nnz_predicted = nnz;
    /* Symbolic is A*B, masked: what becomes of it later nobody counted. */
    c->report.nnz_standard_error = c->ops.epilogue && nnz > 0 ? NAN : 0.0;
    c->report.predict_seconds += timer_lap(&c->lap_seconds);
    SPGEMM_TRY(spgemm_call_allocate_entries(c, nnz));
    SPGEMM_TRY(spgemm_placed_numeric(&d, SYMBOLIC_SHARE));
    if (c->ops.epilogue)
        SPGEMM_TRY(spgemm_placed_compact(&d, nnz));
    else
        spgemm_placed_rowptr(&d);
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);

cleanup:
    spgemm_placed_end(&d, &c->report);
    return status;
}

static const entry_point self = {
    .name = "spgemm_precise", .multiplies = true, .makes_c = true};

spgemm_status spgemm_precise(spgemm_csr *C, const spgemm_csr *A,
                             const spgemm_csr *B, const spgemm_options *options,
                             spgemm_report *report)
{
    static const product_ways ways = {.usual = spgemm_precise_steps};
    return spgemm_call_product(&self, C, A, B, options, report, &ways, NULL);
}
