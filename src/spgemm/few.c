/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B of few products, where a team, a schedule or a sample takes longer
   than the product, and by one thread of a small C: one block of all rows, straight
   into a C of its bound, which is cut to its size. */
#include <string.h>

#include "common/checked.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/context.h"
#include "spgemm/execute/move_columns.h"
#include "spgemm/execute/move_values.h"
#include "spgemm/execute/workspace.h"
#include "spgemm/pass_of_call.h"

/* Places behind the last entry that vectors may write. */
#define VECTOR_ENTRIES 16

/* Of arrays of the library's own memory, what may stay unused, as what it rounds up
   does: to cut it off is to copy, where blocks are small. */
#define SPARE_SHARE   8
#define SPARE_ENTRIES 64

/* All rows into C; their nnz to its rowptr, one place on. *nnz: of all. */
static bool multiply(call *c, workspace *space, int64_t *nnz)
{
    const row_range all = {.row_end = c->counts.nrows};
    output out;
    spgemm_output_open_direct(&out, c->made.nnz, c->made.colidx, c->made.values,
                              c->made.rowptr + 1);
    const bool is_well = c->kernels->numeric(&c->ops, &all, &space->s, &out);
    *nnz = spgemm_output_close(&out);
    return is_well;
}

/* An array of C, which has `capacity` elements, cut to its size. One that cannot be
   cut is no failure. Memory of the caller's is copied: its reallocate() may hold both
   meanwhile, which the account would not know. */
static void *cut(call *c, void *array, int64_t capacity, size_t size)
{
    const int64_t nnz = c->made.nnz;
    void *shorter =
        c->m.own ? spgemm_memory_resize(&c->m, array, capacity, nnz, size)
                 : spgemm_memory_allocate(&c->m, nnz, size);
    if (!shorter)
        return array;
    if (!c->m.own) {
        memcpy(shorter, array, (size_t)nnz * size);
        spgemm_memory_release(&c->m, array, capacity, size);
    }
    return shorter;
}

/* C has so many entries, whose columns are as A's. */
static void settle_on(call *c, int64_t nnz)
{
    const int64_t capacity = c->made.nnz;
    const int64_t spare = max_i64(capacity / SPARE_SHARE, SPARE_ENTRIES);
    const size_t index_size = spgemm_index_size(c->made.index_type);
    c->made.nnz = nnz;
    spgemm_widen_columns(c->made.colidx, index_size,
                         spgemm_index_size(c->ops.B->index_type), nnz);
    if (!c->m.own || capacity - nnz > spare) {
        c->made.colidx = cut(c, c->made.colidx, capacity, index_size);
        c->made.values = cut(c, c->made.values, capacity, c->ops.value_size);
    }
    c->report.lacks_zeros = !spgemm_make_one_nan(
        c->made.values, (size_t)nnz * c->ops.value_size, c->ops.numbers);
}

static void sum_rowptr(int64_t *rowptr, int64_t nrows)
{
    for (int64_t i = 0; i < nrows; i++)
        rowptr[i + 1] += rowptr[i];
}

static void report_work(spgemm_report *report, const workspace *space)
{
    report->nthreads = 1;
    report->blocks = 1;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        report->rows_by_accumulator[a] = space->s.rows_by_accumulator[a];
}

/* C's entries, by what the workspace has. */
static spgemm_status make_entries(call *c, workspace *space)
{
    spgemm_status status = SPGEMM_SUCCESS;
    int64_t nnz;
    SPGEMM_TRY(
        spgemm_call_allocate_entries(c, c->counts.bound + VECTOR_ENTRIES));
    spgemm_workspace_begin(space, c->kernels, c->ops.semiring,
                           c->ops.value_size,
                           spgemm_index_size(c->ops.B->index_type));
    SPGEMM_REQUIRE(multiply(c, space, &nnz), SPGEMM_ERROR_OUT_OF_MEMORY);
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);
    SPGEMM_REQUIRE(progress_step(&c->progress, 0, c->counts.total),
                   SPGEMM_ERROR_CANCELLED);
    sum_rowptr(c->made.rowptr, c->made.nrows);
    settle_on(c, nnz);
    report_work(&c->report, space);

cleanup:
    return status;
}

spgemm_status spgemm_few_steps(call *c, void *context)
{
    spgemm_status status = SPGEMM_SUCCESS;
    workspace own = {.m = &c->m};
    spgemm_context *const host = context_of_call(c);
    workspace *const kept = spgemm_context_enter(host, 1);
    workspace *const space = kept ? kept : &own;
    (void)context;
    SPGEMM_TRY(spgemm_call_predict(c, SPGEMM_PREDICTOR_UPPER_BOUND));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));
    spgemm_progress_pass(&c->progress, 0.0, 1.0, c->counts.total);
    SPGEMM_TRY(make_entries(c, space));

cleanup:
    if (!kept || status < 0)
        spgemm_workspace_clear(space);
    if (kept) {
        c->context_bytes = spgemm_context_bytes(host);
        spgemm_context_leave(host);
    }
    c->report.compact_seconds = timer_lap(&c->lap_seconds);
    return status;
}
