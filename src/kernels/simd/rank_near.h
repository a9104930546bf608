/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of keys that lie within 2^16: as numbers of 16 bits they take half the room, and a
   vector has twice as many. */
#ifndef SPGEMM_KERNELS_SIMD_RANK_NEAR_H
#define SPGEMM_KERNELS_SIMD_RANK_NEAR_H

#include "kernels/simd/rank_vectors.h"

/* Not yet where a vector has sixteen keys, in AVX-512. */
#if RANK_LANES < 16
#define NEAR_LANES (2 * RANK_LANES)

typedef uint32_t near_bits
    __attribute__((vector_size(RANK_LANES * sizeof(uint32_t))));
typedef int16_t near_vector
    __attribute__((vector_size(NEAR_LANES * sizeof(int16_t))));
typedef int32_t near_wide
    __attribute__((vector_size(NEAR_LANES * sizeof(int32_t))));

typedef struct near_keys {
    near_vector keys[RANK_MOST / NEAR_LANES];
    int32_t twice[RANK_MOST]; /* each in both halves */
} near_keys;

static ALWAYS_INLINE bool near_any(near_bits x)
{
    uint64_t words[sizeof x / sizeof(uint64_t)];
    uint64_t any = 0;
    memcpy(words, &x, sizeof x);
    for (size_t w = 0; w < sizeof x / sizeof(uint64_t); w++)
        any |= words[w];
    return any != 0;
}

/* NEAR_LANES keys less the least, and less 2^15, so that they are compared with a sign;
   those from n on are INT16_MAX, which is less than no key. Not zero is returned where
   some take more than 16 bits. */
static ALWAYS_INLINE near_bits near_take(const int32_t *keys, near_bits least,
                                         int n, near_vector *near,
                                         int32_t *twice)
{
    near_bits part[2];
    near_bits outside = {0};
    near_wide both;
    for (int v = 0; v < 2; v++) {
        near_bits absent = {0};
        if (n < NEAR_LANES)
            absent = (near_bits)(rank_lanes(v * RANK_LANES) >= n);
        const near_bits x =
            (near_bits)rank_load(keys + v * RANK_LANES, true) - least;
        outside |= x & ~absent;
        part[v] = ((x | absent) & UINT16_MAX) ^ (1 << 15);
        rank_store(twice + v * RANK_LANES,
                   (rank_vector)(part[v] | part[v] << 16), true);
    }
    memcpy(&both, part, sizeof both);
    *near = __builtin_convertvector(both, near_vector);
    return outside & ~(uint32_t)UINT16_MAX;
}

/* false: some are not within 2^16 from the least on. */
static ALWAYS_INLINE bool near_make(near_keys *near, const int32_t *keys,
                                    int64_t n, uint32_t least)
{
    const near_bits all_least = least + (near_bits){0};
    near_bits outside = {0};
    int64_t t = 0;
    for (; n - t >= NEAR_LANES; t += NEAR_LANES)
        outside |= near_take(keys + t, all_least, NEAR_LANES,
                             &near->keys[t / NEAR_LANES], near->twice + t);
    if (t < n)
        outside |= near_take(keys + t, all_least, (int)(n - t),
                             &near->keys[t / NEAR_LANES], near->twice + t);
    return !near_any(outside);
}

static ALWAYS_INLINE void near_store(int32_t *ranks, near_vector less,
                                     bool is_there)
{
    const near_wide x = __builtin_convertvector(less, near_wide);
    if (is_there)
        memcpy(ranks, &x, sizeof x);
}

/* Variables, as those of rank_vectors(). */
static ALWAYS_INLINE void near_vectors(const void *keys, int64_t n, int64_t t,
                                       int vectors, int32_t *ranks)
{
    const near_keys *near = keys;
    const near_vector *own = near->keys + t / NEAR_LANES;
    const near_vector none = {0};
    const near_vector x = own[0];
    const near_vector y = vectors > 1 ? own[1] : none;
    const near_vector z = vectors > 2 ? own[2] : none;
    const near_vector w = vectors > 3 ? own[3] : none;
    near_vector x_less = none;
    near_vector y_less = none;
    near_vector z_less = none;
    near_vector w_less = none;
    for (int64_t j = 0; j < n; j += RANK_STEP)
        for (int u = 0; u < RANK_STEP; u++) {
            const near_vector other =
                (near_vector)(near->twice[j + u] + (rank_vector){0});
            x_less -= other < x;
            y_less -= other < y;
            z_less -= other < z;
            w_less -= other < w;
        }
    near_store(ranks, x_less, true);
    near_store(ranks + NEAR_LANES, y_less, vectors > 1);
    near_store(ranks + 2 * NEAR_LANES, z_less, vectors > 2);
    near_store(ranks + 3 * NEAR_LANES, w_less, vectors > 3);
}

/* false: they are not near, or so few that to make them so costs as much as to compare
   them. None is above `most`; the first and the last tell of most that are not near. */
static ALWAYS_INLINE bool rank_if_near(const int32_t *keys, int64_t n,
                                       int32_t most, int32_t *ranks)
{
    near_keys near;
    const uint32_t middle =
        (uint32_t)keys[0] + (uint32_t)((keys[n - 1] - keys[0]) / 2);
    const uint32_t least = most <= UINT16_MAX ? 0 : middle - (1u << 15);
    if (n <= NEAR_LANES || (uint32_t)keys[n - 1] - least > UINT16_MAX ||
        !near_make(&near, keys, n, least))
        return false;
    rank_all(near_vectors, &near, n, NEAR_LANES, ranks);
    return true;
}
#else
static ALWAYS_INLINE bool rank_if_near(const int32_t *keys, int64_t n,
                                       int32_t most, int32_t *ranks)
{
    (void)keys;
    (void)n;
    (void)most;
    (void)ranks;
    return false;
}
#endif

#endif
