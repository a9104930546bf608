/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#define IDX int32_t
#include "kernels/accumulators/shifted_program.h"

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
    shifted_mark(rowptr, columns, 1, 2, 1, 1, next);
    free(columns);
    cr_assert_eq(next[0], 7);
    return next[1];
}

Test(shifted_program, marks_rows_that_differ_in_nothing)
{
    for (int64_t length = 1; length <= 70; length++) {
        cr_assert(is_marked(length, -1), "%d entries", (int)length);
        for (int64_t other = 0; other < length; other++)
            cr_assert(!is_marked(length, other), "%d entries, entry %d",
                      (int)length, (int)other);
    }
}

Test(shifted_program, marks_no_rows_of_other_lengths)
{
    static const int64_t rowptr[] = {0, 0, 0, 2, 5, 7, 7};
    static const int32_t columns[] = {1, 2, 2, 3, 4, 4, 5};
    uint8_t next[6];
    shifted_mark(rowptr, columns, 1, 6, 1, 1, next);
    for (int i = 1; i < 6; i++)
        cr_assert_eq(next[i], 0, "row %d", i);
}

/* Rows of one entry, 4 i apart from 3 i: each third row repeats the third
   before, 11 columns further. */
Test(shifted_program, marks_rows_of_a_longer_period)
{
    static const int64_t rowptr[] = {0, 1, 3, 4, 5, 7, 8, 9, 11, 12};
    static const int32_t columns[] = {0,  5,  6,  9,  11, 16,
                                      17, 21, 22, 27, 28, 31};
    static const uint8_t expected[] = {0, 0, 0, 1, 1, 0, 1, 1, 0};
    uint8_t next[9];
    memset(next, 7, sizeof next);
    shifted_mark(rowptr, columns, 0, 2, 3, 11, next);
    shifted_mark(rowptr, columns, 2, 9, 3, 11, next);
    cr_assert_arr_eq(next, expected, sizeof next);
}

enum { MARKED_ROWS = 300, MARKED_LENGTH = 20 };

/* Some rows behind each other, most of them the row `period` before, 3 columns
   further; others differ in one entry or in their length. */
static void draw_rows(uint64_t seed, int64_t period, int64_t *rowptr,
                      int32_t *columns)
{
    uint64_t drawn = 0;
    rowptr[0] = 0;
    for (int64_t i = 0; i < MARKED_ROWS; i++) {
        int32_t *row = columns + rowptr[i];
        int64_t length = rng_below(seed, drawn++, MARKED_LENGTH);
        const bool repeats = i >= period && rng_below(seed, drawn++, 8) > 0;
        if (repeats)
            length = rowptr[i - period + 1] - rowptr[i - period];
        for (int64_t t = 0; t < length; t++)
            row[t] = repeats ? columns[rowptr[i - period] + t] + 3
                             : (int32_t)rng_below(seed, drawn++, 1000);
        if (length > 0 && rng_below(seed, drawn++, 8) == 0)
            row[rng_below(seed, drawn++, length)]++;
        rowptr[i + 1] = rowptr[i] + length;
    }
}

static bool is_further(const int64_t *rowptr, const int32_t *columns, int64_t i,
                       int64_t period)
{
    const int64_t length = rowptr[i + 1] - rowptr[i];
    if (i < period || length == 0 ||
        rowptr[i - period + 1] - rowptr[i - period] != length)
        return false;
    for (int64_t t = 0; t < length; t++)
        if (columns[rowptr[i] + t] != columns[rowptr[i - period] + t] + 3)
            return false;
    return true;
}

Test(shifted_program, marks_rows_among_rows_that_do_not_repeat)
{
    int64_t rowptr[MARKED_ROWS + 1];
    int32_t columns[MARKED_ROWS * MARKED_LENGTH];
    uint8_t next[MARKED_ROWS];
    for (uint64_t seed = 0; seed < 40; seed++) {
        const int64_t period = 1 + (int64_t)(seed % 4);
        const int64_t middle = rng_below(seed, UINT64_MAX, MARKED_ROWS);
        draw_rows(seed, period, rowptr, columns);
        memset(next, 7, sizeof next);
        shifted_mark(rowptr, columns, 0, middle, period, 3, next);
        shifted_mark(rowptr, columns, middle, MARKED_ROWS, period, 3, next);
        for (int64_t i = 0; i < MARKED_ROWS; i++)
            cr_assert_eq(next[i], is_further(rowptr, columns, i, period),
                         "row %d of %d", (int)i, (int)seed);
    }
}

