/* SPDX-License-Identifier: BSD-3-Clause */
/* colidx and values of C while nnz(C) is only predicted: allocated from the
   prediction, grown in place, else by a further segment; one array of the
   exact length at the end. */
#ifndef SPGEMM_ALLOC_GROWABLE_H
#define SPGEMM_ALLOC_GROWABLE_H

#include "alloc/memory.h"
#include "spgemm/spgemm.h"

enum { GROWABLE_SEGMENTS = 64 };

/* Entries of C from `start` on. */
typedef struct segment {
    int64_t start;
    int64_t colidx_capacity;
    int64_t values_capacity;
    char *colidx;
    char *values;
} segment;

typedef struct growable {
    memory *m;
    size_t index_size;
    size_t value_size;
    int64_t used;
    int64_t bound; /* used never passes this */
    int count;
    int times_grown;
    segment segments[GROWABLE_SEGMENTS];
    bool is_borrowed;       /* the only segment is somebody else's */
    bool is_lent;           /* the first is, and others may follow */
    size_t allocated_bytes; /* of all segments ever */
} growable;

/** Room for `capacity` entries, of at most `bound`. false: no memory. */
bool spgemm_growable_init(growable *g, memory *m, size_t index_size,
                          size_t value_size, int64_t capacity, int64_t bound);

/** As spgemm_growable_init(), but the first room is in arrays of the caller's,
    for `capacity` entries; where that is too little, all ends in own arrays. */
void spgemm_growable_lend(growable *g, memory *m, size_t index_size,
                          size_t value_size, const spgemm_out *out,
                          int64_t bound);

/** Room for `capacity` entries in arrays of the caller's, and for no more. */
void spgemm_growable_borrow(growable *g, size_t index_size, size_t value_size,
                            void *colidx, void *values, int64_t capacity);

/**
 * The place of the next n entries. Places given before stay where they are.
 * One caller at a time. false: no memory.
 */
bool spgemm_growable_place(growable *g, int64_t n, void **colidx,
                           void **values);

/**
 * One array each of exactly `used` entries, now the caller's. Nobody may write
 * to a place any more. false: no memory, and *g is as it was.
 */
bool spgemm_growable_finish(growable *g, void **colidx, void **values);

void spgemm_growable_clear(growable *g);

#endif
