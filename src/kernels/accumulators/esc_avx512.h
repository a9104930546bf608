/* SPDX-License-Identifier: BSD-3-Clause */
/* The same as accumulators/esc.h for sums of products of doubles or floats, or for
   no values at all, in AVX-512: up to 64 keys (column, order of arrival)
   are sorted in registers, their terms brought into that order, and those of
   one column summed from left to right: first all seconds to the firsts, then
   all thirds, and so on. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_AVX512_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_AVX512_H

#include <stdbool.h>

#include "kernels/accumulators/esc_keys_avx512.h"
#include "kernels/row/row.h"
#include "kernels/simd/pack.h"
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
   their terms. Up to eight more are written: no branch asks for rows of B that are
   empty, which among short ones is foreseen badly. */
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
        const int64_t length = Bp[Aj[p] + 1] - q;
        int64_t u = 0;
        do {
            const __mmask8 some = (__mmask8)lanes_below(length - u);
            _mm256_storeu_si256((__m256i *)(void *)(columns + n + u),
                                load_columns(Bj + q + u, some));
            if (Ax)
                esc_store(terms + n + u, esc_multiply(Ax[p], Bx + q + u, some));
            u += 8;
        } while (u < length);
        n += length;
    }
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
