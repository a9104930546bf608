/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's own memory: jemalloc where the process has it, libc if not. */
#ifndef SPGEMM_ALLOC_BACKEND_H
#define SPGEMM_ALLOC_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "spgemm/alloc.h"

/* A block that begins or ends within one shares it with others. The first touch of
   one takes as long as that of 34 pages of 4 KB (42 us, a Zen 4 in a virtual
   machine). */
#define HUGE_PAGE_BYTES ((size_t)2 << 20)

/* One backend. */
typedef struct backend {
    const char *(*name)(void);
    spgemm_allocator hooks;
    bool (*grow_in_place)(void *block, size_t bytes); /* NULL: never */
    void (*trim)(void);
    void (*tend)(void); /* at calls; NULL: nothing to do */
    bool remaps;        /* reallocate moves pages, not bytes */
    bool advises;       /* asks for huge pages itself */
} backend;

extern const backend spgemm_backend_jemalloc;
extern const backend spgemm_backend_kept;
extern const backend spgemm_backend_libc;
extern const backend spgemm_backend_mapped;

/** Whether the process has jemalloc (and the build wants it). */
bool spgemm_backend_jemalloc_usable(void);

/** The backend in use; the same for the life of the process. */
const backend *spgemm_backend(void);

/** The backend that these hooks are of; NULL: they are a caller's. */
const backend *spgemm_backend_of(const spgemm_allocator *hooks);

#endif
