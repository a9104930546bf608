/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages that are kept between calls: used again, joined, within their limit and
   their time, in a child not at all; the arena of jemalloc, which is made of such pages,
   where the process has it. Linked with --wrap=clock_gettime: the test says what time
   it is. */
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "alloc/backend.h"
#include "alloc/kept_pages.h"
#include "dice.h"

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)

static atomic_long later; /* seconds */

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    const int status = __real_clock_gettime(clock, now);
    now->tv_sec += atomic_load(&later);
    return status;
}

/* Whose blocks are taken. */
static const backend *tested = &spgemm_backend_kept;

static void *take(size_t bytes)
{
    char *block = tested->hooks.allocate(NULL, bytes);
    if (block) {
        cr_assert(tested == &spgemm_backend_libc || (uintptr_t)block % 64 == 0);
        block[0] = 1;
        block[bytes - 1] = 2;
    }
    return block;
}

static void *resize(void *block, size_t bytes)
{
    return tested->hooks.reallocate(NULL, block, bytes);
}

static void release(void *block)
{
    tested->hooks.release(NULL, block);
}

/* Whether the page of an address is mapped. */
static bool is_mapped(const void *address)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char there;
    void *start = (void *)((uintptr_t)address & ~(page - 1));
    return mincore(start, page, &there) == 0 || errno != ENOMEM;
}

Test(kept, pages_are_used_again)
{
    for (size_t bytes = 64 * KB; bytes <= 64 * MB; bytes *= 4) {
        char *first = take(bytes);
        release(first);
        cr_expect(is_mapped(first));
        char *second = take(bytes);
        cr_expect_eq(first, second, "of %zu bytes", bytes);
        release(second);
        spgemm_pages_give_back();
        cr_expect_not(is_mapped(first));
    }
}

Test(kept, neighbours_become_one)
{
    char *block[4];
    for (int t = 0; t < 4; t++)
        block[t] = take(128 * KB);
    char *least = block[0];
    for (int t = 1; t < 4; t++)
        if (block[t] < least)
            least = block[t];
    for (int t = 0; t < 4; t++)
        release(block[(3 * t + 1) % 4]);
    char *all = take(500 * KB);
    cr_expect_eq(all, least);
    release(all);
}

Test(kept, pages_go_back_in_time)
{
    char *early = take(MB);
    char *late = take(8 * MB);
    release(early);
    atomic_store(&later, 6);
    release(late);
    spgemm_backend_kept.tend();
    cr_expect(is_mapped(early) && is_mapped(late));
    atomic_store(&later, 11);
    spgemm_backend_kept.tend();
    cr_expect_not(is_mapped(early));
    cr_expect(is_mapped(late));
    atomic_store(&later, 17);
    /* Whoever asks for more looks, too. */
    char *other = take(64 * KB);
    cr_expect_not(is_mapped(late));
    release(other);
}

/* What is used again is young, and what lies beside it grows old all the same. */
Test(kept, pages_that_nobody_takes_go_back)
{
    char *large = take(16 * MB);
    release(large);
    for (long t = 0; t < 12; t++) {
        atomic_store(&later, t);
        char *small = take(MB);
        release(small);
    }
    cr_expect_not(is_mapped(large + 12 * MB));
}

Test(kept, bytes_have_a_limit)
{
    const size_t share =
        (size_t)sysconf(_SC_PHYS_PAGES) / 8 * (size_t)sysconf(_SC_PAGESIZE);
    const size_t limit = share < (size_t)4 << 30 ? share : (size_t)4 << 30;
    enum { BLOCKS = 12 };
    char *block[BLOCKS];
    /* Not touched but at their ends: nothing here takes memory. */
    for (int t = 0; t < BLOCKS; t++) {
        block[t] = take(limit / 8);
        cr_assert_not_null(block[t]);
    }
    for (int t = 0; t < BLOCKS; t++)
        release(block[t]);
    size_t mapped = 0;
    for (int t = 0; t < BLOCKS; t++)
        mapped += is_mapped(block[t] + limit / 16);
    cr_expect_leq(mapped, 8);
    cr_expect_geq(mapped, 6);
    char *huge = take(limit + MB);
    cr_assert_not_null(huge);
    release(huge);
    cr_expect_not(is_mapped(huge));
}

