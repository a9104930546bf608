/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers for rows of C on their way to C. Chunks are of one size, planned
   from the prediction, and reused; what does not fit its chunk goes to chunks
   of the overflow pool, made to measure and given back after use. */
#ifndef SPGEMM_ALLOC_CHUNK_H
#define SPGEMM_ALLOC_CHUNK_H

#include "alloc/memory.h"

typedef struct chunk {
    struct chunk *next;
    void *colidx; /* [capacity] of the index type */
    void *values; /* [capacity] of the value type */
    int64_t capacity;
    int64_t used;
} chunk;

/* The chunks of one thread; nothing here is shared. */
typedef struct chunk_store {
    memory *m;
    size_t index_size;
    size_t value_size;
    int64_t capacity; /* of a planned chunk */
    chunk *idle;      /* planned chunks waiting for reuse */
    int64_t made;     /* chunks allocated so far */
} chunk_store;

/** An empty store, of chunks for no entries. */
void spgemm_chunk_store_init(chunk_store *s, memory *m, size_t index_size,
                             size_t value_size);

/** Planned chunks are for at least `capacity` entries from now on. */
void spgemm_chunk_store_reserve(chunk_store *s, int64_t capacity);

/** An empty chunk for at least `capacity` entries; NULL: no memory. */
chunk *spgemm_chunk_take(chunk_store *s, int64_t capacity);

/** Give a list of chunks back to the thread's store. */
void spgemm_chunk_give(chunk_store *s, chunk *list);

void spgemm_chunk_store_clear(chunk_store *s);

#endif
