/* SPDX-License-Identifier: BSD-3-Clause */
/* What one thread does in a product of one pass. */
#include "spgemm/worker.h"

#include "common/checked.h"
#include "matrix/csr.h"

/* Blocks of one thread that may wait for their place. More are never needed
   while all threads run; when one is held up, the others compute its block
   for it rather than pile up theirs. */
#define MOST_WAITING 4

void spgemm_worker_init(worker *w,
                        const kernels *k,
                        const operands *ops,
                        commit_queue *q)
{
    const size_t value_size = spgemm_value_size(ops->B->value_type);
    const size_t index_size = spgemm_index_size(ops->B->index_type);
    *w = (worker){.kernels = k, .ops = ops, .q = q};
    spgemm_scratch_init(&w->s, q->m, value_size, index_size);
    spgemm_chunk_store_init(&w->chunks, q->m, index_size, value_size,
                            q->p->chunk_capacity);
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
        r->row_nnz = spgemm_memory_allocate(w->q->m, w->q->p->most_rows,
                                            sizeof *r->row_nnz);
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
    spgemm_chunk_give(&w->chunks, r->chunks);
    r->next = w->idle;
    w->idle = r;
}

/* Computes block b. NULL: no memory. */
static result *compute(worker *w, int64_t b, output *out)
{
    const block *blk = &w->q->p->blocks[b];
    result *r = take_result(w);
    if (!r)
        return NULL;
    r->block = b;
    bool is_well =
        spgemm_output_open(out, &w->chunks, blk->capacity, r->row_nnz);
    is_well = is_well && w->kernels->numeric(w->ops, &blk->range, &w->s, out);
    if (out->last)
        r->nnz = spgemm_output_close(out);
    r->chunks = out->first;
    if (is_well)
        return r;
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

/* Computes block b and offers it; another thread may have been faster. */
static void finish_block(worker *w, int64_t b)
{
    int64_t counted[SPGEMM_ACCUMULATOR_COUNT];
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        counted[a] = w->s.rows_by_accumulator[a];
    output out;
    result *r = compute(w, b, &out);
    if (!r) {
        atomic_store(&w->q->has_failed, true);
        return;
    }
    if (!spgemm_commit_publish(w->q, r)) {
        give_result(w, r);
        for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
            w->s.rows_by_accumulator[a] = counted[a];
        return;
    }
    enqueue(w, r);
    w->overflow_rows += out.overflow_rows;
    w->overflow_entries += out.overflow_entries;
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

void spgemm_worker_copy_placed(worker *w)
{
    while (w->oldest && atomic_load(&w->oldest->is_placed)) {
        result *r = w->oldest;
        spgemm_commit_copy(w->q, r);
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
        finish_block(w, b);
        spgemm_commit_advance(w->q);
        spgemm_worker_copy_placed(w);
    }
}

void spgemm_worker_clear(worker *w)
{
    while (w->oldest) {
        result *r = w->oldest;
        w->oldest = r->next;
        give_result(w, r);
    }
    while (w->idle) {
        result *r = w->idle;
        w->idle = r->next;
        spgemm_memory_release(w->q->m, r->row_nnz, w->q->p->most_rows,
                              sizeof *r->row_nnz);
        spgemm_memory_release(w->q->m, r, 1, sizeof *r);
    }
    spgemm_chunk_store_clear(&w->chunks);
    spgemm_scratch_clear(&w->s);
}
