/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/address_space.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef __SANITIZE_ADDRESS__
Test(address_space, has_all_room_or_what_the_limit_leaves)
{
    struct rlimit was;
    cr_assert_eq(getrlimit(RLIMIT_AS, &was), 0);
    if (was.rlim_cur == RLIM_INFINITY) {
        cr_expect_not(spgemm_address_is_limited());
        cr_expect_eq(spgemm_address_room(), SIZE_MAX);
    }
    const rlim_t most = (rlim_t)1 << 32;
    const size_t taken = (size_t)64 << 20;
    cr_assert_eq(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}), 0);
    cr_expect(spgemm_address_is_limited());
    const size_t before = spgemm_address_room();
    cr_expect_lt(before, most - ADDRESS_RESERVE);
    void *block = mmap(NULL, taken, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(block, MAP_FAILED);
    cr_expect_leq(spgemm_address_room(), before - taken);
    cr_expect_geq(spgemm_address_room(), before - taken - ((size_t)8 << 20));
    munmap(block, taken);
    /* Beyond the end there is nothing, not a number below zero. */
    const rlim_t little = (rlim_t)1 << 20;
    cr_assert_eq(setrlimit(RLIMIT_AS, &(struct rlimit){little, most}), 0);
    const size_t nothing = spgemm_address_room();
    cr_assert_eq(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}), 0);
    cr_expect_eq(nothing, 0);
}
#endif
