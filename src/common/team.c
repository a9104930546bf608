/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a parallel region may ask for, and the child of a fork.

   libgomp keeps its worker threads between regions. A forked child inherits
   its belief in them but not the threads, and hangs in the next region of
   more than one thread (gcc bug 60035). So a child forked after a region of
   ours runs serially. */
#include "common/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef _OPENMP
#include <omp.h>
#endif

static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
static atomic_bool is_orphan; /* in a child, forked after a parallel region */

static void enter_child(void)
{
    atomic_store_explicit(&is_orphan, true, memory_order_relaxed);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, enter_child);
}

int spgemm_team_size(int requested, int64_t work, int64_t grain)
{
    if (atomic_load_explicit(&is_orphan, memory_order_relaxed))
        return 1;
#ifdef _OPENMP
    const int64_t wanted = requested > 0 ? requested : omp_get_max_threads();
#else
    (void)requested;
    const int64_t wanted = 1;
#endif
    const int64_t useful = work / grain > 1 ? work / grain : 1;
    const int size = (int)(wanted < useful ? wanted : useful);
    if (size > 1)
        pthread_once(&watch_once, watch_forks);
    return size;
}

int spgemm_team_rank(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}
