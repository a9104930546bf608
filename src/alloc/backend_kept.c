/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory without jemalloc: pages of the library's own that are kept between
   calls, and for small blocks the C library.

   malloc() gives large blocks back to the system when they are freed, and every
   call pays for fresh pages: a third of its time and more. So what is freed here
   waits for the next call: kept_pages.h. */
#include "alloc/backend.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "alloc/kept_pages.h"

/* Blocks of fewer pages are malloc()'s. */
#define LEAST_PAGES ((size_t)8)

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

/* Of a block, in its pages. */
static size_t offset_of(void *block)
{
    return (size_t)((char *)block - (char *)header_of(block)->start);
}

/* Of a block, with its header. */
static size_t pages_for(size_t bytes)
{
    return spgemm_whole_pages(bytes + ALIGNMENT);
}

static void *allocate_pages(size_t bytes)
{
    const size_t length = pages_for(bytes);
    const uintptr_t start = spgemm_pages_take(length);
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
    return bytes < LEAST_PAGES * spgemm_page_bytes() ? allocate_small(bytes)
                                                     : allocate_pages(bytes);
}

static void kept_release(void *context, void *block)
{
    const header h = *header_of(block);
    (void)context;
    if (h.has_pages)
        spgemm_pages_keep((uintptr_t)h.start, h.length);
    else
        free(h.start);
}

static bool kept_grow_in_place(void *block, size_t bytes)
{
    header *h = header_of(block);
    if (!h->has_pages || bytes > MOST_BYTES)
        return false;
    const size_t length = pages_for(bytes);
    if (length <= h->length)
        return true;
    if (!spgemm_pages_take_at((uintptr_t)h->start + h->length,
                              length - h->length))
        return false;
    h->length = length;
    return true;
}

/* The pages behind what a block shrinks to. */
static void keep_tail(header *h, size_t bytes)
{
    const size_t length = pages_for(bytes);
    if (length < h->length)
        spgemm_pages_keep((uintptr_t)h->start + length, h->length - length);
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
    spgemm_pages_give_back();
    spgemm_backend_libc.trim(); /* small blocks are malloc()'s */
}

const backend spgemm_backend_kept = {
    .name = kept_name,
    .hooks = {NULL, kept_allocate, kept_reallocate, kept_release},
    .grow_in_place = kept_grow_in_place,
    .trim = kept_trim,
    .tend = spgemm_pages_tend,
    .advises = true,
};
