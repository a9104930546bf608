/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight columns side by side, in AVX-512: of 32 bits wherever they are compared,
   as wide as the unit's where they are written. */
#ifndef SPGEMM_KERNELS_SIMD_COLUMNS_AVX512_H
#define SPGEMM_KERNELS_SIMD_COLUMNS_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/compiler.h"

/* wide_columns: eight as they are written. */
#if defined(INDEX_IS_i64)
typedef __m512i wide_columns;

static ALWAYS_INLINE wide_columns widen_columns(__m256i columns)
{
    return _mm512_cvtepi32_epi64(columns);
}
static ALWAYS_INLINE wide_columns columns_from(int64_t column, __m256i each)
{
    return _mm512_add_epi64(_mm512_set1_epi64(column), widen_columns(each));
}
/* The lower 32 bits of those that `some` names; 0 of others, which are not read. */
static ALWAYS_INLINE __m256i load_columns(const IDX *from, unsigned some)
{
    return _mm512_cvtepi64_epi32(
        _mm512_maskz_loadu_epi64((__mmask8)some, from));
}
static ALWAYS_INLINE wide_columns compress_columns(unsigned taken,
                                                   wide_columns columns)
{
    return _mm512_maskz_compress_epi64((__mmask8)taken, columns);
}
static ALWAYS_INLINE void store_columns(IDX *to, wide_columns columns)
{
    _mm512_storeu_si512(to, columns);
}
static ALWAYS_INLINE void store_some_columns(IDX *to, unsigned some,
                                             wide_columns columns)
{
    _mm512_mask_storeu_epi64(to, (__mmask8)some, columns);
}
#else
typedef __m256i wide_columns;

static ALWAYS_INLINE wide_columns widen_columns(__m256i columns)
{
    return columns;
}
static ALWAYS_INLINE wide_columns columns_from(int64_t column, __m256i each)
{
    return _mm256_add_epi32(_mm256_set1_epi32((IDX)column), each);
}
static ALWAYS_INLINE __m256i load_columns(const IDX *from, unsigned some)
{
    return _mm256_maskz_loadu_epi32((__mmask8)some, from);
}
static ALWAYS_INLINE wide_columns compress_columns(unsigned taken,
                                                   wide_columns columns)
{
    return _mm256_maskz_compress_epi32((__mmask8)taken, columns);
}
static ALWAYS_INLINE void store_columns(IDX *to, wide_columns columns)
{
    _mm256_storeu_si256((__m256i *)(void *)to, columns);
}
static ALWAYS_INLINE void store_some_columns(IDX *to, unsigned some,
                                             wide_columns columns)
{
    _mm256_mask_storeu_epi32(to, (__mmask8)some, columns);
}
#endif

/* column, column + 1, and so on. */
static ALWAYS_INLINE wide_columns eight_columns(int64_t column)
{
    return columns_from(column, _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}

/* The columns that `taken` names, side by side. Eight places are written if
   is_roomy, as many as there are if not. */
static ALWAYS_INLINE void pack_columns(wide_columns columns, unsigned taken,
                                       bool is_roomy, IDX *Cj)
{
    columns = compress_columns(taken, columns);
    if (is_roomy)
        store_columns(Cj, columns);
    else
        store_some_columns(Cj, (1u << __builtin_popcount(taken)) - 1, columns);
}

#endif
