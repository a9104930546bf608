/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a thread keeps rows of C while they are finished. */
#include "kernels/row/row_buffers.h"

#include <string.h>

#include "common/checked.h"

#define BUFFER_ENTRIES 1024

bool spgemm_row_buffers_open(row_buffers *b, memory *m, size_t index_size,
                             size_t value_size)
{
    *b = (row_buffers){0};
    spgemm_chunk_store_init(&b->store, m, index_size, value_size);
    spgemm_chunk_store_reserve(&b->store, BUFFER_ENTRIES);
    return spgemm_output_open(&b->sums, &b->store, BUFFER_ENTRIES, NULL) &&
           spgemm_output_open(&b->merged, &b->store, BUFFER_ENTRIES, NULL);
}

void spgemm_row_buffers_close(row_buffers *b)
{
    spgemm_chunk_give(&b->store, b->sums.first);
    spgemm_chunk_give(&b->store, b->merged.first);
    spgemm_memory_release(b->store.m, b->keys, b->nkeys, sizeof *b->keys);
    spgemm_chunk_store_clear(&b->store);
}

/* Goes on in one chunk for at least n entries alone. */
static bool replace(output *row, int64_t n)
{
    chunk *c = spgemm_chunk_take(row->store, n);
    if (!c)
        return false;
    spgemm_chunk_give(row->store, row->first);
    *row = (output){.store = row->store,
                    .first = c,
                    .last = c,
                    .colidx = c->colidx,
                    .values = c->values,
                    .capacity = c->capacity,
                    .limit = c->capacity,
                    .row_nnz = row->row_nnz};
    return true;
}

bool spgemm_row_buffer_empty(output *row, int64_t n)
{
    row->used = 0;
    if (row->first == row->last && n <= row->capacity)
        return true;
    return replace(row, max_i64(n, 2 * row->capacity));
}

/* Moves `from` to the end of the row. */
static void append(output *row, const chunk *from)
{
    const chunk_store *s = row->store;
    const size_t at = (size_t)row->used;
    const size_t n = (size_t)from->used;
    memcpy((char *)row->colidx + at * s->index_size, from->colidx,
           n * s->index_size);
    memcpy((char *)row->values + at * s->value_size, from->values,
           n * s->value_size);
    row->used += from->used;
}

bool spgemm_row_buffer_join(output *row)
{
    if (row->first == row->last)
        return true;
    const int64_t n = spgemm_output_close(row);
    chunk *parts = row->first;
    row->first = NULL;
    if (!replace(row, n)) {
        row->first = parts;
        return false;
    }
    for (const chunk *c = parts; c; c = c->next)
        append(row, c);
    spgemm_chunk_give(row->store, parts);
    return true;
}

bool spgemm_row_buffers_make_keys(row_buffers *b, int64_t n)
{
    if (n <= b->nkeys)
        return true;
    spgemm_memory_release(b->store.m, b->keys, b->nkeys, sizeof *b->keys);
    b->keys = spgemm_memory_allocate(b->store.m, n, sizeof *b->keys);
    b->nkeys = b->keys ? n : 0;
    return b->keys != NULL;
}
