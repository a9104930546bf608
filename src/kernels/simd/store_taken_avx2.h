/* SPDX-License-Identifier: BSD-3-Clause */
/* Some of four numbers in memory to another place, side by side; four places are
   written there. */
#ifndef SPGEMM_KERNELS_SIMD_STORE_TAKEN_AVX2_H
#define SPGEMM_KERNELS_SIMD_STORE_TAKEN_AVX2_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/simd/compress_avx2.h"

/* Which of four numbers are not negative. */
static ALWAYS_INLINE unsigned four_not_negative(const int32_t *numbers)
{
    const __m128 signs = _mm_loadu_ps((const float *)(const void *)numbers);
    return ~(unsigned)_mm_movemask_ps(signs) & 15;
}

/* Numbers of `bytes` bytes, 4 or 8. */
static ALWAYS_INLINE void store_taken(void *to, const void *from, size_t bytes,
                                      unsigned taken)
{
    if (bytes == sizeof(double))
        _mm256_storeu_pd(to, compress_four(_mm256_loadu_pd(from), taken));
    else
        _mm_storeu_ps(
            to, _mm_permutevar_ps(_mm_loadu_ps(from), places_of_four(taken)));
}

#endif
