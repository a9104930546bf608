/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight values side by side, as the leaves of the accumulators see them in
   AVX-512: lane u is value u. Real numbers and integers have theirs in
   lanes_number.h, complex numbers in a file each:

       lanes lanes_set(VAL x)                       x in every lane
       lanes lanes_load(from), lanes_store(to, x)   all eight
       void lanes_store_some(to, front, x)          the lowest lanes, no other memory
       lanes lanes_expand(taken, from)              from[0], from[1], ... to the
                                                    lanes of the bits of taken
       lanes lanes_compress(taken, x)               the other way
       lanes lanes_keep(taken, x, other)            x where taken, else other
       lanes lanes_permute(places, x)               lane u: x[byte u of places]
       lanes lanes_bits(x, y)                       the bits of both
       lanes lanes_plus(x, y), ...                  the operators, by lanes

   and, where a factor of many products is best kept in another form than lanes,

       factor factor_set(VAL x)                     x in every lane
       lanes lanes_times(factor x, y)
       lanes lanes_first(factor x, y)               x

   Masks are eight bits. Where a type is no vector element of the machine's,
   its file makes lanes of several. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_H
#define SPGEMM_KERNELS_SIMD_LANES_H

#include <immintrin.h>

#include "common/compiler.h"
#include "kernels/simd/zeros_avx512.h"

static ALWAYS_INLINE __m512i lanes_places_64(uint64_t places)
{
    return _mm512_cvtepu8_epi64(_mm_cvtsi64_si128((int64_t)places));
}

static ALWAYS_INLINE __m256i lanes_places_32(uint64_t places)
{
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)places));
}

/* The places of the bits of `taken`, a byte each, lowest first. */
static ALWAYS_INLINE uint64_t lanes_front(unsigned taken)
{
    const uint64_t bytes = 0xff * _pdep_u64(taken, 0x0101010101010101u);
    return _pext_u64(0x0706050403020100u, bytes);
}

#endif
