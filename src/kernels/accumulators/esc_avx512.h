/* SPDX-License-Identifier: BSD-3-Clause */
/* The same as accumulators/esc.h for sums of products of doubles or floats, or for
   no values at all, in AVX-512: up to 64 keys (column, order of arrival)
   are sorted in registers, their terms brought into that order, and those of
   one column summed from left to right: first all seconds to the firsts, then
   all thirds, and so on. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_AVX512_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_AVX512_H

#include <stdbool.h>

#include "kernels/row/row.h"
#include "kernels/simd/pack.h"
#include "kernels/simd/sort16.h"
#include "kernels/simd/zeros_avx512.h"

/* All short rows are sorted here. */
#define ESC_SURE    SHORT_PRODUCTS
#define ESC_COLUMNS SHORT_COLUMNS

/* Terms of a register; rows without values have none. */
#if defined(VALUE_IS_f32)
#define ESC_OP(op)    _mm512_##op##_ps
#define ESC_EIGHT(op) _mm256_##op##_ps
#define ESC_ZEROS     zeros_256
enum { ESC_WIDTH = 16 };
typedef float esc_value;
typedef __m512 esc_terms;
typedef __m256 esc_eight;
typedef __mmask16 esc_mask;
#else
#define ESC_OP(op)    _mm512_##op##_pd
#define ESC_EIGHT(op) _mm512_##op##_pd
#define ESC_ZEROS     zeros_512
enum { ESC_WIDTH = 8 };
typedef double esc_value;
typedef __m512d esc_terms;
typedef __m512d esc_eight;
typedef __mmask8 esc_mask;
#endif

/* Registers for as many terms as a vector has keys. */
enum { ESC_PARTS = 16 / ESC_WIDTH };

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

static ALWAYS_INLINE uint64_t lanes_below(int64_t n)
{
    return ~(uint64_t)0 >> (64 - n);
}

static ALWAYS_INLINE void esc_store(esc_value *to, esc_eight x)
{
    ESC_EIGHT(storeu)(to, x);
}

/* a times some of eight values. */
static ALWAYS_INLINE esc_eight esc_multiply(esc_value a, const esc_value *b,
                                            __mmask8 some)
{
    return ESC_EIGHT(mul)(ESC_EIGHT(set1)(a), ESC_EIGHT(maskz_loadu)(some, b));
}

/* The columns of all products of A's entries [begin, end), side by side, and
   their terms. Up to seven more are written. */
