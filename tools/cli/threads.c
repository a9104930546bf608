/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP's default becomes what was asked for. */
#include "threads.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/checked.h"

/* As the library has it where it is asked for more. */
enum { MOST_THREADS = 1024 };

void threads_set(const arguments *args)
{
#ifdef _OPENMP
    const int64_t asked = arguments_integer(args, "threads", 0);
    if (asked > 0)
        omp_set_num_threads((int)min_i64(asked, MOST_THREADS));
#else
    (void)args;
#endif
}
