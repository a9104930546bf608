/* SPDX-License-Identifier: BSD-3-Clause */
/* Zeros to compress into, in AVX-512.

   What vpcompress leaves of its destination is zeroed where asked, and yet some
   processors wait for what it held: on a Zen 5 those that follow one another in a
   register take 1.17 ns each, in a register that is zeroed before 0.23. A compiler
   makes of zeros that it knows what it would have made without, so these are hidden
   from it. Which register a loop has was luck: one that lists bytes took 2.5 times
   as long in one build as in another, and 2cubes_sphere-like 1.08 times. vexpand
   from memory waits as well, but gains nothing: supernodes 0.98 of the speed. */
#ifndef SPGEMM_KERNELS_SIMD_ZEROS_AVX512_H
#define SPGEMM_KERNELS_SIMD_ZEROS_AVX512_H

#include <immintrin.h>

#include "common/compiler.h"

static ALWAYS_INLINE __m512i zeros_512(void)
{
    __m512i zeros = _mm512_setzero_si512();
    __asm__("" : "+v"(zeros));
    return zeros;
}

static ALWAYS_INLINE __m256i zeros_256(void)
{
    __m256i zeros = _mm256_setzero_si256();
    __asm__("" : "+v"(zeros));
    return zeros;
}

#endif
