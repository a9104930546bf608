/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers for rows of C on their way to C. */
#include "alloc/chunk.h"

#include "common/checked.h"

/* The header of a chunk, rounded so that the arrays behind it are aligned. */
#define HEADER_BYTES ((int64_t)64)

_Static_assert(sizeof(chunk) <= HEADER_BYTES, "the header must hold a chunk");

void spgemm_chunk_store_init(chunk_store *s, memory *m, size_t index_size,
                             size_t value_size)
{
    *s = (chunk_store){
        .m = m, .index_size = index_size, .value_size = value_size};
}

/* One block: header, values, columns, which are aligned whatever the size of a
   value. */
static int64_t columns_at(const chunk_store *s, int64_t capacity)
{
    const int64_t values = capacity * (int64_t)s->value_size;
    return HEADER_BYTES +
           (values + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
}

static int64_t block_bytes(const chunk_store *s, int64_t capacity)
{
    return columns_at(s, capacity) + capacity * (int64_t)s->index_size;
}

static chunk *make(chunk_store *s, int64_t capacity)
{
    const int64_t most = (INT64_MAX - 2 * HEADER_BYTES) /
                         (int64_t)(s->value_size + s->index_size);
    if (capacity > most)
        return NULL;
    char *block = spgemm_memory_allocate(s->m, block_bytes(s, capacity), 1);
    if (!block)
        return NULL;
    chunk *made = (chunk *)(void *)block;
    made->capacity = capacity;
    made->values = block + HEADER_BYTES;
    made->colidx = block + columns_at(s, capacity);
    s->made++;
    return made;
}

static void destroy(chunk_store *s, chunk *c)
{
    spgemm_memory_release(s->m, c, block_bytes(s, c->capacity), 1);
}

chunk *spgemm_chunk_take(chunk_store *s, int64_t capacity)
{
    chunk *taken = s->idle;
    if (taken && capacity <= s->capacity)
        s->idle = taken->next;
    else
        taken = make(s, max_i64(capacity, s->capacity));
    if (taken) {
        taken->next = NULL;
        taken->used = 0;
    }
    return taken;
}

void spgemm_chunk_give(chunk_store *s, chunk *list)
{
    while (list) {
        chunk *next = list->next;
        if (list->capacity == s->capacity) {
            list->next = s->idle;
            s->idle = list;
        } else {
            destroy(s, list);
        }
        list = next;
    }
}

void spgemm_chunk_store_clear(chunk_store *s)
{
    while (s->idle) {
        chunk *next = s->idle->next;
        destroy(s, s->idle);
        s->idle = next;
    }
}

void spgemm_chunk_store_reserve(chunk_store *s, int64_t capacity)
{
    if (capacity <= s->capacity)
        return;
    spgemm_chunk_store_clear(s);
    s->capacity = capacity;
}
