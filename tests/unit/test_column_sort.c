/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "dice.h"
#include "matrix/column_sort.h"

#define LONGEST 1000

/* Columns in order, of one column the first places first; each place once. */
static void expect_sorted(const column_entry *from, int64_t n,
                          bool is_nearly_sorted)
{
    column_entry row[LONGEST];
    column_entry spare[LONGEST];
    bool is_met[LONGEST] = {false};
    for (int64_t p = 0; p < n; p++)
        row[p] = from[p];
    const column_entry *sorted =
        spgemm_sort_columns(row, spare, n, is_nearly_sorted);
    cr_assert(sorted == row || sorted == spare);
    for (int64_t p = 0; p < n; p++) {
        const int64_t place = sorted[p].place;
        cr_assert(place >= 0 && place < n && !is_met[place]);
        is_met[place] = true;
        cr_assert_eq(sorted[p].column, from[place].column);
        cr_assert(p == 0 || sorted[p - 1].column < sorted[p].column ||
                      (sorted[p - 1].column == sorted[p].column &&
                       sorted[p - 1].place < place),
                  "entry %d of %d", (int)p, (int)n);
    }
}

/* Columns of 1 to 63 bits, some of them the same in all: few digits differ, the first,
   the last, or all. */
Test(column_sort, is_stable)
{
    static const int64_t lengths[] = {1, 2, 16, 17, 31, 32, 33, 129, LONGEST};
    static const uint64_t masks[] = {0,
                                     1,
                                     0xff,
                                     0x1ff,
                                     0xf00f0,
                                     (uint64_t)0x7f << 56,
                                     (uint64_t)0x70000000 << 32 | 3,
                                     UINT64_MAX >> 1};
    dice d = {7};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t t = 0; t < sizeof masks / sizeof *masks; t++) {
            column_entry row[LONGEST];
            for (int64_t p = 0; p < lengths[l]; p++) {
                const uint64_t bits =
                    (uint64_t)dice_below(&d, INT64_MAX) & masks[t];
                row[p] = (column_entry){(int64_t)bits, p};
            }
            expect_sorted(row, lengths[l], false);
            expect_sorted(row, lengths[l], true);
        }
}
