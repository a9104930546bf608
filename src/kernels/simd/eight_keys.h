/* SPDX-License-Identifier: BSD-3-Clause */
/* Up to eight columns, and which of them is j: a register of AVX2, two of SSE2 or, where
   there is neither or columns are wide, an array. */
#ifndef SPGEMM_KERNELS_SIMD_EIGHT_KEYS_H
#define SPGEMM_KERNELS_SIMD_EIGHT_KEYS_H

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/compiler.h"

#define EIGHT_KEYS 8

/* The place of the one that is j, of eight_keys_equal(); EIGHT_KEYS: there is none. */
static ALWAYS_INLINE int eight_keys_place(unsigned equal)
{
    return __builtin_ctz(equal | 1u << EIGHT_KEYS);
}

#if defined(__AVX2__) && defined(INDEX_IS_i32)
typedef __m256i eight_keys;

/* The first n are these, and no other. */
static ALWAYS_INLINE eight_keys eight_keys_load(const IDX *columns, int64_t n)
{
    const __m256i some = _mm256_cmpgt_epi32(
        _mm256_set1_epi32((int)n), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    return _mm256_or_si256(_mm256_maskload_epi32(columns, some),
                           _mm256_xor_si256(some, _mm256_set1_epi32(-1)));
}

/* A bit for each that is j: one at most. */
static ALWAYS_INLINE unsigned eight_keys_equal(eight_keys x, IDX j)
{
    const __m256i equal = _mm256_cmpeq_epi32(x, _mm256_set1_epi32(j));
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(equal));
}
#else
#if defined(__SSE2__) && defined(INDEX_IS_i32)
typedef struct eight_keys {
    __m128i four[2];
} eight_keys;

static ALWAYS_INLINE unsigned eight_keys_equal(eight_keys x, IDX j)
{
    const __m128i all = _mm_set1_epi32(j);
    const __m128i low = _mm_cmpeq_epi32(x.four[0], all);
    const __m128i high = _mm_cmpeq_epi32(x.four[1], all);
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(low)) |
           (unsigned)_mm_movemask_ps(_mm_castsi128_ps(high)) << 4;
}
#else
typedef struct eight_keys {
    IDX column[8];
} eight_keys;

static ALWAYS_INLINE unsigned eight_keys_equal(eight_keys x, IDX j)
{
    unsigned equal = 0;
    for (unsigned t = 0; t < 8; t++)
        equal |= (unsigned)(x.column[t] == j) << t;
    return equal;
}
#endif

static ALWAYS_INLINE eight_keys eight_keys_load(const IDX *columns, int64_t n)
{
    IDX all[8];
    eight_keys x;
    for (int64_t t = 0; t < 8; t++)
        all[t] = t < n ? columns[t] : -1;
    memcpy(&x, all, sizeof x);
    return x;
}
#endif

#endif