/* Rows k .. k + run - 1, of which the last that repeats is row `last`. */
Test(shifted_program, counts_how_often_rows_of_b_repeat)
{
    enum { ROWS = 60 };
    for (int64_t shift = 1; shift <= 4; shift++)
        for (int64_t run = 1; run <= 5; run++)
            for (int64_t last = 0; last < ROWS; last++) {
                uint8_t next[ROWS + 1] = {0};
                for (int64_t k = 2; k <= last; k++)
                    next[k] = 1;
                int64_t times = 0;
                while (times < 7 && 3 + (run - 1) + (times + 1) * shift <= last)
                    times++;
                cr_assert_eq(shifted_times(next, 3, run, shift, 7), times,
                             "%d rows, %d further, up to %d", (int)run,
                             (int)shift, (int)last);
            }
}

/* All lengths of a run of ones, ended by the end or by a zero. */
Test(shifted_program, counts_ones)
{
    for (int64_t most = 0; most <= 40; most++)
        for (int64_t ones = 0; ones <= most; ones++) {
            uint8_t flags[41];
            memset(flags, 1, sizeof flags);
            flags[ones] = 0;
            cr_assert_eq(shifted_ones(flags, most), ones);
        }
}

/* Rows 0 and 1 of A, {0, 1, 2} and {3, 4, 5}, take rows of B of 3, 0 and 20
   entries, those of the second `further`. */
typedef struct two_rows {
    int32_t Aj[6];
    int64_t Bp[7];
    int32_t Bj[46];
} two_rows;

static two_rows make_two_rows(int32_t further)
{
    two_rows m = {.Aj = {0, 1, 2, 3, 4, 5}, .Bp = {0, 3, 3, 23, 26, 26, 46}};
    for (int32_t q = 0; q < 23; q++) {
        m.Bj[q] = 1000 + 7 * q;
        m.Bj[23 + q] = m.Bj[q] + further;
    }
    return m;
}

static bool do_fit(const two_rows *m, int64_t *further)
{
    const shifted_row model = {m->Aj, 3, m->Bp, m->Bj};
    const shifted_row row = {m->Aj + 3, 3, m->Bp, m->Bj};
    return shifted_fits(&row, &model, further);
}

Test(shifted_program, knows_a_row_whose_rows_of_b_are_all_as_far_on)
{
    for (int32_t further = -900; further <= 900; further += 300) {
        const two_rows m = make_two_rows(further);
        int64_t found = 1;
        cr_assert(do_fit(&m, &found));
        cr_assert_eq(found, further);
    }
}

Test(shifted_program, knows_no_row_of_which_one_column_differs)
{
    for (int q = 0; q < 23; q++) {
        two_rows m = make_two_rows(50);
        int64_t further;
        m.Bj[23 + q]++;
        cr_assert(!do_fit(&m, &further), "entry %d", q);
    }
}

Test(shifted_program, knows_no_row_of_other_lengths)
{
    two_rows m = make_two_rows(50);
    int64_t further;
    m.Bp[6]--;
    cr_assert(!do_fit(&m, &further));
    const shifted_row model = {m.Aj, 3, m.Bp, m.Bj};
    const shifted_row shorter = {m.Aj, 2, m.Bp, m.Bj};
    cr_assert(!shifted_fits(&shorter, &model, &further));
}

/* There is nothing to tell how far it is. */
Test(shifted_program, knows_no_row_without_products)
{
    static const int64_t Bp[] = {0, 0, 0};
    static const int32_t Aj[] = {0, 1};
    const shifted_row row = {Aj, 2, Bp, NULL};
    int64_t further;
    cr_assert(!shifted_fits(&row, &row, &further));
}
