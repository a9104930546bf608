/* SPDX-License-Identifier: BSD-3-Clause */
/* Finished blocks find their place in C, in order, and no thread waits.

   The lock is only tried. Two traps, both modelled in tests/spin: whoever
   unlocks must look at the frontier again, since a block may have been
   published meanwhile by a thread that found the lock taken; and the unlock
   must be sequentially consistent, or the look passes the buffered store. */
#include "spgemm/commit.h"

#include "common/checked.h"
#include "common/stream_copy.h"

/* From this size on C does not stay in a cache, and is written past it.
   Measured, one thread of a Zen 4, ms for A*A, plain and past the caches:
   hangGlider_3 (998 MB) 262, 222; cage12 (184 MB) 137, 124; email-Enron
   (366 MB) 147, 133. */
#define STREAM_BYTES ((size_t)32 << 20)

spgemm_status spgemm_commit_init(commit_queue *q,
                                 const plan *p,
                                 growable *entries,
                                 int64_t *rowptr,
                                 memory *m)
{
    *q = (commit_queue){.p = p, .entries = entries, .rowptr = rowptr, .m = m};
    q->streams = entries->allocated_bytes >= STREAM_BYTES;
    q->published =
        spgemm_memory_allocate(m, p->count + 1, sizeof *q->published);
    if (!q->published)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int64_t b = 0; b <= p->count; b++)
        atomic_init(&q->published[b].by, NULL);
    return SPGEMM_SUCCESS;
}

void spgemm_commit_clear(commit_queue *q)
{
    if (q->p)
        spgemm_memory_release(q->m, q->published, q->p->count + 1,
                              sizeof *q->published);
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

static void copy_entries(const commit_queue *q, const result *r)
{
    void (*copy)(char *, const char *, size_t) =
        q->streams ? stream_copy : plain_copy;
    const size_t index_size = q->entries->index_size;
    const size_t value_size = q->entries->value_size;
    size_t at = 0;
    for (const chunk *c = r->chunks; c; c = c->next) {
        const size_t n = (size_t)c->used;
        copy(r->colidx + at * index_size, c->colidx, n * index_size);
        copy(r->values + at * value_size, c->values, n * value_size);
        at += n;
    }
}

void spgemm_commit_copy(const commit_queue *q, const result *r)
{
    const row_range *range = &q->p->blocks[r->block].range;
    copy_entries(q, r);
    if (range->parts > 0) {
        if (range->is_last)
            q->rowptr[range->row_end] = r->offset + r->nnz;
        return;
    }
    int64_t end = r->offset;
    for (int64_t i = range->row_begin; i < range->row_end; i++) {
        end += r->row_nnz[i - range->row_begin];
        q->rowptr[i + 1] = end;
    }
}
