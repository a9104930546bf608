/* SPDX-License-Identifier: BSD-3-Clause */
/* n = log(V / m) / log(1 - 1 / m), V of m bits being left at 0 by n distinct
   things that each set one at random, less the bias of that.

   K.-Y. Whang, B. T. Vander-Zanden, H. M. Taylor, A linear-time probabilistic
   counting algorithm, ACM TODS 15(2), 1990, doi:10.1145/78922.78925. Differs from
   it in: (1 - 1/m)^n = V/m is inverted, not exp(-n/m). */
#ifndef SPGEMM_PREDICT_LINEAR_COUNTING_H
#define SPGEMM_PREDICT_LINEAR_COUNTING_H

#include <math.h>

/* n; 0 < empty <= bits. */
static inline double linear_count(double empty, double bits)
{
    const double n = log(empty / bits) / log1p(-1 / bits);
    const double load = n / bits;
    /* One thing has no bias, and more are more than one. */
    return empty < bits ? fmax(1.0, n - (expm1(load) - load) / 2) : 0.0;
}

/* The variance of that, over n^2; n > 0. */
static inline double linear_count_variance(double n, double bits)
{
    const double load = n / bits;
    return bits * (expm1(load) - load) / (n * n);
}

#endif
