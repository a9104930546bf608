/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorting 16, 32 or 64 keys of 32 bits in AVX-512 registers.

   K. E. Batcher, Sorting networks and their applications, AFIPS 1968: the
   bitonic network, every merge begun by a reversal, so that all comparisons
   have one direction. Of eight times 16 keys key t of each lies in one register:
   no comparison needs a permutation, and any network will do. M. W. Green's has the
   fewest comparisons known (D. E. Knuth, The Art of Computer Programming 3, 5.3.4). */
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

/* x <= y in each lane. */
static ALWAYS_INLINE void exchange_lanes(__m256i *x, __m256i *y)
{
    const __m256i low = _mm256_min_epu32(*x, *y);
    *y = _mm256_max_epu32(*x, *y);
    *x = low;
}

/* Of four registers, their low halves and their high halves transposed. */
static ALWAYS_INLINE void transpose_halves(__m256i *x)
{
    const __m256i a = _mm256_unpacklo_epi32(x[0], x[1]);
    const __m256i b = _mm256_unpackhi_epi32(x[0], x[1]);
    const __m256i c = _mm256_unpacklo_epi32(x[2], x[3]);
    const __m256i d = _mm256_unpackhi_epi32(x[2], x[3]);
    x[0] = _mm256_unpacklo_epi64(a, c);
    x[1] = _mm256_unpackhi_epi64(a, c);
    x[2] = _mm256_unpacklo_epi64(b, d);
    x[3] = _mm256_unpackhi_epi64(b, d);
}

/* Quarter q of v[r] and of v[r + 4]. */
static ALWAYS_INLINE __m256i quarters(const __m512i *v, int r, int q)
{
    const __m128i *low = (const __m128i *)(const void *)(v + r) + q;
    const __m128i *high = (const __m128i *)(const void *)(v + r + 4) + q;
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_load_si128(low)),
                                   _mm_load_si128(high), 1);
}

static ALWAYS_INLINE __m512i halves(__m256i low, __m256i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

#define GREEN_EXCHANGES 60
static const uint8_t green[GREEN_EXCHANGES][2] = {
    {0, 1},   {2, 3},   {4, 5},   {6, 7},  {8, 9},   {10, 11}, {12, 13},
    {14, 15}, {0, 2},   {1, 3},   {4, 6},  {5, 7},   {8, 10},  {9, 11},
    {12, 14}, {13, 15}, {0, 4},   {1, 5},  {2, 6},   {3, 7},   {8, 12},
    {9, 13},  {10, 14}, {11, 15}, {0, 8},  {1, 9},   {2, 10},  {3, 11},
    {4, 12},  {5, 13},  {6, 14},  {7, 15}, {5, 10},  {6, 9},   {3, 12},
    {13, 14}, {4, 8},   {7, 11},  {1, 2},  {1, 4},   {7, 13},  {2, 8},
    {11, 14}, {2, 4},   {5, 6},   {9, 10}, {11, 13}, {3, 8},   {7, 12},
    {6, 8},   {10, 12}, {3, 5},   {7, 9},  {3, 4},   {5, 6},   {7, 8},
    {9, 10},  {11, 12}, {6, 7},   {8, 9},
};

/* Each of eight vectors, sorted. */
static ALWAYS_INLINE void sort16_eight(__m512i *v)
{
    __m256i x[16];
#pragma GCC unroll 4
    for (int q = 0; q < 4; q++) {
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++)
            x[4 * q + r] = quarters(v, r, q);
        transpose_halves(x + 4 * q);
    }
#pragma GCC unroll 60
    for (int t = 0; t < GREEN_EXCHANGES; t++)
        exchange_lanes(&x[green[t][0]], &x[green[t][1]]);
#pragma GCC unroll 4
    for (int q = 0; q < 4; q++)
        transpose_halves(x + 4 * q);
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++) {
        const __m512i front = halves(x[r], x[4 + r]);
        const __m512i back = halves(x[8 + r], x[12 + r]);
        v[r] = _mm512_shuffle_i32x4(front, back, _MM_SHUFFLE(2, 0, 2, 0));
        v[r + 4] = _mm512_shuffle_i32x4(front, back, _MM_SHUFFLE(3, 1, 3, 1));
    }
}

/* Each of n vectors, sorted; what lies behind them, up to a multiple of eight, may
   be moved. Measured, one thread of a Zen 4: one of eight 2.9 ns, one alone 6.4. */
static ALWAYS_INLINE void sort16_each(__m512i *v, int64_t n)
{
    int64_t t = 0;
    for (; n - t > 4; t += 8)
        sort16_eight(v + t);
    for (; t < n; t++)
        v[t] = sort16(v[t]);
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

/* n = 1 to 4 sorted vectors, merged. */
static ALWAYS_INLINE void merge_keys(__m512i *v, int n)
{
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
