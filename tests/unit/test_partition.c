/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/partition.h"

#include <criterion/criterion.h>

/* Work split by float loses samples: rid * (float)(samples / threads). */
Test(partition, has_every_item_exactly_once)
{
    for (int64_t n = 0; n <= 300; n++)
        for (int64_t parts = 1; parts <= 256; parts++) {
            cr_assert_eq(partition_bound(n, parts, 0), 0);
            cr_assert_eq(partition_bound(n, parts, parts), n);
            for (int64_t t = 0; t < parts; t++) {
                const int64_t length = partition_bound(n, parts, t + 1) -
                                       partition_bound(n, parts, t);
                cr_assert(length == n / parts || length == n / parts + 1,
                          "%d items in %d parts: part %d has %d", (int)n,
                          (int)parts, (int)t, (int)length);
            }
        }
}

Test(partition, does_not_wrap)
{
    const int64_t parts = 1 << 20;
    int64_t last = 0;
    for (int64_t t = 0; t <= parts; t += 1021) {
        const int64_t bound = partition_bound(INT64_MAX, parts, t);
        cr_assert_geq(bound, last);
        last = bound;
    }
    cr_expect_eq(partition_bound(INT64_MAX, parts, parts), INT64_MAX);
}

Test(partition, search_finds_the_least)
{
    static const int64_t prefix[] = {0, 0, 3, 3, 3, 10, 12};
    const int64_t n = 6;
    for (int64_t target = 0; target <= 12; target++) {
        int64_t least = 0;
        while (prefix[least] < target)
            least++;
        cr_expect_eq(partition_search(prefix, n, target), least);
    }
    cr_expect_eq(partition_search(prefix, n, 13), n);
    cr_expect_eq(partition_search(prefix, 0, 5), 0);
}