static ALWAYS_INLINE void esc_gather(spgemm_semiring sr, const operands *ops,
                                     int64_t begin, int64_t end,
                                     bool is_numeric, int32_t *columns,
                                     VAL *values)
{
    esc_value *terms = (void *)values;
    const IDX *Aj = ops->A->colidx;
    const esc_value *Ax = HAS_VALUES && is_numeric ? ops->A->values : NULL;
    const int64_t *Bp = ops->B->rowptr;
    const IDX *Bj = ops->B->colidx;
    const esc_value *Bx = ops->B->values;
    int64_t n = 0;
    (void)sr;
    for (int64_t p = begin; p < end; p++) {
        const int64_t q = Bp[Aj[p]];
        const int64_t b_end = Bp[Aj[p] + 1];
        for (int64_t u = q; u < b_end; u += 8) {
            const __mmask8 some = (__mmask8)lanes_below(min_i64(b_end - u, 8));
            _mm256_storeu_si256((__m256i *)(void *)(columns + n + (u - q)),
                                load_columns(Bj + u, some));
            if (Ax)
                esc_store(terms + n + (u - q),
                          esc_multiply(Ax[p], Bx + u, some));
        }
        n += b_end - q;
    }
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

/* terms[key & 63] of the keys of part `part`, from 16 * vectors terms. */
#if defined(VALUE_IS_f32)
static ALWAYS_INLINE __m512 esc_pick(const __m512 *terms, int vectors,
                                     __m512i keys, int part)
{
    (void)part;
    const __m512 low =
        _mm512_permutex2var_ps(terms[0], keys, terms[vectors > 1 ? 1 : 0]);
    if (vectors < 3)
        return low;
    const __mmask16 is_high =
        _mm512_test_epi32_mask(keys, _mm512_set1_epi32(32));
    return _mm512_mask_mov_ps(
        low, is_high,
        _mm512_permutex2var_ps(terms[2], keys, terms[vectors - 1]));
}
#else
static ALWAYS_INLINE __m512d esc_pick(const __m512d *terms, int vectors,
                                      __m512i keys, int part)
{
    const __m512i which =
        _mm512_cvtepu32_epi64(part ? _mm512_extracti64x4_epi64(keys, 1)
                                   : _mm512_castsi512_si256(keys));
    __m512d picked = _mm512_permutex2var_pd(terms[0], which, terms[1]);
    for (int v = 1; v < vectors; v++) {
        const __mmask8 here = _mm512_cmpeq_epi64_mask(
            _mm512_and_si512(which, _mm512_set1_epi64(48)),
            _mm512_set1_epi64(16 * v));
        picked = _mm512_mask_mov_pd(
            picked, here,
            _mm512_permutex2var_pd(terms[2 * v], which, terms[2 * v + 1]));
    }
    return picked;
}
#endif

/* The terms in the order of the keys, each begun at +0. */
static ALWAYS_INLINE void esc_order(const __m512i *keys, int vectors,
                                    const esc_terms *terms, esc_terms *sums)
{
    for (int w = 0; w < ESC_PARTS * vectors; w++)
        sums[w] = ESC_OP(add)(
            ESC_OP(setzero)(),
            esc_pick(terms, vectors, keys[w / ESC_PARTS], w % ESC_PARTS));
}

/* x without its first lane, and behind it the first of `next`. */
static ALWAYS_INLINE esc_terms esc_shift(esc_terms x, esc_terms next)
{
#if defined(VALUE_IS_f32)
    return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(next),
                                                   _mm512_castps_si512(x), 1));
#else
    return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(next),
                                                   _mm512_castpd_si512(x), 1));
#endif
}

/* Adds to each first the others of its column, which lie behind it. */
static ALWAYS_INLINE void esc_sum(esc_terms *sums, int vectors, uint64_t firsts,
                                  uint64_t used)
{
    const int count = ESC_PARTS * vectors;
    esc_terms behind[4 * ESC_PARTS];
    for (int w = 0; w < count; w++)
        behind[w] = sums[w];
    uint64_t others = (used & ~firsts) >> 1;
    for (uint64_t adding = firsts & others; adding != 0;
         others >>= 1, adding &= others) {
        for (int w = 0; w < count; w++) {
            behind[w] =
                esc_shift(behind[w], w + 1 < count ? behind[w + 1] : behind[w]);
            sums[w] =
                ESC_OP(mask_add)(sums[w], (esc_mask)(adding >> ESC_WIDTH * w),
                                 sums[w], behind[w]);
        }
    }
}

/* Eight sums: those of keys 8 * w on. */
static ALWAYS_INLINE esc_eight esc_eight_of(const esc_terms *sums, int w)
{
#if defined(VALUE_IS_f32)
    return w % 2 ? _mm512_extractf32x8_ps(sums[w / 2], 1)
                 : _mm512_castps512_ps256(sums[w / 2]);
#else
    return sums[w];
#endif
}

/* The values that `taken` names, side by side. */
static ALWAYS_INLINE void esc_pack(esc_eight values, unsigned taken,
                                   bool is_roomy, esc_value *Cx)
{
    const __mmask8 front = (__mmask8)((1u << __builtin_popcount(taken)) - 1);
    values = ESC_EIGHT(mask_compress)((esc_eight)ESC_ZEROS(), (__mmask8)taken,
                                      values);
    if (is_roomy)
        esc_store(Cx, values);
    else
        ESC_EIGHT(mask_storeu)(Cx, front, values);
}

/* Rows whose keys are in order. */
typedef struct esc_sorted {
    __m512i keys[4];
    int64_t rows;
    int64_t vectors;
    uint64_t used;
    uint64_t firsts; /* lanes where another column or row begins */
} esc_sorted;

