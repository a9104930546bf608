/* SPDX-License-Identifier: BSD-3-Clause */
/* New memory is filled with junk and released memory too, so that whoever
   reads either gets a wrong answer, with or without a sanitizer; and what is
   written behind a block is found when it is released. */
#include "failing_allocator.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "build_csr.h"

/* A sanitizer sees the first byte behind a block. */
#if defined(__SANITIZE_ADDRESS__)
enum { GUARD = 0 };
#else
enum { GUARD = 64 };
#endif
enum { JUNK_NEW = 0xa5, JUNK_OLD = 0x5a, JUNK_BEHIND = 0xc3 };

failing_allocator *failing_allocator_create(void)
{
    failing_allocator *f = must_allocate(1, sizeof *f);
    memset(f, 0, sizeof *f);
    pthread_mutex_init(&f->lock, NULL);
    f->fail_at = -1;
    return f;
}

void failing_allocator_destroy(failing_allocator *f)
{
    pthread_mutex_destroy(&f->lock);
    free(f);
}

void failing_allocator_arm(failing_allocator *f, long at, bool forever)
{
    f->calls = 0;
    f->failures = 0;
    f->fail_at = at;
    f->fails_forever = forever;
}

/* Whether this call is one that fails. The lock is held. */
static bool must_fail(failing_allocator *f)
{
    const long call = f->calls++;
    const bool fails =
        f->fail_at >= 0 &&
        (call == f->fail_at || (f->fails_forever && call > f->fail_at));
    f->failures += fails;
    return fails;
}

static long find_block(const failing_allocator *f, const void *start)
{
    for (long t = 0; t < f->live; t++)
        if (f->blocks[t].start == start)
            return t;
    return -1;
}

static void enter_block(failing_allocator *f, void *start, size_t bytes)
{
    if (f->live == FAILING_ALLOCATOR_BLOCKS)
        abort();
    f->blocks[f->live].start = start;
    f->blocks[f->live].bytes = bytes;
    f->live++;
    f->live_bytes += bytes;
    if (f->live_bytes > f->peak_bytes)
        f->peak_bytes = f->live_bytes;
    if (bytes > f->largest_bytes)
        f->largest_bytes = bytes;
}

static void *take(failing_allocator *f, size_t bytes)
{
    unsigned char *start = must_allocate((int64_t)bytes + GUARD, 1);
    memset(start, JUNK_NEW, bytes);
    memset(start + bytes, JUNK_BEHIND, GUARD);
    enter_block(f, start, bytes);
    return start;
}

/* A block that is not ours is counted, not freed. */
static void give_back(failing_allocator *f, void *start)
{
    const long t = find_block(f, start);
    if (t < 0) {
        f->foreign++;
        return;
    }
    const size_t bytes = f->blocks[t].bytes;
    for (size_t at = bytes; at < bytes + GUARD; at++)
        cr_assert_eq(((unsigned char *)start)[at], JUNK_BEHIND,
                     "written behind a block of %zu bytes", bytes);
    memset(start, JUNK_OLD, bytes);
    free(start);
    f->blocks[t] = f->blocks[--f->live];
    f->live_bytes -= bytes;
}

static void *hook_allocate(void *context, size_t bytes)
{
    failing_allocator *f = context;
    pthread_mutex_lock(&f->lock);
    void *start = must_fail(f) ? NULL : take(f, bytes);
    pthread_mutex_unlock(&f->lock);
    return start;
}

/* Always moves: a pointer kept across a resize is a dangling one. */
static void *hook_reallocate(void *context, void *block, size_t bytes)
{
    failing_allocator *f = context;
    void *moved = NULL;
    pthread_mutex_lock(&f->lock);
    const long t = find_block(f, block);
    if (t < 0) {
        f->foreign++;
    } else if (!must_fail(f)) {
        const size_t kept = f->blocks[t].bytes;
        moved = take(f, bytes);
        memcpy(moved, block, kept < bytes ? kept : bytes);
        give_back(f, block);
    }
    pthread_mutex_unlock(&f->lock);
    return moved;
}

static void hook_release(void *context, void *block)
{
    failing_allocator *f = context;
    pthread_mutex_lock(&f->lock);
    give_back(f, block);
    pthread_mutex_unlock(&f->lock);
}

spgemm_allocator failing_allocator_hooks(failing_allocator *f)
{
    return (spgemm_allocator){f, hook_allocate, hook_reallocate, hook_release};
}

spgemm_allocator failing_allocator_plain_hooks(failing_allocator *f)
{
    return (spgemm_allocator){f, hook_allocate, NULL, hook_release};
}
