/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight integers of 64 bits in AVX-512; see lanes.h. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_I64_H
#define SPGEMM_KERNELS_SIMD_LANES_I64_H

#include "kernels/simd/lanes.h"

typedef __m512i lanes;

static ALWAYS_INLINE lanes lanes_set(int64_t x)
{
    return _mm512_set1_epi64(x);
}
static ALWAYS_INLINE lanes lanes_load(const int64_t *from)
{
    return _mm512_loadu_si512(from);
}
static ALWAYS_INLINE void lanes_store(int64_t *to, lanes x)
{
    _mm512_storeu_si512(to, x);
}
static ALWAYS_INLINE lanes lanes_load_some(unsigned front, const int64_t *from)
{
    return _mm512_maskz_loadu_epi64((__mmask8)front, from);
}
static ALWAYS_INLINE void lanes_store_some(int64_t *to, unsigned front, lanes x)
{
    _mm512_mask_storeu_epi64(to, (__mmask8)front, x);
}
static ALWAYS_INLINE lanes lanes_expand(unsigned taken, const int64_t *from)
{
    return _mm512_maskz_expandloadu_epi64((__mmask8)taken, from);
}
static ALWAYS_INLINE lanes lanes_compress(unsigned taken, lanes x)
{
    return _mm512_maskz_compress_epi64((__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_keep(unsigned taken, lanes x, lanes other)
{
    return _mm512_mask_mov_epi64(other, (__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_permute(uint64_t places, lanes x)
{
    return _mm512_permutexvar_epi64(lanes_places_64(places), x);
}
static ALWAYS_INLINE lanes lanes_bits(lanes x, lanes y)
{
    return _mm512_or_si512(x, y);
}
static ALWAYS_INLINE lanes lanes_plus(lanes x, lanes y)
{
    return _mm512_add_epi64(x, y);
}
static ALWAYS_INLINE lanes lanes_times(lanes x, lanes y)
{
    return _mm512_mullo_epi64(x, y);
}
static ALWAYS_INLINE lanes lanes_min(lanes x, lanes y)
{
    return _mm512_min_epi64(x, y);
}
static ALWAYS_INLINE lanes lanes_max(lanes x, lanes y)
{
    return _mm512_max_epi64(x, y);
}
static ALWAYS_INLINE unsigned lanes_nonzero(lanes x)
{
    return _mm512_test_epi64_mask(x, x);
}

#endif
