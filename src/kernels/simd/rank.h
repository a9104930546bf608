/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks[i] = how many of keys[0 .. n) are less than keys[i]: the place of the
   first of its equals, were they sorted.

   D. E. Knuth, The Art of Computer Programming 3, 1973, 5.2: comparison counting.
   n^2 comparisons, but a vector of them at a time, none of which waits for
   another, and no branch: for a few dozen keys less than any sort, where vectors
   have no compressing permutations. */
#ifndef SPGEMM_KERNELS_SIMD_RANK_H
#define SPGEMM_KERNELS_SIMD_RANK_H

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

/* Keys that are ranked as if they were always as many. */
#define RANK_FEW (RANK_LANES == 4 ? 4 : 8)

/* The number of each lane, from `first` on. */
static ALWAYS_INLINE rank_vector rank_lanes(int first)
{
    rank_vector numbers = {0};
    for (int u = 0; u < RANK_LANES; u++)
        numbers[u] = first + u;
    return numbers;
}

/* Ranks of n <= RANK_FEW keys, below INT32_MAX; behind them, n. No branch asks for
   n, which is foreseen badly where rows are short. Whole vectors are read and
   written. */
static ALWAYS_INLINE void rank_few(const int32_t *keys, int64_t n,
                                   int32_t *ranks)
{
    int32_t all[RANK_FEW + RANK_LANES];
    for (int t = 0; t < RANK_FEW; t += RANK_LANES) {
        const rank_vector absent = rank_lanes(t) >= (int32_t)n;
        rank_store(all + t,
                   (rank_load(keys + t, true) & ~absent) | (absent & INT32_MAX),
                   true);
    }
    for (int t = 0; t < RANK_FEW; t += RANK_LANES) {
        const rank_vector own = rank_load(all + t, true);
        rank_vector less = {0};
        for (int j = 0; j < RANK_FEW; j++)
            less = rank_count(less, all[j] + (rank_vector){0}, own);
        rank_store(ranks + t, less, true);
    }
}

/* Ranks of 1 to 4 vectors of keys: variables, not arrays, which would be written
   to memory each time. */
static ALWAYS_INLINE void rank_vectors(const int32_t *keys, int64_t n,
                                       const int32_t *own, int vectors,
                                       int32_t *ranks)
{
    const rank_vector x = rank_load(own, true);
    const rank_vector y = rank_load(own + RANK_LANES, vectors > 1);
    const rank_vector z = rank_load(own + 2 * RANK_LANES, vectors > 2);
    const rank_vector w = rank_load(own + 3 * RANK_LANES, vectors > 3);
    rank_vector x_less = {0};
    rank_vector y_less = {0};
    rank_vector z_less = {0};
    rank_vector w_less = {0};
    for (int64_t j = 0; j < n; j++) {
        const rank_vector other = keys[j] + (rank_vector){0};
        x_less = rank_count(x_less, other, x);
        y_less = rank_count(y_less, other, y);
        z_less = rank_count(z_less, other, z);
        w_less = rank_count(w_less, other, w);
    }
    rank_store(ranks, x_less, true);
    rank_store(ranks + RANK_LANES, y_less, vectors > 1);
    rank_store(ranks + 2 * RANK_LANES, z_less, vectors > 2);
    rank_store(ranks + 3 * RANK_LANES, w_less, vectors > 3);
}

static ALWAYS_INLINE void rank_keys(const int32_t *keys, int64_t n,
                                    int32_t *ranks)
{
    int64_t t = 0;
    for (; n - t > 3 * RANK_LANES; t += 4 * RANK_LANES)
        rank_vectors(keys, n, keys + t, 4, ranks + t);
    if (n - t > 2 * RANK_LANES)
        rank_vectors(keys, n, keys + t, 3, ranks + t);
    else if (n - t > RANK_LANES)
        rank_vectors(keys, n, keys + t, 2, ranks + t);
    else if (n > t)
        rank_vectors(keys, n, keys + t, 1, ranks + t);
}

#endif
