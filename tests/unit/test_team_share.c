/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "build_csr.h"
#include "common/team.h"
#include "common/team_wait.h"
#include "generate.h"
#include "spgemm/plan.h"
#include "spgemm/predict.h"
#include "spgemm/rap.h"

enum { MOST = 8, TASKS = 1000 };

/* Who did what. */
typedef struct record {
    atomic_int of_rank[MOST];
    atomic_int of_task[TASKS];
} record;

static void note(void *context, int rank)
{
    record *r = context;
    cr_expect(rank >= 0 && rank < MOST);
    cr_expect_eq(spgemm_team_rank(), rank);
    atomic_fetch_add(&r->of_rank[rank], 1);
}

/* Ranks from 0 on, each once, and no more than `size`. */
static void expect_members(record *r, int size)
{
    int members = 0;
    while (members < MOST && atomic_load(&r->of_rank[members]) == 1)
        members++;
    cr_expect(members >= 1 && members <= size);
    for (int rank = members; rank < MOST; rank++)
        cr_expect_eq(atomic_load(&r->of_rank[rank]), 0, "rank %d of %d", rank,
                     members);
}

static void share_some_works(void *context)
{
    (void)context;
    for (int turn = 0; turn < 200; turn++)
        for (int size = 1; size <= MOST; size++) {
            record r = {0};
            spgemm_team_run(size, note, &r);
            expect_members(&r, size);
        }
}

Test(team_share, gives_each_member_a_rank)
{
    share_some_works(NULL);
}

Test(team_share, has_one_team_for_many_works)
{
    spgemm_team_open(4, share_some_works, NULL);
    cr_expect_eq(spgemm_team_at_hand(), 0);
}

/* So long that it does not fade before the test ends. */
static void expect_long_waits(void)
{
    spgemm_team_wait_record(1e6);
    cr_assert(spgemm_team_wait_is_long());
}

/* Helpers end when rank 0 has seen that they have not. */
typedef struct waiting {
    atomic_int working;
    atomic_bool was_seen;
} waiting;

static void await(void *context, int rank)
{
    waiting *w = context;
    const struct timespec moment = {0, 1000000};
    if (rank == 0) {
        nanosleep(&moment, NULL); /* in which others come, or none does */
        const bool are_done = spgemm_team_await(1e-3);
        cr_expect(!are_done || atomic_load(&w->working) == 0);
        atomic_store(&w->was_seen, true);
        cr_expect(spgemm_team_await(1e9));
        cr_expect_eq(atomic_load(&w->working), 0);
        cr_expect(spgemm_team_await(0.0));
        return;
    }
    atomic_fetch_add(&w->working, 1);
    while (!atomic_load(&w->was_seen))
        nanosleep(&moment, NULL);
    atomic_fetch_sub(&w->working, 1);
}

static void await_often(void *context)
{
    (void)context;
    for (int turn = 0; turn < 20; turn++) {
        waiting w = {0};
        spgemm_team_run(3, await, &w);
    }
}

Test(team_share, tells_rank_0_when_the_others_are_done)
{
    spgemm_team_open(3, await_often, NULL);
    expect_long_waits();
    spgemm_team_open(3, await_often, NULL);
}

static void do_task(void *context, int64_t t)
{
    record *r = context;
    atomic_fetch_add(&r->of_task[t], 1);
}

Test(team_share, has_sleeping_threads_where_waits_are_long)
{
    expect_long_waits();
    share_some_works(NULL);
    expect_long_waits();
    spgemm_team_open(4, share_some_works, NULL);
    cr_expect_eq(spgemm_team_at_hand(), 0);
}

static void *share_beside_others(void *context)
{
    (void)context;
    spgemm_team_open(3, share_some_works, NULL);
    return NULL;
}

Test(team_share, has_teams_for_callers_at_once)
{
    pthread_t callers[4];
    expect_long_waits();
    for (int n = 0; n < 4; n++)
        cr_assert_eq(
            pthread_create(&callers[n], NULL, share_beside_others, NULL), 0);
    for (int n = 0; n < 4; n++)
        cr_assert_eq(pthread_join(callers[n], NULL), 0);
}

#ifdef _OPENMP
/* Regions within regions have one thread, unless the host wants them. */
Test(team_share, is_of_one_within_a_region_of_the_host)
{
    expect_long_waits();
#pragma omp parallel num_threads(2)
    {
        record r = {0};
        spgemm_team_run(4, note, &r);
        expect_members(&r, 1);
    }
}
#endif

static void expect_processors(void *context, int rank)
{
    cpu_set_t now;
    (void)rank;
    cr_assert_eq(sched_getaffinity(0, sizeof now, &now), 0);
    cr_expect(CPU_EQUAL((const cpu_set_t *)context, &now));
}

/* Threads that slept, and may be woken on the caller's processor. */
Test(team_share, leaves_threads_where_they_may_run)
{
    const struct timespec longer_than_awake = {0, 10000000};
    cpu_set_t before;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    for (int turn = 0; turn < 20; turn++) {
        nanosleep(&longer_than_awake, NULL);
        spgemm_team_run(MOST, expect_processors, &before);
    }
    expect_long_waits();
    for (int turn = 0; turn < 1000; turn++)
        spgemm_team_run(MOST, expect_processors, &before);
}

Test(team_share, does_each_task_once)
{
    for (int size = 1; size <= MOST; size++) {
        record r = {0};
        spgemm_team_for(size, TASKS, do_task, &r);
        for (int t = 0; t < TASKS; t++)
            cr_assert_eq(atomic_load(&r.of_task[t]), 1, "task %d", t);
    }
}

