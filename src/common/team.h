/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a parallel region may ask for, and work that they share. */
#ifndef SPGEMM_COMMON_TEAM_H
#define SPGEMM_COMMON_TEAM_H

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/**
 * Threads to ask for: `requested`, or omp_get_max_threads() when 0; fewer for
 * little work (one per quarter of a `grain` of `work` items, a grain being work of
 * some 50 microseconds, and at least 1; 1 for less than two grains where no team is
 * at hand);
 * 1 where a team would be waited for longer than it saves, as those before it
 * were. Where the process's address space is limited, as many as their stacks have
 * room for.
 *
 * The runtime may give fewer still: never size or divide by this number.
 */
int spgemm_team_size(int requested, int64_t work, int64_t grain);

/** Threads of any work. */
static inline int spgemm_team_of_all(int requested)
{
    return spgemm_team_size(requested, INT64_MAX, 1);
}

/** Tasks that `work` items are cut into for a team of `size` threads: of `grain`
    items, or smaller where threads are many. */
int64_t spgemm_team_tasks(int size, int64_t work, int64_t grain);

/** What each member of a team does, the caller of rank 0 among them, in the default
    floating-point mode. */
typedef void team_work(void *context, int rank);

/**
 * Work by the team at hand, or by one made for it: `size` threads at most, and
 * those that come late not at all. Returns when all are done. Within a work,
 * by the caller alone.
 */
void spgemm_team_run(int size, team_work *work, void *context);

typedef void team_leader(void *context);

/** Calls lead(context) on this thread, with a team of `size` threads at hand
    for the works in it; with the one that is at hand already, if there is one. */
void spgemm_team_open(int size, team_leader *lead, void *context);

/** Threads of the team at hand; 1 within a work, 0 where there is no team. */
int spgemm_team_at_hand(void);

/** Task t of some. */
typedef void team_task(void *context, int64_t t);

/** Tasks [0, tasks) by a team of `size` threads, or fewer: each takes the next
    one. */
void spgemm_team_for(int size, int64_t tasks, team_task *task, void *context);

/** The caller's number in the work it does; 0 outside. */
int spgemm_team_rank(void);

/** For rank 0, at the end of what it does of a work: waits for the others, so many
    seconds at most; true once all are done. No other joins them from then on. */
bool spgemm_team_await(double seconds);

/* Sums must not depend on what the host did to the floating-point mode of
   this thread (flush to zero, rounding): put aside on entry to a region that
   multiplies, put back on leaving it. Of a mode that is the default only what
   was raised is put back: the whole takes half a microsecond. */
typedef struct team_fpmode {
    fenv_t caller;
    bool was_default;
    unsigned raised; /* with the mode, of a thread whose mode was the default */
} team_fpmode;

#if defined(__SSE2__)
#define MXCSR_FLAGS   0x3fu
#define MXCSR_DEFAULT 0x1f80u

static inline team_fpmode team_fpmode_enter(void)
{
    team_fpmode mode;
    mode.raised = _mm_getcsr();
    mode.was_default = (mode.raised & ~MXCSR_FLAGS) == MXCSR_DEFAULT &&
                       fegetround() == FE_TONEAREST;
    if (!mode.was_default) {
        fegetenv(&mode.caller);
        fesetenv(FE_DFL_ENV);
    }
    return mode;
}

static inline void team_fpmode_leave(const team_fpmode *mode)
{
    if (mode->was_default)
        _mm_setcsr(mode->raised);
    else
        fesetenv(&mode->caller);
}
#else
static inline team_fpmode team_fpmode_enter(void)
{
    team_fpmode mode = {.was_default = false};
    fegetenv(&mode.caller);
    fesetenv(FE_DFL_ENV);
    return mode;
}

static inline void team_fpmode_leave(const team_fpmode *mode)
{
    fesetenv(&mode->caller);
}
#endif

#endif
