/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this unit has lanes, and those of its type. LEAVES_AVX512:
   columns in AVX-512, for which leaves are written; LANES: values, too. */
#ifndef SPGEMM_KERNELS_SIMD_LANES_OF_TYPE_H
#define SPGEMM_KERNELS_SIMD_LANES_OF_TYPE_H

#if defined(PACK_AVX512)
#define LEAVES_AVX512
#include "kernels/simd/columns_avx512.h"
#if defined(VALUE_IS_c64)
#include "kernels/simd/lanes_c64.h"
#elif defined(VALUE_IS_c32)
#include "kernels/simd/lanes_c32.h"
#elif defined(VALUE_IS_f64) || defined(VALUE_IS_f32) ||                        \
    defined(VALUE_IS_i64) || defined(VALUE_IS_i32)
#include "kernels/simd/lanes_number.h"
#endif
#endif

#if defined(SPGEMM_KERNELS_SIMD_LANES_H)
#define LANES
/* Lane u: lane columns[u] mod 8 of x. */
static ALWAYS_INLINE lanes lanes_pick(__m256i columns, lanes x)
{
    const __m128i places =
        _mm256_cvtepi32_epi8(_mm256_and_si256(columns, _mm256_set1_epi32(7)));
    return lanes_permute((uint64_t)_mm_cvtsi128_si64(places), x);
}
#if !defined(VALUE_IS_COMPLEX)
typedef lanes factor;

static ALWAYS_INLINE factor factor_set(VAL x)
{
    return lanes_set(x);
}
static ALWAYS_INLINE lanes lanes_first(factor x, lanes y)
{
    (void)y;
    return x;
}
#endif
static ALWAYS_INLINE lanes lanes_second(factor x, lanes y)
{
    (void)x;
    return y;
}
static ALWAYS_INLINE lanes lanes_pair(factor x, lanes y)
{
    (void)x;
    (void)y;
    return lanes_set(1);
}
/* Of pairs, which are 1, or 0 where there is none. */
static ALWAYS_INLINE lanes lanes_any(lanes x, lanes y)
{
    return lanes_bits(x, y);
}
#if defined(VALUE_IS_REAL) || defined(VALUE_IS_INTEGER)
static ALWAYS_INLINE lanes lanes_fmin(factor x, lanes y)
{
    return lanes_keep(lanes_nan(x), y, lanes_min(x, y));
}
static ALWAYS_INLINE lanes lanes_fmax(factor x, lanes y)
{
    return lanes_keep(lanes_nan(x), y, lanes_max(x, y));
}
static ALWAYS_INLINE lanes lanes_or(lanes x, lanes y)
{
    return lanes_keep(lanes_nonzero(x) | lanes_nonzero(y), lanes_set(1),
                      lanes_set(0));
}
static ALWAYS_INLINE lanes lanes_and(lanes x, lanes y)
{
    return lanes_keep(lanes_nonzero(x) & lanes_nonzero(y), lanes_set(1),
                      lanes_set(0));
}
#endif
#endif

#endif
