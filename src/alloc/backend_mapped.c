/* SPDX-License-Identifier: BSD-3-Clause */
/* Each block a mapping of its own, for products in a process whose address
   space is limited: nothing is rounded up to a size class (jemalloc: up to a
   quarter), kept for later, or reserved for each thread (glibc: 64 MB), and
   what would leave others too little is refused.

   A block begins behind its length, a cache line into the first page. */
#include "alloc/backend.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/address_space.h"

#define HEADER_BYTES ((size_t)64)

/* The mapping of a block of so many bytes; 0: too long. */
static size_t mapping_bytes(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return bytes < PTRDIFF_MAX / 2
               ? (bytes + HEADER_BYTES + page - 1) & ~(page - 1)
               : 0;
}

static char *start_of(void *block)
{
    return (char *)block - HEADER_BYTES;
}

static size_t length_of(void *block)
{
    return *(const size_t *)(const void *)start_of(block);
}

static void *block_at(void *start, size_t length)
{
    *(size_t *)start = length;
    return (char *)start + HEADER_BYTES;
}

static const char *mapped_name(void)
{
    return "mapped";
}

static void *mapped_allocate(void *context, size_t bytes)
{
    (void)context;
    const size_t length = mapping_bytes(bytes);
    if (length == 0 || length > spgemm_address_room())
        return NULL;
    void *start = mmap(NULL, length, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? NULL : block_at(start, length);
}

static void mapped_release(void *context, void *block)
{
    (void)context;
    (void)munmap(start_of(block), length_of(block));
}

#ifdef __linux__
static void *resize(void *block, size_t bytes, int flags)
{
    const size_t had = length_of(block);
    const size_t length = mapping_bytes(bytes);
    if (length == 0 || (length > had && length - had > spgemm_address_room()))
        return NULL;
    void *start = mremap(start_of(block), had, length, flags);
    return start == MAP_FAILED ? NULL : block_at(start, length);
}

static void *mapped_reallocate(void *context, void *block, size_t bytes)
{
    (void)context;
    return resize(block, bytes, MREMAP_MAYMOVE);
}

static bool mapped_grow_in_place(void *block, size_t bytes)
{
    return resize(block, bytes, 0);
}
#else
#define mapped_reallocate    NULL
#define mapped_grow_in_place NULL
#endif

static void mapped_trim(void) {}

const backend spgemm_backend_mapped = {
    .name = mapped_name,
    .hooks = {NULL, mapped_allocate, mapped_reallocate, mapped_release},
    .grow_in_place = mapped_grow_in_place,
    .trim = mapped_trim,
    .remaps = true,
};
