/* SPDX-License-Identifier: BSD-3-Clause */
/* The team of a product of one pass, and the queue that its blocks go through. */
#include "spgemm/execute/ordered.h"

#include "common/team.h"
#include "common/try.h"
#include "spgemm/context.h"

spgemm_status spgemm_ordered_begin(ordered_pass *w, const pass_input *in,
                                   spgemm_context *context, int count)
{
    *w = (ordered_pass){.in = *in};
    spgemm_commit_init(&w->q, in->schedule,
                       spgemm_index_size(in->ops->B->index_type),
                       in->ops->numbers, in->m);
    w->workers = spgemm_memory_allocate(in->m, count, sizeof *w->workers);
    if (!w->workers)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    workspace *kept = spgemm_context_enter(context, count);
    w->context = kept ? context : NULL;
    for (int t = 0; t < count; t++)
        spgemm_worker_init(&w->workers[t], in->kernels, in->ops, &w->q,
                           in->progress, t, kept ? &kept[t] : NULL);
    w->count = count;
    w->active = count;
    return SPGEMM_SUCCESS;
}

static void take_blocks(void *context, int rank)
{
    ordered_pass *w = context;
    spgemm_worker_run(&w->workers[rank]);
    if (w->is_last)
        spgemm_worker_rest(&w->workers[rank]);
    progress_leave(w->in.progress, rank);
}

/* What of a worker's blocks was held up by those of others. */
static void copy_left(void *context, int64_t t)
{
    const ordered_pass *w = context;
    spgemm_worker_copy_placed(&w->workers[t]);
    if (w->is_last)
        spgemm_worker_leave(&w->workers[t]);
}

/* The team may be smaller than asked for: blocks are taken, not dealt out. */
static void work(ordered_pass *w)
{
    spgemm_team_run(w->active, take_blocks, w);
    /* Nobody is at it any more: this places all that is left. */
    spgemm_commit_advance(&w->q);
    spgemm_team_for(spgemm_team_at_hand(), w->count, copy_left, w);
}

spgemm_status spgemm_ordered_run(ordered_pass *w, growable *entries,
                                 int64_t *rowptr, int64_t row_begin)
{
    const spgemm_status status =
        spgemm_commit_begin(&w->q, entries, rowptr, row_begin);
    if (status < 0)
        return status;
    for (int t = 0; t < w->count; t++)
        spgemm_worker_begin(&w->workers[t]);
    work(w);
    if (progress_is_cancelled(w->in.progress))
        return SPGEMM_ERROR_CANCELLED;
    return atomic_load(&w->q.frontier) == w->q.p->count
               ? SPGEMM_SUCCESS
               : SPGEMM_ERROR_OUT_OF_MEMORY;
}

void spgemm_ordered_report(const ordered_pass *w, spgemm_report *report)
{
    report->lacks_zeros = true;
    for (int t = 0; t < w->count; t++) {
        const worker *one = &w->workers[t];
        report->nthreads += one->took_part;
        report->lacks_zeros &= !one->may_have_zero;
        report->chunks += one->space->chunks.made;
        report->products += one->counts.chained_products;
        report->overflow_rows += one->counts.overflow_rows;
        report->overflow_entries += one->counts.overflow_entries;
        for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
            report->rows_by_accumulator[a] +=
                one->counts.rows_by_accumulator[a];
    }
}

void spgemm_ordered_unload(ordered_pass *w)
{
    for (int t = 0; t < w->count; t++)
        spgemm_worker_clear(&w->workers[t]);
}

size_t spgemm_ordered_end(ordered_pass *w)
{
    size_t kept = 0;
    if (!w->in.m)
        return 0;
    for (int t = 0; t < w->count; t++)
        spgemm_worker_leave(&w->workers[t]);
    if (w->context) {
        kept = spgemm_context_bytes(w->context);
        spgemm_context_leave(w->context);
    }
    spgemm_memory_release(w->in.m, w->workers, w->count, sizeof *w->workers);
    spgemm_commit_clear(&w->q);
    return kept;
}
