/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that accumulators work in: one per thread, reused from row to
   row, clean between rows. Sizes follow the rows met, so that a thread that
   meets short rows stays in its cache. */
#ifndef SPGEMM_ACCUMULATE_SCRATCH_H
#define SPGEMM_ACCUMULATE_SCRATCH_H

#include <stdbool.h>

#include "alloc/memory.h"
#include "spgemm/spgemm.h"

/* Columns that a window covers at most: 2 MB of doubles. Wider rows are taken
   in slices of this, or hashed. A multiple of 4096. */
#define WINDOW_COLUMNS ((int64_t)1 << 18)

typedef struct scratch {
    memory *m;
    size_t value_size;
    size_t index_size;

    /* Windows: entry x stands for column first + x. All zero between rows. */
    int64_t window_columns; /* capacity: 0, or a power of two from 4096 on */
    void *sums;             /* [window_columns] of the value type */
    uint8_t *flags;         /* [window_columns] dense: 1 where taken */
    uint64_t *bits;         /* [window_columns / 64] scatter */
    uint8_t *touched;       /* [window_columns / 64] 1: a word of bits in use */

    /* Hash: all keys -1 between rows. */
    int64_t slots;   /* capacity: 0, or a power of two */
    void *keys;      /* [slots] of the index type */
    void *slot_sums; /* [slots] of the value type */
    void *columns;   /* [slots] of the index type: found, in order */
    void *spare;     /* [slots] of the index type: for sorting */

    int64_t rows_by_accumulator[SPGEMM_ACCUMULATOR_COUNT];
} scratch;

/** An empty scratch: nothing is allocated before it is needed. */
void spgemm_scratch_init(scratch *s,
                         memory *m,
                         size_t value_size,
                         size_t index_size);

void spgemm_scratch_clear(scratch *s);

/** Windows for `columns` <= WINDOW_COLUMNS columns. false: no memory. */
bool spgemm_scratch_grow_window(scratch *s, int64_t columns);

/**
 * A hash of `slots` (a power of two) slots. Its content is lost: a table that
 * grows while it is in use is taken out with spgemm_scratch_take_hash() first.
 */
bool spgemm_scratch_grow_hash(scratch *s, int64_t slots);

static inline bool scratch_window(scratch *s, int64_t columns)
{
    return columns <= s->window_columns ||
           spgemm_scratch_grow_window(s, columns);
}

static inline bool scratch_hash(scratch *s, int64_t slots)
{
    return slots <= s->slots || spgemm_scratch_grow_hash(s, slots);
}

/** Whether the windows are all zero, as they must be between rows. O(window):
    for assertions. */
bool spgemm_scratch_is_clean(const scratch *s);

/** Moves the hash of s to *old, whose other parts are empty. */
void spgemm_scratch_take_hash(scratch *s, scratch *old);

#endif
