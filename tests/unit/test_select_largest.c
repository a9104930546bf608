/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/simd/select_largest.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "common/rng.h"

enum { MOST = 70 };

static int compare_falling(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x;
    const uint64_t b = *(const uint64_t *)y;
    return (a < b) - (a > b);
}

/* Any number of keys, each k of them; few different ones, 0 and the largest there is
   among them, many, and many in order. */
Test(select_largest, finds_the_least_of_those_that_are_kept)
{
    for (uint64_t seed = 0; seed < 30; seed++)
        for (int64_t n = 1; n <= MOST; n++) {
            uint64_t sorted[MOST];
            for (int64_t t = 0; t < n; t++) {
                const int64_t kinds = seed % 3 == 0 ? 4 : INT64_MAX;
                sorted[t] =
                    (uint64_t)rng_below(seed, (uint64_t)(n * MOST + t), kinds);
                if (seed % 6 == 0 && sorted[t] == 3)
                    sorted[t] = UINT64_MAX;
            }
            uint64_t given[MOST];
            memcpy(given, sorted, sizeof given);
            qsort(sorted, (size_t)n, sizeof *sorted, compare_falling);
            if (seed % 3 == 2)
                memcpy(given, sorted, sizeof given);
            for (int64_t k = 1; k <= n; k++) {
                uint64_t keys[MOST];
                int64_t equals;
                int64_t larger = 0;
                memcpy(keys, given, sizeof keys);
                while (sorted[larger] > sorted[k - 1])
                    larger++;
                cr_assert_eq(select_largest(keys, n, k, &equals), sorted[k - 1],
                             "%d of %d", (int)k, (int)n);
                cr_assert_eq(equals, k - larger, "%d of %d", (int)k, (int)n);
            }
        }
}
