/* SPDX-License-Identifier: BSD-3-Clause */
/* Up to sixteen columns, and which of them is j: a register of AVX-512, four of SSE2
   or, where there is neither or columns are wide, an array. */
#ifndef SPGEMM_KERNELS_SIMD_SIXTEEN_COLUMNS_H
#define SPGEMM_KERNELS_SIMD_SIXTEEN_COLUMNS_H

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/compiler.h"

#if defined(LEAVES_AVX512)
typedef struct sixteen_columns {
    __m512i columns;
} sixteen_columns;

/* None of them. */
static ALWAYS_INLINE sixteen_columns sixteen_none(void)
{
    return (sixteen_columns){_mm512_set1_epi32(-1)};
}

/* A bit for each that is j: one at most. */
static ALWAYS_INLINE unsigned sixteen_equal(const sixteen_columns *x, IDX j)
{
    return _mm512_cmpeq_epi32_mask(x->columns, _mm512_set1_epi32(j));
}

/* The t-th becomes j. */
static ALWAYS_INLINE void sixteen_put(sixteen_columns *x, int t, IDX j)
{
    x->columns = _mm512_mask_set1_epi32(x->columns, (__mmask16)(1u << t), j);
}
#elif defined(__SSE2__) && defined(INDEX_IS_i32)
typedef struct sixteen_columns {
    __m128i four[4];
} sixteen_columns;

/* None of them. */
static ALWAYS_INLINE sixteen_columns sixteen_none(void)
{
    const __m128i none = _mm_set1_epi32(-1);
    return (sixteen_columns){{none, none, none, none}};
}

/* A bit for each that is j: one at most. */
static ALWAYS_INLINE unsigned sixteen_equal(const sixteen_columns *x, IDX j)
{
    const __m128i all = _mm_set1_epi32(j);
    const __m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(x->four[0], all),
                                        _mm_cmpeq_epi32(x->four[1], all));
    const __m128i high = _mm_packs_epi32(_mm_cmpeq_epi32(x->four[2], all),
                                         _mm_cmpeq_epi32(x->four[3], all));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

/* The t-th becomes j. */
static ALWAYS_INLINE void sixteen_put(sixteen_columns *x, int t, IDX j)
{
    const __m128i all = _mm_set1_epi32(j);
    for (int w = 0; w < 4; w++) {
        const __m128i here = _mm_cmpeq_epi32(
            _mm_add_epi32(_mm_set_epi32(3, 2, 1, 0), _mm_set1_epi32(4 * w)),
            _mm_set1_epi32(t));
        x->four[w] = _mm_or_si128(_mm_andnot_si128(here, x->four[w]),
                                  _mm_and_si128(here, all));
    }
}
#else
typedef struct sixteen_columns {
    IDX column[16];
} sixteen_columns;

static ALWAYS_INLINE sixteen_columns sixteen_none(void)
{
    sixteen_columns none;
    for (int t = 0; t < 16; t++)
        none.column[t] = -1;
    return none;
}

static ALWAYS_INLINE unsigned sixteen_equal(const sixteen_columns *x, IDX j)
{
    unsigned equal = 0;
    for (unsigned t = 0; t < 16; t++)
        equal |= (unsigned)(x->column[t] == j) << t;
    return equal;
}

static ALWAYS_INLINE void sixteen_put(sixteen_columns *x, int t, IDX j)
{
    x->column[t] = j;
}
#endif

#if defined(__AVX2__) && defined(INDEX_IS_i32) && !defined(LEAVES_AVX512)
/* Through memory a register would wait for all of its parts to be stored. */
static ALWAYS_INLINE sixteen_columns sixteen_load(const IDX *columns, int64_t n)
{
    sixteen_columns x;
    for (int w = 0; w < 4; w++) {
        const __m128i some = _mm_cmpgt_epi32(_mm_set1_epi32((int)n - 4 * w),
                                             _mm_set_epi32(3, 2, 1, 0));
        x.four[w] =
            _mm_blendv_epi8(_mm_set1_epi32(-1),
                            _mm_maskload_epi32(columns + 4 * w, some), some);
    }
    return x;
}
#elif !defined(LEAVES_AVX512)
static ALWAYS_INLINE sixteen_columns sixteen_load(const IDX *columns, int64_t n)
{
    sixteen_columns x = sixteen_none();
    memcpy(&x, columns, (size_t)n * sizeof *columns);
    return x;
}
#endif

#endif
