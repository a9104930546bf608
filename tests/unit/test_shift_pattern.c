/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "matrix/shift_pattern.h"
#include "mixture.h"

/* Row i has the columns slope * (i / period) + offset[i % period] + 0 .. 2. */
static spgemm_csr make_periodic(int64_t nrows, int64_t period, int64_t slope,
                                const int64_t *offset)
{
    csr_builder b = build_begin(nrows, slope * nrows + 20);
    for (int64_t i = 0; i < nrows; i++) {
        for (int64_t t = 0; t < 3; t++)
            build_add(&b, slope * (i / period) + offset[i % period] + t, 1);
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

static const int64_t offset[] = {0, 2, 3, 7, 8};

static void expect_shift_pattern(spgemm_csr A, spgemm_csr B, int64_t period,
                                 int64_t a_shift, int64_t b_shift)
{
    const shift_pattern found = spgemm_find_shift_pattern(&A, &B);
    cr_assert_eq(found.period, period);
    if (period > 0) {
        cr_assert_eq(found.a_shift, a_shift);
        cr_assert_eq(found.b_shift, b_shift);
    }
    free_csr(&A);
    free_csr(&B);
}

Test(shift_pattern, is_found_of_stencils)
{
    spgemm_csr A = make_periodic(100, 1, 1, offset);
    const shift_pattern found = spgemm_find_shift_pattern(&A, &A);
    cr_assert_eq(found.period, 1);
    cr_assert_eq(found.a_shift, 1);
    cr_assert_eq(found.b_shift, 1);
    free_csr(&A);
}

Test(shift_pattern, takes_the_period_of_b_that_a_steps_over)
{
    /* A's rows step on by 1, B's repeat each third. */
    expect_shift_pattern(make_periodic(100, 1, 1, offset),
                         make_periodic(120, 3, 5, offset), 3, 3, 5);
    expect_shift_pattern(make_periodic(100, 1, 3, offset),
                         make_periodic(320, 3, 5, offset), 1, 3, 5);
    expect_shift_pattern(make_periodic(100, 2, 4, offset),
                         make_periodic(420, 4, 7, offset), 2, 4, 7);
}

/* Of five rows that are alike, and five further on, four repeat those four before: no
   two periods of four follow one another. */
Test(shift_pattern, is_not_found_where_rows_that_repeat_are_apart)
{
    static const int64_t none[] = {0, 0, 0, 0, 0};
    expect_shift_pattern(make_periodic(400, 1, 1, offset),
                         make_periodic(420, 5, 5, none), 0, 0, 0);
    expect_shift_pattern(make_periodic(400, 2, 2, none),
                         make_periodic(420, 5, 5, none), 0, 0, 0);
}

Test(shift_pattern, is_not_found_where_rows_step_on_otherwise)
{
    /* By 2, 4, 6 and 8 rows of B, which repeats every fifth. */
    expect_shift_pattern(make_periodic(100, 1, 2, offset),
                         make_periodic(220, 5, 5, offset), 0, 0, 0);
    /* A period of five is longer than any program. */
    expect_shift_pattern(make_periodic(100, 5, 5, offset),
                         make_periodic(120, 5, 5, offset), 0, 0, 0);
    expect_shift_pattern(make_periodic(0, 1, 1, offset),
                         make_periodic(20, 1, 1, offset), 0, 0, 0);
    expect_shift_pattern(make_periodic(1, 1, 1, offset),
                         make_periodic(20, 1, 1, offset), 0, 0, 0);
}
