/* SPDX-License-Identifier: BSD-3-Clause */
/* Free ranges of pages by address, each with the time it was freed. Ranges that
   touch are taken as one; what was freed at one time is one. */
#ifndef SPGEMM_ALLOC_EXTENTS_H
#define SPGEMM_ALLOC_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXTENTS = 256 };

typedef struct extent {
    uintptr_t start;
    size_t bytes;
    int64_t freed; /* when: seconds */
} extent;

/* Begins as zeros. */
typedef struct extents {
    int count;
    size_t bytes; /* of all */
    extent at[EXTENTS];
} extents;

/** Adds a range that touches none of these. false: there are too many. */
bool spgemm_extents_add(extents *e, extent x);

/** `bytes` out of the shortest run of ranges that has them; 0: none has. */
uintptr_t spgemm_extents_take(extents *e, size_t bytes);

/** Those `bytes` from `start` on. false: they are not all free. */
bool spgemm_extents_take_at(extents *e, uintptr_t start, size_t bytes);

/** Takes out the range that was freed first, unless it was after `latest`: all of
    it, or its last `most` bytes. */
bool spgemm_extents_take_oldest(extents *e, int64_t latest, size_t most,
                                extent *x);

#endif
