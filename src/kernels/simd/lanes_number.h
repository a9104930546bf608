/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight numbers of 64 or of 32 bits, real or integer, in AVX-512; see lanes.h.
   LANES_OP(op) is the intrinsic of the type's vectors. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_NUMBER_H
#define SPGEMM_KERNELS_SIMD_LANES_NUMBER_H

#include "kernels/simd/lanes.h"

#if defined(VALUE_IS_f64)
#define LANES_OP(op)      _mm512_##op##_pd
#define LANES_OP_MASK(op) _mm512_##op##_pd_mask
#define LANES_TIMES       _mm512_mul_pd
#define LANES_PLACES      lanes_places_64
#define LANES_ZEROS       zeros_512
typedef __m512d lanes;
#elif defined(VALUE_IS_f32)
#define LANES_OP(op)      _mm256_##op##_ps
#define LANES_OP_MASK(op) _mm256_##op##_ps_mask
#define LANES_TIMES       _mm256_mul_ps
#define LANES_PLACES      lanes_places_32
#define LANES_ZEROS       zeros_256
typedef __m256 lanes;
#elif defined(VALUE_IS_i64)
#define LANES_OP(op)      _mm512_##op##_epi64
#define LANES_OP_MASK(op) _mm512_##op##_epi64_mask
#define LANES_TIMES       _mm512_mullo_epi64
#define LANES_PLACES      lanes_places_64
#define LANES_ZEROS       zeros_512
typedef __m512i lanes;
#else
#define LANES_OP(op)      _mm256_##op##_epi32
#define LANES_OP_MASK(op) _mm256_##op##_epi32_mask
#define LANES_TIMES       _mm256_mullo_epi32
#define LANES_PLACES      lanes_places_32
#define LANES_ZEROS       zeros_256
typedef __m256i lanes;
#endif

static ALWAYS_INLINE lanes lanes_set(VAL x)
{
    return LANES_OP(set1)(x);
}
static ALWAYS_INLINE lanes lanes_load(const VAL *from)
{
    return LANES_OP(loadu)(from);
}
static ALWAYS_INLINE void lanes_store(VAL *to, lanes x)
{
    LANES_OP(storeu)(to, x);
}
static ALWAYS_INLINE void lanes_store_some(VAL *to, unsigned front, lanes x)
{
    LANES_OP(mask_storeu)(to, (__mmask8)front, x);
}
static ALWAYS_INLINE lanes lanes_expand(unsigned taken, const VAL *from)
{
    return LANES_OP(maskz_expandloadu)((__mmask8)taken, from);
}
static ALWAYS_INLINE lanes lanes_compress(unsigned taken, lanes x)
{
    return LANES_OP(mask_compress)((lanes)LANES_ZEROS(), (__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_keep(unsigned taken, lanes x, lanes other)
{
    return LANES_OP(mask_mov)(other, (__mmask8)taken, x);
}
static ALWAYS_INLINE lanes lanes_permute(uint64_t places, lanes x)
{
    return LANES_OP(permutexvar)(LANES_PLACES(places), x);
}
static ALWAYS_INLINE lanes lanes_bits(lanes x, lanes y)
{
    return LANES_OP(or)(x, y);
}
static ALWAYS_INLINE lanes lanes_plus(lanes x, lanes y)
{
    return LANES_OP(add)(x, y);
}
static ALWAYS_INLINE lanes lanes_times(lanes x, lanes y)
{
    return LANES_TIMES(x, y);
}
/* The second operand where either is NaN. */
static ALWAYS_INLINE lanes lanes_min(lanes x, lanes y)
{
    return LANES_OP(min)(y, x);
}
static ALWAYS_INLINE lanes lanes_max(lanes x, lanes y)
{
    return LANES_OP(max)(y, x);
}

#if defined(VALUE_IS_REAL)
static ALWAYS_INLINE unsigned lanes_nan(lanes x)
{
    return LANES_OP_MASK(cmp)(x, x, _CMP_UNORD_Q);
}
static ALWAYS_INLINE unsigned lanes_nonzero(lanes x)
{
    return LANES_OP_MASK(cmp)(x, lanes_set(0), _CMP_NEQ_UQ);
}
/* Which bits are others than those of -0. */
static ALWAYS_INLINE unsigned lanes_touched(lanes x)
{
    union {
        lanes numbers;
        __m512i longs;
        __m256i ints;
    } bits = {.numbers = x};
    return sizeof(VAL) == sizeof(double)
               ? _mm512_cmpneq_epi64_mask(bits.longs,
                                          _mm512_set1_epi64(INT64_MIN))
               : _mm256_cmpneq_epi32_mask(bits.ints,
                                          _mm256_set1_epi32(INT32_MIN));
}
#else
static ALWAYS_INLINE unsigned lanes_nan(lanes x)
{
    (void)x;
    return 0;
}
static ALWAYS_INLINE unsigned lanes_nonzero(lanes x)
{
    return LANES_OP_MASK(test)(x, x);
}
#endif

#endif
