/* SPDX-License-Identifier: BSD-3-Clause */
/* Where sixteen columns are in a list, in AVX-512: (7, 2, 9, 5, ...) in (2, 5, 6) are
   at (-, 0, -, 1, ...), of which 0 and 1 are stored side by side.

   Each column of a list of up to sixteen is compared with the whole vector: three
   instructions for each of the list, where a column alone takes eight to be compared
   with the list and kept. */
#ifndef SPGEMM_KERNELS_SIMD_SIXTEEN_PLACES_H
#define SPGEMM_KERNELS_SIMD_SIXTEEN_PLACES_H

#include "kernels/simd/zeros_avx512.h"

#define PLACES_AT_ONCE 16

/* Columns of a list between two looks at how many there are. */
#define LISTED_AT_ONCE 2

typedef struct listed_columns {
    IDX columns[16] __attribute__((aligned(64))); /* behind the last none */
    int count;                                    /* a multiple of the above */
} listed_columns;

/* A place of each of sixteen columns; below 0: none. */
typedef __m512i sixteen_places;

static ALWAYS_INLINE __m512i no_places(void)
{
    return _mm512_set1_epi32(-1);
}

/* The first n of so many columns or more, sixteen at most, and others that are none. */
static ALWAYS_INLINE __m512i first_columns(const IDX *columns, int64_t n,
                                           int none)
{
    const __mmask16 first =
        (__mmask16)((1u << (n < PLACES_AT_ONCE ? n : PLACES_AT_ONCE)) - 1);
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32(none), first, columns);
}

/* n <= 16. */
static ALWAYS_INLINE void listed_load(listed_columns *list, const IDX *columns,
                                      int64_t n)
{
    _mm512_store_si512(list->columns, first_columns(columns, n, -2));
    list->count = (int)(n + LISTED_AT_ONCE - 1) & -LISTED_AT_ONCE;
}

/* columns: of first_columns(), none -1. */
static ALWAYS_INLINE sixteen_places places_in_list(const listed_columns *list,
                                                   __m512i columns)
{
    sixteen_places at = no_places();
    for (int t = 0; t < list->count; t += LISTED_AT_ONCE)
        for (int u = t; u < t + LISTED_AT_ONCE; u++) {
            const __m512i wanted = _mm512_set1_epi32(list->columns[u]);
            at = _mm512_mask_set1_epi32(
                at, _mm512_cmpeq_epi32_mask(columns, wanted), u);
        }
    return at;
}

/* of_column: places of the columns first + x, x < width. */
static ALWAYS_INLINE sixteen_places places_in_window(const int32_t *of_column,
                                                     int64_t first,
                                                     uint64_t width,
                                                     __m512i columns)
{
    const __m512i x = _mm512_sub_epi32(columns, _mm512_set1_epi32((int)first));
    const __mmask16 within =
        _mm512_cmplt_epu32_mask(x, _mm512_set1_epi32((int)width));
    return within == 0 ? no_places()
                       : _mm512_mask_i32gather_epi32(no_places(), within, x,
                                                     of_column, 4);
}

static ALWAYS_INLINE __mmask16 places_there(sixteen_places at)
{
    return (__mmask16)~_mm512_movepi32_mask(at);
}

static ALWAYS_INLINE int64_t places_count(sixteen_places at)
{
    return __builtin_popcount(places_there(at));
}

/* base + those that are there; sixteen are written, as by all that follow. */
static ALWAYS_INLINE void places_store(sixteen_places at, IDX base, IDX *to)
{
    const __m512i sums = _mm512_add_epi32(at, _mm512_set1_epi32(base));
    _mm512_storeu_si512(
        to, _mm512_mask_compress_epi32(zeros_512(), places_there(at), sums));
}

/* q + which of the sixteen have a place. */
static ALWAYS_INLINE void places_store_entries(sixteen_places at, int64_t q,
                                               int64_t *to)
{
    const __m512i all =
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i these =
        _mm512_mask_compress_epi32(zeros_512(), places_there(at), all);
    const __m512i first = _mm512_set1_epi64(q);
    const __m256i low = _mm512_castsi512_si256(these);
    const __m256i high = _mm512_extracti64x4_epi64(these, 1);
    _mm512_storeu_si512(to,
                        _mm512_add_epi64(first, _mm512_cvtepi32_epi64(low)));
    _mm512_storeu_si512(to + 8,
                        _mm512_add_epi64(first, _mm512_cvtepi32_epi64(high)));
}

static ALWAYS_INLINE void places_store_same(IDX column, IDX *to)
{
    _mm512_storeu_si512(to, _mm512_set1_epi32(column));
}

#endif