/* A callback that multiplies: its work is its own, and done before it returns. */
static void run_another(void *context, int rank)
{
    record r = {0};
    (void)context;
    spgemm_team_run(MOST, note, &r);
    expect_members(&r, 1);
    spgemm_team_open(MOST, share_some_works, NULL);
    cr_expect_eq(spgemm_team_rank(), rank, "what it was before");
}

Test(team_share, does_work_within_work_alone)
{
    spgemm_team_run(4, run_another, NULL);
    cr_expect_eq(spgemm_team_rank(), 0);
}

/* The clock of the library, by --wrap=clock_gettime: while it stands still no team
   is waited for, whatever else the machine does. */
static atomic_bool is_clock_still;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!atomic_load(&is_clock_still))
        return __real_clock_gettime(clock, now);
    *now = (struct timespec){.tv_sec = 1};
    return 0;
}

/* How many regions a product enters: libgomp's own count is not to be had, but
   the function that gcc calls for each is. */
#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__)
#include <dlfcn.h>

typedef void region(void *);
typedef void enter(region *body, void *data, unsigned size, unsigned flags);

static atomic_int regions;

void GOMP_parallel(region *body, void *data, unsigned size, unsigned flags);

void GOMP_parallel(region *body, void *data, unsigned size, unsigned flags)
{
    union {
        void *address;
        enter *function;
    } real = {dlsym(RTLD_NEXT, "GOMP_parallel")};
    atomic_fetch_add(&regions, size != 1);
    real.function(body, data, size, flags);
}

typedef spgemm_status take_square(const spgemm_csr *A,
                                  const spgemm_options *options);

static spgemm_status multiply(const spgemm_csr *A,
                              const spgemm_options *options)
{
    spgemm_csr C;
    const spgemm_status status = spgemm_predicted(&C, A, A, options, NULL);
    spgemm_csr_destroy(&C);
    return status;
}

static spgemm_status predict(const spgemm_csr *A, const spgemm_options *options)
{
    spgemm_prediction p;
    return spgemm_predict(&p, A, A, options, NULL);
}

static spgemm_status multiply_thrice(const spgemm_csr *A,
                                     const spgemm_options *options)
{
    spgemm_csr C;
    const spgemm_status status = spgemm_rap(&C, A, A, A, options, NULL);
    spgemm_csr_destroy(&C);
    return status;
}

static spgemm_plan *plan;
static spgemm_csr planned;

static spgemm_status make_plan(const spgemm_csr *A,
                               const spgemm_options *options)
{
    return spgemm_plan_create(&plan, &planned, A, A, options, NULL);
}

static spgemm_status repeat(const spgemm_csr *A, const spgemm_options *options)
{
    (void)options;
    return spgemm_plan_repeat(plan, &planned, A, A, NULL);
}

/* By two threads. */
static int count_regions_of(take_square *take, const spgemm_csr *A,
                            spgemm_options options)
{
    options.resources.nthreads = 2;
    atomic_store(&regions, 0);
    cr_assert_eq(take(A, &options), SPGEMM_SUCCESS);
    return atomic_load(&regions);
}

static int count_regions(const spgemm_csr *A)
{
    return count_regions_of(multiply, A, (spgemm_options){0});
}

static spgemm_csr make_square(int64_t nrows)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    return make_banded(&m, nrows, 5, 0.9);
}

Test(team_share, is_entered_for_work_that_is_worth_it)
{
    spgemm_csr small = make_square(100);
    spgemm_csr medium = make_square(8000);
    spgemm_csr large = make_square(150000);
    atomic_store(&is_clock_still, true);
    cr_expect_eq(count_regions(&small), 0);
    cr_expect_eq(count_regions(&medium), 1, "some 800,000 products");
    cr_expect_eq(count_regions(&large), 1, "checks are by the same team");
    expect_long_waits();
    cr_expect_eq(count_regions(&medium), 0, "the last team was waited for");
    atomic_store(&is_clock_still, false);
    free_csr(&small);
    free_csr(&medium);
    free_csr(&large);
}

/* A region within that of the team has one thread. */
Test(team_share, is_one_of_all_steps)
{
    spgemm_csr A = make_square(150000);
    const spgemm_options none = {0};
    const spgemm_options left = {.product.op_a = SPGEMM_OP_TRANSPOSE};
    const spgemm_options right = {.product.op_b = SPGEMM_OP_TRANSPOSE};
    const spgemm_options unsorted = {.product.row_order = SPGEMM_ROWS_UNSORTED};
    const spgemm_options masked = {.filter.mask = &A};
    atomic_store(&is_clock_still, true);
    cr_expect_eq(count_regions_of(multiply, &A, left), 1);
    cr_expect_eq(count_regions_of(multiply, &A, right), 1);
    cr_expect_eq(count_regions_of(multiply, &A, unsorted), 1);
    cr_expect_eq(count_regions_of(multiply, &A, masked), 1);
    cr_expect_eq(count_regions_of(predict, &A, none), 1);
    cr_expect_eq(count_regions_of(multiply_thrice, &A, none), 1);
    cr_expect_eq(count_regions_of(make_plan, &A, none), 1);
    cr_expect_eq(count_regions_of(repeat, &A, none), 1);
    atomic_store(&is_clock_still, false);
    spgemm_plan_destroy(plan);
    spgemm_csr_destroy(&planned);
    free_csr(&A);
}
#endif
