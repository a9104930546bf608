/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorting 16, 32 or 64 keys of 32 bits in AVX-512 registers.

   K. E. Batcher, Sorting networks and their applications, AFIPS 1968: the
   bitonic network, every merge begun by a reversal, so that all comparisons
   have one direction. */
#ifndef SPGEMM_KERNELS_SIMD_SORT16_H
#define SPGEMM_KERNELS_SIMD_SORT16_H

#include <immintrin.h>

#include "common/compiler.h"

/* Lanes in `upper` keep the larger of v and its partner, others the smaller. */
static ALWAYS_INLINE __m512i exchange16(__m512i v, __m512i partner,
                                        __mmask16 upper)
{
    return _mm512_mask_max_epu32(_mm512_min_epu32(v, partner), upper, v,
                                 partner);
}

static ALWAYS_INLINE __m512i reverse16(__m512i v)
{
    const __m512i order =
        _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_permutexvar_epi32(order, v);
}

/* Partners at a distance of 1 and 2, then 4, then 8. */
static ALWAYS_INLINE __m512i merge4(__m512i v)
{
    v = exchange16(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC), 0xcccc);
    return exchange16(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
}

static ALWAYS_INLINE __m512i merge8(__m512i v)
{
    v = exchange16(v, _mm512_shuffle_i32x4(v, v, _MM_PERM_CDAB), 0xf0f0);
    return merge4(v);
}

/* A bitonic sequence, sorted. */
static ALWAYS_INLINE __m512i merge16(__m512i v)
{
    v = exchange16(v, _mm512_shuffle_i32x4(v, v, _MM_PERM_BADC), 0xff00);
    return merge8(v);
}

static ALWAYS_INLINE __m512i sort16(__m512i v)
{
    const __m512i reverse8 =
        _mm512_set_epi32(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    v = exchange16(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
    v = exchange16(v, _mm512_shuffle_epi32(v, _MM_PERM_ABCD), 0xcccc);
    v = exchange16(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
    v = exchange16(v, _mm512_permutexvar_epi32(reverse8, v), 0xf0f0);
    v = merge4(v);
    v = exchange16(v, reverse16(v), 0xff00);
    return merge8(v);
}

/* Two sorted vectors, merged. */
static ALWAYS_INLINE void merge32(__m512i *a, __m512i *b)
{
    const __m512i reversed = reverse16(*b);
    const __m512i low = _mm512_min_epu32(*a, reversed);
    const __m512i high = _mm512_max_epu32(*a, reversed);
    *a = merge16(low);
    *b = merge16(high);
}

/* A bitonic sequence of two vectors, sorted. */
static ALWAYS_INLINE void merge_bitonic32(__m512i *a, __m512i *b)
{
    const __m512i low = _mm512_min_epu32(*a, *b);
    const __m512i high = _mm512_max_epu32(*a, *b);
    *a = merge16(low);
    *b = merge16(high);
}

/* Sorts 16 n keys, n = 1 to 4. */
static ALWAYS_INLINE void sort_keys(__m512i *v, int n)
{
    for (int t = 0; t < n; t++)
        v[t] = sort16(v[t]);
    for (int t = 0; t + 1 < n; t += 2)
        merge32(&v[t], &v[t + 1]);
    if (n == 3) { /* as 4, the last all ones */
        const __m512i reversed = reverse16(v[2]);
        v[2] = merge16(_mm512_max_epu32(v[1], reversed));
        v[1] = _mm512_min_epu32(v[1], reversed);
        merge_bitonic32(&v[0], &v[1]);
    }
    if (n == 4) {
        const __m512i r0 = reverse16(v[3]);
        const __m512i r1 = reverse16(v[2]);
        v[2] = _mm512_max_epu32(v[0], r0);
        v[3] = _mm512_max_epu32(v[1], r1);
        v[0] = _mm512_min_epu32(v[0], r0);
        v[1] = _mm512_min_epu32(v[1], r1);
        merge_bitonic32(&v[0], &v[1]);
        merge_bitonic32(&v[2], &v[3]);
    }
}

#endif
