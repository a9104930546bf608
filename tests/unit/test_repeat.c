/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "accumulate/repeat_avx512.h"
#include "cpu/features.h"

static void skip_without_avx512(void)
{
    if (spgemm_cpu_isa() != ISA_AVX512)
        cr_skip("this machine has no AVX-512");
}

/* Two rows, the second the first a column further but for entry `other`
   (-1: none). The array is exactly as long. */
static bool is_marked(int64_t length, int64_t other)
{
    const int64_t rowptr[] = {0, length, 2 * length};
    uint8_t next[2] = {7, 7};
    int32_t *columns = malloc((size_t)(2 * length) * sizeof *columns);
    cr_assert_not_null(columns);
    for (int64_t t = 0; t < length; t++) {
        columns[t] = (int32_t)(5 * t);
        columns[length + t] = (int32_t)(5 * t + (t == other ? 2 : 1));
    }
    repeat_mark(rowptr, columns, 1, 2, next);
    free(columns);
    cr_assert_eq(next[0], 7);
    return next[1];
}

Test(repeat, marks_rows_that_differ_in_nothing)
{
    skip_without_avx512();
    for (int64_t length = 1; length <= 70; length++) {
        cr_assert(is_marked(length, -1), "%d entries", (int)length);
        for (int64_t other = 0; other < length; other++)
            cr_assert(!is_marked(length, other), "%d entries, entry %d",
                      (int)length, (int)other);
    }
}

Test(repeat, marks_no_rows_of_other_lengths)
{
    skip_without_avx512();
    static const int64_t rowptr[] = {0, 0, 0, 2, 5, 7, 7};
    static const int32_t columns[] = {1, 2, 2, 3, 4, 4, 5};
    uint8_t next[6];
    repeat_mark(rowptr, columns, 1, 6, next);
    for (int i = 1; i < 6; i++)
        cr_assert_eq(next[i], 0, "row %d", i);
}

/* All lengths of a run of ones, ended by the end or by a zero. */
Test(repeat, counts_ones)
{
    skip_without_avx512();
    for (int64_t most = 0; most <= 40; most++)
        for (int64_t ones = 0; ones <= most; ones++) {
            uint8_t flags[41];
            memset(flags, 1, sizeof flags);
            flags[ones] = 0;
            cr_assert_eq(repeat_ones(flags, most), ones);
        }
}
