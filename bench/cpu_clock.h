/* SPDX-License-Identifier: BSD-3-Clause */
/* The time that a process has computed: what its neighbours leave alone. */
#ifndef BENCH_CPU_CLOCK_H
#define BENCH_CPU_CLOCK_H

#include <time.h>

static inline double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Seconds of all threads of this process so far. */
static inline double cpu_clock(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
