/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight floats in AVX-512; see lanes.h. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_F32_H
#define SPGEMM_KERNELS_SIMD_LANES_F32_H

#include "kernels/simd/lanes.h"

typedef __m256 lanes;

static ALWAYS_INLINE lanes lanes_set(float x)
{
    return _mm256_set1_ps(x);
}
static ALWAYS_INLINE lanes lanes_load(const float *from)
{
    return _mm256_loadu_ps(from);
}
static ALWAYS_INLINE void lanes_store(float *to, lanes x)
{
    _mm256_storeu_ps(to, x);
}
static ALWAYS_INLINE lanes lanes_load_some(unsigned front, const float *from)
{
    return _mm256_maskz_loadu_ps((__mmask8)front, from);
}
static ALWAYS_INLINE void lanes_store_some(float *to, unsigned front, lanes x)
{
    _mm256_mask_storeu_ps(to, (__mmask8)front, x);
}
static ALWAYS_INLINE lanes lanes_expand(unsigned taken, const float *from)
{
    return _mm256_maskz_expandloadu_ps((__mmask8)taken, from);
}
static ALWAYS_INLINE lanes lanes_compress(unsigned taken, lanes x)
{
    return _mm256_maskz_compress_ps((__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_keep(unsigned taken, lanes x, lanes other)
{
    return _mm256_mask_mov_ps(other, (__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_permute(uint64_t places, lanes x)
{
    return _mm256_permutexvar_ps(lanes_places_32(places), x);
}
static ALWAYS_INLINE lanes lanes_bits(lanes x, lanes y)
{
    return _mm256_or_ps(x, y);
}
static ALWAYS_INLINE lanes lanes_plus(lanes x, lanes y)
{
    return _mm256_add_ps(x, y);
}
static ALWAYS_INLINE lanes lanes_times(lanes x, lanes y)
{
    return _mm256_mul_ps(x, y);
}
/* The second operand where either is NaN. */
static ALWAYS_INLINE lanes lanes_min(lanes x, lanes y)
{
    return _mm256_min_ps(y, x);
}
static ALWAYS_INLINE lanes lanes_max(lanes x, lanes y)
{
    return _mm256_max_ps(y, x);
}
static ALWAYS_INLINE unsigned lanes_nan(lanes x)
{
    return _mm256_cmp_ps_mask(x, x, _CMP_UNORD_Q);
}
static ALWAYS_INLINE unsigned lanes_nonzero(lanes x)
{
    return _mm256_cmp_ps_mask(x, lanes_set(0), _CMP_NEQ_UQ);
}
/* Which bits are others than those of -0. */
static ALWAYS_INLINE unsigned lanes_touched(lanes x)
{
    return _mm256_cmpneq_epi32_mask(_mm256_castps_si256(x),
                                    _mm256_set1_epi32(INT32_MIN));
}

#endif
