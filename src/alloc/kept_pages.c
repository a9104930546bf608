/* SPDX-License-Identifier: BSD-3-Clause */
/* Free pages are kept for whoever takes some next: KEPT_SECONDS, and a KEPT_SHARE of
   the machine's memory at most. There is no thread that watches the time: calls do. */
#include "alloc/kept_pages.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc/backend.h"
#include "alloc/extents.h"
#include "common/timer.h"

#define KEPT_SECONDS 10
#define KEPT_SHARE   8
#define KEPT_BYTES   ((size_t)4 << 30) /* and no more than these */

/* Ranges of kept pages that the system is offered: so many bytes and more. */
#define OFFERED_BYTES (2 * HUGE_PAGE_BYTES)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static extents kept;               /* under the lock */
static atomic_int_fast64_t looked; /* when it was last looked for old ones */
static size_t most_bytes;          /* to keep */

size_t spgemm_page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static uintptr_t round_up(uintptr_t x, size_t unit)
{
    return (x + unit - 1) & ~(uintptr_t)(unit - 1);
}

size_t spgemm_whole_pages(size_t bytes)
{
    return round_up(bytes, spgemm_page_bytes());
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
    const size_t share = pages > 0
                             ? (size_t)pages / KEPT_SHARE * spgemm_page_bytes()
                             : KEPT_BYTES;
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

void spgemm_pages_give_back(void)
{
    give_back(INT64_MAX, 0);
}

/* A library that is unloaded leaves nothing behind but matrices. */
static void __attribute__((destructor)) unload(void)
{
    spgemm_pages_give_back();
}

static void look(int64_t now)
{
    if (atomic_load_explicit(&looked, memory_order_relaxed) == now)
        return;
    atomic_store_explicit(&looked, now, memory_order_relaxed);
    give_back(now - KEPT_SECONDS, 0);
}

/* ---- Pages ---------------------------------------------------------------- */

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

/* Keeps a range that was freed at `freed`, where there is room for it. */
static void keep(uintptr_t start, size_t bytes, int64_t freed)
{
    pthread_mutex_lock(&lock);
    const bool is_kept =
        bytes <= most_bytes &&
        spgemm_extents_add(&kept, (extent){start, bytes, freed});
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

/* Fresh pages, whole huge ones; those behind `bytes` are kept. */
static uintptr_t map_pages(size_t bytes, int64_t now)
{
    const size_t all = round_up(bytes, HUGE_PAGE_BYTES);
    pthread_once(&once, begin);
    uintptr_t start = map_aligned(all);
    if (!start) {
        spgemm_pages_give_back();
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

uintptr_t spgemm_pages_take(size_t bytes)
{
    const int64_t now = timer_whole_seconds();
    look(now);
    pthread_mutex_lock(&lock);
    const uintptr_t start = spgemm_extents_take(&kept, bytes);
    pthread_mutex_unlock(&lock);
    return start ? start : map_pages(bytes, now);
}

bool spgemm_pages_take_at(uintptr_t start, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const bool are_free = spgemm_extents_take_at(&kept, start, bytes);
    pthread_mutex_unlock(&lock);
    return are_free;
}

void spgemm_pages_keep(uintptr_t start, size_t bytes)
{
    offer(start, bytes);
    keep(start, bytes, timer_whole_seconds());
}

/* Not one by one: huge pages that are whole again go back as such. */
void spgemm_pages_drop(uintptr_t start, size_t bytes)
{
    keep(start, bytes, timer_whole_seconds() - KEPT_SECONDS);
}

void spgemm_pages_tend(void)
{
    look(timer_whole_seconds());
}
