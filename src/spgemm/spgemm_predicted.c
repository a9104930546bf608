/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B, allocated from a prediction of nnz(C), multiplied in one pass:
   check, count products, predict, plan, allocate, multiply, commit, finish. */
#include "common/checked.h"
#include "common/team.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/call.h"
#include "spgemm/worker.h"

/* Standard errors that C is allocated beyond its prediction, but no more than
   such a share of it: a total that is short all the same costs a further
   segment, not a failure. */
#define STANDARD_ERRORS 3.0
#define MOST_SLACK      0.08

/* A method without a standard error gets a twentieth. */
#define BLIND_SLACK 1.05

/* Entries to allocate for C. */
static int64_t c_capacity(const call *c)
{
    const prediction *p = &c->prediction;
    const double wanted =
        c->options.slack > 0 ? p->nnz * c->options.slack
        : isnan(p->standard_error)
            ? p->nnz * BLIND_SLACK
            : p->nnz + fmin(STANDARD_ERRORS * p->standard_error,
                            MOST_SLACK * p->nnz);
    return checked_capacity(wanted, min_i64(c->counts.bound, 1),
                            c->counts.bound);
}

/* Standard errors below its prediction that C is sure to have. */
#define SURE_ERRORS 5.0

/* Working memory of a thread besides its chunks: windows of 2 MB, tables. */
#define SCRATCH_BYTES   4e6
#define CHUNKS_A_THREAD 4

/* Bytes that the limit leaves; infinity: no limit. */
static double bytes_left(const call *c)
{
    const size_t held = atomic_load(&c->m.live_bytes);
    return c->m.limit_bytes == SIZE_MAX
               ? INFINITY
               : (double)c->m.limit_bytes - (double)held;
}

static double entry_bytes(const call *c)
{
    return (double)(spgemm_index_size(c->ops.A->index_type) +
                    spgemm_value_size(c->ops.A->value_type));
}

/* Whether C is sure not to fit: before anything large is allocated. */
static bool is_hopeless(const call *c)
{
    const prediction *p = &c->prediction;
    const double least = p->nnz - SURE_ERRORS * p->standard_error;
    const double rows = 8.0 * (double)c->counts.nrows;
    return rows + least * entry_bytes(c) > bytes_left(c);
}

/* As many entries as the limit leaves room for beside the team's memory, but
   as many as are predicted: then it may stop on the way. */
static int64_t capacity_within(const call *c, int64_t capacity)
{
    const double chunks =
        CHUNKS_A_THREAD * (double)c->p.chunk_capacity * entry_bytes(c);
    const double team = spgemm_call_team(c) * (SCRATCH_BYTES + chunks);
    const double room = (bytes_left(c) - team) / entry_bytes(c);
    return checked_capacity(fmax(room, c->prediction.nnz), min_i64(capacity, 1),
                            capacity);
}

typedef struct crew {
    int count;
    worker *workers;
    commit_queue q;
    growable entries;
} crew;

static spgemm_status hire(crew *w, call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int team = spgemm_call_team(c);
    if (!spgemm_growable_init(
            &w->entries, &c->m, spgemm_index_size(c->made.index_type),
            spgemm_value_size(c->made.value_type),
            capacity_within(c, c_capacity(c)), c->counts.bound))
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    SPGEMM_TRY(
        spgemm_commit_init(&w->q, &c->p, &w->entries, c->made.rowptr, &c->m));
    w->workers = spgemm_memory_allocate(&c->m, team, sizeof *w->workers);
    SPGEMM_REQUIRE(w->workers, SPGEMM_ERROR_OUT_OF_MEMORY);
    for (w->count = 0; w->count < team; w->count++)
        spgemm_worker_init(&w->workers[w->count], c->kernels, &c->ops, &w->q);

cleanup:
    return status;
}

/* The team may be smaller than asked for: blocks are taken, not dealt out. */
static spgemm_status work(crew *w)
{
#pragma omp parallel num_threads(w->count)
    {
        const team_fpmode mode = team_fpmode_enter();
        spgemm_worker_run(&w->workers[spgemm_team_rank()]);
        team_fpmode_leave(&mode);
    }
    /* Nobody is at it any more: this places all that is left, a few blocks. */
    spgemm_commit_advance(&w->q);
    for (int t = 0; t < w->count; t++)
        spgemm_worker_copy_placed(&w->workers[t]);
    return atomic_load(&w->q.frontier) == w->q.p->count
               ? SPGEMM_SUCCESS
               : SPGEMM_ERROR_OUT_OF_MEMORY;
}

static void report_crew(call *c, const crew *w)
{
    spgemm_report *report = &c->report;
    report->blocks = c->p.count;
    for (int t = 0; t < w->count; t++) {
        const worker *one = &w->workers[t];
        report->nthreads += one->took_part;
        report->chunks += one->chunks.made;
        report->overflow_rows += one->overflow_rows;
        report->overflow_entries += one->overflow_entries;
        for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
            report->rows_by_accumulator[a] += one->s.rows_by_accumulator[a];
    }
}

static void dismiss(crew *w, call *c)
{
    for (int t = 0; t < w->count; t++)
        spgemm_worker_clear(&w->workers[t]);
    spgemm_memory_release(&c->m, w->workers, w->count, sizeof *w->workers);
    spgemm_commit_clear(&w->q);
    spgemm_growable_clear(&w->entries);
}

static spgemm_status finish(call *c, crew *w)
{
    c->made.nnz = w->entries.used;
    c->report.allocated_bytes =
        w->entries.allocated_bytes +
        (size_t)(c->made.nrows + 1) * sizeof *c->made.rowptr;
    if (!spgemm_growable_finish(&w->entries, &c->made.colidx, &c->made.values))
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    return SPGEMM_SUCCESS;
}

static spgemm_status multiply(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    crew w = {0};
    SPGEMM_TRY(spgemm_call_predict(c, c->options.predictor));
    SPGEMM_REQUIRE(!is_hopeless(c), SPGEMM_ERROR_MEMORY_LIMIT);
    SPGEMM_TRY(spgemm_call_plan(c, true));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));
    SPGEMM_TRY(hire(&w, c));
    c->report.allocate_seconds = timer_lap(&c->lap_seconds);
    SPGEMM_TRY(work(&w));
    report_crew(c, &w);
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);
    SPGEMM_TRY(finish(c, &w));

cleanup:
    dismiss(&w, c);
    c->report.finish_seconds = timer_lap(&c->lap_seconds);
    return status;
}

spgemm_status spgemm_predicted(spgemm_csr *C,
                               const spgemm_csr *A,
                               const spgemm_csr *B,
                               const spgemm_options *options,
                               spgemm_report *report)
{
    return spgemm_call_product(C, A, B, options, report, multiply);
}
