/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks[i] = how many of keys[0 .. n) are less than keys[i]: the place of the
   first of its equals, were they sorted.

   D. E. Knuth, The Art of Computer Programming 3, 1973, 5.2: comparison counting.
   n^2 comparisons, but a vector of them at a time, none of which waits for
   another, and no branch: for a few dozen keys less than any sort, where vectors
   have no compressing permutations. */
#ifndef SPGEMM_KERNELS_SIMD_RANK_H
#define SPGEMM_KERNELS_SIMD_RANK_H

#include "kernels/simd/rank_near.h"

/* Keys that are ranked as if they were always as many. */
#define RANK_FEW (RANK_LANES == 4 ? 4 : 8)

/* Ranks of n <= RANK_FEW keys, below INT32_MAX; behind them, ranks[t] = t. No branch asks
   for n, which is foreseen badly where rows are short. Whole vectors are read and
   written. */
static ALWAYS_INLINE void rank_few(const int32_t *keys, int64_t n,
                                   int32_t *ranks)
{
    int32_t all[RANK_FEW + RANK_LANES];
    for (int t = 0; t < RANK_FEW; t += RANK_LANES)
        rank_store(all + t, rank_load_first(keys + t, n - t), true);
    for (int t = 0; t < RANK_FEW; t += RANK_LANES) {
        const rank_vector own = rank_load(all + t, true);
        rank_vector less = {0};
        for (int j = 0; j < RANK_FEW; j++)
            less = rank_count(less, all[j] + (rank_vector){0}, own);
        const rank_vector number = rank_lanes(t);
        const rank_vector absent = number >= (int32_t)n;
        rank_store(ranks + t, (less & ~absent) | (number & absent), true);
    }
}

/* Variables, not arrays, which would be written to memory each time. */
static ALWAYS_INLINE void rank_vectors(const void *keys, int64_t n, int64_t t,
                                       int vectors, int32_t *ranks)
{
    const int32_t *all = keys;
    const int32_t *own = all + t;
    const rank_vector x = rank_load(own, true);
    const rank_vector y = rank_load(own + RANK_LANES, vectors > 1);
    const rank_vector z = rank_load(own + 2 * RANK_LANES, vectors > 2);
    const rank_vector w = rank_load(own + 3 * RANK_LANES, vectors > 3);
    rank_vector x_less = {0};
    rank_vector y_less = {0};
    rank_vector z_less = {0};
    rank_vector w_less = {0};
    for (int64_t j = 0; j < n; j += RANK_STEP)
        for (int u = 0; u < RANK_STEP; u++) {
            const rank_vector other = all[j + u] + (rank_vector){0};
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

static ALWAYS_INLINE void rank_wide(const int32_t *from, int64_t n,
                                    int32_t *ranks)
{
    int32_t keys[RANK_MOST];
    for (int64_t t = 0; t < n; t += RANK_LANES)
        rank_store(keys + t, rank_load_first(from + t, n - t), true);
    rank_all(rank_vectors, keys, n, RANK_LANES, ranks);
}

/* Ranks of 1 to RANK_MOST keys, none of them negative or above `most`; behind them, up to
   RANK_LANES times, ranks[t] = t. */
static ALWAYS_INLINE void rank_keys(const int32_t *keys, int64_t n,
                                    int32_t most, int32_t *ranks)
{
    if (!rank_if_near(keys, n, most, ranks))
        rank_wide(keys, n, ranks);
    rank_store(ranks + n, (int32_t)n + rank_lanes(0), true);
}

#endif