static void expect_trim_gives_all_back(void)
{
    for (size_t bytes = 64 * KB; bytes <= 64 * MB; bytes *= 4) {
        char *block = take(bytes);
        char *other = take(bytes);
        release(block);
        cr_expect(is_mapped(block));
        tested->trim();
        cr_expect_not(is_mapped(block), "of %zu bytes", bytes);
        cr_expect_eq(other[0], 1);
        cr_expect_eq(other[bytes - 1], 2);
        release(other);
    }
}

Test(kept, trim_gives_all_back)
{
    expect_trim_gives_all_back();
}

/* Of the arena, where the process has jemalloc. */
Test(backend, trim_gives_all_back)
{
    if (spgemm_backend_jemalloc_usable())
        tested = spgemm_backend();
    expect_trim_gives_all_back();
}

Test(kept, a_block_grows_where_it_lies)
{
    char *block = take(100 * KB);
    char *last = take(100 * KB);
    release(last);
    /* The pages behind it are free: of its own mapping, and of the other. */
    cr_expect(spgemm_backend_kept.grow_in_place(block, 180 * KB));
    block[180 * KB - 1] = 3;
    char *small = take(100);
    cr_expect_not(spgemm_backend_kept.grow_in_place(small, 200));
    cr_expect_not(spgemm_backend_kept.grow_in_place(block, SIZE_MAX));
    cr_expect_not(spgemm_backend_kept.grow_in_place(block, SIZE_MAX / 4));
    cr_expect_eq(resize(block, 40 * KB), block);
    char *behind = take(130 * KB);
    cr_expect_eq((uintptr_t)behind >> 21, (uintptr_t)block >> 21,
                 "in what it left");
    release(behind);
    release(block);
    release(small);
}

Test(kept, sizes_that_no_machine_has_are_refused)
{
    cr_expect_null(take(SIZE_MAX));
    cr_expect_null(take(PTRDIFF_MAX));
    cr_expect_null(take(PTRDIFF_MAX / 2));
    char *block = take(MB);
    cr_expect_null(resize(block, SIZE_MAX));
    cr_expect_null(resize(block, PTRDIFF_MAX / 2));
    cr_expect_eq(block[0], 1);
    cr_expect_eq(block[MB - 1], 2);
    release(block);
}

#ifndef __SANITIZE_ADDRESS__
/* Where no address is left, what is kept goes back first. */
Test(kept, pages_make_room)
{
    static char text[64];
    char *block = take(200 * MB);
    release(block);
    FILE *file = fopen("/proc/self/statm", "r");
    cr_assert(file && fgets(text, sizeof text, file));
    fclose(file);
    const rlim_t most =
        strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) + 40 * MB;
    cr_assert_eq(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}), 0);
    char *larger = take(220 * MB);
    cr_expect_not_null(larger);
    cr_expect_null(take(100 * MB));
    release(larger);
}
#endif

/* ---- Any calls, from any threads ------------------------------------------ */

enum { SLOTS = 24, THREADS = 4 };

typedef struct owned {
    unsigned char *block;
    size_t bytes;
    unsigned char mark;
} owned;

static owned shared[SLOTS]; /* from thread to thread */
static pthread_mutex_t exchange = PTHREAD_MUTEX_INITIALIZER;

/* From a byte to some MB, most of them near where pages begin. */
static size_t some_bytes(dice *d)
{
    return (size_t)1 << dice_below(d, 23) | (size_t)dice_below(d, 1 << 16);
}

/* All that is asked of it is seen at both ends and within. */
static void mark(owned *o, unsigned char with)
{
    o->mark = with;
    o->block[0] = with;
    o->block[o->bytes / 2] = with;
    o->block[o->bytes - 1] = with;
}

static bool is_marked(const owned *o)
{
    return o->block[0] == o->mark && o->block[o->bytes / 2] == o->mark &&
           o->block[o->bytes - 1] == o->mark;
}

