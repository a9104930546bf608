/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of keys that are ranked, none of them negative. */
#ifndef SPGEMM_KERNELS_SIMD_RANK_VECTORS_H
#define SPGEMM_KERNELS_SIMD_RANK_VECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/compiler.h"
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define RANK_LANES 16
#elif defined(__AVX2__)
#define RANK_LANES 8
#else
#define RANK_LANES 4
#endif

/* Keys at most, whole vectors of which are read and written. */
#define RANK_MOST 128

/* Keys that are compared with before it is asked whether there are more: how many there
   are is foreseen badly, how many times so many better. */
#define RANK_STEP 4

typedef int32_t rank_vector
    __attribute__((vector_size(RANK_LANES * sizeof(int32_t))));

static ALWAYS_INLINE rank_vector rank_load(const int32_t *from, bool is_there)
{
    rank_vector x = {0};
    if (is_there)
        memcpy(&x, from, sizeof x);
    return x;
}

static ALWAYS_INLINE void rank_store(int32_t *to, rank_vector x, bool is_there)
{
    if (is_there)
        memcpy(to, &x, sizeof x);
}

/* The number of each lane, from `first` on. */
static ALWAYS_INLINE rank_vector rank_lanes(int first)
{
    rank_vector numbers = {0};
    for (int u = 0; u < RANK_LANES; u++)
        numbers[u] = first + u;
    return numbers;
}

/* A vector of keys; the lanes from n on are INT32_MAX, which is less than no key. */
static ALWAYS_INLINE rank_vector rank_load_first(const int32_t *keys, int64_t n)
{
    const rank_vector absent = rank_lanes(0) >= (int32_t)n;
    return (rank_load(keys, true) | absent) & INT32_MAX;
}

/* less, and one where other < x. */
static ALWAYS_INLINE rank_vector rank_count(rank_vector less, rank_vector other,
                                            rank_vector x)
{
#if defined(__AVX512F__)
    return (rank_vector)_mm512_mask_add_epi32(
        (__m512i)less, _mm512_cmplt_epi32_mask((__m512i)other, (__m512i)x),
        (__m512i)less, _mm512_set1_epi32(1));
#else
    return less - (other < x);
#endif
}

/* Ranks among n keys, as they are made ready, of those of 1 to 4 vectors from key t on. */
typedef void rank_some(const void *keys, int64_t n, int64_t t, int vectors,
                       int32_t *ranks);

/* Of all n, by as few calls as may be; `width` keys are a vector. */
static ALWAYS_INLINE void rank_all(rank_some *some, const void *keys, int64_t n,
                                   int width, int32_t *ranks)
{
    int64_t t = 0;
    for (; n - t > 3 * width; t += 4 * width)
        some(keys, n, t, 4, ranks + t);
    if (n - t > 2 * width)
        some(keys, n, t, 3, ranks + t);
    else if (n - t > width)
        some(keys, n, t, 2, ranks + t);
    else if (n > t)
        some(keys, n, t, 1, ranks + t);
}

#endif
