/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash.h"

#include <criterion/criterion.h>
#include <math.h>

enum { CELLS = 256, DRAWS = 65536 };

/* Chi-squared of 255 degrees of freedom: the middle 99.98 %. A function that
   is too even fails as one that is not even does. */
#define CHI_LEAST 178.0
#define CHI_MOST  346.0

static void expect_uniform(const int *cells, const char *what, uint64_t seed)
{
    const double expected = (double)DRAWS / CELLS;
    double chi = 0;
    for (int c = 0; c < CELLS; c++)
        chi += (cells[c] - expected) * (cells[c] - expected) / expected;
    cr_expect(chi > CHI_LEAST && chi < CHI_MOST, "%s, seed %d: %g", what,
              (int)seed, chi);
}

/* Indices as matrices have them: all, multiples, the first of many rows. */
static void expect_uniform_steps(int64_t step, int shift, uint64_t seed)
{
    int cells[CELLS] = {0};
    const uint64_t key = hash_key(seed, HASH_COLUMNS);
    for (int64_t t = 0; t < DRAWS; t++)
        cells[hash_index(key, t * step) >> shift & (CELLS - 1)]++;
    expect_uniform(cells, "indices", seed);
}

Test(hash, is_uniform_over_indices)
{
    static const int64_t steps[] = {
        1, 2, 3, 64, 1000, 1 << 20, INT64_MAX / DRAWS};
    for (uint64_t seed = 0; seed < 5; seed++)
        for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
            for (int shift = 0; shift <= 56; shift += 28)
                expect_uniform_steps(steps[s], shift, seed);
}

/* The places of a dense block. */
Test(hash, is_uniform_over_pairs)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        int high[CELLS] = {0};
        int low[CELLS] = {0};
        const uint64_t key = hash_key(seed, HASH_ROWS);
        for (int64_t t = 0; t < DRAWS; t++) {
            const uint64_t h = hash_index(hash_index(key, t / 256), t % 256);
            high[h >> 56]++;
            low[h & 255]++;
        }
        expect_uniform(high, "pairs, high", seed);
        expect_uniform(low, "pairs, low", seed);
    }
}

/* What the other methods make of two hashes: their mixed sum, and their
   difference. The differences of a block are pairwise independent only, so
   that they are taken of places that share neither row nor column. */
Test(hash, is_uniform_over_sums_and_differences)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        int sums[CELLS] = {0};
        int differences[CELLS] = {0};
        const uint64_t rows = hash_key(seed, HASH_ROWS);
        const uint64_t columns = hash_key(seed, HASH_COLUMNS);
        for (int64_t t = 0; t < DRAWS; t++) {
            const uint64_t x = hash_index(rows, t / 256);
            const uint64_t y = hash_index(columns, t % 256);
            sums[rng_mix(x + y) >> 56]++;
            differences[(hash_index(rows, t) - hash_index(columns, t)) >> 56]++;
        }
        expect_uniform(sums, "sums", seed);
        expect_uniform(differences, "differences", seed);
    }
}

/* Two functions of one seed, and one of two seeds, know nothing of each other:
   four bits of each fill 16 x 16 cells evenly. */
Test(hash, has_independent_functions)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        int purposes[CELLS] = {0};
        int seeds[CELLS] = {0};
        const uint64_t rows = hash_key(seed, HASH_ROWS);
        const uint64_t columns = hash_key(seed, HASH_COLUMNS);
        const uint64_t others = hash_key(seed + 1, HASH_ROWS);
        for (int64_t t = 0; t < DRAWS; t++) {
            const uint64_t x = hash_index(rows, t) >> 60 << 4;
            purposes[x | hash_index(columns, t) >> 60]++;
            seeds[x | hash_index(others, t) >> 60]++;
        }
        expect_uniform(purposes, "purposes", seed);
        expect_uniform(seeds, "seeds", seed);
    }
}

/* Kept predictions must stay what they are from release to release. */
Test(hash, is_the_splitmix64_sequence)
{
    cr_expect_eq(hash_index(0, 0), 0xe220a8397b1dcdafu);
    cr_expect_eq(hash_index(0, 1), 0x6e789e6aa1b965f4u);
    cr_expect_eq(hash_index(0, 2), 0x06c45d188009454fu);
}

Test(hash, draws_as_often_as_is_asked)
{
    static const double probabilities[] = {0.001, 0.1, 0.5, 0.9, 0.999};
    for (size_t c = 0; c < sizeof probabilities / sizeof probabilities[0]; c++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            const double p = probabilities[c];
            const hash_sampler s =
                hash_sampler_make(hash_key(seed, HASH_SAMPLE_ROWS), p);
            int drawn = 0;
            for (int64_t x = 0; x < DRAWS; x++)
                drawn += hash_draws(&s, x);
            /* 4 standard deviations. */
            cr_expect_leq(fabs(drawn - p * DRAWS),
                          4 * sqrt(p * (1 - p) * DRAWS), "%g: %d", p, drawn);
        }
}

Test(hash, draws_all_with_probability_one)
{
    const hash_sampler s = hash_sampler_make(7, 1);
    for (int64_t x = 0; x < DRAWS; x++)
        cr_assert(hash_draws(&s, x));
}
