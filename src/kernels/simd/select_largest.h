/* SPDX-License-Identifier: BSD-3-Clause */
/* The k-th largest of n keys.

   C. A. R. Hoare, Algorithm 65: Find, CACM 4(7):321-322, 1961, by the median of
   three that are drawn: no order of a row defeats it, neither one that rises nor
   one that rises to its diagonal and falls again. */
#ifndef SPGEMM_KERNELS_SIMD_SELECT_LARGEST_H
#define SPGEMM_KERNELS_SIMD_SELECT_LARGEST_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/compiler.h"
#include "common/rng.h"

static inline uint64_t median_of_three(uint64_t x, uint64_t y, uint64_t z)
{
    const uint64_t low = x < y ? x : y;
    const uint64_t high = x < y ? y : x;
    return z < low ? low : z > high ? high : z;
}

/* The median of three keys of [begin, end), a third of them apart. */
static inline uint64_t pivot_of(const uint64_t *keys, int64_t begin,
                                int64_t end)
{
    const int64_t third = (end - begin) / 3;
    const int64_t drawn = rng_below((uint64_t)begin, (uint64_t)end, third);
    keys += begin + drawn;
    return median_of_three(keys[0], keys[third], keys[2 * third]);
}

/* Of keys[begin, end) those that are above the pivot, or not below it, to the front;
   returns where they end. No branch depends on a key: half of them would be guessed
   wrong. */
static inline int64_t move_larger(uint64_t *keys, int64_t begin, int64_t end,
                                  uint64_t pivot, bool with_equals)
{
    int64_t front = begin;
    for (int64_t t = begin; t < end; t++) {
        const uint64_t key = keys[t];
        keys[t] = keys[front];
        keys[front] = key;
        front += with_equals ? key >= pivot : key > pivot;
    }
    return front;
}

/* As select_largest(), of at most SELECT_FEW keys: by how many are larger than each. */
#define SELECT_FEW 16
static NOINLINE uint64_t select_of_few(const uint64_t *keys, int64_t n,
                                       int64_t k, int64_t *equals)
{
    uint64_t few[SELECT_FEW] = {0}; /* 0 behind the last is larger than none */
    int64_t larger[SELECT_FEW] = {0};
    memcpy(few, keys, (size_t)n * sizeof *keys);
    for (int u = 0; u < SELECT_FEW; u++)
        for (int t = 0; t < SELECT_FEW; t++)
            larger[t] += few[u] > few[t];
    uint64_t least = UINT64_MAX;
    int64_t above = 0;
    for (int t = 0; t < SELECT_FEW; t++) {
        const bool is_kept = larger[t] < k;
        least = is_kept && few[t] < least ? few[t] : least;
        above = is_kept && larger[t] > above ? larger[t] : above;
    }
    *equals = k - above;
    return least;
}

/* The least key of the k largest, 0 < k <= n; *equals: how many of that size
   are among them. Reorders the keys. */
static NOINLINE uint64_t select_largest(uint64_t *keys, int64_t n, int64_t k,
                                        int64_t *equals)
{
    int64_t begin = 0;
    int64_t end = n;
    while (end - begin > SELECT_FEW) {
        const uint64_t pivot = pivot_of(keys, begin, end);
        const int64_t larger = move_larger(keys, begin, end, pivot, false);
        if (k <= larger) {
            end = larger;
            continue;
        }
        begin = move_larger(keys, larger, end, pivot, true);
        if (k <= begin) {
            *equals = k - larger;
            return pivot;
        }
    }
    return select_of_few(keys + begin, end - begin, k - begin, equals);
}

#endif
