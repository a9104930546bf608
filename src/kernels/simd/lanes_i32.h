/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight integers of 32 bits in AVX-512; see lanes.h. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_I32_H
#define SPGEMM_KERNELS_SIMD_LANES_I32_H

#include "kernels/simd/lanes.h"

typedef __m256i lanes;

static ALWAYS_INLINE lanes lanes_set(int32_t x)
{
    return _mm256_set1_epi32(x);
}
static ALWAYS_INLINE lanes lanes_load(const int32_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}
static ALWAYS_INLINE void lanes_store(int32_t *to, lanes x)
{
    _mm256_storeu_si256((__m256i *)(void *)to, x);
}
static ALWAYS_INLINE lanes lanes_load_some(unsigned front, const int32_t *from)
{
    return _mm256_maskz_loadu_epi32((__mmask8)front, from);
}
static ALWAYS_INLINE void lanes_store_some(int32_t *to, unsigned front, lanes x)
{
    _mm256_mask_storeu_epi32(to, (__mmask8)front, x);
}
static ALWAYS_INLINE lanes lanes_expand(unsigned taken, const int32_t *from)
{
    return _mm256_maskz_expandloadu_epi32((__mmask8)taken, from);
}
static ALWAYS_INLINE lanes lanes_compress(unsigned taken, lanes x)
{
    return _mm256_maskz_compress_epi32((__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_keep(unsigned taken, lanes x, lanes other)
{
    return _mm256_mask_mov_epi32(other, (__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_permute(uint64_t places, lanes x)
{
    return _mm256_permutexvar_epi32(lanes_places_32(places), x);
}
static ALWAYS_INLINE lanes lanes_bits(lanes x, lanes y)
{
    return _mm256_or_si256(x, y);
}
static ALWAYS_INLINE lanes lanes_plus(lanes x, lanes y)
{
    return _mm256_add_epi32(x, y);
}
static ALWAYS_INLINE lanes lanes_times(lanes x, lanes y)
{
    return _mm256_mullo_epi32(x, y);
}
static ALWAYS_INLINE lanes lanes_min(lanes x, lanes y)
{
    return _mm256_min_epi32(x, y);
}
static ALWAYS_INLINE lanes lanes_max(lanes x, lanes y)
{
    return _mm256_max_epi32(x, y);
}
static ALWAYS_INLINE unsigned lanes_nonzero(lanes x)
{
    return _mm256_test_epi32_mask(x, x);
}

#endif
