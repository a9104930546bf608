/* SPDX-License-Identifier: BSD-3-Clause */
/* What one thread does in a product of one pass. */
#include "spgemm/execute/worker.h"

#include <string.h>

#include "common/checked.h"
#include "matrix/csr.h"

/* Blocks of one thread that may wait for their place. More are never needed
   while all threads run; when one is held up, the others compute its block
   for it rather than pile up theirs. */
#define MOST_WAITING 4

void spgemm_worker_init(worker *w, const kernels *k, const operands *ops,
                        commit_queue *q, progress *p, int rank, workspace *kept)
{
    const size_t value_size = ops->value_size;
    const size_t index_size = spgemm_index_size(ops->B->index_type);
    *w =
        (worker){.kernels = k, .ops = ops, .q = q, .progress = p, .rank = rank};
    w->own.m = q->m;
    w->space = kept ? kept : &w->own;
    spgemm_workspace_begin(w->space, k, ops->semiring, value_size, index_size);
}

static result *take_result(worker *w)
{
    result *r = w->idle;
    if (r) {
        w->idle = r->next;
    } else {
        r = spgemm_memory_allocate(w->q->m, 1, sizeof *r);
        if (!r)
            return NULL;
        r->row_nnz =
            spgemm_memory_allocate(w->q->m, w->most_rows, sizeof *r->row_nnz);
        if (!r->row_nnz) {
            spgemm_memory_release(w->q->m, r, 1, sizeof *r);
            return NULL;
        }
    }
    r->next = NULL;
    r->chunks = NULL;
    atomic_init(&r->is_placed, false);
    return r;
}

static void give_result(worker *w, result *r)
{
    spgemm_chunk_give(&w->space->chunks, r->chunks);
    r->next = w->idle;
    w->idle = r;
}

/* What the worker's blocks took so far; counts of accumulators only grow. */
static void count(block_counts *taken, const output *out, const scratch *s)
{
    taken->overflow_rows = out->overflow_rows;
    taken->overflow_entries = out->overflow_entries;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        taken->rows_by_accumulator[a] =
            s->rows_by_accumulator[a] - taken->rows_by_accumulator[a];
    taken->chained_products = s->chained_products - taken->chained_products;
}

/* Computes block b. NULL: no memory. */
static result *compute(worker *w, int64_t b)
{
    const block *blk = &w->q->p->blocks[b];
    output out;
    result *r = take_result(w);
    if (!r)
        return NULL;
    r->block = b;
    memcpy(r->counts.rows_by_accumulator, w->space->s.rows_by_accumulator,
           sizeof r->counts.rows_by_accumulator);
    r->counts.chained_products = w->space->s.chained_products;
    bool is_well =
        spgemm_output_open(&out, &w->space->chunks, blk->capacity, r->row_nnz);
    is_well =
        is_well && w->kernels->numeric(w->ops, &blk->range, &w->space->s, &out);
    if (out.last)
        r->nnz = spgemm_output_close(&out);
    r->chunks = out.first;
    count(&r->counts, &out, &w->space->s);
    if (is_well)
        return r;
    w->is_unclean = true;
    give_result(w, r);
    return NULL;
}

/* A block computed for another thread comes before all of this thread's. */
static void enqueue(worker *w, result *r)
{
    if (!w->oldest) {
        w->oldest = r;
        w->newest = r;
    } else if (r->block < w->oldest->block) {
        r->next = w->oldest;
        w->oldest = r;
    } else {
        w->newest->next = r;
        w->newest = r;
    }
    w->waiting++;
}

/* Computes block b and offers it; another thread may have been faster. Returns
   the products done. */
static int64_t finish_block(worker *w, int64_t b)
{
    result *r = compute(w, b);
    if (!r) {
        atomic_store(&w->q->has_failed, true);
        return 0;
    }
    if (!spgemm_commit_publish(w->q, r)) {
        give_result(w, r);
        return 0;
    }
    enqueue(w, r);
    return w->q->p->blocks[b].products;
}

/* The block to compute next, or -1. */
static int64_t take_block(worker *w)
{
    commit_queue *q = w->q;
    if (w->waiting >= MOST_WAITING) {
        const int64_t b = atomic_load(&q->frontier);
        if (b < q->p->count && !spgemm_commit_is_published(q, b))
            return b;
    }
    int64_t b;
    do {
        b = atomic_fetch_add(&q->next, 1);
    } while (b < q->p->count && spgemm_commit_is_published(q, b));
    return b < q->p->count ? b : -1;
}

static void add_counts(block_counts *sum, const block_counts *one)
{
    sum->overflow_rows += one->overflow_rows;
    sum->overflow_entries += one->overflow_entries;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        sum->rows_by_accumulator[a] += one->rows_by_accumulator[a];
    sum->chained_products += one->chained_products;
}

void spgemm_worker_copy_placed(worker *w)
{
    while (w->oldest && atomic_load(&w->oldest->is_placed)) {
        result *r = w->oldest;
        w->may_have_zero |= spgemm_commit_copy(w->q, r);
        add_counts(&w->counts, &r->counts);
        w->oldest = r->next;
        if (!w->oldest)
            w->newest = NULL;
        w->waiting--;
        give_result(w, r);
    }
}

void spgemm_worker_run(worker *w)
{
    int64_t b;
    w->took_part = true;
    while (!atomic_load(&w->q->has_failed) && (b = take_block(w)) >= 0) {
        const int64_t products = finish_block(w, b);
        spgemm_commit_advance(w->q);
        spgemm_worker_copy_placed(w);
        if (!progress_step(w->progress, w->rank, products))
            atomic_store(&w->q->has_failed, true);
    }
}

void spgemm_worker_rest(worker *w)
{
    if (w->space == &w->own)
        spgemm_scratch_clear(&w->space->s);
}

static void drop_results(worker *w)
{
    while (w->oldest) {
        result *r = w->oldest;
        w->oldest = r->next;
        give_result(w, r);
    }
    w->newest = NULL;
    w->waiting = 0;
}

static void release_idle(worker *w)
{
    while (w->idle) {
        result *r = w->idle;
        w->idle = r->next;
        spgemm_memory_release(w->q->m, r->row_nnz, w->most_rows,
                              sizeof *r->row_nnz);
        spgemm_memory_release(w->q->m, r, 1, sizeof *r);
    }
}

void spgemm_worker_begin(worker *w)
{
    drop_results(w);
    if (w->is_unclean)
        spgemm_scratch_clear(&w->space->s);
    w->is_unclean = false;
    /* The rows of one schedule may be others in the next. */
    spgemm_scratch_forget_repeats(&w->space->s);
    if (w->most_rows < w->q->p->most_rows) {
        release_idle(w);
        w->most_rows = w->q->p->most_rows;
    }
    spgemm_chunk_store_reserve(&w->space->chunks, w->q->p->chunk_capacity);
}

void spgemm_worker_clear(worker *w)
{
    drop_results(w);
    release_idle(w);
    spgemm_chunk_store_clear(&w->space->chunks);
    spgemm_scratch_clear(&w->space->s);
}

void spgemm_worker_leave(worker *w)
{
    drop_results(w);
    release_idle(w);
    if (w->space == &w->own || w->is_unclean)
        spgemm_workspace_clear(w->space);
}
