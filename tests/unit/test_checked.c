/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/checked.h"

#include <criterion/criterion.h>
#include <math.h>

Test(checked_add_i64, adds_what_fits)
{
    int64_t sum = 0;
    cr_expect(checked_add_i64(INT64_MAX - 1, 1, &sum));
    cr_expect_eq(sum, INT64_MAX);
    cr_expect(checked_add_i64(INT64_MIN, INT64_MAX, &sum));
    cr_expect_eq(sum, -1);
}

Test(checked_add_i64, refuses_what_does_not)
{
    int64_t sum;
    cr_expect_not(checked_add_i64(INT64_MAX, 1, &sum));
    cr_expect_not(checked_add_i64(INT64_MIN, -1, &sum));
    cr_expect_not(checked_add_i64(INT64_MAX, INT64_MAX, &sum));
}

Test(checked_bytes, multiplies_what_fits)
{
    size_t bytes = 1;
    cr_expect(checked_bytes(0, 8, &bytes));
    cr_expect_eq(bytes, 0);
    cr_expect(checked_bytes(INT64_MAX / 8, 8, &bytes));
    cr_expect_eq(bytes, (size_t)(INT64_MAX / 8) * 8);
    cr_expect(checked_bytes(INT64_MAX, 1, &bytes));
}

Test(checked_bytes, refuses_what_does_not)
{
    size_t bytes;
    cr_expect_not(checked_bytes(-1, 8, &bytes));
    cr_expect_not(checked_bytes(INT64_MIN, 1, &bytes));
    cr_expect_not(checked_bytes(INT64_MAX / 8 + 1, 8, &bytes));
    cr_expect_not(checked_bytes((int64_t)1 << 61, 8, &bytes));
    cr_expect_not(checked_bytes(INT64_MAX, 8, &bytes));
}

Test(saturating_add_i64, stops_at_the_largest)
{
    cr_expect_eq(saturating_add_i64(3, 4), 7);
    cr_expect_eq(saturating_add_i64(INT64_MAX, 0), INT64_MAX);
    cr_expect_eq(saturating_add_i64(INT64_MAX, 1), INT64_MAX);
    cr_expect_eq(saturating_add_i64(INT64_MAX, INT64_MAX), INT64_MAX);
}

Test(min_and_max, pick_a_side)
{
    cr_expect_eq(min_i64(-1, 1), -1);
    cr_expect_eq(max_i64(-1, 1), 1);
    cr_expect_eq(min_i64(INT64_MIN, INT64_MAX), INT64_MIN);
    cr_expect_eq(max_i64(INT64_MIN, INT64_MAX), INT64_MAX);
}

Test(checked_capacity, rounds_up)
{
    cr_expect_eq(checked_capacity(4.0, 1, 10), 4);
    cr_expect_eq(checked_capacity(4.1, 1, 10), 5);
    cr_expect_eq(checked_capacity(9.5, 1, 10), 10);
    cr_expect_eq(checked_capacity(0x1p51 + 0.5, 1, INT64_MAX),
                 ((int64_t)1 << 51) + 1);
}

Test(checked_capacity, is_total)
{
    cr_expect_eq(checked_capacity(NAN, 3, 10), 3);
    cr_expect_eq(checked_capacity(-INFINITY, 3, 10), 3);
    cr_expect_eq(checked_capacity(INFINITY, 3, 10), 10);
    cr_expect_eq(checked_capacity(-1, 3, 10), 3);
    cr_expect_eq(checked_capacity(2.9, 3, 10), 3);
    cr_expect_eq(checked_capacity(11, 3, 10), 10);
    cr_expect_eq(checked_capacity(1e300, 0, INT64_MAX), INT64_MAX);
    cr_expect_eq(checked_capacity(0x1p63, 0, INT64_MAX), INT64_MAX);
    cr_expect_eq(checked_capacity(0x1.fffffffffffffp62, 0, INT64_MAX),
                 INT64_MAX - 1023);
    cr_expect_eq(checked_capacity(5, 7, 7), 7);
}
