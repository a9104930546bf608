/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks are taken one behind the other from one mapping, which begins anew
   with each input: none is used twice, so a block that was released keeps its
   junk. Under a sanitizer they come from malloc(), which sees more. */
#include "hostile_heap.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

#if defined(__SANITIZE_ADDRESS__)
enum { IS_SANITIZED = 1, GUARD = 0 };
#else
enum { IS_SANITIZED = 0, GUARD = 32 };
#endif
enum {
    HEAP_BYTES = 64 << 20,
    JUNK_BYTES = 256, /* at either end of a block */
    JUNK_NEW = 0xa5,
    JUNK_OLD = 0x5a,
    JUNK_BEHIND = 0xc3
};
#define MARK_LIVE ((uint64_t)0x6c697665626c6f63)
#define MARK_GONE ((uint64_t)0x676f6e65626c6f63)

/* Before each block. Its length is odd sixteens, so that blocks are aligned
   for any type and no more. */
typedef struct head {
    uint64_t mark;
    uint64_t bytes;
    hostile_heap *owner;
    uint64_t unused;
    uint64_t also_unused[2];
} head;

void hostile_heap_begin(hostile_heap *h)
{
    unsigned char *base = h->base;
    if (!base && !IS_SANITIZED) {
        base = aligned_alloc(64, HEAP_BYTES);
        if (!base)
            abort();
    }
    *h = (hostile_heap){.base = base, .fail_at = -1};
    pthread_mutex_init(&h->lock, NULL);
}

void hostile_heap_arm(hostile_heap *h, long at, bool forever)
{
    h->calls = 0;
    h->failures = 0;
    h->fail_at = at;
    h->fails_forever = forever;
    h->peak_bytes = h->live_bytes;
}

static void blame(hostile_heap *h, const char *harm)
{
    if (!h->harm)
        h->harm = harm;
}

static bool must_fail(hostile_heap *h)
{
    const long call = h->calls++;
    const bool fails =
        h->fail_at >= 0 &&
        (call == h->fail_at || (h->fails_forever && call > h->fail_at));
    h->failures += fails;
    return fails;
}

static void fill(unsigned char *block, size_t bytes, int junk)
{
    const size_t some = bytes < JUNK_BYTES ? bytes : JUNK_BYTES;
    memset(block, junk, some);
    memset(block + bytes - some, junk, some);
}

/* Memory for a block with its head and its guard. NULL: there is none. */
static head *find_room(hostile_heap *h, size_t bytes)
{
    if (IS_SANITIZED)
        return malloc(sizeof(head) + bytes);
    const size_t length = (sizeof(head) + bytes + GUARD + 31) / 32 * 32;
    if (bytes > HEAP_BYTES || length > HEAP_BYTES - h->used) {
        h->failures++;
        return NULL;
    }
    head *room = (head *)(void *)(h->base + h->used);
    h->used += length;
    return room;
}

static void *take(hostile_heap *h, size_t bytes)
{
    head *room = find_room(h, bytes);
    if (!room)
        return NULL;
    unsigned char *block = (unsigned char *)(room + 1);
    *room = (head){.mark = MARK_LIVE, .bytes = bytes, .owner = h};
    fill(block, bytes, JUNK_NEW);
    memset(block + bytes, JUNK_BEHIND, GUARD);
    h->live++;
    h->live_bytes += bytes;
    if (h->live_bytes > h->peak_bytes)
        h->peak_bytes = h->live_bytes;
    return block;
}

/* The head of a block of this heap. NULL: it is none, which is noted. */
static head *head_of(hostile_heap *h, void *block)
{
    const uintptr_t at = (uintptr_t)block;
    const uintptr_t base = (uintptr_t)h->base;
    if (arena_holds(block)) {
        blame(h, "an array of the caller was released");
        return NULL;
    }
    if (!IS_SANITIZED &&
        (at < base + sizeof(head) || at > base + h->used || at % 16 != 0)) {
        blame(h, "what the hooks never gave was released");
        return NULL;
    }
    head *room = (head *)block - 1;
    if (room->mark != MARK_LIVE || room->owner != h) {
        blame(h, room->mark == MARK_GONE ? "a block was released twice"
                                         : "a head was overwritten");
        return NULL;
    }
    return room;
}

static void give_back(hostile_heap *h, void *block)
{
    head *room = head_of(h, block);
    if (!room)
        return;
    const size_t bytes = room->bytes;
    const unsigned char *behind = (unsigned char *)block + bytes;
    for (int t = 0; t < GUARD; t++)
        if (behind[t] != JUNK_BEHIND)
            blame(h, "written behind a block of the hooks");
    h->live--;
    h->live_bytes -= bytes;
    fill(block, bytes, JUNK_OLD);
    room->mark = MARK_GONE;
    if (IS_SANITIZED)
        free(room);
}

static void *hook_allocate(void *context, size_t bytes)
{
    hostile_heap *h = context;
    pthread_mutex_lock(&h->lock);
    if (bytes == 0)
        blame(h, "no bytes were asked for");
    void *block = must_fail(h) ? NULL : take(h, bytes);
    pthread_mutex_unlock(&h->lock);
    return block;
}

/* Always moves: a pointer kept across a resize is a dangling one. */
static void *hook_reallocate(void *context, void *block, size_t bytes)
{
    hostile_heap *h = context;
    void *moved = NULL;
    pthread_mutex_lock(&h->lock);
    head *room = head_of(h, block);
    if (room && !must_fail(h)) {
        const size_t kept = room->bytes < bytes ? room->bytes : bytes;
        /* The two are one to whoever asked: the peak has the larger. */
        const size_t peak = h->peak_bytes;
        const size_t live = h->live_bytes - room->bytes + bytes;
        moved = take(h, bytes);
        h->peak_bytes = live > peak ? live : peak;
        if (moved) {
            memcpy(moved, block, kept);
            give_back(h, block);
        }
    }
    pthread_mutex_unlock(&h->lock);
    return moved;
}

static void hook_release(void *context, void *block)
{
    hostile_heap *h = context;
    pthread_mutex_lock(&h->lock);
    give_back(h, block);
    pthread_mutex_unlock(&h->lock);
}

spgemm_allocator hostile_heap_hooks(hostile_heap *h, bool resizes)
{
    return (spgemm_allocator){h, hook_allocate,
                              resizes ? hook_reallocate : NULL, hook_release};
}
