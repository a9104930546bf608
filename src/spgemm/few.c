/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B of few products, where a team, a schedule or a sample takes longer
   than the product: one block of all rows, in a chunk that its bound fits,
   moved to a C of its size. */
#include "common/team.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/context.h"
#include "spgemm/execute/move_values.h"
#include "spgemm/execute/workspace.h"
#include "spgemm/pass_of_call.h"

/* Places behind the last entry that vectors may write. */
#define VECTOR_ENTRIES 16

/* All rows to chunks; their nnz to C's rowptr, one place on. */
static bool multiply(call *c, workspace *space, output *out)
{
    const row_range all = {.row_end = c->counts.nrows};
    const int64_t room = c->counts.bound + VECTOR_ENTRIES;
    const team_fpmode mode = team_fpmode_enter();
    spgemm_chunk_store_reserve(&space->chunks, room);
    const bool is_well =
        spgemm_output_open(out, &space->chunks, room, c->made.rowptr + 1) &&
        c->kernels->numeric(&c->ops, &all, &space->s, out);
    team_fpmode_leave(&mode);
    return is_well;
}

static void sum_rowptr(int64_t *rowptr, int64_t nrows)
{
    for (int64_t i = 0; i < nrows; i++)
        rowptr[i + 1] += rowptr[i];
}

static void report_work(spgemm_report *report, const workspace *space,
                        const output *out)
{
    report->nthreads = 1;
    report->blocks = 1;
    report->chunks = space->chunks.made;
    report->overflow_rows = out->overflow_rows;
    report->overflow_entries = out->overflow_entries;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        report->rows_by_accumulator[a] = space->s.rows_by_accumulator[a];
}

/* C's entries, by what the workspace has. */
static spgemm_status make_entries(call *c, workspace *space, output *out)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_workspace_begin(space, c->kernels->numeric, c->ops.semiring,
                           c->ops.value_size,
                           spgemm_index_size(c->made.index_type));
    SPGEMM_REQUIRE(multiply(c, space, out), SPGEMM_ERROR_OUT_OF_MEMORY);
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);
    SPGEMM_REQUIRE(progress_step(&c->progress, 0, c->counts.total),
                   SPGEMM_ERROR_CANCELLED);
    SPGEMM_TRY(spgemm_call_allocate_entries(c, spgemm_output_close(out)));
    sum_rowptr(c->made.rowptr, c->made.nrows);
    spgemm_move_chunks(out->first, space->chunks.index_size,
                       space->chunks.value_size, c->made.colidx, c->made.values,
                       c->ops.numbers, false);
    report_work(&c->report, space, out);

cleanup:
    return status;
}

spgemm_status spgemm_few_steps(call *c, void *context)
{
    spgemm_status status = SPGEMM_SUCCESS;
    output out = {0};
    workspace own = {.m = &c->m};
    spgemm_context *const host = context_of_call(c);
    workspace *const kept = spgemm_context_enter(host, 1);
    workspace *const space = kept ? kept : &own;
    (void)context;
    SPGEMM_TRY(spgemm_call_predict(c, SPGEMM_PREDICTOR_UPPER_BOUND));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));
    spgemm_progress_pass(&c->progress, 0.0, 1.0, c->counts.total);
    SPGEMM_TRY(make_entries(c, space, &out));

cleanup:
    spgemm_chunk_give(&space->chunks, out.first);
    if (!kept || status < 0)
        spgemm_workspace_clear(space);
    if (kept) {
        c->context_bytes = spgemm_context_bytes(host);
        spgemm_context_leave(host);
    }
    c->report.compact_seconds = timer_lap(&c->lap_seconds);
    return status;
}
