/* SPDX-License-Identifier: BSD-3-Clause */
#include "alloc/memory.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>

#include "alloc/backend.h"
#include "failing_allocator.h"

/* Bytes t = f(t), so that a move that loses or shifts any is seen. */
static void fill(unsigned char *bytes, int64_t begin, int64_t end)
{
    for (int64_t t = begin; t < end; t++)
        bytes[t] = (unsigned char)(t * 31 + t / 251);
}

static void expect_filled(const unsigned char *bytes, int64_t end)
{
    for (int64_t t = 0; t < end; t++)
        cr_assert_eq(bytes[t], (unsigned char)(t * 31 + t / 251));
}

Test(memory, counts_what_is_live_and_the_most_that_was)
{
    memory m;
    spgemm_memory_init(&m, NULL);
    double *x = spgemm_memory_allocate(&m, 100, sizeof *x);
    char *y = spgemm_memory_allocate_zeroed(&m, 50, 1);
    cr_assert(x && y);
    cr_expect_eq(m.live_bytes, 850);
    for (int t = 0; t < 50; t++)
        cr_expect_eq(y[t], 0);
    spgemm_memory_release(&m, x, 100, sizeof *x);
    cr_expect_eq(m.live_bytes, 50);
    cr_expect_eq(m.peak_bytes, 850);
    spgemm_memory_release(&m, y, 50, 1);
    spgemm_memory_release(&m, NULL, 7, 8);
    cr_expect_eq(m.live_bytes, 0);
    cr_expect_eq(m.peak_bytes, 850);
}

Test(memory, gives_a_block_for_nothing)
{
    memory m;
    spgemm_memory_init(&m, NULL);
    void *block = spgemm_memory_allocate(&m, 0, 8);
    cr_expect_not_null(block);
    cr_expect_eq(m.live_bytes, 1);
    spgemm_memory_release(&m, block, 0, 8);
    cr_expect_eq(m.live_bytes, 0);
}

Test(memory, refuses_sizes_that_wrap)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    memory m;
    spgemm_memory_init(&m, &hooks);
    cr_expect_null(spgemm_memory_allocate(&m, -1, 8));
    cr_expect_null(spgemm_memory_allocate(&m, (int64_t)1 << 61, 8));
    cr_expect_null(spgemm_memory_allocate(&m, INT64_MAX, 8));
    cr_expect_null(spgemm_memory_allocate_zeroed(&m, INT64_MAX, 16));
    int *x = spgemm_memory_allocate(&m, 4, sizeof *x);
    const long calls = f->calls;
    cr_expect_null(spgemm_memory_resize(&m, x, 4, (int64_t)1 << 62, sizeof *x));
    cr_expect_eq(f->calls, calls, "asked for a size that wrapped");
    cr_expect_eq(m.live_bytes, 4 * sizeof *x);
    spgemm_memory_release(&m, x, 4, sizeof *x);
    cr_expect_eq(f->live, 0);
    failing_allocator_destroy(f);
}

/* Up and down, across the size from which blocks are moved page by page. */
static void expect_resizes(memory *m)
{
    static const int64_t lengths[] = {
        1, 100, 10, 5000, 20 << 20, 50 << 20, 17 << 20, 40 << 20, 3, 0, 9};
    int64_t length = 7;
    unsigned char *bytes = spgemm_memory_allocate(m, length, 1);
    cr_assert_not_null(bytes);
    fill(bytes, 0, length);
    for (size_t t = 0; t < sizeof lengths / sizeof lengths[0]; t++) {
        const int64_t kept = length < lengths[t] ? length : lengths[t];
        unsigned char *resized =
            spgemm_memory_resize(m, bytes, length, lengths[t], 1);
        cr_assert_not_null(resized);
        expect_filled(resized, kept);
        fill(resized, kept, lengths[t]);
        bytes = resized;
        length = lengths[t];
        /* An empty array takes a byte. */
        cr_expect_eq(m->live_bytes, (size_t)(length > 0 ? length : 1));
    }
    cr_expect_geq(m->peak_bytes, (size_t)50 << 20);
    spgemm_memory_release(m, bytes, length, 1);
    cr_expect_eq(m->live_bytes, 0);
}

Test(memory, resizes_its_own)
{
    memory m;
    spgemm_memory_init(&m, NULL);
    expect_resizes(&m);
}

Test(memory, resizes_what_is_mapped)
{
    memory m;
    spgemm_memory_init(&m, &spgemm_backend_mapped.hooks);
    cr_expect_str_eq(spgemm_memory_kind(&m), "mapped");
    expect_resizes(&m);
}

Test(memory, resizes_by_a_hook)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    memory m;
    spgemm_memory_init(&m, &hooks);
    expect_resizes(&m);
    cr_expect_eq(f->live, 0);
    cr_expect_eq(f->foreign, 0);
    failing_allocator_destroy(f);
}

Test(memory, resizes_without_a_hook)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_plain_hooks(f);
    memory m;
    spgemm_memory_init(&m, &hooks);
    expect_resizes(&m);
    cr_expect_eq(f->live, 0);
    cr_expect_eq(f->foreign, 0);
    failing_allocator_destroy(f);
}

