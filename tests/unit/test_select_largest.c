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

/* Key t of n keys that rise, fall, rise and fall, fall and rise, or are few. */
static uint64_t key_in_order(int order, int64_t t, int64_t n)
{
    switch (order) {
    case 0:
        return (uint64_t)t;
    case 1:
        return (uint64_t)(n - t);
    case 2:
        return (uint64_t)(t < n / 2 ? t : n - t);
    case 3:
        return (uint64_t)(t < n / 2 ? n - t : t);
    default:
        return (uint64_t)(t % 17);
    }
}

/* Each took minutes, were its time quadratic. */
Test(select_largest, is_defeated_by_no_order)
{
    const int64_t n = (int64_t)1 << 20;
    uint64_t *keys = malloc((size_t)n * sizeof *keys);
    uint64_t *sorted = malloc((size_t)n * sizeof *sorted);
    cr_assert(keys && sorted);
    for (int order = 0; order < 5; order++) {
        for (int64_t t = 0; t < n; t++)
            sorted[t] = key_in_order(order, t, n);
        qsort(sorted, (size_t)n, sizeof *sorted, compare_falling);
        const int64_t of[] = {10, n / 10, n / 2, n - 10, n};
        for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
            const int64_t k = of[c];
            int64_t equals;
            for (int64_t t = 0; t < n; t++)
                keys[t] = key_in_order(order, t, n);
            cr_assert_eq(select_largest(keys, n, k, &equals), sorted[k - 1],
                         "order %d, %d", order, (int)k);
            cr_assert(equals <= k && (equals == k ||
                                      sorted[k - 1 - equals] > sorted[k - 1]),
                      "order %d, %d", order, (int)k);
        }
    }
    free(keys);
    free(sorted);
}
