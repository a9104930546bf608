/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys (row, column, order of arrival) of some rows of up to 64 products, sorted in
   AVX-512 registers. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_KEYS_AVX512_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_KEYS_AVX512_H

#include "kernels/row/row.h"
#include "kernels/simd/sort16.h"

/* A key is column << 6 | lane; those of one vector are row << 30 | column << 4 | lane,
   since rows of up to 16 products may be sorted as one. */
#define ESC_JOINED 16
_Static_assert(SHORT_PRODUCTS == 1 << 6 && SHORT_COLUMNS == 1 << (32 - 6) &&
                   SHORT_COLUMNS * ESC_JOINED * ESC_TOGETHER == (int64_t)1
                                                                    << 32,
               "a key must fit 32 bits");

static ALWAYS_INLINE int esc_lane_bits(int vectors)
{
    return vectors == 1 ? 4 : 6;
}

/* n = 0 to 64. */
static ALWAYS_INLINE uint64_t lanes_below(int64_t n)
{
    return _bzhi_u64(~(uint64_t)0, (uint64_t)n);
}

/* Columns of rows of so many products, below the numbers of their rows; the last has
   the lanes that are left. */
static ALWAYS_INLINE __m512i esc_number_rows(__m512i columns,
                                             const int64_t *products,
                                             int64_t rows)
{
    const __m512i one = _mm512_set1_epi32((int)SHORT_COLUMNS);
    unsigned later = 0xffff;
    for (int64_t t = 0; t + 1 < rows; t++) {
        later <<= products[t];
        columns =
            _mm512_mask_add_epi32(columns, (__mmask16)later, columns, one);
    }
    return columns;
}

/* Columns to keys; lanes not in use come last. */
static ALWAYS_INLINE void esc_number(__m512i *keys, int vectors, uint64_t used)
{
    const unsigned bits = (unsigned)esc_lane_bits(vectors);
    __m512i lane =
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int v = 0; v < vectors; v++) {
        keys[v] = _mm512_mask_or_epi32(_mm512_set1_epi32(-1),
                                       (__mmask16)(used >> 16 * v),
                                       _mm512_slli_epi32(keys[v], bits), lane);
        lane = _mm512_add_epi32(lane, _mm512_set1_epi32(16));
    }
}

/* Lanes of the sorted keys where another column begins. */
static ALWAYS_INLINE uint64_t esc_firsts(const __m512i *keys, int vectors)
{
    const __m512i next = _mm512_set1_epi32(1 << esc_lane_bits(vectors));
    uint64_t firsts = 0;
    __m512i before = _mm512_set1_epi32(-1);
    for (int v = 0; v < vectors; v++) {
        const __m512i previous = _mm512_alignr_epi32(keys[v], before, 15);
        const __mmask16 is_other =
            _mm512_cmpge_epu32_mask(_mm512_xor_si512(keys[v], previous), next);
        before = keys[v];
        firsts |= (uint64_t)is_other << 16 * v;
    }
    return firsts;
}

/* Rows whose keys are in order. */
typedef struct esc_sorted {
    __m512i *keys; /* [vectors] */
    int64_t rows;
    int64_t vectors;
    uint64_t used;
    uint64_t firsts; /* lanes where another column or row begins */
} esc_sorted;

/* Vectors of a batch: each group may leave lanes of its last one empty. */
#define ESC_VECTORS ((ESC_BATCH + SHORT_PRODUCTS) / 16 + ESC_ABREAST)
typedef struct esc_sorted_groups {
    __m512i keys[(ESC_VECTORS + 7) / 8 * 8]; /* they are sorted by eights */
    esc_sorted group[ESC_ABREAST];
} esc_sorted_groups;

/* The keys of a group of these columns, whole vectors of which are read. */
static ALWAYS_INLINE void esc_key_vectors(const int32_t *columns,
                                          const int64_t *products, int vectors,
                                          const esc_sorted *row)
{
    __m512i keys[4];
    for (int v = 0; v < vectors; v++)
        keys[v] = _mm512_loadu_si512(columns + 16 * v);
    if (vectors == 1)
        keys[0] = esc_number_rows(keys[0], products, row->rows);
    esc_number(keys, vectors, row->used);
    for (int v = 0; v < vectors; v++)
        row->keys[v] = keys[v];
}

static ALWAYS_INLINE void
esc_key(const int32_t *columns, const int64_t *products, const esc_sorted *row)
{
    switch (row->vectors) {
    case 1:
        esc_key_vectors(columns, products, 1, row);
        break;
    case 2:
        esc_key_vectors(columns, products, 2, row);
        break;
    case 3:
        esc_key_vectors(columns, products, 3, row);
        break;
    default:
        esc_key_vectors(columns, products, 4, row);
    }
}

/* Brings keys into order, of which each vector is. */
static ALWAYS_INLINE void esc_merge_vectors(int vectors, esc_sorted *row)
{
    __m512i keys[4];
    for (int v = 0; v < vectors; v++)
        keys[v] = row->keys[v];
    merge_keys(keys, vectors);
    row->firsts = esc_firsts(keys, vectors) & row->used;
    for (int v = 0; v < vectors; v++)
        row->keys[v] = keys[v];
}

static ALWAYS_INLINE void esc_merge(esc_sorted *row)
{
    switch (row->vectors) {
    case 1:
        esc_merge_vectors(1, row);
        break;
    case 2:
        esc_merge_vectors(2, row);
        break;
    case 3:
        esc_merge_vectors(3, row);
        break;
    default:
        esc_merge_vectors(4, row);
    }
}

/* Sorts groups of 1 to 64 products each, of these columns, each below
   SHORT_COLUMNS; whole vectors of them are read. */
static ALWAYS_INLINE void esc_sort(const int32_t *columns,
                                   const int64_t *products,
                                   const esc_group *groups, int64_t count,
                                   int32_t last, esc_sorted_groups *sorted)
{
    (void)last;
    int64_t vectors = 0;
    int64_t done = 0;
    for (int64_t g = 0; g < count; g++) {
        esc_sorted *row = &sorted->group[g];
        row->keys = sorted->keys + vectors;
        row->rows = groups[g].rows;
        row->vectors = (groups[g].products + 15) / 16;
        row->used = lanes_below(groups[g].products);
        esc_key(columns, products, row);
        vectors += row->vectors;
        columns += groups[g].products;
        products += groups[g].rows;
        for (; vectors - done >= 8; done += 8)
            sort16_eight(sorted->keys + done);
    }
    sort16_each(sorted->keys + done, vectors - done);
    for (int64_t g = 0; g < count; g++)
        esc_merge(&sorted->group[g]);
}

static ALWAYS_INLINE int64_t esc_sorted_nnz(const esc_sorted *row)
{
    return __builtin_popcountll(row->firsts);
}

static ALWAYS_INLINE __m512i esc_columns(__m512i keys, int vectors)
{
    const __m512i column =
        _mm512_srli_epi32(keys, (unsigned)esc_lane_bits(vectors));
    return vectors == 1 ? _mm512_and_si512(
                              column, _mm512_set1_epi32((int)SHORT_COLUMNS - 1))
                        : column;
}

#endif
