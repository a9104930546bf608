/* SPDX-License-Identifier: BSD-3-Clause */
/* Finished blocks find their place in C, in order, and no thread waits.

   The lock is only tried. Two traps, both modelled in tests/spin: whoever
   unlocks must look at the frontier again, since a block may have been
   published meanwhile by a thread that found the lock taken; and the unlock
   must be sequentially consistent, or the look passes the buffered store. */
#include "spgemm/execute/commit.h"

#include "common/checked.h"
#include "common/stream_copy.h"
#include "spgemm/execute/move_columns.h"
#include "spgemm/execute/move_values.h"

void spgemm_commit_init(commit_queue *q, const schedule *p, size_t index_size,
                        number_kind numbers, memory *m)
{
    *q = (commit_queue){
        .p = p, .index_size = index_size, .numbers = numbers, .m = m};
}

void spgemm_commit_clear(commit_queue *q)
{
    spgemm_memory_release(q->m, q->published, q->room, sizeof *q->published);
    q->published = NULL;
    q->room = 0;
}

static bool reserve(commit_queue *q, int64_t room)
{
    if (room <= q->room)
        return true;
    spgemm_commit_clear(q);
    q->published = spgemm_memory_allocate(q->m, room, sizeof *q->published);
    if (q->published)
        q->room = room;
    return q->published;
}

spgemm_status spgemm_commit_begin(commit_queue *q, growable *entries,
                                  int64_t *rowptr, int64_t row_begin)
{
    q->entries = entries;
    q->rowptr = rowptr;
    q->row_begin = row_begin;
    q->streams = entries->allocated_bytes >= STREAM_BYTES;
    q->is_full = false;
    atomic_init(&q->next, 0);
    atomic_init(&q->frontier, 0);
    atomic_init(&q->lock, false);
    atomic_init(&q->has_failed, false);
    if (!reserve(q, q->p->count + 1))
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int64_t b = 0; b <= q->p->count; b++)
        atomic_init(&q->published[b].by, NULL);
    return SPGEMM_SUCCESS;
}

bool spgemm_commit_is_published(const commit_queue *q, int64_t b)
{
    return atomic_load(&q->published[b].by) != NULL;
}

bool spgemm_commit_publish(commit_queue *q, result *r)
{
    result *nobody = NULL;
    return atomic_compare_exchange_strong(&q->published[r->block].by, &nobody,
                                          r);
}

/* Under the lock: the place of the block at the frontier. */
static bool place(commit_queue *q, result *r)
{
    void *colidx;
    void *values;
    r->offset = q->entries->used;
    if (!spgemm_growable_place(q->entries, r->nnz, &colidx, &values))
        return false;
    r->colidx = colidx;
    r->values = values;
    return true;
}

void spgemm_commit_advance(commit_queue *q)
{
    int64_t b;
    do {
        if (atomic_exchange(&q->lock, true))
            return;
        b = atomic_load(&q->frontier);
        result *r;
        while ((r = atomic_load(&q->published[b].by)) != NULL &&
               !atomic_load(&q->has_failed)) {
            SPGEMM_ASSERT(r->block == b && !atomic_load(&r->is_placed));
            if (!place(q, r)) {
                q->is_full = true;
                atomic_store(&q->has_failed, true);
                break;
            }
            /* From here on its owner may copy, free and reuse it. */
            atomic_store(&r->is_placed, true);
            atomic_store(&q->frontier, ++b);
        }
        atomic_store(&q->lock, false);
    } while (spgemm_commit_is_published(q, b) && !atomic_load(&q->has_failed));
}

/* All entries of a block, one chunk after another. Returns whether a value of it
   may be zero. */
static bool move_chunks(const commit_queue *q, const result *r)
{
    const size_t index_size = q->entries->index_size;
    const size_t value_size = q->entries->value_size;
    bool may_have_zero = false;
    size_t at = 0;
    for (const chunk *c = r->chunks; c; c = c->next) {
        spgemm_move_columns(r->colidx + at * index_size, index_size, c->colidx,
                            q->index_size, c->used, q->streams);
        may_have_zero |= spgemm_move_values(
            r->values + at * value_size, c->values,
            (size_t)c->used * value_size, q->numbers, q->streams);
        at += (size_t)c->used;
    }
    return may_have_zero;
}

bool spgemm_commit_copy(const commit_queue *q, const result *r)
{
    const row_range *range = &q->p->blocks[r->block].range;
    int64_t *ends = q->rowptr + (range->row_begin - q->row_begin) + 1;
    const int64_t rows = range->row_end - range->row_begin;
    const bool may_have_zero = move_chunks(q, r);
    if (range->parts > 0) {
        if (range->is_last)
            *ends = r->offset + r->nnz;
        return may_have_zero;
    }
    int64_t end = r->offset;
    for (int64_t i = 0; i < rows; i++) {
        end += r->row_nnz[i];
        ends[i] = end;
    }
    return may_have_zero;
}

int64_t spgemm_commit_row_reached(const commit_queue *q)
{
    const block *blocks = q->p->blocks;
    const int64_t frontier = atomic_load(&q->frontier);
    return frontier < q->p->count ? blocks[frontier].range.row_begin
                                  : blocks[frontier - 1].range.row_end;
}
