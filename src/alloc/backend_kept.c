/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory without jemalloc: pages of the library's own that are kept between
   calls, and for small blocks the C library.

   malloc() gives large blocks back to the system when they are freed, and every
   call pays for fresh pages: a third of its time and more. So what is freed here
   waits for the next call: KEPT_SECONDS, and a KEPT_SHARE of the machine's memory
   at most. There is no thread that watches the time: calls do. */
#include "alloc/backend.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc/extents.h"
#include "common/timer.h"

#define KEPT_SECONDS 10
#define KEPT_SHARE   8
#define KEPT_BYTES   ((size_t)4 << 30) /* and no more than these */

/* Blocks of fewer pages are malloc()'s. */
#define LEAST_PAGES ((size_t)8)

/* Ranges of kept pages that the system is offered: so many bytes and more. */
#define OFFERED_BYTES (2 * HUGE_PAGE_BYTES)

#define ALIGNMENT ((size_t)64)

/* Of a block: sums of less do not wrap. */
#define MOST_BYTES ((size_t)PTRDIFF_MAX / 2)

/* In front of each block. */
typedef struct header {
    void *start;   /* of its pages, or what malloc() gave */
    size_t length; /* of its pages; what malloc() was asked for */
    bool has_pages;
} header;

_Static_assert(sizeof(header) <= ALIGNMENT, "a header lies before its block");

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static extents kept;               /* under the lock */
static atomic_int_fast64_t looked; /* when it was last looked for old ones */
static size_t most_bytes;          /* to keep */

static header *header_of(void *block)
{
    return (header *)(void *)((char *)block - sizeof(header));
}

