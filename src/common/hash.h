/* SPDX-License-Identifier: BSD-3-Clause */
/* h(key, x): a random function of an index, 64 bits, and what is made of it.

   It is element x of the SplitMix64 sequence that begins at `key`, whose
   finaliser is David Stafford's mix 13: see rng.h. Keys that are themselves
   random make functions that are independent of one another. */
#ifndef SPGEMM_COMMON_HASH_H
#define SPGEMM_COMMON_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/rng.h"

/* What functions of one seed are for: each purpose has a function of its own.
   They count down, away from the counters of samples. */
typedef enum hash_purpose {
    HASH_ROWS = 1,
    HASH_COLUMNS,
    HASH_SAMPLE_ROWS,
    HASH_SAMPLE_COLUMNS
} hash_purpose;

static inline uint64_t hash_key(uint64_t seed, hash_purpose purpose)
{
    return rng_bits(seed, UINT64_MAX - (uint64_t)purpose);
}

/* h(key, x); of a pair, h(h(key, i), j). */
static inline uint64_t hash_index(uint64_t key, int64_t x)
{
    return rng_mix(key + ((uint64_t)x + 1) * 0x9e3779b97f4a7c15u);
}

/* Of each index whether it is drawn: with one probability, independently. */
typedef struct hash_sampler {
    uint64_t key;
    uint64_t most;
} hash_sampler;

static inline hash_sampler hash_sampler_make(uint64_t key, double probability)
{
    const hash_sampler s = {.key = key,
                            .most = probability < 1
                                        ? (uint64_t)(probability * 0x1p64)
                                        : UINT64_MAX};
    return s;
}

static inline bool hash_draws(const hash_sampler *s, int64_t x)
{
    return s->most == UINT64_MAX || hash_index(s->key, x) <= s->most;
}

#endif
