/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks one after another, with a gap of known bytes behind each: poisoned
   under a sanitizer, which then sees the first byte read outside a block. */
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes)                              \
    ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes)                            \
    ((void)(address), (void)(bytes))
#endif

enum { MOST_BLOCKS = 512, GAP = 32, ALIGNMENT = 16, JUNK = 0xe7 };

typedef struct block {
    size_t begin;
    size_t end;
    bool is_output;
} block;

static _Alignas(64) unsigned char memory[ARENA_BYTES];
static unsigned char sealed[ARENA_BYTES];
static block blocks[MOST_BLOCKS];
static int nblocks;
static size_t used;

void arena_begin(void)
{
    ASAN_UNPOISON_MEMORY_REGION(memory, used);
    nblocks = 0;
    used = GAP;
    memset(memory, JUNK, GAP);
}

static void *take(size_t bytes, bool is_output)
{
    const size_t begin = used;
    const size_t end = begin + bytes;
    const size_t next = (end + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (nblocks == MOST_BLOCKS || bytes > ARENA_BYTES || next > ARENA_BYTES) {
        fprintf(stderr, "the arena of the fuzzer is too small\n");
        abort();
    }
    blocks[nblocks++] = (block){begin, end, is_output};
    memset(memory + begin, 0, bytes);
    memset(memory + end, JUNK, next - end);
    used = next;
    return memory + begin;
}

void *arena_take(size_t bytes)
{
    return take(bytes, false);
}

void *arena_take_output(size_t bytes)
{
    return take(bytes, true);
}

/* The gaps as the library must find them. */
static void close_gaps(void)
{
    for (int b = 0; b < nblocks; b++) {
        const size_t next = b + 1 < nblocks ? blocks[b + 1].begin : used;
        ASAN_POISON_MEMORY_REGION(memory + blocks[b].end, next - blocks[b].end);
    }
}

void arena_seal(void)
{
    ASAN_UNPOISON_MEMORY_REGION(memory, used);
    memcpy(sealed, memory, used);
    close_gaps();
}

/* All that lies outside outputs. */
static bool is_same_around_outputs(void)
{
    size_t at = 0;
    for (int b = 0; b < nblocks; b++) {
        if (!blocks[b].is_output)
            continue;
        if (memcmp(memory + at, sealed + at, blocks[b].begin - at) != 0)
            return false;
        at = blocks[b].end;
    }
    return memcmp(memory + at, sealed + at, used - at) == 0;
}

bool arena_is_intact(bool whole)
{
    ASAN_UNPOISON_MEMORY_REGION(memory, used);
    const bool is_intact =
        whole ? memcmp(memory, sealed, used) == 0 : is_same_around_outputs();
    close_gaps();
    return is_intact;
}

bool arena_holds(const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    return at >= (uintptr_t)memory && at < (uintptr_t)memory + ARENA_BYTES;
}
