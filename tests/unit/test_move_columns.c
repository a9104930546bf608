/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns are the same in C, as wide as there, at any place and length. */
#include "spgemm/execute/move_columns.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MOST = 200, PLACES = 8 };

static int32_t column(int64_t t)
{
    return t % 3 ? (int32_t)(INT32_MAX - t) : (int32_t)t;
}

static void expect_moved(int64_t first, int64_t n, bool streams)
{
    int32_t from[MOST];
    int64_t to[MOST + 2 * PLACES];
    int32_t same[MOST + 2 * PLACES];
    memset(to, 0x55, sizeof to);
    memset(same, 0x55, sizeof same);
    for (int64_t t = 0; t < MOST; t++)
        from[t] = column(t);
    spgemm_move_columns(to + first, 8, from, 4, n, streams);
    spgemm_move_columns(same + first, 4, from, 4, n, streams);
    for (int64_t t = 0; t < n; t++) {
        cr_assert_eq(to[first + t], column(t));
        cr_assert_eq(same[first + t], column(t));
    }
    cr_assert_eq(to[first + n], INT64_C(0x5555555555555555));
    cr_assert_eq(same[first + n], 0x55555555);
}

Test(move_columns, anywhere)
{
    for (int64_t first = 0; first < PLACES; first++)
        for (int64_t n = 0; n < MOST; n++) {
            expect_moved(first, n, false);
            expect_moved(first, n, true);
        }
}

Test(move_columns, where_they_lie)
{
    for (int64_t n = 0; n < MOST; n++) {
        int64_t columns[MOST + 1];
        memset(columns, 0x55, sizeof columns);
        for (int64_t t = 0; t < n; t++)
            ((int32_t *)(void *)columns)[t] = column(t);
        spgemm_widen_columns(columns, 8, 4, n);
        for (int64_t t = 0; t < n; t++)
            cr_assert_eq(columns[t], column(t));
        cr_assert_eq(columns[n], INT64_C(0x5555555555555555));
        spgemm_widen_columns(columns, 8, 8, n);
        for (int64_t t = 0; t < n; t++)
            cr_assert_eq(columns[t], column(t));
    }
}
