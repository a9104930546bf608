/* SPDX-License-Identifier: BSD-3-Clause */
/* A mapping is: its head, canaries, the block, canaries up to the alignment, a
   page without permissions. */
#include "guarded_memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 16, CANARY = 0xc3, JUNK = 0xa5 };

typedef struct head {
    size_t mapped;
    size_t bytes;
    unsigned char *block;
} head;

static size_t round_up(size_t n, size_t step)
{
    return (n + step - 1) / step * step;
}

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- Mappings that were released ------------------------------------------ */

/* They are kept, without permissions, for blocks of as many pages: half of the time of
   a test went to mapping them anew, and to their first pages. */
enum { KEPT_MAPPINGS = 64, MOST_KEPT_BYTES = 1 << 22 };

typedef struct mapping {
    unsigned char *base;
    size_t bytes; /* its last page stays without permissions */
} mapping;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mapping kept[KEPT_MAPPINGS];
static int kept_count;

/* One of so many bytes; NULL: none is kept. */
static unsigned char *take_kept(size_t bytes)
{
    unsigned char *base = NULL;
    pthread_mutex_lock(&lock);
    for (int t = kept_count - 1; t >= 0 && !base; t--)
        if (kept[t].bytes == bytes) {
            base = kept[t].base;
            kept[t] = kept[--kept_count];
        }
    pthread_mutex_unlock(&lock);
    return base;
}

/* False: it is not kept. */
static bool keep(unsigned char *base, size_t bytes)
{
    bool is_kept = false;
    if (bytes > MOST_KEPT_BYTES ||
        mprotect(base, bytes - page_size(), PROT_NONE) != 0)
        return false;
    pthread_mutex_lock(&lock);
    if (kept_count < KEPT_MAPPINGS) {
        kept[kept_count++] = (mapping){base, bytes};
        is_kept = true;
    }
    pthread_mutex_unlock(&lock);
    return is_kept;
}

static unsigned char *map(size_t bytes)
{
    const size_t page = page_size();
    unsigned char *base = take_kept(bytes);
    if (!base)
        base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED ||
        mprotect(base, bytes - page, PROT_READ | PROT_WRITE) != 0) {
        fputs("the test itself is out of memory\n", stderr);
        abort();
    }
    return base;
}

/* ---- Blocks --------------------------------------------------------------- */

void *guarded_allocate(guarded_heap *h, size_t bytes)
{
    const size_t page = page_size();
    const size_t padded = round_up(bytes, ALIGNMENT);
    const size_t open = round_up(sizeof(head) + ALIGNMENT + padded, page);
    unsigned char *base = map(open + page);
    unsigned char *block = base + open - padded;
    const head first = {open + page, bytes, block};
    memcpy(base, &first, sizeof first);
    memset(base + sizeof first, CANARY, (size_t)(block - base) - sizeof first);
    memset(block, JUNK, bytes);
    memset(block + bytes, CANARY, padded - bytes);
    atomic_fetch_add(&h->live, 1);
    return block;
}

static bool is_canary(const unsigned char *from, const unsigned char *to)
{
    for (; from < to; from++)
        if (*from != CANARY)
            return false;
    return true;
}

void guarded_release(guarded_heap *h, void *block)
{
    /* The head is at the begin of the page that the block begins in, or of the
       page before, where it would not fit in front of the block. */
    const size_t page = page_size();
    unsigned char *start = block;
    unsigned char *base = start - (uintptr_t)start % page;
    if ((size_t)(start - base) < sizeof(head) + ALIGNMENT)
        base -= page;
    head first;
    memcpy(&first, base, sizeof first);
    const unsigned char *end = base + first.mapped - page;
    if (first.block != start || !is_canary(base + sizeof first, start) ||
        !is_canary(start + first.bytes, end))
        atomic_fetch_add(&h->damaged, 1);
    if (first.block == start && !keep(base, first.mapped))
        munmap(base, first.mapped);
    atomic_fetch_sub(&h->live, 1);
}

static void *hook_allocate(void *context, size_t bytes)
{
    return guarded_allocate(context, bytes);
}

static void hook_release(void *context, void *block)
{
    guarded_release(context, block);
}

spgemm_allocator guarded_hooks(guarded_heap *h)
{
    return (spgemm_allocator){h, hook_allocate, NULL, hook_release};
}

static void *copy_block(guarded_heap *h, const void *block, size_t bytes)
{
    void *copy = guarded_allocate(h, bytes);
    if (bytes > 0)
        memcpy(copy, block, bytes);
    return copy;
}

spgemm_csr guarded_copy_csr(guarded_heap *h, const spgemm_csr *A)
{
    const size_t nnz = (size_t)A->nnz;
    const size_t index =
        A->index_type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
    spgemm_csr copy = *A;
    copy.rowptr =
        copy_block(h, A->rowptr, ((size_t)A->nrows + 1) * sizeof *copy.rowptr);
    copy.colidx = copy_block(h, A->colidx, nnz * index);
    copy.values = copy_block(h, A->values, nnz * sizeof(double));
    return copy;
}

void guarded_free_csr(guarded_heap *h, spgemm_csr *A)
{
    guarded_release(h, A->rowptr);
    guarded_release(h, A->colidx);
    guarded_release(h, A->values);
    *A = (spgemm_csr){0};
}
