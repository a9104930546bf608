/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/team_wait.h"

#include <criterion/criterion.h>

#include "common/team.h"

/* What some waits add up to, one after the other. */
static double learn(double expected, double waited, int times)
{
    for (int t = 0; t < times; t++)
        expected = spgemm_team_wait_learn(expected, waited);
    return expected;
}

Test(team_wait, of_a_quiet_machine_is_none)
{
    cr_expect_eq(learn(0.0, 0.0, 100), 0.0);
    cr_expect_eq(learn(0.0, 1e-4, 100), 0.0,
                 "a block of work is no wait for others");
}

Test(team_wait, comes_near_to_what_is_waited)
{
    const double expected = learn(0.0, 4e-3, 20);
    cr_expect_gt(expected, 3.5e-3);
    cr_expect_leq(expected, 4e-3);
}

Test(team_wait, is_forgotten)
{
    const double long_ago = spgemm_team_wait_fade(4e-3, 2.0);
    cr_expect_lt(long_ago, 1e-5);
    cr_expect_gt(spgemm_team_wait_fade(4e-3, 0.05), 2e-3);
    cr_expect_eq(spgemm_team_wait_fade(4e-3, 0.0), 4e-3);
    cr_expect_eq(spgemm_team_wait_fade(4e-3, -1.0), 4e-3);
    cr_expect_lt(learn(4e-3, 0.0, 20), 1e-4, "by joins that cost nothing");
}

Test(team_wait, of_nothing_leaves_every_team)
{
    for (int size = 1; size <= 64; size++)
        cr_expect_eq(spgemm_team_wait_size(size, 1e-5, 0.0), size);
}

Test(team_wait, keeps_the_team_that_saves_more)
{
    /* Two threads save half of the work's time, many nearly all. */
    cr_expect_eq(spgemm_team_wait_size(2, 10e-3, 3e-3), 2);
    cr_expect_eq(spgemm_team_wait_size(2, 5e-3, 3e-3), 1);
    cr_expect_eq(spgemm_team_wait_size(16, 5e-3, 3e-3), 16);
    cr_expect_eq(spgemm_team_wait_size(16, 1e-3, 3e-3), 1);
    cr_expect_eq(spgemm_team_wait_size(1, 10e-3, 0.0), 1);
}

#ifdef _OPENMP
/* A second of waiting: little work has no team, much has, and nobody who asks
   for one thread gets two. */
Test(team_wait, decides_the_size_of_teams)
{
    cr_expect_eq(spgemm_team_size(4, 1000, 10), 4);
    spgemm_team_wait_record(1.0);
    cr_expect_gt(spgemm_team_wait_now(), 0.1);
    cr_expect_eq(spgemm_team_size(4, 1000, 10), 1);
    cr_expect_eq(spgemm_team_size(4, 1000000, 10), 4);
    cr_expect_eq(spgemm_team_size(1, 1000000, 10), 1);
}
#endif
