/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory hooks that fail when told to, fill what they give and take with junk,
   and see whatever is written, released or resized that is not theirs. */
#ifndef SPGEMM_TESTS_CROSS_HOSTILE_HEAP_H
#define SPGEMM_TESTS_CROSS_HOSTILE_HEAP_H

#include <pthread.h>
#include <stdbool.h>

#include "spgemm/alloc.h"

typedef struct hostile_heap {
    pthread_mutex_t lock;
    long calls;         /* of allocate and reallocate */
    long fail_at;       /* number of the call that fails; -1: none */
    bool fails_forever; /* and every one after it */
    long failures;
    long live;         /* blocks out */
    size_t live_bytes; /* as asked for */
    size_t peak_bytes;
    const char *harm; /* the first misuse; NULL: none */

    unsigned char *base; /* the blocks of one input, one behind the other */
    size_t used;
} hostile_heap;

/** Make the heap ready for an input: nothing out, nothing failing. */
void hostile_heap_begin(hostile_heap *h);

/** Count calls and the peak from now; the call numbered `at` fails. */
void hostile_heap_arm(hostile_heap *h, long at, bool forever);

/** The hooks; without a reallocate if not `resizes`. */
spgemm_allocator hostile_heap_hooks(hostile_heap *h, bool resizes);

#endif
