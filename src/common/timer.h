/* SPDX-License-Identifier: BSD-3-Clause */
/* Seconds since some moment in the past, never going back. */
#ifndef SPGEMM_COMMON_TIMER_H
#define SPGEMM_COMMON_TIMER_H

#include <stdint.h>
#include <time.h>

static inline double timer_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The same in whole seconds, by the clock that is the fastest to read. */
static inline int64_t timer_whole_seconds(void)
{
    struct timespec now;
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (int64_t)now.tv_sec;
}

/* A clock that does not run: its laps take no time. */
#define TIMER_OFF (-1.0)

/* Seconds since *start, which is set to now. */
static inline double timer_lap(double *start)
{
    if (*start == TIMER_OFF)
        return 0.0;
    const double now = timer_seconds();
    const double lap = now - *start;
    *start = now;
    return lap;
}

#endif
