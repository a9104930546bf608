/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured numbers in order. */
#ifndef BENCH_DOUBLES_H
#define BENCH_DOUBLES_H

#include <stddef.h>

void doubles_sort(double *values, size_t count);

/** The median of count > 0 values, which are sorted. */
double doubles_median(double *values, size_t count);

#endif
