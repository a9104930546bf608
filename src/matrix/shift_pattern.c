/* SPDX-License-Identifier: BSD-3-Clause */
/* The least period of A whose shift is a period of B. */
#include "matrix/shift_pattern.h"

#include "common/checked.h"
#include "common/rng.h"
#include "matrix/csr.h"

/* Most rows: then runs of them are long. Of the nodes of a grid with four unknowns
   each, three rows in four repeat those three before: a longer period that nearly all
   rows have is better. */
#define LEAST_SHARE 0.7
#define NEARLY_ALL  0.9

/* Further than this no neighbours of a grid's line lie. */
#define MOST_SHIFT 8

/* Rows that are asked for their shift: at random, since those at equal
   distances may all begin a line of the grid. */
#define GUESSES 8

/* Of so few rows one guess. */
#define GUESSED_ROWS 8

/* How far the columns of some row lie to the right of those of the row
   `period` before; 0: no row looked at repeats one. */
static int64_t guess_shift(const spgemm_csr *X, int64_t period)
{
    const int64_t guesses =
        min_i64(GUESSES, (X->nrows + GUESSED_ROWS - 1) / GUESSED_ROWS);
    for (int64_t t = 0; t < guesses; t++) {
        const int64_t i = rng_below(0, (uint64_t)t, X->nrows);
        const int64_t shift = spgemm_csr_row_shift(X, i, period);
        if (shift > 0)
            return shift;
    }
    return 0;
}

static bool is_frequent(const spgemm_csr *X, int64_t period, int64_t shift,
                        double share)
{
    return shift > 0 && spgemm_csr_is_often_same(X, period, shift, share);
}

/* Rows from which it is tried whether all of so many periods repeat, and a share of them
   that must. */
#define RUN_PERIODS 4
#define TRIED_RUNS  32
#define RUN_SHARE   0.125

/* Whether rows that repeat follow one another: those of a line of a grid do; of blocks
   of five, of which four repeat others, not five are together. */
static bool has_runs(const spgemm_csr *X, int64_t period, int64_t shift)
{
    const int64_t most = RUN_PERIODS * period;
    int found = 0;
    if (X->nrows <= most)
        return true;
    for (uint64_t t = 0; t < TRIED_RUNS; t++) {
        const int64_t i = rng_below(0, t, X->nrows - most);
        int64_t run = 0;
        while (run < most && spgemm_csr_row_shift(X, i + run, period) == shift)
            run++;
        found += run == most;
    }
    return found >= RUN_SHARE * TRIED_RUNS;
}

shift_pattern spgemm_find_shift_pattern(const spgemm_csr *A,
                                        const spgemm_csr *B)
{
    shift_pattern found = {0};
    for (int64_t period = 1; period <= MOST_PERIOD; period++) {
        const int64_t a_shift = guess_shift(A, period);
        if (a_shift == 0 || a_shift > MOST_SHIFT)
            continue;
        const int64_t b_shift = guess_shift(B, a_shift);
        /* A matrix that is both operands is marked once. */
        if (A == B && period != a_shift)
            continue;
        const double share = found.period > 0 ? NEARLY_ALL : LEAST_SHARE;
        if (!is_frequent(B, a_shift, b_shift, share) ||
            !is_frequent(A, period, a_shift, share) ||
            !has_runs(B, a_shift, b_shift))
            continue;
        found = (shift_pattern){period, a_shift, b_shift};
        if (period == a_shift || is_frequent(A, period, a_shift, NEARLY_ALL))
            break;
    }
    return found;
}
