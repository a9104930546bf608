/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with vectors of four, of eight and of sixteen. */
#include "kernels/simd/rank.h"

#include <criterion/criterion.h>

#include "common/rng.h"
#include "cpu/features.h"

enum { MOST = RANK_MOST };

/* Whether this machine has the vectors that this was compiled with. */
static bool lacks_instructions(void)
{
    return (RANK_LANES == 8 && spgemm_cpu_isa() < ISA_AVX2) ||
           (RANK_LANES == 16 && spgemm_cpu_isa() < ISA_AVX512);
}

static void expect_ranks(const int32_t *keys, int64_t n, int32_t most)
{
    int32_t ranks[MOST + RANK_LANES];
    rank_keys(keys, n, most, ranks);
    for (int64_t t = 0; t < n; t++) {
        int32_t less = 0;
        for (int64_t u = 0; u < n; u++)
            less += keys[u] < keys[t];
        cr_assert_eq(ranks[t], less, "key %d of %d", (int)t, (int)n);
    }
    for (int64_t t = n; t < n + RANK_LANES; t++)
        cr_assert_eq(ranks[t], t, "behind %d", (int)n);
}

/* Any number of keys, of few different ones or of many, near one another or far; what
   lies behind them in their last vector does not matter. */
Test(rank, is_the_number_of_smaller_keys)
{
    static const int64_t ranges[] = {10, UINT16_MAX, UINT16_MAX + 1, 1 << 17,
                                     INT32_MAX};
    if (lacks_instructions())
        cr_skip("this machine lacks instructions");
    for (uint64_t seed = 0; seed < 200; seed++)
        for (int64_t n = 1; n <= MOST; n++) {
            int32_t keys[MOST];
            const int64_t range = ranges[seed % 5];
            const int64_t from =
                rng_below(seed, (uint64_t)n, INT32_MAX - range + 1);
            for (int64_t t = 0; t < MOST; t++)
                keys[t] =
                    (int32_t)(from +
                              rng_below(seed, (uint64_t)(n * MOST + t), range));
            expect_ranks(keys, n, INT32_MAX - 1);
            if (from + range <= UINT16_MAX + 1)
                expect_ranks(keys, n, UINT16_MAX);
        }
}

/* Keys as far apart as 16 bits tell, and one more; from one end to the other. */
Test(rank, is_the_same_at_the_ends_of_what_is_near)
{
    if (lacks_instructions())
        cr_skip("this machine lacks instructions");
    for (int32_t width = UINT16_MAX - 2; width <= UINT16_MAX + 2; width++)
        for (int32_t from = 0; from <= 3; from++)
            for (int64_t n = 3; n <= MOST; n += 5)
                for (int order = 0; order < 3; order++) {
                    const int64_t ends[][2] = {
                        {0, n - 1}, {n - 1, 0}, {n - 1, n / 2}};
                    int32_t keys[MOST];
                    for (int64_t t = 0; t < MOST; t++)
                        keys[t] = from + (int32_t)(t % 3) * (width / 2);
                    keys[ends[order][0]] = from;
                    keys[ends[order][1]] = from + width;
                    expect_ranks(keys, n, INT32_MAX - 1);
                    if (from + width <= UINT16_MAX)
                        expect_ranks(keys, n, UINT16_MAX);
                }
}

/* Behind a few keys, each is at its own place. */
Test(rank, of_a_few_keys_leaves_the_others_behind)
{
    if (lacks_instructions())
        cr_skip("this machine lacks instructions");
    for (uint64_t seed = 0; seed < 200; seed++)
        for (int n = 0; n <= RANK_FEW; n++) {
            int32_t keys[RANK_FEW + RANK_LANES];
            int32_t ranks[RANK_FEW + RANK_LANES];
            const int64_t kinds = seed % 2 == 0 ? 4 : INT32_MAX;
            for (int t = 0; t < RANK_FEW + RANK_LANES; t++)
                keys[t] =
                    (int32_t)rng_below(seed, (uint64_t)(n * MOST + t), kinds);
            rank_few(keys, n, ranks);
            for (int t = 0; t < RANK_FEW; t++) {
                int32_t less = 0;
                for (int u = 0; u < n; u++)
                    less += keys[u] < keys[t];
                cr_assert_eq(ranks[t], t < n ? less : t, "key %d of %d", t, n);
            }
        }
}
