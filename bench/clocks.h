/* SPDX-License-Identifier: BSD-3-Clause */
/* Seconds that have passed, and those that a process has computed: the latter
   its neighbours leave alone. */
#ifndef BENCH_CLOCKS_H
#define BENCH_CLOCKS_H

#include <time.h>

static inline double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double wall_clock(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/** Of all threads of this process so far. */
static inline double cpu_clock(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
