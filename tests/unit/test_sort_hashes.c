/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/sort_hashes.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"

enum { MOST = 3000 };

static int by_value(const void *x, const void *y)
{
    const uint64_t left = *(const uint64_t *)x;
    const uint64_t right = *(const uint64_t *)y;
    return (left > right) - (left < right);
}

static void expect_sorted(const uint64_t *values, int64_t count)
{
    uint64_t got[MOST];
    uint64_t want[MOST];
    memcpy(got, values, (size_t)count * sizeof *got);
    memcpy(want, values, (size_t)count * sizeof *want);
    qsort(want, (size_t)count, sizeof *want, by_value);
    spgemm_sort_hashes(got, count);
    cr_assert_eq(memcmp(got, want, (size_t)count * sizeof *got), 0, "%d values",
                 (int)count);
}

Test(sort_hashes, sorts_random_values)
{
    uint64_t values[MOST];
    dice d = {5};
    for (int t = 0; t < MOST; t++)
        values[t] = dice_bits(&d);
    for (int64_t count = 0; count < 200; count++)
        expect_sorted(values, count);
    expect_sorted(values, MOST);
}

/* Few values, many times each; all alike; only the lowest bits differ. */
Test(sort_hashes, sorts_values_that_repeat)
{
    uint64_t values[MOST];
    dice d = {6};
    for (int kinds = 1; kinds <= 64; kinds *= 2)
        for (int shift = 0; shift < 64; shift += 29) {
            for (int t = 0; t < MOST; t++)
                values[t] = (uint64_t)dice_below(&d, kinds) << shift;
            expect_sorted(values, MOST);
        }
}

Test(sort_hashes, sorts_values_in_order_and_against_it)
{
    uint64_t values[MOST];
    for (int t = 0; t < MOST; t++)
        values[t] = (uint64_t)t * 0x100000001u;
    expect_sorted(values, MOST);
    for (int t = 0; t < MOST; t++)
        values[t] = UINT64_MAX - (uint64_t)t;
    expect_sorted(values, MOST);
}