static void *block_in(void *start, size_t length, bool has_pages)
{
    char *first = (char *)start + sizeof(header);
    first += -(uintptr_t)first & (ALIGNMENT - 1);
    *header_of(first) = (header){start, length, has_pages};
    return first;
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static uintptr_t round_up(uintptr_t x, size_t unit)
{
    return (x + unit - 1) & ~(uintptr_t)(unit - 1);
}

/* Of a block, in its pages. */
static size_t offset_of(void *block)
{
    return (size_t)((char *)block - (char *)header_of(block)->start);
}

/* ---- Forks, and the end --------------------------------------------------- */

static void unmap(uintptr_t start, size_t bytes)
{
    (void)munmap((void *)start, bytes);
}

static void enter_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void leave_fork(void)
{
    pthread_mutex_unlock(&lock);
}

/* To keep the pages of the parent would be to copy them. */
static void enter_child(void)
{
    extent x;
    while (spgemm_extents_take_oldest(&kept, INT64_MAX, SIZE_MAX, &x))
        unmap(x.start, x.bytes);
    leave_fork();
}

static void begin(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const size_t share =
        pages > 0 ? (size_t)pages / KEPT_SHARE * page_bytes() : KEPT_BYTES;
    most_bytes = share < KEPT_BYTES ? share : KEPT_BYTES;
    pthread_atfork(enter_fork, leave_fork, enter_child);
}

/* Gives back what was freed at `latest` and before, until at most `most` bytes
   are kept. Others go on meanwhile. */
static void give_back(int64_t latest, size_t most)
{
    extent x;
    bool found;
    do {
        pthread_mutex_lock(&lock);
        const size_t excess = kept.bytes > most ? kept.bytes - most : 0;
        found = excess > 0 &&
                spgemm_extents_take_oldest(
                    &kept, latest, round_up(excess, HUGE_PAGE_BYTES), &x);
        pthread_mutex_unlock(&lock);
        if (found)
            unmap(x.start, x.bytes);
    } while (found);
}

void spgemm_kept_give_back(void)
{
    give_back(INT64_MAX, 0);
}

/* A library that is unloaded leaves nothing behind but matrices. */
static void __attribute__((destructor)) unload(void)
{
    spgemm_kept_give_back();
}

static void look(int64_t now)
{
    if (atomic_load_explicit(&looked, memory_order_relaxed) == now)
        return;
    atomic_store_explicit(&looked, now, memory_order_relaxed);
    give_back(now - KEPT_SECONDS, 0);
}

/* ---- Pages ---------------------------------------------------------------- */

/* Of a block, with its header. */
static size_t pages_for(size_t bytes)
{
    return round_up(bytes + ALIGNMENT, page_bytes());
}

/* A system that is short of memory may take what is kept. It costs nothing that
   can be measured, where pages are huge. */
static void offer(uintptr_t start, size_t bytes)
{
#ifdef MADV_FREE
    const uintptr_t first = round_up(start, HUGE_PAGE_BYTES);
    const uintptr_t end = (start + bytes) & ~(HUGE_PAGE_BYTES - 1);
    if (bytes >= OFFERED_BYTES && end > first)
        (void)madvise((void *)first, end - first, MADV_FREE);
#else
    (void)start;
    (void)bytes;
#endif
}

static void keep(uintptr_t start, size_t bytes, int64_t now)
{
    offer(start, bytes);
    pthread_mutex_lock(&lock);
    const bool is_kept = bytes <= most_bytes &&
                         spgemm_extents_add(&kept, (extent){start, bytes, now});
    const bool is_too_much = kept.bytes > most_bytes;
    pthread_mutex_unlock(&lock);
    if (!is_kept)
        unmap(start, bytes);
    if (is_too_much)
        give_back(INT64_MAX, most_bytes);
}

static void *map(size_t bytes)
{
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

/* Whole huge pages: systems before Linux 6.7 begin them anywhere. */
static uintptr_t map_aligned(size_t bytes)
{
    void *exact = map(bytes);
    if (!exact || (uintptr_t)exact % HUGE_PAGE_BYTES == 0)
        return (uintptr_t)exact;
    unmap((uintptr_t)exact, bytes);
    void *wide = map(bytes + HUGE_PAGE_BYTES);
    if (!wide)
        return 0;
    const size_t before = -(uintptr_t)wide & (HUGE_PAGE_BYTES - 1);
    const uintptr_t start = (uintptr_t)wide + before;
    if (before > 0)
        unmap((uintptr_t)wide, before);
    unmap(start + bytes, HUGE_PAGE_BYTES - before);
    return start;
}

/* Fresh pages, whole huge ones; those beyond `bytes` are kept. */
static uintptr_t map_pages(size_t bytes, int64_t now)
{
    const size_t all = round_up(bytes, HUGE_PAGE_BYTES);
    pthread_once(&once, begin);
    uintptr_t start = map_aligned(all);
    if (!start) {
        spgemm_kept_give_back();
        start = map_aligned(all);
    }
    if (!start)
        return 0;
#ifdef MADV_HUGEPAGE
    (void)madvise((void *)start, all, MADV_HUGEPAGE);
#endif
    if (all > bytes)
        keep(start + bytes, all - bytes, now);
    return start;
}

static void *allocate_pages(size_t bytes)
{
    const size_t length = pages_for(bytes);
    const int64_t now = timer_whole_seconds();
    look(now);
    pthread_mutex_lock(&lock);
    uintptr_t start = spgemm_extents_take(&kept, length);
    pthread_mutex_unlock(&lock);
    if (!start)
        start = map_pages(length, now);
    return start ? block_in((void *)start, length, true) : NULL;
}

/* ---- The hooks ------------------------------------------------------------ */

static const char *kept_name(void)
{
    return "system";
}

static void *allocate_small(size_t bytes)
{
    void *start = malloc(bytes + sizeof(header) + ALIGNMENT);
    return start ? block_in(start, bytes, false) : NULL;
}

static void *kept_allocate(void *context, size_t bytes)
{
    (void)context;
    if (bytes > MOST_BYTES)
        return NULL;
    return bytes < LEAST_PAGES * page_bytes() ? allocate_small(bytes)
                                              : allocate_pages(bytes);
}

static void kept_release(void *context, void *block)
{
    const header h = *header_of(block);
    (void)context;
    if (h.has_pages)
        keep((uintptr_t)h.start, h.length, timer_whole_seconds());
    else
        free(h.start);
}

static bool kept_grow_in_place(void *block, size_t bytes)
{
    header *h = header_of(block);
    if (!h->has_pages || bytes > MOST_BYTES)
        return false;
    const size_t length = pages_for(bytes);
    bool is_long = length <= h->length;
    if (!is_long) {
        pthread_mutex_lock(&lock);
        is_long = spgemm_extents_take_at(&kept, (uintptr_t)h->start + h->length,
                                         length - h->length);
        pthread_mutex_unlock(&lock);
        if (is_long)
            h->length = length;
    }
    return is_long;
}

/* The pages behind what a block shrinks to. */
static void keep_tail(header *h, size_t bytes)
{
    const size_t length = pages_for(bytes);
    if (length < h->length)
        keep((uintptr_t)h->start + length, h->length - length,
             timer_whole_seconds());
    h->length = length;
}

static void *kept_reallocate(void *context, void *block, size_t bytes)
{
    header *h = header_of(block);
    if (bytes > MOST_BYTES)
        return NULL;
    if (h->has_pages && pages_for(bytes) <= h->length) {
        keep_tail(h, bytes);
        return block;
    }
    if (kept_grow_in_place(block, bytes))
        return block;
    void *moved = kept_allocate(context, bytes);
    if (!moved)
        return NULL;
    const size_t held = h->length - (h->has_pages ? offset_of(block) : 0);
    memcpy(moved, block, held < bytes ? held : bytes);
    kept_release(context, block);
    return moved;
}

static void kept_trim(void)
{
    spgemm_kept_give_back();
    spgemm_backend_libc.trim(); /* small blocks are malloc()'s */
}

static void kept_tend(void)
{
    look(timer_whole_seconds());
}

const backend spgemm_backend_kept = {
    .name = kept_name,
    .hooks = {NULL, kept_allocate, kept_reallocate, kept_release},
    .grow_in_place = kept_grow_in_place,
    .trim = kept_trim,
    .tend = kept_tend,
    .advises = true,
};
