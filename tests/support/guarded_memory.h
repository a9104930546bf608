/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that ends where a page begins that nobody may touch: one byte read or
   written beyond a block ends the test. What lies before a block, and between
   its end and that page, is looked at when it is released. */
#ifndef SPGEMM_TESTS_GUARDED_MEMORY_H
#define SPGEMM_TESTS_GUARDED_MEMORY_H

#include <stdatomic.h>

#include "spgemm/spgemm.h"

typedef struct guarded_heap {
    atomic_long live;    /* blocks out */
    atomic_long damaged; /* blocks released whose surroundings had changed */
} guarded_heap;

void *guarded_allocate(guarded_heap *h, size_t bytes);
void guarded_release(guarded_heap *h, void *block);

/** Hooks without reallocate. */
spgemm_allocator guarded_hooks(guarded_heap *h);

/** The same matrix in guarded arrays; free with guarded_free_csr(). */
spgemm_csr guarded_copy_csr(guarded_heap *h, const spgemm_csr *A);
void guarded_free_csr(guarded_heap *h, spgemm_csr *A);

#endif
