/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a parallel region may ask for, and the child of a fork.

   libgomp keeps its worker threads between regions. A forked child inherits
   its belief in them but not the threads, and hangs in the next region of
   more than one thread (gcc bug 60035). So a child forked after a region of
   ours runs serially. */
#include "common/team.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/address_space.h"
#include "common/checked.h"
#include "common/team_wait.h"

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

/* Work of a grain, about: those of products are of 10 to 110 microseconds. */
#define GRAIN_SECONDS 5e-5

/* A team that is at hand and awake takes up work within a microsecond or two. */
#define GRAIN_PARTS 4

/* Tasks of each thread, so that none is waited for long. */
#define TASKS_A_THREAD 4

/* Of the room there is, what stacks of further threads may take. */
#define STACK_SHARE 16

/* A stack that neither OMP_STACKSIZE nor the system tells of. */
#define STACK_BYTES ((size_t)8 << 20)

/* As OMP_STACKSIZE says: a number, of kB or as its suffix says; 0: nothing. */
static size_t stack_asked_for(void)
{
    static const char suffixes[] = "BbKkMmGg";
    const char *text = getenv("OMP_STACKSIZE");
    char *end;
    if (!text)
        return 0;
    size_t bytes = (size_t)strtoull(text, &end, 10);
    int scale = 10;
    while (*end == ' ')
        end++;
    for (int t = 0; *end && suffixes[t]; t++)
        if (*end == suffixes[t])
            scale = 10 * (t / 2);
    return bytes << scale;
}

static size_t stack_bytes(void)
{
    pthread_attr_t attributes;
    size_t bytes = stack_asked_for();
    if (bytes == 0 && pthread_attr_init(&attributes) == 0) {
        if (pthread_attr_getstacksize(&attributes, &bytes) != 0)
            bytes = 0;
        pthread_attr_destroy(&attributes);
    }
    return bytes > 0 ? bytes : STACK_BYTES;
}

/* Threads whose stacks have room. A thread that cannot be made ends the
   process (libgomp, libomp); and libgomp makes threads anew whenever a team is
   larger than the one before. So this is asked once, before the library takes
   much, and all teams are as large. */
static int team_with_room(void)
{
    static _Thread_local int size; /* 0: not asked yet */
    if (size == 0) {
        const size_t further =
            spgemm_address_room() / STACK_SHARE / stack_bytes();
        size = further < INT_MAX ? 1 + (int)further : INT_MAX;
    }
    return size;
}

/* Threads that a call may use: of a team at hand no more than it has. */
static int most_threads(int requested)
{
    const int there = spgemm_team_at_hand();
    if (atomic_load_explicit(&is_orphan, memory_order_relaxed))
        return 1;
    if (there > 0)
        return requested > 0 && requested < there ? requested : there;
#ifdef _OPENMP
    return requested > 0 ? requested : omp_get_max_threads();
#else
    return 1;
#endif
}

/* Threads that some work is worth: a team is made where a second one is, and then
   its others are as near as those of a team at hand. */
static int64_t worth_threads(int64_t work, int64_t grain)
{
    const int64_t grains = work / grain;
    if (grains >= INT_MAX || (grains < 2 && spgemm_team_at_hand() == 0))
        return max_i64(1, grains);
    return max_i64(1, work / max_i64(1, grain / GRAIN_PARTS));
}

int64_t spgemm_team_tasks(int size, int64_t work, int64_t grain)
{
    const int64_t least = work / grain + 1;
    const int64_t most = work / max_i64(1, grain / GRAIN_PARTS) + 1;
    return min_i64(most, max_i64(least, (int64_t)TASKS_A_THREAD * size));
}

int spgemm_team_size(int requested, int64_t work, int64_t grain)
{
    const int64_t wanted = most_threads(requested);
    const int64_t useful = worth_threads(work, grain);
    int size = (int)(wanted < useful ? wanted : useful);
    if (size > 1)
        size = spgemm_team_wait_size(
            size, GRAIN_SECONDS * (double)work / (double)grain,
            spgemm_team_wait_now());
    if (size > 1 && spgemm_team_at_hand() == 0 && spgemm_address_is_limited()) {
        const int64_t most = team_with_room();
        size = (int)(wanted < most ? wanted : most);
    }
    if (size > 1)
        pthread_once(&watch_once, watch_forks);
    return size;
}
