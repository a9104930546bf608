/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "matrix/csr.h"

#define ROWS    4
#define COLUMNS 3

/* digit[0 .. n) of a number to this base. */
static void take_digits(int64_t number, int64_t base, int64_t *digit, int n)
{
    for (int t = 0; t < n; t++) {
        digit[t] = number % base;
        number /= base;
    }
}

static bool is_sorted(const int64_t *rowptr, const int64_t *columns)
{
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t p = rowptr[i] + 1; p < rowptr[i + 1]; p++)
            if (columns[p] <= columns[p - 1])
                return false;
    return true;
}

static void expect_told(const int64_t *rowptr, const int64_t *columns)
{
    int32_t narrow[2 * ROWS];
    for (int64_t p = 0; p < rowptr[ROWS]; p++)
        narrow[p] = (int32_t)columns[p];
    const spgemm_csr wide =
        spgemm_csr_view(ROWS, COLUMNS, rowptr[ROWS], rowptr, columns, NULL,
                        SPGEMM_I64, SPGEMM_FP64);
    const spgemm_csr same =
        spgemm_csr_view(ROWS, COLUMNS, rowptr[ROWS], rowptr, narrow, NULL,
                        SPGEMM_I32, SPGEMM_FP64);
    cr_assert_eq(spgemm_csr_is_sorted(&wide, 1), is_sorted(rowptr, columns));
    cr_assert_eq(spgemm_csr_is_sorted(&same, 1), is_sorted(rowptr, columns));
}

/* All matrices of four rows of up to two entries: empty ones anywhere. */
Test(csr_check, tells_whether_rows_are_sorted)
{
    for (int64_t shape = 0; shape < 81; shape++) {
        int64_t rowptr[ROWS + 1] = {0};
        int64_t columns[2 * ROWS] = {0};
        int64_t patterns = 1;
        take_digits(shape, 3, rowptr + 1, ROWS);
        for (int i = 0; i < ROWS; i++)
            rowptr[i + 1] += rowptr[i];
        for (int64_t p = 0; p < rowptr[ROWS]; p++)
            patterns *= COLUMNS;
        for (int64_t pattern = 0; pattern < patterns; pattern++) {
            take_digits(pattern, COLUMNS, columns, (int)rowptr[ROWS]);
            expect_told(rowptr, columns);
        }
    }
}
