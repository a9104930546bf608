/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the memory of a call comes from: hooks for callers who bring their own. */
#ifndef SPGEMM_ALLOC_H
#define SPGEMM_ALLOC_H

#include <stddef.h>

#include "spgemm/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Memory hooks. All zero: the library's own memory, which is a jemalloc arena
 * of its own where the process has jemalloc; otherwise pages of the system for
 * large blocks, and the C library's memory for small ones.
 *
 * With hooks, every byte that a call takes, the arrays of its result included,
 * comes from them, but for a plan's own struct, of some 12 KB. They are called from several threads at once. A matrix
 * remembers its hooks by value; `context` must live as long as the matrix.
 */
typedef struct spgemm_allocator {
    /** Handed to each hook as it is. */
    void *context;

    /** At least `bytes` (> 0) bytes, aligned for any type, or NULL. */
    void *(*allocate)(void *context, size_t bytes);

    /** As realloc(): `block` (never NULL) with `bytes` (> 0), moved or not, its
        content kept; or NULL, and `block` is as it was. May be NULL itself:
        then blocks are allocated anew and copied. */
    void *(*reallocate)(void *context, void *block, size_t bytes);

    /** Gives back a block (never NULL) of the two hooks above. */
    void (*release)(void *context, void *block);
} spgemm_allocator;

/**
 * Give the memory that the library keeps for its next call back to the system.
 *
 * Freed arrays stay mapped for the next product, which then does not pay for
 * fresh pages: until the library is used again after 10 s, or until this is
 * called. With jemalloc that time is `dirty_decay_ms` of MALLOC_CONF, and they may
 * be of any size. Without, they are an eighth of the machine's memory at most, and
 * 4 GB; a system that is short of memory takes them before (ranges of 4 MB and
 * more); a child of a fork gives them back at once. Safe at any time, from any
 * thread.
 */
SPGEMM_API void spgemm_memory_trim(void);

/** Name of the library's own memory: "jemalloc 5.3.0-...", or "system". */
SPGEMM_API const char *spgemm_memory_name(void);

#ifdef __cplusplus
}
#endif
#endif
