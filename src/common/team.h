/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a parallel region may ask for. */
#ifndef SPGEMM_COMMON_TEAM_H
#define SPGEMM_COMMON_TEAM_H

#include <fenv.h>
#include <stdint.h>

/**
 * Threads to ask for: `requested`, or omp_get_max_threads() when 0; fewer for
 * little work (one per `grain` of `work` items, at least 1); 1 in a child that
 * was forked after a parallel region, where libgomp would hang. Where the
 * process's address space is limited, always as many as their stacks have room
 * for, or 1.
 *
 * The runtime may give fewer still: never size or divide by this number.
 */
int spgemm_team_size(int requested, int64_t work, int64_t grain);

/** The caller's thread number in its team; 0 outside. */
int spgemm_team_rank(void);

/** Threads of the caller's team; 1 outside. */
int spgemm_team_members(void);

/* Sums must not depend on what the host did to the floating-point mode of
   this thread (flush to zero, rounding): put aside on entry to a region that
   multiplies, put back on leaving it. */
typedef struct team_fpmode {
    fenv_t caller;
} team_fpmode;

static inline team_fpmode team_fpmode_enter(void)
{
    team_fpmode mode;
    fegetenv(&mode.caller);
    fesetenv(FE_DFL_ENV);
    return mode;
}

static inline void team_fpmode_leave(const team_fpmode *mode)
{
    fesetenv(&mode->caller);
}

#endif
