/* SPDX-License-Identifier: BSD-3-Clause */
/* h(j) = the high bits of j * 2^64/phi: where a column belongs in a table of
   2^n slots. */
#ifndef SPGEMM_COMMON_SLOTS_H
#define SPGEMM_COMMON_SLOTS_H

#include <stdint.h>

#include "common/compiler.h"

#define LEAST_SLOTS 64

/* Fibonacci hashing (Knuth, TAOCP 3, 6.4): the high bits of j * 2^64/phi. */
static ALWAYS_INLINE uint64_t hash_column(uint64_t column, int shift)
{
    return column * 0x9e3779b97f4a7c15u >> shift;
}

/* The size of a table of at least so many slots. */
static ALWAYS_INLINE int64_t hash_slots(int64_t least)
{
    int64_t slots = LEAST_SLOTS;
    while (slots < least)
        slots *= 2;
    return slots;
}

static ALWAYS_INLINE int hash_shift(int64_t slots)
{
    return 64 - __builtin_ctzll((uint64_t)slots);
}

#endif
