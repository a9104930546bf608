/* SPDX-License-Identifier: BSD-3-Clause */
/* All memory of one call: taken through here, counted here.

   src/alloc is the only code of the library that allocates. */
#ifndef SPGEMM_ALLOC_MEMORY_H
#define SPGEMM_ALLOC_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spgemm/spgemm.h"

struct backend;

typedef struct memory {
    spgemm_allocator hooks;    /* never NULL inside */
    const struct backend *own; /* whose the hooks are; NULL: the caller's */
    atomic_size_t live_bytes;
    atomic_size_t peak_bytes;
    size_t limit_bytes; /* live bytes never pass it; SIZE_MAX: none */
    /* With what was refused for the limit at last; 0: nothing was. */
    atomic_size_t refused_bytes;
    struct memory *whole; /* whose account this is part of; NULL: its own */
} memory;

/** Whether hooks are whole, or none at all; `name` is what a refusal calls them.
    NULL is none. SPGEMM_ERROR_INVALID otherwise. */
spgemm_status spgemm_memory_check_hooks(const spgemm_allocator *hooks,
                                        const char *name);

/** Start an account. hooks: NULL or all zero for the library's own memory. */
void spgemm_memory_init(memory *m, const spgemm_allocator *hooks);

/** The same for a product: where the process's address space is limited, the
    library's own memory is mapped block by block. */
void spgemm_memory_init_product(memory *m, const spgemm_allocator *hooks);

/** Hold no more than `bytes` at one time, from now on; 0: no limit. */
void spgemm_memory_limit(memory *m, size_t bytes);

/** What m holds counts as held by `whole`, within its limit; m has none of its
    own. It holds nothing yet. */
void spgemm_memory_join(memory *m, memory *whole);

/** Where the bytes of m are counted. */
static inline memory *spgemm_memory_account(memory *m)
{
    return m->whole ? m->whole : m;
}

/** What a matrix made of this memory is given back by: zeroed when it is the
    library's own of all calls. */
spgemm_allocator spgemm_memory_hooks(const memory *m);

/** "jemalloc ...", "system", "mapped" or "caller". */
const char *spgemm_memory_kind(const memory *m);

/** Bytes that may still be taken: by the limit, and by that of the process's
    address space where the memory is mapped; SIZE_MAX: no limit. */
size_t spgemm_memory_left(const memory *m);

/**
 * An array of count elements, not initialised; NULL if the size overflows or
 * there is no memory. Never NULL for count 0. Large arrays ask the system for
 * huge pages.
 */
void *spgemm_memory_allocate(memory *m, int64_t count, size_t size);

/** As spgemm_memory_allocate(), filled with zero bytes. */
void *spgemm_memory_allocate_zeroed(memory *m, int64_t count, size_t size);

/** Give an array back; NULL is accepted. count and size as it was taken. */
void spgemm_memory_release(memory *m, void *block, int64_t count, size_t size);

/** Lengthen an array where it lies. false: it is as it was. */
bool spgemm_memory_grow_in_place(memory *m, void *block, int64_t old_count,
                                 int64_t new_count, size_t size);

/**
 * Change the length of an array, moving it if need be; NULL: it is as it was.
 * A move of a large array gives the old pages back as it goes, so that the two
 * are never both in memory.
 */
void *spgemm_memory_resize(memory *m, void *block, int64_t old_count,
                           int64_t new_count, size_t size);

#endif
