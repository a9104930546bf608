/* SPDX-License-Identifier: BSD-3-Clause */
/* Some doubles spread over four lanes: lanes 0b1010 take (x, y) to (., x, ., y).
   What AVX-512 expands by a mask, AVX2 permutes by a table. */
#ifndef SPGEMM_KERNELS_SIMD_SPREAD_AVX2_H
#define SPGEMM_KERNELS_SIMD_SPREAD_AVX2_H

#include <immintrin.h>

#include "common/compiler.h"

/* All bits of the lanes named. */
static ALWAYS_INLINE __m256i lane_mask(unsigned lanes)
{
    static const int64_t masks[16][4] = {
        {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
        {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
        {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
        {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1},
    };
    return _mm256_loadu_si256((const __m256i *)(const void *)masks[lanes]);
}

/* from[0 .. number of lanes) spread over the lanes; the others hold anything.
   Reads nothing else. */
static ALWAYS_INLINE __m256d spread_four(const double *from, unsigned lanes)
{
    /* A double is two halves of a permutation of eight. */
#define FROM(a, b, c, d)                                                       \
    {                                                                          \
        2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c), 2 * (c) + 1,      \
            2 * (d), 2 * (d) + 1                                               \
    }
    static const int32_t order[16][8] = {
        FROM(0, 0, 0, 0), FROM(0, 0, 0, 0), FROM(0, 0, 0, 0), FROM(0, 1, 0, 0),
        FROM(0, 0, 0, 0), FROM(0, 0, 1, 0), FROM(0, 0, 1, 0), FROM(0, 1, 2, 0),
        FROM(0, 0, 0, 0), FROM(0, 0, 0, 1), FROM(0, 0, 0, 1), FROM(0, 1, 0, 2),
        FROM(0, 0, 0, 1), FROM(0, 0, 1, 2), FROM(0, 0, 1, 2), FROM(0, 1, 2, 3),
    };
#undef FROM
    if (lanes == 15)
        return _mm256_loadu_pd(from);
    const unsigned front = (1u << __builtin_popcount(lanes)) - 1;
    const __m256d packed = _mm256_maskload_pd(from, lane_mask(front));
    return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(
        _mm256_castpd_si256(packed),
        _mm256_loadu_si256((const __m256i *)(const void *)order[lanes])));
}

#endif
