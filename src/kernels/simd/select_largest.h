/* SPDX-License-Identifier: BSD-3-Clause */
/* The k-th largest of n keys.

   C. A. R. Hoare, Algorithm 65: Find, CACM 4(7):321-322, 1961, by the median of
   three, which rows in order do not defeat. */
#ifndef SPGEMM_KERNELS_SIMD_SELECT_LARGEST_H
#define SPGEMM_KERNELS_SIMD_SELECT_LARGEST_H

#include <stdint.h>

static inline uint64_t median_of_three(uint64_t x, uint64_t y, uint64_t z)
{
    const uint64_t low = x < y ? x : y;
    const uint64_t high = x < y ? y : x;
    return z < low ? low : z > high ? high : z;
}

/* The least key of the k largest, 0 < k <= n; *equals: how many of that size
   are among them. Reorders the keys. */
static inline uint64_t select_largest(uint64_t *keys, int64_t n, int64_t k,
                                      int64_t *equals)
{
    int64_t begin = 0;
    int64_t end = n;
    for (;;) {
        const uint64_t pivot = median_of_three(
            keys[begin], keys[begin + (end - begin) / 2], keys[end - 1]);
        /* Larger ones to the front, equal ones behind them. */
        int64_t larger = begin;
        int64_t next = begin;
        int64_t smaller = end;
        while (next < smaller) {
            const uint64_t key = keys[next];
            if (key > pivot) {
                keys[next++] = keys[larger];
                keys[larger++] = key;
            } else if (key == pivot) {
                next++;
            } else {
                keys[next] = keys[--smaller];
                keys[smaller] = key;
            }
        }
        if (k <= larger) {
            end = larger;
        } else if (k <= smaller) {
            *equals = k - larger;
            return pivot;
        } else {
            begin = smaller;
        }
    }
}

#endif
