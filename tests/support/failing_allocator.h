/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory hooks that count, and that refuse when told to. */
#ifndef SPGEMM_TESTS_FAILING_ALLOCATOR_H
#define SPGEMM_TESTS_FAILING_ALLOCATOR_H

#include <pthread.h>
#include <stdbool.h>

#include "spgemm/alloc.h"

/* Blocks that may be live at one time. */
enum { FAILING_ALLOCATOR_BLOCKS = 1 << 14 };

typedef struct failing_allocator {
    pthread_mutex_t lock;
    long calls;         /* of allocate and reallocate */
    long fail_at;       /* number of the call that fails; -1: none */
    bool fails_forever; /* and every one after it */
    long failures;
    long live;         /* blocks out */
    long foreign;      /* releases of what was never given, or twice */
    size_t live_bytes; /* as asked for */
    size_t peak_bytes;
    size_t largest_bytes; /* of any block there was */
    struct {
        void *start;
        size_t bytes;
    } blocks[FAILING_ALLOCATOR_BLOCKS];
} failing_allocator;

/** A heap of its own; free with failing_allocator_destroy(). */
failing_allocator *failing_allocator_create(void);
void failing_allocator_destroy(failing_allocator *f);

/** Count calls from 0 again; the one numbered `at` fails (-1: none). */
void failing_allocator_arm(failing_allocator *f, long at, bool forever);

/** Hooks with all three functions. */
spgemm_allocator failing_allocator_hooks(failing_allocator *f);

/** Hooks whose reallocate is NULL. */
spgemm_allocator failing_allocator_plain_hooks(failing_allocator *f);

#endif
