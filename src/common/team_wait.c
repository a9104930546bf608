/* SPDX-License-Identifier: BSD-3-Clause */
/* expected = the mean of the waits of late, each weighing half as much as one
   of HALF_LIFE seconds later.

   Where other processes use the cores as well, a thread of a team may be taken
   from its core for some milliseconds, and all others wait for it. Only the
   scheduler knows when, so this is learned: a team is not used for work that
   saves less than the last ones were waited for. As the expectation fades, one
   is tried again; a machine that has become quiet soon has its teams back. */
#include "common/team_wait.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "common/timer.h"

/* Threads of a quiet machine end about as far apart: a block of work, and the
   time to wake up. No shorter wait is the fault of others. */
#define QUIET_SECONDS 3e-4

/* An expectation that others are at fault for. */
#define LONG_SECONDS 1e-4

/* Of a mean, what the last wait is. */
#define LAST_SHARE 0.25

#define HALF_LIFE 0.1

double spgemm_team_wait_learn(double expected, double waited)
{
    const double late = fmax(0.0, waited - QUIET_SECONDS);
    return expected + LAST_SHARE * (late - expected);
}

double spgemm_team_wait_fade(double expected, double seconds)
{
    return expected * exp2(-fmax(0.0, seconds) / HALF_LIFE);
}

int spgemm_team_wait_size(int size, double work_seconds, double expected)
{
    const double saved = work_seconds - work_seconds / size;
    return saved > expected ? size : 1;
}

/* What was learned last, and when: one word, so that no reader sees half. */
typedef struct lesson {
    float seconds;
    uint32_t milliseconds; /* of a clock that wraps after 50 days */
} lesson;

_Static_assert(sizeof(lesson) == sizeof(uint64_t), "a lesson is a word");

static atomic_uint_least64_t last_lesson; /* zeros: nothing was waited for */

static uint32_t milliseconds_now(void)
{
    return (uint32_t)(uint64_t)(1e3 * timer_seconds());
}

static double expect_at(uint32_t now)
{
    const uint64_t word =
        atomic_load_explicit(&last_lesson, memory_order_relaxed);
    lesson last;
    memcpy(&last, &word, sizeof last);
    if (last.seconds <= 0)
        return 0.0;
    return spgemm_team_wait_fade(last.seconds,
                                 1e-3 * (double)(now - last.milliseconds));
}

/* Of threads that learn at once, one is heard. */
void spgemm_team_wait_record(double waited)
{
    const uint32_t now = milliseconds_now();
    const lesson learned = {
        (float)spgemm_team_wait_learn(expect_at(now), waited), now};
    uint64_t word;
    memcpy(&word, &learned, sizeof word);
    atomic_store_explicit(&last_lesson, word, memory_order_relaxed);
}

double spgemm_team_wait_now(void)
{
    return expect_at(milliseconds_now());
}

bool spgemm_team_wait_is_long(void)
{
    return spgemm_team_wait_now() > LONG_SECONDS;
}
