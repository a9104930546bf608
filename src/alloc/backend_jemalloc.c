/* SPDX-License-Identifier: BSD-3-Clause */
/* An arena of the library's own in the jemalloc of the process.

   The symbols are weak: a shared library that links Debian's jemalloc cannot
   be dlopened (its thread-local storage is static), so the library links none
   and uses jemalloc when the program brought it. The arena keeps freed extents
   for `dirty_decay_ms` (10 s), so that repeated products find warm pages. */
#include "alloc/backend.h"

#ifndef SPGEMM_JEMALLOC

bool spgemm_backend_jemalloc_usable(void)
{
    return false;
}

const backend spgemm_backend_jemalloc = {0};

#else

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include <jemalloc/jemalloc.h>

#include "alloc/kept_pages.h"

extern __typeof__(mallocx) mallocx __attribute__((weak));
extern __typeof__(rallocx) rallocx __attribute__((weak));
extern __typeof__(xallocx) xallocx __attribute__((weak));
extern __typeof__(dallocx) dallocx __attribute__((weak));
extern __typeof__(mallctl) mallctl __attribute__((weak));

static pthread_once_t arena_once = PTHREAD_ONCE_INIT;
static unsigned arena; /* 0, jemalloc's automatic one, if none could be made */
static char arena_name[64] = "jemalloc";

enum { CONTROL_BYTES = 48 };

/* The name of a control of the arena. */
static const char *control(char name[CONTROL_BYTES], const char *of)
{
    snprintf(name, CONTROL_BYTES, "arena.%u.%s", arena, of);
    return name;
}

/* jemalloc purges extents of 8 MB and more as soon as they are freed, unless
   told not to. Measured: 43 % of repeated products of email-Enron (366 MB)
   went into clearing fresh pages. */
static void keep_large_extents(void)
{
    char name[CONTROL_BYTES];
    size_t threshold = SIZE_MAX;
    mallctl(control(name, "oversize_threshold"), NULL, NULL, &threshold,
            sizeof threshold);
}

static extent_hooks_t *usual_hooks; /* jemalloc's own */

/* What the arena cuts blocks from: pages that came in whole huge ones, and go back for
   good once they are not to be kept. Were their addresses kept instead, as jemalloc
   does, of a huge page that is used in part the rest would return to the system by
   pages of 4 KB, and come back by them, a fault each.

   jemalloc asks for more than it needs (uncommitted) before it asks for what it needs;
   its own data (zeros) it gets as ever. */
static void *map_pages(extent_hooks_t *hooks, void *at, size_t size,
                       size_t alignment, bool *zero, bool *commit,
                       unsigned index)
{
    (void)hooks;
    if (!*commit)
        return NULL;
    if (at || *zero || alignment > spgemm_page_bytes())
        return usual_hooks->alloc(usual_hooks, at, size, alignment, zero,
                                  commit, index);
    return (void *)spgemm_pages_take(size);
}

static bool give_back_pages(extent_hooks_t *hooks, void *start, size_t size,
                            bool is_committed, unsigned index)
{
    (void)hooks;
    (void)is_committed;
    (void)index;
    spgemm_pages_drop((uintptr_t)start, size);
    return false;
}

static void set_hooks(extent_hooks_t *hooks)
{
    char name[CONTROL_BYTES];
    mallctl(control(name, "extent_hooks"), NULL, NULL, &hooks, sizeof hooks);
}

/* Once the arena is there: its own data take a few pages. */
static void use_huge_pages(void)
{
    static extent_hooks_t hooks;
    size_t length = sizeof usual_hooks;
    char name[CONTROL_BYTES];
    if (mallctl(control(name, "extent_hooks"), &usual_hooks, &length, NULL,
                0) != 0)
        return;
    hooks = *usual_hooks;
    hooks.alloc = map_pages;
    hooks.dalloc = give_back_pages;
    set_hooks(&hooks);
}

/* The arena outlives a library that is unloaded. */
static void __attribute__((destructor)) unload(void)
{
    if (usual_hooks)
        set_hooks(usual_hooks);
}

static void create_arena(void)
{
    const char *version = NULL;
    size_t length = sizeof version;
    if (mallctl("version", &version, &length, NULL, 0) == 0)
        snprintf(arena_name, sizeof arena_name, "jemalloc %s", version);
    unsigned index;
    length = sizeof index;
    if (mallctl("arenas.create", &index, &length, NULL, 0) != 0)
        return;
    arena = index;
    keep_large_extents();
    use_huge_pages();
}

static int arena_flags(void)
{
    pthread_once(&arena_once, create_arena);
    return (int)MALLOCX_ARENA(arena) | MALLOCX_TCACHE_NONE;
}

/* Small blocks are those of the thread's cache, which has no longer ones, and the
   arena's lock is left alone: 250 products take 2.6 us instead of 3.3 (one thread
   of a Zen 5). The first call of 2,500 has 0.05 ms of them, and 0.13 by a huge
   page. */
#define SMALL_BYTES ((size_t)32 << 10)

static int flags_for(size_t bytes)
{
    return bytes <= SMALL_BYTES ? 0 : arena_flags();
}

bool spgemm_backend_jemalloc_usable(void)
{
    return mallocx && rallocx && xallocx && dallocx && mallctl;
}

static const char *jemalloc_name(void)
{
    pthread_once(&arena_once, create_arena);
    return arena_name;
}

static void *jemalloc_allocate(void *context, size_t bytes)
{
    (void)context;
    return mallocx(bytes, flags_for(bytes) | MALLOCX_ALIGN(64));
}

static void *jemalloc_reallocate(void *context, void *block, size_t bytes)
{
    (void)context;
    return rallocx(block, bytes, flags_for(bytes) | MALLOCX_ALIGN(64));
}

static void jemalloc_release(void *context, void *block)
{
    (void)context;
    dallocx(block, 0);
}

static bool jemalloc_grow_in_place(void *block, size_t bytes)
{
    return xallocx(block, bytes, 0, MALLOCX_ALIGN(64)) >= bytes;
}

static void jemalloc_trim(void)
{
    char name[CONTROL_BYTES];
    (void)arena_flags(); /* it is there */
    mallctl(control(name, "purge"), NULL, NULL, NULL, 0);
    spgemm_pages_give_back();
}

const backend spgemm_backend_jemalloc = {
    .name = jemalloc_name,
    .hooks = {NULL, jemalloc_allocate, jemalloc_reallocate, jemalloc_release},
    .grow_in_place = jemalloc_grow_in_place,
    .trim = jemalloc_trim,
    .tend = spgemm_pages_tend,
    .advises = true,
};

#endif
