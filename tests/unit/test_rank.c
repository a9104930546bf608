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

/* Any number of keys, of few different ones or of many; what lies behind them in
   their last vector does not matter. */
Test(rank, is_the_number_of_smaller_keys)
{
    if (lacks_instructions())
        cr_skip("this machine lacks instructions");
    for (uint64_t seed = 0; seed < 200; seed++)
        for (int64_t n = 0; n <= MOST; n++) {
            int32_t keys[MOST];
            int32_t ranks[MOST];
            const int64_t kinds = seed % 2 == 0 ? 10 : INT32_MAX;
            for (int64_t t = 0; t < MOST; t++)
                keys[t] =
                    (int32_t)rng_below(seed, (uint64_t)(n * MOST + t), kinds);
            rank_keys(keys, n, ranks);
            for (int64_t t = 0; t < n; t++) {
                int32_t less = 0;
                for (int64_t u = 0; u < n; u++)
                    less += keys[u] < keys[t];
                cr_assert_eq(ranks[t], less, "key %d of %d", (int)t, (int)n);
            }
        }
}

/* Of a few keys, those behind them rank last. */
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
                    less += t >= n || keys[u] < keys[t];
                cr_assert_eq(ranks[t], less, "key %d of %d", t, n);
            }
        }
}
