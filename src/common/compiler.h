/* SPDX-License-Identifier: BSD-3-Clause */
/* What kernels say to the compiler, and assertions in three strengths. */
#ifndef SPGEMM_COMMON_COMPILER_H
#define SPGEMM_COMMON_COMPILER_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#ifndef SPGEMM_DEBUG
#define SPGEMM_DEBUG 0
#endif

/* For what is compiled anew for each of the constants it is given (a semiring, how many
   rows or terms), or works in registers. Elsewhere `inline` leaves it to the compiler,
   which is done with kernels as fast in a tenth less time; a build that asserts leaves
   it all: with the address sanitizer it takes a sixth. */
#if SPGEMM_DEBUG > 0
#define ALWAYS_INLINE inline
#else
#define ALWAYS_INLINE inline __attribute__((always_inline))
#endif

#define LIKELY(x)         __builtin_expect(!!(x), 1)
#define UNLIKELY(x)       __builtin_expect(!!(x), 0)
#define NOINLINE          __attribute__((noinline))
#define PREFETCH(address) __builtin_prefetch(address)

/* Eight flag bytes as one word: the first is the lowest, on any machine. */
static ALWAYS_INLINE uint64_t load_eight(const uint8_t *flags)
{
    uint64_t eight;
    memcpy(&eight, flags, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight;
}

/* How many bits are set: where no instruction counts them, the compiler would call
   a function.
   H. S. Warren, Hacker's Delight, 2nd ed., 2012, 5-1. */
static inline int64_t count_bits(uint64_t bits)
{
#if defined(__x86_64__) && !defined(__POPCNT__)
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int64_t)(bits * 0x0101010101010101u >> 56);
#else
    return __builtin_popcountll(bits);
#endif
}

/* SPGEMM_DEBUG >= 1: O(1); >= 3: O(matrix). */
#define SPGEMM_ASSERT_AT(level, cond) assert(SPGEMM_DEBUG < (level) || (cond))
#define SPGEMM_ASSERT(cond)           SPGEMM_ASSERT_AT(1, cond)
#define SPGEMM_ASSERT_EXPENSIVE(cond) SPGEMM_ASSERT_AT(3, cond)

#endif
