/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured numbers in order. */
#include "doubles.h"

#include <stdlib.h>

static int compare(const void *x, const void *y)
{
    const double a = *(const double *)x;
    const double b = *(const double *)y;
    return (a > b) - (a < b);
}

void doubles_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
}

double doubles_median(double *values, size_t count)
{
    doubles_sort(values, count);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}
