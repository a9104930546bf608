/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B where no two products meet: nnz of each row is its products, and each is
   written where it stays. */
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/execute/placed.h"
#include "spgemm/pass_of_call.h"

/* Room for C: the caller's, where it is enough. */
static spgemm_status make_room(call *c)
{
    const spgemm_out *out = c->options.resources.out;
    if (!out || c->ops.value_size == 0 || c->counts.total > out->capacity)
        return spgemm_call_allocate_entries(c, c->counts.total);
    c->report.allocated_bytes =
        (size_t)(c->made.nrows + 1) * sizeof *c->made.rowptr;
    c->made.nnz = c->counts.total;
    c->made.colidx = out->colidx;
    c->made.values = out->values;
    return SPGEMM_SUCCESS;
}

/* C may be made another way, which must not give back what is the caller's. */
static void give_room_back(call *c)
{
    const spgemm_out *out = c->options.resources.out;
    if (!out || c->made.colidx != out->colidx)
        return;
    c->made.colidx = NULL;
    c->made.values = NULL;
}

spgemm_status spgemm_scaled_steps(call *c, void *context)
{
    (void)context;
    spgemm_status status = SPGEMM_SUCCESS;
    placed_pass d = {0};
    const pass_input in = pass_of_call(c);
    SPGEMM_TRY(spgemm_call_plan_bound(c, false));
    SPGEMM_TRY(spgemm_placed_begin(&d, &in, &c->made, spgemm_call_team(c)));
    spgemm_placed_at_bounds(&d);
    SPGEMM_TRY(make_room(c));
    SPGEMM_TRY(spgemm_placed_numeric(&d, 0.0));
    spgemm_placed_rowptr(&d);
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);

cleanup:
    if (status < 0)
        give_room_back(c);
    spgemm_placed_end(&d, &c->report);
    return status;
}