static bool change(owned *o, dice *d)
{
    const size_t bytes = some_bytes(d);
    const unsigned char with = (unsigned char)(1 + dice_below(d, 255));
    if (!o->block) {
        o->block = take(bytes);
        o->bytes = bytes;
        mark(o, with);
        return true;
    }
    if (!is_marked(o))
        return false;
    if (dice_below(d, 2) == 0) {
        release(o->block);
        o->block = NULL;
    } else if (bytes < o->bytes || dice_below(d, 2) == 0) {
        const unsigned char before = o->block[0];
        o->block = resize(o->block, bytes);
        if (o->block[0] != before)
            return false;
        o->bytes = bytes;
        mark(o, with);
    } else if (tested->grow_in_place &&
               tested->grow_in_place(o->block, bytes)) {
        o->bytes = bytes;
        mark(o, with);
    }
    return true;
}

static void *change_many(void *seed)
{
    dice d = {(uint64_t)(uintptr_t)seed};
    owned mine = {0};
    bool is_well = true;
    for (int t = 0; is_well && t < 4000; t++) {
        is_well = change(&mine, &d);
        pthread_mutex_lock(&exchange);
        owned *other = &shared[dice_below(&d, SLOTS)];
        const owned given = mine;
        mine = *other;
        *other = given;
        pthread_mutex_unlock(&exchange);
        if (dice_below(&d, 500) == 0)
            atomic_fetch_add(&later, 4);
        if (dice_below(&d, 700) == 0)
            tested->trim();
    }
    if (mine.block)
        release(mine.block);
    return is_well ? seed : NULL;
}

static void expect_blocks_are_nobody_elses(void)
{
    pthread_t thread[THREADS];
    for (uintptr_t t = 0; t < THREADS; t++)
        cr_assert_eq(
            pthread_create(&thread[t], NULL, change_many, (void *)(t + 1)), 0);
    for (int t = 0; t < THREADS; t++) {
        void *result;
        pthread_join(thread[t], &result);
        cr_expect_not_null(result);
    }
    for (int t = 0; t < SLOTS; t++)
        if (shared[t].block) {
            cr_expect(is_marked(&shared[t]));
            release(shared[t].block);
        }
}

Test(kept, blocks_are_nobody_elses)
{
    expect_blocks_are_nobody_elses();
}

/* Of the arena, where the process has jemalloc. */
Test(backend, blocks_are_nobody_elses)
{
    tested = spgemm_backend();
    expect_blocks_are_nobody_elses();
}

/* ---- Forks ---------------------------------------------------------------- */

static atomic_bool is_over;

static void *take_and_release(void *nothing)
{
    while (!atomic_load(&is_over))
        release(take(100 * KB));
    return nothing;
}

/* Children, which have 30 s, find what is `held`, but not `freed`, unless NULL, and have
   memory of their own. */
static void expect_children_are_well(char *held, const char *freed)
{
    for (int t = 0; t < 50; t++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(30);
            bool is_well = held[0] == 1 && !(freed && is_mapped(freed));
            release(held);
            char *own = take(16 * MB);
            is_well = is_well && own;
            tested->trim();
            _exit(!is_well);
        }
        int status = 1;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect_eq(status, 0);
    }
}

/* The child keeps nothing of its parent's, and is not held up by a thread that
   was just at it. */
Test(kept, nothing_is_kept_in_a_child)
{
    pthread_t thread;
    char *block = take(16 * MB);
    char *held = take(16 * MB);
    release(block);
    cr_assert_eq(pthread_create(&thread, NULL, take_and_release, NULL), 0);
    expect_children_are_well(held, block + 8 * MB);
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    cr_expect(is_mapped(block + 8 * MB));
    release(held);
}

/* The same of the arena, where the process has jemalloc. A process with the address
   sanitizer has its malloc() alone, whose lock another thread may hold for ever in a
   child. */
#ifndef __SANITIZE_ADDRESS__
static void *trim_often(void *nothing)
{
    while (!atomic_load(&is_over)) {
        char *block = take(100 * KB);
        char *large = take(3 * MB);
        release(block);
        tested->trim();
        release(large);
    }
    return nothing;
}

Test(backend, may_be_forked)
{
    pthread_t thread;
    tested = spgemm_backend();
    char *held = take(16 * MB);
    cr_assert_eq(pthread_create(&thread, NULL, trim_often, NULL), 0);
    expect_children_are_well(held, NULL);
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    release(held);
}
#endif
