/* SPDX-License-Identifier: BSD-3-Clause */
/* Checked arrays over the hooks, with an account of what is held and of the
   most that ever was. */
#include "alloc/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc/array_bytes.h"
#include "alloc/backend.h"
#include "alloc/kept_pages.h"
#include "common/address_space.h"
#include "common/checked.h"
#include "common/refusal.h"

/* Of a block that no backend advised: shorter ones seldom have a whole huge page. */
#define ADVISE_BYTES (2 * HUGE_PAGE_BYTES)

/* A moving array is copied in pieces of this size, and each is given back. */
#define MOVE_BYTES ((size_t)16 << 20)

spgemm_status spgemm_memory_check_hooks(const spgemm_allocator *hooks,
                                        const char *name)
{
    if (!hooks || (hooks->allocate && hooks->release) ||
        (!hooks->allocate && !hooks->release && !hooks->reallocate))
        return SPGEMM_SUCCESS;
    return spgemm_refuse(SPGEMM_ERROR_INVALID,
                         "%s has no %s: hooks come together, or not at all",
                         name, hooks->allocate ? "release" : "allocate");
}

static void init(memory *m, const spgemm_allocator *hooks, const backend *own)
{
    const bool is_given = hooks && hooks->allocate;
    m->own = is_given ? spgemm_backend_of(hooks) : own;
    m->hooks = m->own ? m->own->hooks : *hooks;
    atomic_init(&m->live_bytes, 0);
    atomic_init(&m->peak_bytes, 0);
    atomic_init(&m->refused_bytes, 0);
    m->limit_bytes = SIZE_MAX;
    m->whole = NULL;
    if (m->own && m->own->tend)
        m->own->tend();
}

void spgemm_memory_init(memory *m, const spgemm_allocator *hooks)
{
    init(m, hooks, spgemm_backend());
}

void spgemm_memory_init_product(memory *m, const spgemm_allocator *hooks)
{
    const bool is_limited = spgemm_address_is_limited();
    if (is_limited)
        spgemm_pages_give_back();
    init(m, hooks, is_limited ? &spgemm_backend_mapped : spgemm_backend());
}

void spgemm_memory_limit(memory *m, size_t bytes)
{
    m->limit_bytes = bytes > 0 ? bytes : SIZE_MAX;
}

spgemm_allocator spgemm_memory_hooks(const memory *m)
{
    return m->own == spgemm_backend() ? (spgemm_allocator){0} : m->hooks;
}

void spgemm_memory_join(memory *m, memory *whole)
{
    m->whole = whole;
}

const char *spgemm_memory_kind(const memory *m)
{
    return m->own ? m->own->name() : "caller";
}

size_t spgemm_memory_left(const memory *part)
{
    const memory *m = part->whole ? part->whole : part;
    const size_t held = atomic_load(&m->live_bytes);
    size_t left = SIZE_MAX;
    if (m->limit_bytes != SIZE_MAX)
        left = m->limit_bytes > held ? m->limit_bytes - held : 0;
    if (part->own == &spgemm_backend_mapped) {
        const size_t room = spgemm_address_room();
        left = room < left ? room : left;
    }
    return left;
}

