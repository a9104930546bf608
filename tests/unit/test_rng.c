/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/rng.h"

#include <criterion/criterion.h>
#include <math.h>

Test(rng, is_a_function_of_seed_and_counter)
{
    for (uint64_t seed = 0; seed < 50; seed++)
        for (uint64_t counter = 0; counter < 50; counter++)
            cr_assert_eq(rng_bits(seed, counter), rng_bits(seed, counter));
}

/* Kept samples must stay what they are from release to release. */
Test(rng, has_these_first_numbers)
{
    /* SplitMix64 of its own published constants, seed 0: mix(golden) is
       e220a8397b1dcdaf. */
    cr_expect_eq(rng_mix(0x9e3779b97f4a7c15u), 0xe220a8397b1dcdafu);
    cr_expect_eq(rng_bits(0, 0),
                 rng_mix(0xe220a8397b1dcdafu + 0x9e3779b97f4a7c15u));
}

Test(rng, tells_seeds_and_counters_apart)
{
    for (uint64_t x = 0; x < 200; x++)
        for (uint64_t y = 0; y < 200; y++)
            if (x != y) {
                cr_assert_neq(rng_bits(x, y), rng_bits(y, x));
                cr_assert_neq(rng_bits(7, x), rng_bits(7, y));
                cr_assert_neq(rng_bits(x, 7), rng_bits(y, 7));
            }
}

Test(rng, unit_is_below_one)
{
    double sum = 0;
    enum { DRAWS = 100000 };
    for (uint64_t t = 0; t < DRAWS; t++) {
        const double u = rng_unit(3, t);
        cr_assert(u >= 0 && u < 1);
        sum += u;
    }
    /* 5 standard deviations of the mean of uniform numbers. */
    cr_expect_float_eq(sum / DRAWS, 0.5, 5 * 0.289 / 316.2);
}

/* Chi-squared over n cells: below mean + 6 sigma; a modulo of few bits, or a
   last cell never drawn, is far above. */
static void expect_uniform(int64_t n)
{
    enum { DRAWS = 60000, MOST = 1000 };
    int64_t hits[MOST] = {0};
    for (uint64_t t = 0; t < DRAWS; t++) {
        const int64_t x = rng_below(42, t, n);
        cr_assert(x >= 0 && x < n);
        hits[x]++;
    }
    const double expected = (double)DRAWS / (double)n;
    double chi2 = 0;
    for (int64_t x = 0; x < n; x++)
        chi2 += ((double)hits[x] - expected) * ((double)hits[x] - expected) /
                expected;
    const double freedom = (double)(n - 1);
    cr_expect_lt(chi2, freedom + 6 * sqrt(2 * freedom) + 6, "%d", (int)n);
}

Test(rng, below_is_uniform)
{
    expect_uniform(2);
    expect_uniform(3);
    expect_uniform(7);
    expect_uniform(100);
    expect_uniform(1000);
}

Test(rng, below_knows_its_limits)
{
    for (uint64_t t = 0; t < 1000; t++) {
        cr_assert_eq(rng_below(1, t, 1), 0);
        cr_assert_geq(rng_below(1, t, INT64_MAX), 0);
    }
}

/* Of 3 * 2^61 values, 64 random bits reduced by a modulo would hit the lower
   third twice as often. */
Test(rng, below_has_no_modulo_bias)
{
    const int64_t n = ((int64_t)3 << 61) - 1;
    int low = 0;
    for (uint64_t t = 0; t < 30000; t++)
        low += rng_below(9, t, n) < n / 3;
    cr_expect(low > 9500 && low < 10500, "%d of 30000", low);
}
