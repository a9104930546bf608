/* SPDX-License-Identifier: BSD-3-Clause */
/* u(seed, counter): a random number that is a function of two integers, so
   that samples are the same for any number of threads and any order.

   The finaliser of SplitMix64: G. L. Steele, D. Lea, C. H. Flood, Fast
   splittable pseudorandom number generators, OOPSLA 2014,
   doi:10.1145/2660193.2660195. */
#ifndef SPGEMM_COMMON_RNG_H
#define SPGEMM_COMMON_RNG_H

#include <stdint.h>

static inline uint64_t rng_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* 64 random bits. */
static inline uint64_t rng_bits(uint64_t seed, uint64_t counter)
{
    return rng_mix(rng_mix(seed + 0x9e3779b97f4a7c15u) +
                   (counter + 1) * 0x9e3779b97f4a7c15u);
}

/* Uniform in [0, 1). */
static inline double rng_unit(uint64_t seed, uint64_t counter)
{
    return (double)(rng_bits(seed, counter) >> 11) * 0x1p-53;
}

/* Uniform in [0, n), n > 0, without the bias of a modulo. */
static inline int64_t rng_below(uint64_t seed, uint64_t counter, int64_t n)
{
    __extension__ typedef unsigned __int128 wide;
    return (int64_t)((wide)rng_bits(seed, counter) * (wide)n >> 64);
}

#endif