Test(memory, keeps_the_block_when_a_resize_fails)
{
    for (int plain = 0; plain < 2; plain++) {
        failing_allocator *f = failing_allocator_create();
        const spgemm_allocator hooks = plain ? failing_allocator_plain_hooks(f)
                                             : failing_allocator_hooks(f);
        memory m;
        spgemm_memory_init(&m, &hooks);
        unsigned char *bytes = spgemm_memory_allocate(&m, 300, 1);
        fill(bytes, 0, 300);
        failing_allocator_arm(f, 0, true);
        cr_expect_null(spgemm_memory_resize(&m, bytes, 300, 900, 1));
        expect_filled(bytes, 300);
        cr_expect_eq(m.live_bytes, 300);
        cr_expect_null(spgemm_memory_allocate(&m, 1, 1));
        cr_expect_null(spgemm_memory_allocate_zeroed(&m, 1, 1));
        cr_expect_eq(m.live_bytes, 300);
        cr_expect_eq(m.peak_bytes, 300, "what is refused was never held");
        spgemm_memory_release(&m, bytes, 300, 1);
        cr_expect_eq(f->live, 0);
        failing_allocator_destroy(f);
    }
}

/* Growing in place may be refused; it may not lose, move or lie. */
Test(memory, grows_in_place_or_says_no)
{
    memory m;
    spgemm_memory_init(&m, NULL);
    int64_t length = 8 << 20;
    unsigned char *bytes = spgemm_memory_allocate(&m, length, 1);
    cr_assert_not_null(bytes);
    fill(bytes, 0, length);
    for (int t = 0; t < 20; t++) {
        const int64_t longer = length + (1 << 20);
        const bool grew =
            spgemm_memory_grow_in_place(&m, bytes, length, longer, 1);
        if (grew) {
            fill(bytes, length, longer);
            length = longer;
        }
        cr_expect_eq(m.live_bytes, (size_t)length);
    }
    expect_filled(bytes, length);
    cr_expect_not(spgemm_memory_grow_in_place(&m, bytes, length, INT64_MAX, 8));
    spgemm_memory_release(&m, bytes, length, 1);
    cr_expect_eq(m.live_bytes, 0);
}

Test(memory, of_the_caller_does_not_grow_in_place)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    memory m;
    spgemm_memory_init(&m, &hooks);
    char *x = spgemm_memory_allocate(&m, 10, 1);
    cr_expect_not(spgemm_memory_grow_in_place(&m, x, 10, 20, 1));
    cr_expect_eq(m.live_bytes, 10);
    spgemm_memory_release(&m, x, 10, 1);
    failing_allocator_destroy(f);
}

/* A product's blocks are mapped one by one where the address space ends, and
   what would pass its end is refused. */
Test(memory, of_a_product_minds_the_address_space)
{
    memory m;
    spgemm_memory_init_product(&m, NULL);
    cr_expect_str_eq(spgemm_memory_kind(&m), spgemm_memory_name());
    cr_expect_eq(spgemm_memory_left(&m), SIZE_MAX);
#ifndef __SANITIZE_ADDRESS__
    const rlim_t most = (rlim_t)1 << 32;
    cr_assert_eq(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}), 0);
    spgemm_memory_init_product(&m, NULL);
    cr_expect_str_eq(spgemm_memory_kind(&m), "mapped");
    const size_t left = spgemm_memory_left(&m);
    cr_expect_lt(left, most);
    cr_expect_null(spgemm_memory_allocate(&m, (int64_t)left + 4096, 1));
    char *x = spgemm_memory_allocate(&m, (int64_t)left / 2, 1);
    cr_assert_not_null(x);
    cr_expect_eq((uintptr_t)x % 64, 0);
    x[0] = 1;
    x[left / 2 - 1] = 2;
    cr_expect_leq(spgemm_memory_left(&m), left - left / 2);
    cr_expect_null(spgemm_memory_resize(&m, x, (int64_t)left / 2,
                                        (int64_t)left + 4096, 1));
    /* Another account gives it back: the hooks say whose it is. */
    const spgemm_allocator hooks = spgemm_memory_hooks(&m);
    cr_expect_not_null(hooks.release);
    memory other;
    spgemm_memory_init(&other, &hooks);
    cr_expect_str_eq(spgemm_memory_kind(&other), "mapped");
    other.live_bytes = left / 2;
    spgemm_memory_release(&other, x, (int64_t)left / 2, 1);
    cr_expect_geq(spgemm_memory_left(&m), left - 65536);
#endif
}

Test(memory, says_whose_it_is)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    const spgemm_allocator none = {0};
    memory m;
    spgemm_memory_init(&m, &hooks);
    cr_expect_str_eq(spgemm_memory_kind(&m), "caller");
    cr_expect_eq(spgemm_memory_hooks(&m).context, f);
    spgemm_memory_init(&m, &none);
    cr_expect_str_eq(spgemm_memory_kind(&m), spgemm_memory_name());
    cr_expect_null(spgemm_memory_hooks(&m).allocate);
    failing_allocator_destroy(f);
}

/* The tests link jemalloc exactly when the build uses it. */
Test(backend, is_what_the_process_has)
{
    const bool is_jemalloc = strncmp(spgemm_memory_name(), "jemalloc", 8) == 0;
    cr_expect_eq(is_jemalloc, spgemm_backend_jemalloc_usable());
    if (!is_jemalloc)
        cr_expect_str_eq(spgemm_memory_name(), "system");
    spgemm_memory_trim();
}

Test(backend, of_the_c_library_works_alone)
{
    const spgemm_allocator *hooks = &spgemm_backend_libc.hooks;
    unsigned char *bytes = hooks->allocate(hooks->context, 100);
    cr_assert_not_null(bytes);
    fill(bytes, 0, 100);
    bytes = hooks->reallocate(hooks->context, bytes, 100000);
    cr_assert_not_null(bytes);
    expect_filled(bytes, 100);
    hooks->release(hooks->context, bytes);
    spgemm_backend_libc.trim();
    cr_expect_str_eq(spgemm_backend_libc.name(), "system");
}
