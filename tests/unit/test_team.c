/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/team.h"

#include <criterion/criterion.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

Test(team, of_the_child_after_a_parallel_region_is_one)
{
    cr_assert_eq(spgemm_team_size(4, 1000, 1), 4);
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        _exit(spgemm_team_size(4, 1000, 1));
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(WEXITSTATUS(status), 1);
    cr_expect_eq(spgemm_team_size(4, 1000, 1), 4, "the parent has its team");
}

/* As many as their stacks have room for, and the same again: libgomp ends and
   makes threads where teams differ. */
Test(team, is_as_large_as_the_address_space_allows)
{
    const rlim_t most = (rlim_t)1 << 30;
    cr_assert_eq(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}), 0);
    const int size = spgemm_team_size(1000, 1000000, 1);
    cr_expect_geq(size, 1);
    cr_expect_lt(size, 200);
    cr_expect_eq(spgemm_team_size(1000, 1000000, 1000), size);
    cr_expect_eq(spgemm_team_size(1000, 1, 1), 1);
    cr_expect_leq(spgemm_team_size(2, 1000, 1), 2);
}
#endif

Test(team, members_outside_a_region_are_one)
{
    cr_expect_eq(spgemm_team_members(), 1);
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
