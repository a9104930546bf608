/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight complex numbers of floats, real and imaginary parts side by side, in AVX-512; see lanes.h. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_C32_H
#define SPGEMM_KERNELS_SIMD_LANES_C32_H

#include "kernels/simd/lanes.h"

typedef __m512 lanes;

static ALWAYS_INLINE __mmask16 lanes_twice(unsigned taken)
{
    return (__mmask16)(3 * _pdep_u32(taken, 0x5555));
}
static ALWAYS_INLINE lanes lanes_set(float _Complex x)
{
    return _mm512_mask_mov_ps(_mm512_set1_ps(crealf(x)), 0xaaaa,
                              _mm512_set1_ps(cimagf(x)));
}
static ALWAYS_INLINE lanes lanes_load(const float _Complex *from)
{
    return _mm512_loadu_ps(from);
}
static ALWAYS_INLINE void lanes_store(float _Complex *to, lanes x)
{
    _mm512_storeu_ps(to, x);
}
static ALWAYS_INLINE void lanes_store_some(float _Complex *to, unsigned front,
                                           lanes x)
{
    _mm512_mask_storeu_ps(to, lanes_twice(front), x);
}
static ALWAYS_INLINE lanes lanes_expand(unsigned taken,
                                        const float _Complex *from)
{
    return _mm512_maskz_expandloadu_ps(lanes_twice(taken), from);
}
static ALWAYS_INLINE lanes lanes_compress(unsigned taken, lanes x)
{
    return _mm512_mask_compress_ps((__m512)zeros_512(), lanes_twice(taken), x);
}
static ALWAYS_INLINE lanes lanes_keep(unsigned taken, lanes x, lanes other)
{
    return _mm512_mask_mov_ps(other, lanes_twice(taken), x);
}
static ALWAYS_INLINE lanes lanes_permute(uint64_t places, lanes x)
{
    const __m128i each = _mm_cvtsi64_si128((int64_t)places);
    const __m512i pair = _mm512_cvtepu8_epi32(_mm_unpacklo_epi8(each, each));
    const __m512i part = _mm512_mask_mov_epi32(_mm512_setzero_si512(), 0xaaaa,
                                               _mm512_set1_epi32(1));
    return _mm512_permutexvar_ps(
        _mm512_or_si512(_mm512_slli_epi32(pair, 1), part), x);
}
static ALWAYS_INLINE lanes lanes_bits(lanes x, lanes y)
{
    return _mm512_or_ps(x, y);
}
static ALWAYS_INLINE lanes lanes_plus(lanes x, lanes y)
{
    return _mm512_add_ps(x, y);
}
typedef struct factor {
    lanes real;
    lanes imaginary; /* negative in the lanes of real parts */
} factor;

static ALWAYS_INLINE factor factor_set(float _Complex x)
{
    /* A NaN keeps its sign. */
    return (factor){_mm512_set1_ps(crealf(x)),
                    _mm512_mask_mov_ps(_mm512_set1_ps(cimagf(x)), 0x5555,
                                       _mm512_set1_ps(-0.0f - cimagf(x)))};
}
static ALWAYS_INLINE lanes lanes_first(factor x, lanes y)
{
    (void)y;
    return _mm512_mask_mov_ps(x.real, 0xaaaa, x.imaginary);
}
/* Re: xr yr - xi yi, im: xr yi + xi yr; not fused. */
static ALWAYS_INLINE lanes lanes_times(factor x, lanes y)
{
    return _mm512_add_ps(
        _mm512_mul_ps(x.real, y),
        _mm512_mul_ps(x.imaginary, _mm512_permute_ps(y, 0xb1)));
}

#endif
