/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/team.h"

#include <criterion/criterion.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "common/address_space.h"

#ifdef _OPENMP
Test(team, is_as_large_as_requested)
{
    cr_expect_eq(spgemm_team_size(5, 1000, 1), 5);
    cr_expect_eq(spgemm_team_size(64, 1000, 1), 64);
}

Test(team, is_smaller_for_little_work)
{
    cr_expect_eq(spgemm_team_size(16, 399, 100), 15);
    cr_expect_eq(spgemm_team_size(16, 300, 100), 12);
    cr_expect_eq(spgemm_team_size(16, 200, 100), 8);
    cr_expect_eq(spgemm_team_size(16, 199, 100), 1);
    cr_expect_eq(spgemm_team_size(4, 200, 100), 4);
}

/* Limits the address space to a GiB more than is mapped. */
static void leave_a_gibibyte(const struct rlimit *before)
{
    const rlim_t most_of_all = (rlim_t)1 << 46;
    const rlim_t large =
        before->rlim_max < most_of_all ? before->rlim_max : most_of_all;
    setrlimit(RLIMIT_AS, &(struct rlimit){large, before->rlim_max});
    const rlim_t mapped = large - spgemm_address_room();
    const rlim_t most = mapped + ((rlim_t)1 << 30);
    setrlimit(RLIMIT_AS, &(struct rlimit){most, before->rlim_max});
}

/* As many as their stacks have room for, of which what is taken meanwhile leaves
   less. What is found is looked at when the limit is gone: the test's own
   messages need room, too. */
Test(team, is_as_large_as_the_address_space_allows)
{
    struct rlimit before;
    cr_assert_eq(getrlimit(RLIMIT_AS, &before), 0);
    leave_a_gibibyte(&before);
    const int size = spgemm_team_size(1000, 1000000, 1);
    const int without_work = spgemm_team_size(1000, 1, 1);
    const int of_two = spgemm_team_size(2, 1000, 1);
    size_t taken = 0;
    for (size_t bytes = (size_t)1 << 46; bytes >= (size_t)1 << 16; bytes /= 2)
        if (mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
            MAP_FAILED)
            taken += bytes;
    const int without_room = spgemm_team_size(1000, 1000000, 1);
    cr_assert_eq(setrlimit(RLIMIT_AS, &before), 0);
    cr_expect_gt(taken, (size_t)1 << 28, "%zu bytes taken", taken);
    cr_expect_geq(size, 2);
    cr_expect_lt(size, 200);
    cr_expect_eq(without_work, 1);
    cr_expect_leq(of_two, 2);
    cr_expect_eq(without_room, 1);
}
#endif

Test(team, outside_a_work_nobody_is_waited_for)
{
    cr_expect(spgemm_team_await(0.0));
    cr_expect(spgemm_team_await(1e9));
}

Test(team, has_at_least_one_member)
{
    cr_expect_eq(spgemm_team_size(1, 1000000, 1), 1);
    cr_expect_eq(spgemm_team_size(7, 0, 100), 1);
    cr_expect_geq(spgemm_team_size(0, 1000000, 1), 1);
}

Test(team, rank_outside_a_region_is_zero)
{
    cr_expect_eq(spgemm_team_rank(), 0);
}

Test(team, puts_the_rounding_mode_back)
{
    fesetround(FE_UPWARD);
    const team_fpmode mode = team_fpmode_enter();
    const int inside = fegetround();
    team_fpmode_leave(&mode);
    const int after = fegetround();
    fesetround(FE_TONEAREST);
    cr_expect_eq(inside, FE_TONEAREST);
    cr_expect_eq(after, FE_UPWARD);
}
