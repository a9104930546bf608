/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight columns of 32 bits side by side, in AVX-512: for those of 64 there are
   only the kernels of any machine. */
#ifndef SPGEMM_KERNELS_SIMD_COLUMNS_AVX512_H
#define SPGEMM_KERNELS_SIMD_COLUMNS_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/compiler.h"
#include "kernels/simd/zeros_avx512.h"

/* Those that `some` names; 0 of others, which are not read. */
static ALWAYS_INLINE __m256i load_columns(const IDX *from, unsigned some)
{
    return _mm256_maskz_loadu_epi32((__mmask8)some, from);
}

/* column, column + 1, and so on. */
static ALWAYS_INLINE __m256i eight_columns(int64_t column)
{
    return _mm256_add_epi32(_mm256_set1_epi32((IDX)column),
                            _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}

/* The columns that `taken` names, side by side. Eight places are written if
   is_roomy, as many as there are if not. */
static ALWAYS_INLINE void pack_columns(__m256i columns, unsigned taken,
                                       bool is_roomy, IDX *Cj)
{
    columns = _mm256_mask_compress_epi32(zeros_256(), (__mmask8)taken, columns);
    if (is_roomy)
        _mm256_storeu_si256((__m256i *)(void *)Cj, columns);
    else
        _mm256_mask_storeu_epi32(
            Cj, (__mmask8)((1u << __builtin_popcount(taken)) - 1), columns);
}

#endif
