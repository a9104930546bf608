/* SPDX-License-Identifier: BSD-3-Clause */
/* The real numbers that a register of AVX2 has: four doubles, or eight floats. Some
   of them are spread over lanes, 0b1010 takes (x, y) to (., x, ., y), or put side
   by side. What AVX-512 does by a mask, AVX2 permutes by a table. */
#ifndef SPGEMM_KERNELS_SIMD_REALS_AVX2_H
#define SPGEMM_KERNELS_SIMD_REALS_AVX2_H

#include <immintrin.h>

#include "common/compiler.h"
#include "kernels/simd/compress_avx2.h"

#if defined(VALUE_IS_f64)
enum { REALS = 4 };
typedef __m256d reals;
#define REALS_OP(op) _mm256_##op##_pd

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

/* +0 in the lanes that are not named. */
static ALWAYS_INLINE reals reals_where(unsigned lanes, reals x)
{
    return _mm256_and_pd(_mm256_castsi256_pd(lane_mask(lanes)), x);
}

/* Which have other bits than -0. */
static ALWAYS_INLINE unsigned reals_touched(reals x)
{
    const __m256i is_untouched = _mm256_cmpeq_epi64(
        _mm256_castpd_si256(x), _mm256_set1_epi64x(INT64_MIN));
    return ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(is_untouched)) &
           15;
}

/* from[0 .. number of lanes) spread over the lanes; the others hold anything.
   Reads nothing else. */
static ALWAYS_INLINE reals reals_spread(const double *from, unsigned lanes)
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

/* The lanes named side by side; as many places are written as there are lanes. */
static ALWAYS_INLINE void reals_compress(double *to, reals x, unsigned lanes)
{
    _mm256_storeu_pd(to, compress_four(x, lanes));
}
#else
enum { REALS = 8 };
typedef __m256 reals;
#define REALS_OP(op) _mm256_##op##_ps

/* +0 in the lanes that are not named. */
static ALWAYS_INLINE reals reals_where(unsigned lanes, reals x)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i all = _mm256_set1_epi32((int)lanes);
    return _mm256_and_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(
                             _mm256_and_si256(all, bits), bits)),
                         x);
}

/* Which have other bits than -0. */
static ALWAYS_INLINE unsigned reals_touched(reals x)
{
    const __m256i is_untouched = _mm256_cmpeq_epi32(
        _mm256_castps_si256(x), _mm256_set1_epi32(INT32_MIN));
    return ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is_untouched)) &
           255;
}

/* For each of four lanes how many below it are named. */
static ALWAYS_INLINE __m128i ranks_of_four(unsigned lanes)
{
    static const int32_t ranks[16][4] __attribute__((aligned(16))) = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0},
        {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 1, 0}, {0, 1, 2, 0},
        {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 1, 0, 2},
        {0, 0, 0, 1}, {0, 0, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3},
    };
    return _mm_load_si128((const __m128i *)(const void *)ranks[lanes]);
}

/* from[0 .. number of lanes) spread over the lanes; the others hold anything.
   Reads nothing else. */
static ALWAYS_INLINE reals reals_spread(const float *from, unsigned lanes)
{
    static const int32_t front[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    if (lanes == 255)
        return _mm256_loadu_ps(from);
    const int low = __builtin_popcount(lanes & 15);
    const int n = __builtin_popcount(lanes);
    const __m256 packed = _mm256_maskload_ps(
        from,
        _mm256_loadu_si256((const __m256i *)(const void *)(front + 8 - n)));
    const __m128i high =
        _mm_add_epi32(ranks_of_four(lanes >> 4), _mm_set1_epi32(low));
    return _mm256_permutevar8x32_ps(
        packed, _mm256_set_m128i(high, ranks_of_four(lanes & 15)));
}

/* The lanes named side by side; as many places are written as there are lanes. */
static ALWAYS_INLINE void reals_compress(float *to, reals x, unsigned lanes)
{
    const __m128i low = places_of_four(lanes & 15);
    const __m128i high = places_of_four(lanes >> 4);
    _mm_storeu_ps(to, _mm_permutevar_ps(_mm256_castps256_ps128(x), low));
    _mm_storeu_ps(to + __builtin_popcount(lanes & 15),
                  _mm_permutevar_ps(_mm256_extractf128_ps(x, 1), high));
}
#endif

static ALWAYS_INLINE reals reals_load(const VAL *from)
{
    return REALS_OP(loadu)(from);
}

static ALWAYS_INLINE void reals_store(VAL *to, reals x)
{
    REALS_OP(storeu)(to, x);
}

static ALWAYS_INLINE reals reals_set(VAL x)
{
    return REALS_OP(set1)(x);
}

static ALWAYS_INLINE reals reals_plus(reals x, reals y)
{
    return REALS_OP(add)(x, y);
}

static ALWAYS_INLINE reals reals_times(reals x, reals y)
{
    return REALS_OP(mul)(x, y);
}

#endif
