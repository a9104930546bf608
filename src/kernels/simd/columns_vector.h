/* SPDX-License-Identifier: BSD-3-Clause */
/* A register of columns, 16 of them in AVX-512 and 8 in AVX2, none of which is
   negative: what a sorting network asks for. */
#ifndef SPGEMM_KERNELS_SIMD_COLUMNS_VECTOR_H
#define SPGEMM_KERNELS_SIMD_COLUMNS_VECTOR_H

#include <immintrin.h>
#include <stdint.h>

#include "common/compiler.h"

#if defined(__AVX512F__)
#define VECTOR_COLUMNS 16
typedef __m512i columns_vector;

static ALWAYS_INLINE columns_vector vector_load(const uint32_t *from)
{
    return _mm512_loadu_si512(from);
}

static ALWAYS_INLINE void vector_store(uint32_t *to, columns_vector x)
{
    _mm512_storeu_si512(to, x);
}

static ALWAYS_INLINE columns_vector vector_set(int32_t x)
{
    return _mm512_set1_epi32(x);
}

static ALWAYS_INLINE columns_vector vector_min(columns_vector x,
                                               columns_vector y)
{
    return _mm512_min_epi32(x, y);
}

static ALWAYS_INLINE columns_vector vector_max(columns_vector x,
                                               columns_vector y)
{
    return _mm512_max_epi32(x, y);
}

/* Lane l ^ distance of each lane l of four, and of each four. */
static ALWAYS_INLINE columns_vector vector_cross(columns_vector x, int distance)
{
    if ((distance & 3) == 1)
        x = _mm512_shuffle_epi32(x, _MM_PERM_CDAB);
    if ((distance & 3) == 2)
        x = _mm512_shuffle_epi32(x, _MM_PERM_BADC);
    if ((distance & 3) == 3)
        x = _mm512_shuffle_epi32(x, _MM_PERM_ABCD);
    if ((distance & 12) == 4)
        x = _mm512_shuffle_i64x2(x, x, _MM_PERM_CDAB);
    if ((distance & 12) == 8)
        x = _mm512_shuffle_i64x2(x, x, _MM_PERM_BADC);
    if ((distance & 12) == 12)
        x = _mm512_shuffle_i64x2(x, x, _MM_PERM_ABCD);
    return x;
}

/* The lanes of y whose number has this bit, the others of x. */
static ALWAYS_INLINE columns_vector vector_mix(columns_vector x,
                                               columns_vector y, int bit)
{
    const int taken = bit == 1   ? 0xaaaa
                      : bit == 2 ? 0xcccc
                      : bit == 4 ? 0xf0f0
                                 : 0xff00;
    return _mm512_mask_mov_epi32(x, (__mmask16)taken, y);
}

/* (x0, y0, x1, y1, ..): half of them to *low, the rest to *high. */
static ALWAYS_INLINE void vector_zip(columns_vector x, columns_vector y,
                                     columns_vector *low, columns_vector *high)
{
    const __m512i front = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
                                            5, 21, 6, 22, 7, 23);
    const __m512i back = _mm512_add_epi32(front, _mm512_set1_epi32(8));
    *low = _mm512_permutex2var_epi32(x, front, y);
    *high = _mm512_permutex2var_epi32(x, back, y);
}
#else
#define VECTOR_COLUMNS 8
typedef __m256i columns_vector;

static ALWAYS_INLINE columns_vector vector_load(const uint32_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static ALWAYS_INLINE void vector_store(uint32_t *to, columns_vector x)
{
    _mm256_storeu_si256((__m256i *)(void *)to, x);
}

static ALWAYS_INLINE columns_vector vector_set(int32_t x)
{
    return _mm256_set1_epi32(x);
}

static ALWAYS_INLINE columns_vector vector_min(columns_vector x,
                                               columns_vector y)
{
    return _mm256_min_epi32(x, y);
}

static ALWAYS_INLINE columns_vector vector_max(columns_vector x,
                                               columns_vector y)
{
    return _mm256_max_epi32(x, y);
}

static ALWAYS_INLINE columns_vector vector_cross(columns_vector x, int distance)
{
    if ((distance & 3) == 1)
        x = _mm256_shuffle_epi32(x, 0xb1);
    if ((distance & 3) == 2)
        x = _mm256_shuffle_epi32(x, 0x4e);
    if ((distance & 3) == 3)
        x = _mm256_shuffle_epi32(x, 0x1b);
    if ((distance & 4) != 0)
        x = _mm256_permute2x128_si256(x, x, 1);
    return x;
}

static ALWAYS_INLINE columns_vector vector_mix(columns_vector x,
                                               columns_vector y, int bit)
{
    if (bit == 1)
        return _mm256_blend_epi32(x, y, 0xaa);
    if (bit == 2)
        return _mm256_blend_epi32(x, y, 0xcc);
    return _mm256_blend_epi32(x, y, 0xf0);
}

static ALWAYS_INLINE void vector_zip(columns_vector x, columns_vector y,
                                     columns_vector *low, columns_vector *high)
{
    const __m256i even = _mm256_unpacklo_epi32(x, y);
    const __m256i odd = _mm256_unpackhi_epi32(x, y);
    *low = _mm256_permute2x128_si256(even, odd, 0x20);
    *high = _mm256_permute2x128_si256(even, odd, 0x31);
}
#endif

#endif
