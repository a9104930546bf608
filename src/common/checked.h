/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes that never wrap: sums and products of counts, and the one door through
   which a predicted number becomes a capacity. */
#ifndef SPGEMM_COMMON_CHECKED_H
#define SPGEMM_COMMON_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* sum = x + y; false if it does not fit. */
static inline bool checked_add_i64(int64_t x, int64_t y, int64_t *sum)
{
    return !__builtin_add_overflow(x, y, sum);
}

/* bytes = count * size; false if count is negative or bytes pass PTRDIFF_MAX. */
static inline bool checked_bytes(int64_t count, size_t size, size_t *bytes)
{
    return count >= 0 &&
           !__builtin_mul_overflow((uint64_t)count, size, bytes) &&
           *bytes <= (size_t)PTRDIFF_MAX;
}

/* x + y, or INT64_MAX. For bounds, where more is always right. */
static inline int64_t saturating_add_i64(int64_t x, int64_t y)
{
    int64_t sum;
    return checked_add_i64(x, y, &sum) ? sum : INT64_MAX;
}

static inline int64_t min_i64(int64_t x, int64_t y)
{
    return x < y ? x : y;
}
static inline int64_t max_i64(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

/* ceil(predicted), kept within [low, high]. Total: NaN and -inf give low,
   +inf gives high. */
static inline int64_t checked_capacity(double predicted, int64_t low,
                                       int64_t high)
{
    if (!(predicted > (double)low))
        return low;
    if (predicted >= (double)high)
        return high;
    const int64_t floor = (int64_t)predicted;
    return min_i64(high, floor + (predicted > (double)floor));
}

#endif
