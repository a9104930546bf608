/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight doubles in AVX-512; see lanes.h. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_F64_H
#define SPGEMM_KERNELS_SIMD_LANES_F64_H

#include "kernels/simd/lanes.h"

typedef __m512d lanes;

static ALWAYS_INLINE lanes lanes_set(double x)
{
    return _mm512_set1_pd(x);
}
static ALWAYS_INLINE lanes lanes_load(const double *from)
{
    return _mm512_loadu_pd(from);
}
static ALWAYS_INLINE void lanes_store(double *to, lanes x)
{
    _mm512_storeu_pd(to, x);
}
static ALWAYS_INLINE lanes lanes_load_some(unsigned front, const double *from)
{
    return _mm512_maskz_loadu_pd((__mmask8)front, from);
}
static ALWAYS_INLINE void lanes_store_some(double *to, unsigned front, lanes x)
{
    _mm512_mask_storeu_pd(to, (__mmask8)front, x);
}
static ALWAYS_INLINE lanes lanes_expand(unsigned taken, const double *from)
{
    return _mm512_maskz_expandloadu_pd((__mmask8)taken, from);
}
static ALWAYS_INLINE lanes lanes_compress(unsigned taken, lanes x)
{
    return _mm512_maskz_compress_pd((__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_keep(unsigned taken, lanes x, lanes other)
{
    return _mm512_mask_mov_pd(other, (__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_permute(uint64_t places, lanes x)
{
    return _mm512_permutexvar_pd(lanes_places_64(places), x);
}
static ALWAYS_INLINE lanes lanes_bits(lanes x, lanes y)
{
    return _mm512_or_pd(x, y);
}
static ALWAYS_INLINE lanes lanes_plus(lanes x, lanes y)
{
    return _mm512_add_pd(x, y);
}
static ALWAYS_INLINE lanes lanes_times(lanes x, lanes y)
{
    return _mm512_mul_pd(x, y);
}
/* The second operand where either is NaN. */
static ALWAYS_INLINE lanes lanes_min(lanes x, lanes y)
{
    return _mm512_min_pd(y, x);
}
static ALWAYS_INLINE lanes lanes_max(lanes x, lanes y)
{
    return _mm512_max_pd(y, x);
}
static ALWAYS_INLINE unsigned lanes_nan(lanes x)
{
    return _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q);
}
static ALWAYS_INLINE unsigned lanes_nonzero(lanes x)
{
    return _mm512_cmp_pd_mask(x, lanes_set(0), _CMP_NEQ_UQ);
}
/* Which bits are others than those of -0. */
static ALWAYS_INLINE unsigned lanes_touched(lanes x)
{
    return _mm512_cmpneq_epi64_mask(_mm512_castpd_si512(x),
                                    _mm512_set1_epi64(INT64_MIN));
}

#endif
