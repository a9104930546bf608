/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the threads of a team come from: an OpenMP region, or a pool.

   One parallel region holds the team from the first work to the last. At its
   end all threads must be there once, and libgomp's then wait awake for
   milliseconds. On a quiet machine that costs nothing, and the host's own
   regions find their threads awake. Where other processes use the processors,
   and teams were waited for, those who wait awake take them from threads that
   have work: there the team is one of threads that sleep, and are waited for by
   nobody (two threads beside one busy loop and two, times of a fair share of the
   machine, 10^7 products of a brick: 2.2 and 1.6 by a region, 1.0 and 0.9 by
   the pool). Threads that OpenMP binds to processors stay where they are. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

#include "common/address_space.h"
#include "common/team_share.h"
#include "common/team_wait.h"
#include "common/timer.h"

#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_thread_num()   0
#define omp_get_num_threads()  1
#define omp_get_proc_bind()    0
#define omp_get_thread_limit() 1
#define omp_in_parallel()      0
#define omp_proc_bind_false    0
#endif

/* ---- A region ------------------------------------------------------------- */

static void open_region(int size, team_leader *lead, void *context)
{
    team t = {.is_spread = omp_get_proc_bind() == omp_proc_bind_false,
              .helpers = TEAM_WAITERS,
              .caller = TEAM_WAITERS};
    double start = 0.0;
    (void)size; /* without OpenMP */
#pragma omp parallel num_threads(size)
    {
        if (omp_get_thread_num() == 0) {
            spgemm_team_lead(&t, omp_get_num_threads(), lead, context);
            start = timer_seconds();
            spgemm_team_dismiss(&t);
        } else {
            spgemm_team_help(&t);
        }
    }
    if (t.members > 1)
        spgemm_team_wait_record(timer_seconds() - start);
}

/* ---- The pool ------------------------------------------------------------- */

/* One, for one caller at a time; its threads stay, asleep, to the end of the
   process. */
static team pool = {
    .is_spread = true, .helpers = TEAM_WAITERS, .caller = TEAM_WAITERS};
static atomic_bool is_pool_open;
static int pool_threads;

static void *help_pool(void *context)
{
    (void)context;
    spgemm_team_help(&pool);
    return NULL;
}

/* Signals are for the host's threads. false: no thread could be made. */
static bool add_to_pool(void)
{
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&thread, NULL, help_pool, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        return false;
    pthread_detach(thread);
    pool_threads++;
    return true;
}

/* false: nothing was done; somebody else has the pool, or it is empty. */
static bool open_pool(int size, team_leader *lead, void *context)
{
    if (atomic_exchange(&is_pool_open, true))
        return false;
    const int limit = omp_get_thread_limit();
    const int wanted = (size < limit ? size : limit) - 1;
    while (pool_threads < wanted && add_to_pool())
        continue;
    const int helpers = pool_threads < wanted ? pool_threads : wanted;
    if (helpers > 0)
        spgemm_team_lead(&pool, 1 + helpers, lead, context);
    atomic_store(&is_pool_open, false);
    return helpers > 0;
}

/* ---- The child of a fork -------------------------------------------------- */

/* libgomp keeps its threads between regions, the host's as well as ours. A child
   inherits its belief in them but not the threads, and hangs in its next region
   (gcc bug 60035). So the child of a process of several threads, whoever made
   them, opens none: its teams are of the pool, which begins anew. */
static atomic_bool has_threads;
static atomic_bool is_orphan;

/* Links of the folder: two, and one for each thread. */
static void enter_fork(void)
{
    struct stat threads;
    atomic_store(&has_threads, stat("/proc/self/task", &threads) != 0 ||
                                   threads.st_nlink != 3);
}

static void enter_child(void)
{
    if (!atomic_load(&has_threads))
        return;
    /* Of one, for a fork by who leads it: a sink, say. */
    const team alone = {.members = 1,
                        .is_spread = true,
                        .helpers = TEAM_WAITERS,
                        .caller = TEAM_WAITERS};
    memcpy(&pool, &alone, sizeof pool);
    atomic_store(&is_pool_open, false);
    pool_threads = 0;
    atomic_store(&is_orphan, true);
}

/* When the library is loaded: what the host has done before nobody tells. */
__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(enter_fork, NULL, enter_child);
}

/* ---- Which of them -------------------------------------------------------- */

/* What OpenMP decides stays its own: threads bound to processors, threads within
   a region of the host's. */
static bool may_use_pool(void)
{
    return !omp_in_parallel() && omp_get_proc_bind() == omp_proc_bind_false;
}

/* Where addresses are limited, room was kept for OpenMP's threads. */
static bool is_pool_wanted(void)
{
    return spgemm_team_wait_is_long() && may_use_pool() &&
           !spgemm_address_is_limited();
}

static void open_in_orphan(int size, team_leader *lead, void *context)
{
    team alone = {.helpers = TEAM_WAITERS, .caller = TEAM_WAITERS};
    if (!may_use_pool() || !open_pool(size, lead, context))
        spgemm_team_lead(&alone, 1, lead, context);
}

void spgemm_team_open(int size, team_leader *lead, void *context)
{
    if (size < 2 || !spgemm_team_is_none())
        lead(context);
    else if (atomic_load_explicit(&is_orphan, memory_order_relaxed))
        open_in_orphan(size, lead, context);
    else if (!is_pool_wanted() || !open_pool(size, lead, context))
        open_region(size, lead, context);
}
