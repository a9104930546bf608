/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/task_queue.h"

#include <criterion/criterion.h>

#include "common/team.h"

enum { TASKS = 10000, FAILS_AT = 100 };

typedef struct work {
    task_queue tasks;
    atomic_int taken[TASKS];
    int64_t fails_at;
} work;

static void take_all(void *context, int rank)
{
    work *w = context;
    int64_t t;
    (void)rank;
    while (task_take(&w->tasks, &t)) {
        cr_assert(t >= 0 && t < w->tasks.count);
        atomic_fetch_add(&w->taken[t], 1);
        if (t == w->fails_at)
            task_fail(&w->tasks);
    }
}

Test(task_queue, gives_each_task_once)
{
    static work w = {.tasks = {.count = TASKS}, .fails_at = -1};
    int64_t t;
    spgemm_team_run(4, take_all, &w);
    for (t = 0; t < TASKS; t++)
        cr_assert_eq(atomic_load(&w.taken[t]), 1, "task %d", (int)t);
    cr_expect_not(task_has_failed(&w.tasks));
    cr_expect_not(task_take(&w.tasks, &t), "none is left");
}

Test(task_queue, gives_none_where_there_is_none)
{
    task_queue none = {.count = 0};
    int64_t t;
    cr_expect_not(task_take(&none, &t));
}

Test(task_queue, gives_none_after_a_failure)
{
    static work w = {.tasks = {.count = TASKS}, .fails_at = FAILS_AT};
    int64_t t;
    spgemm_team_run(1, take_all, &w);
    for (t = 0; t < TASKS; t++)
        cr_assert_eq(atomic_load(&w.taken[t]), t <= FAILS_AT, "task %d",
                     (int)t);
    cr_expect(task_has_failed(&w.tasks));
    cr_expect_not(task_take(&w.tasks, &t));
}
