/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight complex numbers of doubles, four to a vector, in two vectors, in AVX-512; see lanes.h. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_C64_H
#define SPGEMM_KERNELS_SIMD_LANES_C64_H

#include "kernels/simd/lanes.h"

typedef struct lanes {
    __m512d low;
    __m512d high;
} lanes;

/* Of four lanes, the mask of their parts. */
static ALWAYS_INLINE __mmask8 lanes_twice(unsigned taken)
{
    return (__mmask8)(3 * _pdep_u32(taken, 0x55));
}
static ALWAYS_INLINE lanes lanes_set(double _Complex x)
{
    const __m512d four = _mm512_mask_mov_pd(_mm512_set1_pd(creal(x)), 0xaa,
                                            _mm512_set1_pd(cimag(x)));
    return (lanes){four, four};
}
static ALWAYS_INLINE lanes lanes_load(const double _Complex *from)
{
    return (lanes){_mm512_loadu_pd(from), _mm512_loadu_pd(from + 4)};
}
static ALWAYS_INLINE void lanes_store(double _Complex *to, lanes x)
{
    _mm512_storeu_pd(to, x.low);
    _mm512_storeu_pd(to + 4, x.high);
}
static ALWAYS_INLINE void lanes_store_some(double _Complex *to, unsigned front,
                                           lanes x)
{
    _mm512_mask_storeu_pd(to, lanes_twice(front & 15), x.low);
    _mm512_mask_storeu_pd(to + 4, lanes_twice(front >> 4), x.high);
}
static ALWAYS_INLINE lanes lanes_expand(unsigned taken,
                                        const double _Complex *from)
{
    const unsigned low = taken & 15;
    return (lanes){_mm512_maskz_expandloadu_pd(lanes_twice(low), from),
                   _mm512_maskz_expandloadu_pd(lanes_twice(taken >> 4),
                                               from + __builtin_popcount(low))};
}
static ALWAYS_INLINE lanes lanes_keep(unsigned taken, lanes x, lanes other)
{
    return (lanes){
        _mm512_mask_mov_pd(other.low, lanes_twice(taken & 15), x.low),
        _mm512_mask_mov_pd(other.high, lanes_twice(taken >> 4), x.high)};
}
/* Parts of four numbers, as places among the 16 of x. */
static ALWAYS_INLINE __m512i lanes_parts(uint64_t places)
{
    const __m128i each = _mm_cvtsi64_si128((int64_t)places);
    const __m512i pair = _mm512_cvtepu8_epi64(_mm_unpacklo_epi8(each, each));
    const __m512i part = _mm512_mask_mov_epi64(_mm512_setzero_si512(), 0xaa,
                                               _mm512_set1_epi64(1));
    return _mm512_or_si512(_mm512_slli_epi64(pair, 1), part);
}
static ALWAYS_INLINE lanes lanes_permute(uint64_t places, lanes x)
{
    return (lanes){
        _mm512_permutex2var_pd(x.low, lanes_parts(places), x.high),
        _mm512_permutex2var_pd(x.low, lanes_parts(places >> 32), x.high)};
}
/* Side by side: those of the high half behind those of the low. */
static ALWAYS_INLINE lanes lanes_compress(unsigned taken, lanes x)
{
    return lanes_permute(lanes_front(taken), x);
}
static ALWAYS_INLINE lanes lanes_bits(lanes x, lanes y)
{
    return (lanes){_mm512_or_pd(x.low, y.low), _mm512_or_pd(x.high, y.high)};
}
static ALWAYS_INLINE lanes lanes_plus(lanes x, lanes y)
{
    return (lanes){_mm512_add_pd(x.low, y.low), _mm512_add_pd(x.high, y.high)};
}
typedef struct factor {
    __m512d real;
    __m512d imaginary; /* negative in the lanes of real parts */
} factor;

static ALWAYS_INLINE factor factor_set(double _Complex x)
{
    /* A NaN keeps its sign. */
    return (factor){_mm512_set1_pd(creal(x)),
                    _mm512_mask_mov_pd(_mm512_set1_pd(cimag(x)), 0x55,
                                       _mm512_set1_pd(-0.0 - cimag(x)))};
}
static ALWAYS_INLINE lanes lanes_first(factor x, lanes y)
{
    const __m512d four = _mm512_mask_mov_pd(x.real, 0xaa, x.imaginary);
    (void)y;
    return (lanes){four, four};
}
/* Re: xr yr - xi yi, im: xr yi + xi yr; not fused. */
static ALWAYS_INLINE __m512d lanes_times_four(factor x, __m512d y)
{
    return _mm512_add_pd(
        _mm512_mul_pd(x.real, y),
        _mm512_mul_pd(x.imaginary, _mm512_permute_pd(y, 0x55)));
}
static ALWAYS_INLINE lanes lanes_times(factor x, lanes y)
{
    return (lanes){lanes_times_four(x, y.low), lanes_times_four(x, y.high)};
}

#endif
