/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of every kind fails once, and from then on for ever:
   OUT_OF_MEMORY, nothing written, nothing lost. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "make_kind.h"

/* This program is linked so that the calls of the generators, and those of the
   library where it has no jemalloc, come here. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static long calls;
static long fail_at = -1;
static bool fails_forever;
static long failures;
static long live;

static bool refuse(void)
{
    const long call = calls++;
    const bool fails =
        fail_at >= 0 && (call == fail_at || (fails_forever && call > fail_at));
    failures += fails;
    return fails;
}

void *__wrap_malloc(size_t size)
{
    void *block = refuse() ? NULL : __real_malloc(size);
    live += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = refuse() ? NULL : __real_calloc(count, size);
    live += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    void *larger = refuse() ? NULL : __real_realloc(block, size);
    live += larger != NULL && block == NULL;
    return larger;
}

void __wrap_free(void *block)
{
    live -= block != NULL;
    __real_free(block);
}

static const char *const kinds[] = {"stencil5 9 9",
                                    "stencil27 3 3 3",
                                    "rmat 5 3",
                                    "erdos-renyi 50 4",
                                    "powerlaw 90",
                                    "banded 30 3",
                                    "random 9 40 5",
                                    "aggregation 5 5 5",
                                    "cage 8",
                                    "matching-complex 9 2",
                                    "m133-b3",
                                    "mc2depi 9 9",
                                    "conf5 3 3",
                                    "majorbasis 5 5",
                                    "delaunay 200",
                                    "fem-brick 3 3 3",
                                    "fem-shell 9 9",
                                    "contact 200 9",
                                    "arrow 4 9",
                                    "groups 90 9 5",
                                    "repeated 60 90 3 4",
                                    "giants 60 3 20 2",
                                    "halves 60 90 9 3",
                                    "documents 60 90 9",
                                    "cage 5 --transpose"};

/* Fail at the n-th allocation, for n = 0, 1, ... until all have succeeded. */
static void expect_every_failure_survived(const char *text, bool forever)
{
    spgemm_csr untouched;
    memset(&untouched, 0x3c, sizeof untouched);
    fails_forever = forever;
    for (long n = 0;; n++) {
        spgemm_csr A;
        memset(&A, 0x3c, sizeof A);
        calls = 0;
        failures = 0;
        const long before = live;
        fail_at = n;
        const spgemm_status status = try_kind(&A, text);
        fail_at = -1;
        if (failures > 0) {
            cr_assert_eq(status, SPGEMM_ERROR_OUT_OF_MEMORY, "%s, call %ld",
                         text, n);
            cr_assert_eq(memcmp(&A, &untouched, sizeof A), 0, "%s", text);
        } else {
            cr_assert_eq(status, SPGEMM_SUCCESS, "%s", text);
            spgemm_csr_destroy(&A);
        }
        cr_assert_eq(live, before, "%s, call %ld: %ld blocks lost", text, n,
                     live - before);
        if (failures == 0)
            return;
    }
}

Test(generate_memory, is_given_back_when_an_allocation_fails)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        expect_every_failure_survived(kinds[k], false);
}

Test(generate_memory, is_given_back_when_all_fail_from_then_on)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        expect_every_failure_survived(kinds[k], true);
}
