/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a team may ask for. */
#include "common/team.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "common/address_space.h"
#include "common/checked.h"
#include "common/team_wait.h"

#ifdef _OPENMP
#include <omp.h>
#endif

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

/* Threads whose stacks have room, as if there were none yet: a thread that cannot
   be made ends the process (libgomp, libomp), and how many of a team before are
   still there, after a region of the host's, nobody tells. */
static int team_with_room(void)
{
    const size_t further = spgemm_address_room() / STACK_SHARE / stack_bytes();
    return further < INT_MAX ? 1 + (int)further : INT_MAX;
}

/* More are not asked for: where they cannot be made, libgomp ends the process. */
#define MOST_THREADS 1024

/* Threads that a call may use: of a team at hand no more than it has. */
static int most_threads(int requested)
{
    const int there = spgemm_team_at_hand();
    if (there > 0)
        return requested > 0 && requested < there ? requested : there;
#ifdef _OPENMP
    return requested > 0 ? (int)min_i64(requested, MOST_THREADS)
                         : omp_get_max_threads();
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
    return size;
}
