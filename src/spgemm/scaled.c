/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B where no two products meet: nnz of each row is its products, and each is
   written where it stays. Where A or B is diagonal C has the pattern of the other,
   which is copied. */
#include <string.h>

#include "common/partition.h"
#include "common/stream_copy.h"
#include "common/team.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/execute/move_columns.h"
#include "spgemm/execute/move_values.h"
#include "spgemm/execute/placed.h"
#include "spgemm/pass_of_call.h"

/* Entries of a task, whose values stay in a cache until they are done. */
#define TASK_ENTRIES 16384

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

/* Row by row. */
static spgemm_status multiply_rows(call *c)
{
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
        spgemm_call_return_lent(c);
    spgemm_placed_end(&d, &c->report);
    return status;
}

/* C with the pattern of X, in tasks. */
typedef struct copying {
    call *c;
    const spgemm_csr *X;
    bool streams_columns;
    task_queue tasks;
} copying;

/* Rows [begin, end). */
static bool copy_rows(const copying *w, int64_t begin, int64_t end, scratch *s,
                      bool *may_have_zero)
{
    const call *c = w->c;
    const spgemm_csr *X = w->X;
    const row_range range = {.row_begin = begin, .row_end = end};
    const size_t to_size = spgemm_index_size(c->made.index_type);
    const size_t from_size = spgemm_index_size(X->index_type);
    const int64_t first = X->rowptr[begin];
    const int64_t nnz = X->rowptr[end] - first;
    char *values = (char *)c->made.values + (size_t)first * c->ops.value_size;
    memcpy(c->made.rowptr + begin + 1, X->rowptr + begin + 1,
           (size_t)(end - begin) * sizeof *X->rowptr);
    spgemm_move_columns((char *)c->made.colidx + (size_t)first * to_size,
                        to_size,
                        (const char *)X->colidx + (size_t)first * from_size,
                        from_size, nnz, w->streams_columns);
    if (c->ops.value_size == 0)
        return true;
    if (!c->kernels->refill(&c->ops, &range, s, X, NULL, values, NULL))
        return false;
    *may_have_zero |= spgemm_make_one_nan(
        values, (size_t)nnz * c->ops.value_size, c->ops.numbers);
    return true;
}

static int64_t rows_with_entries(const spgemm_csr *X, int64_t begin,
                                 int64_t end)
{
    int64_t rows = 0;
    for (int64_t i = begin; i < end; i++)
        rows += X->rowptr[i] != X->rowptr[i + 1];
    return rows;
}

/* Of one thread. */
static void report_rows(spgemm_report *report, int64_t rows, bool may_have_zero)
{
#pragma omp critical(spgemm_scaled)
    {
        report->nthreads++;
        report->lacks_zeros &= !may_have_zero;
        report->rows_by_accumulator[SPGEMM_ACCUMULATOR_ESC] += rows;
    }
}

static void take_tasks(void *context, int rank)
{
    copying *w = context;
    call *c = w->c;
    const int64_t *rowptr = w->X->rowptr;
    const int64_t nrows = w->X->nrows;
    const int64_t tasks = w->tasks.count;
    int64_t rows = 0;
    bool may_have_zero = c->ops.value_size == 0;
    int64_t t;
    scratch s;
    spgemm_scratch_init(&s, &c->m, 0, spgemm_index_size(w->X->index_type));
    while (task_take(&w->tasks, &t)) {
        const int64_t begin = partition_row(rowptr, nrows, tasks, t);
        const int64_t end = partition_row(rowptr, nrows, tasks, t + 1);
        rows += rows_with_entries(w->X, begin, end);
        if (!copy_rows(w, begin, end, &s, &may_have_zero) ||
            !progress_step(&c->progress, rank, rowptr[end] - rowptr[begin]))
            task_fail(&w->tasks);
    }
    progress_leave(&c->progress, rank);
    report_rows(&c->report, rows, may_have_zero);
    spgemm_scratch_clear(&s);
}

static spgemm_status copy_pattern(call *c, const spgemm_csr *X)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int team = spgemm_call_team(c);
    copying w = {
        .c = c,
        .X = X,
        .tasks = {.count = spgemm_team_tasks(team, X->nnz, TASK_ENTRIES)},
        .streams_columns = (size_t)X->nnz * sizeof(int64_t) >= STREAM_BYTES};
    SPGEMM_TRY(spgemm_call_predict(c, SPGEMM_PREDICTOR_UPPER_BOUND));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));
    SPGEMM_TRY(make_room(c));
    spgemm_progress_pass(&c->progress, 0.0, 1.0, c->counts.total);
    c->report.lacks_zeros = true;
    spgemm_team_run(team, take_tasks, &w);
    c->report.blocks = w.tasks.count;
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);
    status = progress_status(&c->progress, &w.tasks);

cleanup:
    if (status < 0)
        spgemm_call_return_lent(c);
    return status;
}

spgemm_status spgemm_scaled_steps(call *c, void *context)
{
    const spgemm_csr *X = spgemm_call_pattern_of_c(c);
    (void)context;
    return X ? copy_pattern(c, X) : multiply_rows(c);
}
