/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of every kind in one matrix: equal to the row before, a column further,
   in runs, scattered, short, none. */
#ifndef SPGEMM_TESTS_MIXTURE_H
#define SPGEMM_TESTS_MIXTURE_H

#include "generate.h"

/* Habits, by which rows follow one another: `which` modulo this. */
enum { MIXTURE_HABITS = 5 };

spgemm_csr make_mixture(maker *m, int64_t nrows, int64_t ncols, int which);

#endif