/* Before anything is taken; *live: with it. false: it would pass the limit. */
static bool account_add(memory *part, size_t bytes, size_t *live)
{
    memory *m = spgemm_memory_account(part);
    size_t before = atomic_load_explicit(&m->live_bytes, memory_order_relaxed);
    do {
        if (__builtin_add_overflow(before, bytes, live))
            *live = SIZE_MAX;
        if (*live > m->limit_bytes || *live == SIZE_MAX) {
            atomic_store_explicit(&m->refused_bytes, *live,
                                  memory_order_relaxed);
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&m->live_bytes, &before,
                                                    *live, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

/* Once it is taken: what was refused was never held. */
static void account_peak(memory *part, size_t live)
{
    memory *m = spgemm_memory_account(part);
    size_t peak = atomic_load_explicit(&m->peak_bytes, memory_order_relaxed);
    while (live > peak && !atomic_compare_exchange_weak_explicit(
                              &m->peak_bytes, &peak, live, memory_order_relaxed,
                              memory_order_relaxed))
        ;
}

static void account_subtract(memory *m, size_t bytes)
{
    atomic_fetch_sub_explicit(&spgemm_memory_account(m)->live_bytes, bytes,
                              memory_order_relaxed);
}

/* The whole pages inside [block, block + bytes). */
static size_t inner_pages(void *block, size_t bytes, size_t page, char **first)
{
    const uintptr_t start = ((uintptr_t)block + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)block + bytes) & ~(page - 1);
    *first = (char *)block + (start - (uintptr_t)block);
    return end > start ? end - start : 0;
}

/* Advice, not an order: a kernel that refuses it changes nothing. */
static void advise_huge_pages(const memory *m, void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    char *first;
    if (!m->own || m->own->advises || bytes < ADVISE_BYTES)
        return;
    const size_t length = inner_pages(block, bytes, HUGE_PAGE_BYTES, &first);
    if (length > 0)
        (void)madvise(first, length, MADV_HUGEPAGE);
#else
    (void)m;
    (void)block;
    (void)bytes;
#endif
}

/* Hooks of the caller's may call the library, and have a refusal of their own. */
static void *call_allocate(memory *m, size_t bytes)
{
    char refusal[SPGEMM_REFUSAL_BYTES];
    if (m->own)
        return m->hooks.allocate(m->hooks.context, bytes);
    spgemm_refusal_keep(refusal);
    void *block = m->hooks.allocate(m->hooks.context, bytes);
    spgemm_refusal_restore(refusal);
    return block;
}

static void *call_reallocate(memory *m, void *block, size_t bytes)
{
    char refusal[SPGEMM_REFUSAL_BYTES];
    if (m->own)
        return m->hooks.reallocate(m->hooks.context, block, bytes);
    spgemm_refusal_keep(refusal);
    void *resized = m->hooks.reallocate(m->hooks.context, block, bytes);
    spgemm_refusal_restore(refusal);
    return resized;
}

static void call_release(memory *m, void *block)
{
    char refusal[SPGEMM_REFUSAL_BYTES];
    if (!m->own)
        spgemm_refusal_keep(refusal);
    m->hooks.release(m->hooks.context, block);
    if (!m->own)
        spgemm_refusal_restore(refusal);
}

void *spgemm_memory_allocate(memory *m, int64_t count, size_t size)
{
    size_t bytes;
    size_t live;
    if (!checked_array_bytes(count, size, &bytes))
        return NULL;
    if (!account_add(m, bytes, &live))
        return NULL;
    void *block = call_allocate(m, bytes);
    if (!block) {
        account_subtract(m, bytes);
        return NULL;
    }
    account_peak(m, live);
    advise_huge_pages(m, block, bytes);
    return block;
}

void *spgemm_memory_allocate_zeroed(memory *m, int64_t count, size_t size)
{
    void *block = spgemm_memory_allocate(m, count, size);
    if (block)
        memset(block, 0, (size_t)count * size);
    return block;
}

void spgemm_memory_release(memory *m, void *block, int64_t count, size_t size)
{
    if (!block)
        return;
    /* In this order: what is not given back yet nobody else may take. */
    call_release(m, block);
    account_subtract(m, array_bytes(count, size));
}

bool spgemm_memory_grow_in_place(memory *m, void *block, int64_t old_count,
                                 int64_t new_count, size_t size)
{
    size_t bytes;
    size_t live;
    if (!m->own || !m->own->grow_in_place ||
        !checked_array_bytes(new_count, size, &bytes))
        return false;
    const size_t more = bytes - array_bytes(old_count, size);
    if (!account_add(m, more, &live))
        return false;
    if (!m->own->grow_in_place(block, bytes)) {
        account_subtract(m, more);
        return false;
    }
    account_peak(m, live);
    advise_huge_pages(m, block, bytes);
    return true;
}

/* Copy, giving each piece of the source back to the system once it is copied:
   whoever owns the pages still owns the addresses. */
static void move_pages(memory *m, char *to, char *from, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t done = 0; done < bytes; done += MOVE_BYTES) {
        const size_t left = bytes - done;
        const size_t length = left < MOVE_BYTES ? left : MOVE_BYTES;
        memcpy(to + done, from + done, length);
        char *first;
        const size_t spent = inner_pages(from + done, length, page, &first);
        if (m->own && spent > 0)
            (void)madvise(first, spent, MADV_DONTNEED);
    }
}

static void *move(memory *m, void *block, size_t old_bytes, size_t new_bytes)
{
    const size_t kept = old_bytes < new_bytes ? old_bytes : new_bytes;
    void *moved = call_allocate(m, new_bytes);
    if (!moved)
        return NULL;
    advise_huge_pages(m, moved, new_bytes);
    if (kept < MOVE_BYTES)
        memcpy(moved, block, kept);
    else
        move_pages(m, moved, block, kept);
    call_release(m, block);
    return moved;
}

void *spgemm_memory_resize(memory *m, void *block, int64_t old_count,
                           int64_t new_count, size_t size)
{
    const size_t old_bytes = array_bytes(old_count, size);
    size_t bytes;
    size_t live = 0;
    if (!checked_array_bytes(new_count, size, &bytes))
        return NULL;
    if (bytes == old_bytes)
        return block;
    /* Growing a large block may make the hook copy it whole: rather move it. */
    const bool by_hook =
        m->hooks.reallocate &&
        (bytes < old_bytes || bytes < MOVE_BYTES || !m->own || m->own->remaps);
    /* The library's own memory is given back as it is moved; a caller's is not
       before it all is. */
    const size_t taken = !by_hook && !m->own ? bytes
                         : bytes > old_bytes ? bytes - old_bytes
                                             : 0;
    if (taken > 0 && !account_add(m, taken, &live))
        return NULL;
    void *resized = by_hook ? call_reallocate(m, block, bytes)
                            : move(m, block, old_bytes, bytes);
    if (resized)
        account_peak(m, live);
    account_subtract(m, resized ? old_bytes + taken - bytes : taken);
    return resized;
}
