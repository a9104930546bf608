/* SPDX-License-Identifier: BSD-3-Clause */
/* Some of four values side by side: 0b1010 takes (x, y, z, w) to (y, w, ., .).
   What AVX-512 compresses by a mask, AVX2 permutes by a table. */
#ifndef SPGEMM_KERNELS_SIMD_COMPRESS_AVX2_H
#define SPGEMM_KERNELS_SIMD_COMPRESS_AVX2_H

#include <immintrin.h>

#include "common/compiler.h"

/* Of the bits set among four the places, lowest first. */
static ALWAYS_INLINE __m128i places_of_four(unsigned taken)
{
    static const int32_t places[16][4] __attribute__((aligned(16))) = {
        {0},    {0},       {1},       {0, 1},       {2},    {0, 2},
        {1, 2}, {0, 1, 2}, {3},       {0, 3},       {1, 3}, {0, 1, 3},
        {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
    };
    return _mm_load_si128((const __m128i *)(const void *)places[taken]);
}

static ALWAYS_INLINE __m256d compress_four(__m256d x, unsigned taken)
{
    /* A double is two halves of a permutation of eight. */
#define HALVES(a, b, c, d)                                                     \
    {                                                                          \
        2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c), 2 * (c) + 1,      \
            2 * (d), 2 * (d) + 1                                               \
    }
    static const int32_t order[16][8] __attribute__((aligned(32))) = {
        HALVES(0, 0, 0, 0), HALVES(0, 0, 0, 0), HALVES(1, 0, 0, 0),
        HALVES(0, 1, 0, 0), HALVES(2, 0, 0, 0), HALVES(0, 2, 0, 0),
        HALVES(1, 2, 0, 0), HALVES(0, 1, 2, 0), HALVES(3, 0, 0, 0),
        HALVES(0, 3, 0, 0), HALVES(1, 3, 0, 0), HALVES(0, 1, 3, 0),
        HALVES(2, 3, 0, 0), HALVES(0, 2, 3, 0), HALVES(1, 2, 3, 0),
        HALVES(0, 1, 2, 3),
    };
#undef HALVES
    return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(
        _mm256_castpd_si256(x),
        _mm256_load_si256((const __m256i *)(const void *)order[taken])));
}

#endif
