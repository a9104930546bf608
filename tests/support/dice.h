/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of the tests: a seed, a sequence. Shares nothing with the
   library's generator, whose tests it serves. */
#ifndef SPGEMM_TESTS_DICE_H
#define SPGEMM_TESTS_DICE_H

#include <stdint.h>

typedef struct dice {
    uint64_t state;
} dice;

/* xorshift64*, G. Marsaglia and S. Vigna. */
static inline uint64_t dice_bits(dice *d)
{
    uint64_t x = d->state ? d->state : 0x2545f4914f6cdd1du;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    d->state = x;
    return x * 0x2545f4914f6cdd1du;
}

/* In [0, n), n > 0; the bias does not matter here. */
static inline int64_t dice_below(dice *d, int64_t n)
{
    return (int64_t)((dice_bits(d) >> 1) % (uint64_t)n);
}

/* In [0, 1). */
static inline double dice_unit(dice *d)
{
    return (double)(dice_bits(d) >> 11) * 0x1p-53;
}

#endif