static ALWAYS_INLINE void esc_sort_vectors(const int32_t *columns,
                                           const int64_t *products, int vectors,
                                           esc_sorted *row)
{
    __m512i keys[4];
    for (int v = 0; v < vectors; v++)
        keys[v] = _mm512_loadu_si512(columns + 16 * v);
    if (vectors == 1)
        keys[0] = esc_number_rows(keys[0], products, row->rows);
    esc_number(keys, vectors, row->used);
    sort_keys(keys, vectors);
    row->firsts = esc_firsts(keys, vectors) & row->used;
    for (int v = 0; v < vectors; v++)
        row->keys[v] = keys[v];
}

/* Sorts rows of 1 to 64 products together, of these columns, each below
   SHORT_COLUMNS; whole vectors of them are read. */
static ALWAYS_INLINE void esc_sort(const int32_t *columns,
                                   const int64_t *products,
                                   const esc_group *group, esc_sorted *row)
{
    row->rows = group->rows;
    row->vectors = (group->products + 15) / 16;
    row->used = lanes_below(group->products);
    switch (row->vectors) {
    case 1:
        esc_sort_vectors(columns, products, 1, row);
        break;
    case 2:
        esc_sort_vectors(columns, products, 2, row);
        break;
    case 3:
        esc_sort_vectors(columns, products, 3, row);
        break;
    default:
        esc_sort_vectors(columns, products, 4, row);
    }
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

static ALWAYS_INLINE int64_t esc_write_vectors(const esc_sorted *row,
                                               const esc_value *unsorted,
                                               int vectors, int64_t room,
                                               IDX *Cj, esc_value *Cx)
{
    __m512i keys[4];
    esc_terms terms[4 * ESC_PARTS];
    esc_terms sums[4 * ESC_PARTS];
    for (int v = 0; v < vectors; v++)
        keys[v] = row->keys[v];
    if (unsorted) {
        for (int w = 0; w < ESC_PARTS * vectors; w++)
            terms[w] = ESC_OP(loadu)(unsorted + ESC_WIDTH * w);
        esc_order(keys, vectors, terms, sums);
        esc_sum(sums, vectors, row->firsts, row->used);
    }
    int64_t n = 0;
    for (int w = 0; w < 2 * vectors; w++) {
        const __m512i column = esc_columns(keys[w / 2], vectors);
        const __m256i columns = w % 2 ? _mm512_extracti64x4_epi64(column, 1)
                                      : _mm512_castsi512_si256(column);
        const unsigned taken = row->firsts >> 8 * w & 0xff;
        const bool is_roomy = LIKELY(room - n >= 8);
        pack_columns(columns, taken, is_roomy, Cj + n);
        if (unsorted)
            esc_pack(esc_eight_of(sums, w), taken, is_roomy, Cx + n);
        n += __builtin_popcount(taken);
    }
    return n;
}

/* The entries of sorted rows, of these terms in the order of arrival (NULL: they
   have no values), whole vectors of which are read, and the nnz of each. Returns
   the sum; up to `room` places may be written. */
static ALWAYS_INLINE int64_t esc_write(spgemm_semiring sr,
                                       const esc_sorted *row,
                                       const int64_t *products,
                                       const VAL *values, int64_t room, IDX *Cj,
                                       VAL *C_values, int64_t *nnz)
{
    const esc_value *terms = (const void *)values;
    esc_value *Cx = (void *)C_values;
    (void)sr;
    esc_count_rows(row->firsts, products, row->rows, nnz);
    switch (row->vectors) {
    case 1:
        return esc_write_vectors(row, terms, 1, room, Cj, Cx);
    case 2:
        return esc_write_vectors(row, terms, 2, room, Cj, Cx);
    case 3:
        return esc_write_vectors(row, terms, 3, room, Cj, Cx);
    default:
        return esc_write_vectors(row, terms, 4, room, Cj, Cx);
    }
}

#endif
