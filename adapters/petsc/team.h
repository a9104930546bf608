/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank. */
#ifndef SPGEMM_PETSC_TEAM_H
#define SPGEMM_PETSC_TEAM_H

#if defined(_OPENMP)
#include <omp.h>
#endif

/* No more than the library itself asks for. */
enum { MOST_THREADS = 1024 };

/* Threads for -spgemm_threads. */
static inline int team_size(int nthreads)
{
#if defined(_OPENMP)
    const int asked = nthreads > 0 ? nthreads : omp_get_max_threads();
    return asked < MOST_THREADS ? asked : MOST_THREADS;
#else
    (void)nthreads;
    return 1;
#endif
}

/* Of the team that calls it. */
static inline int team_rank(void)
{
#if defined(_OPENMP)
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static inline int team_count(void)
{
#if defined(_OPENMP)
    return omp_get_num_threads();
#else
    return 1;
#endif
}

#endif
