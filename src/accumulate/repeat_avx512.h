/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that repeat the row before, one column further to the right.

   On a regular grid, row i of A has the columns of row i - 1, each plus 1, and
   so have the rows of B that it touches: then the row of C has the columns of
   the row before plus 1, and where each product goes is the same. That is
   written down once, as tiles: of eight neighbouring entries of C, those that
   one row of B adds to. Nothing is looked up any more: a tile is a load,
   spread to its lanes, a multiplication and an addition in a register. */
#ifndef SPGEMM_ACCUMULATE_REPEAT_AVX512_H
#define SPGEMM_ACCUMULATE_REPEAT_AVX512_H

#include <immintrin.h>

#include "accumulate/scratch.h"
#include "common/checked.h"

/* Fewer are not worth the program. */
#define LEAST_REPEATS 4

/* The row in hand. */
typedef struct repeat_row {
    const int32_t *Aj; /* [length] */
    int64_t length;
    const int64_t *Bp;
    const int32_t *Bj;
    const int32_t *Cj; /* [nnz], as the row was computed */
    int64_t nnz;
} repeat_row;

/* next[i] = whether row i, not empty, has the columns of row i - 1, each plus
   1, for i in [begin, end). */
static inline void repeat_mark(const int64_t *rowptr,
                               const int32_t *colidx,
                               int64_t begin,
                               int64_t end,
                               uint8_t *next)
{
    const __m512i one = _mm512_set1_epi32(1);
    if (begin == 0 && end > 0)
        next[begin++] = false;
    for (int64_t i = begin; i < end; i++) {
        const int64_t length = rowptr[i + 1] - rowptr[i];
        bool is_next = length > 0 && rowptr[i] - rowptr[i - 1] == length;
        for (int64_t t = 0; is_next && t < length; t += 16) {
            const __mmask16 some =
                (__mmask16)(length - t >= 16 ? 0xffff
                                             : (1u << (length - t)) - 1);
            const int32_t *row = colidx + rowptr[i] + t;
            const __m512i expected = _mm512_add_epi32(
                _mm512_maskz_loadu_epi32(some, row - length), one);
            is_next =
                _mm512_mask_cmpneq_epi32_mask(
                    some, _mm512_maskz_loadu_epi32(some, row), expected) == 0;
        }
        next[i] = is_next;
    }
}

/* Where the products of A's entry t go: appended to list[count ..] as (octet of
   C, lanes, first entry of the row of B). Returns the new count; -1: they do
   not fit, or C is not in order. */
static inline int64_t
repeat_trace(const repeat_row *r, int64_t t, repeat_tile *list, int64_t count)
{
    const int64_t begin = r->Bp[r->Aj[t]];
    const int64_t end = r->Bp[r->Aj[t] + 1];
    int64_t place = 0;
    int32_t octet = -1;
    for (int64_t q = begin; q < end; q++) {
        while (place < r->nnz && r->Cj[place] < r->Bj[q])
            place++;
        if (place == r->nnz || r->Cj[place] != r->Bj[q])
            return -1;
        if (place / 8 != octet) {
            if (count == REPEAT_TILES)
                return -1;
            octet = (int32_t)(place / 8);
            list[count++] = (repeat_tile){
                .octet = octet, .entry = (int32_t)t, .offset = q - begin};
        }
        list[count - 1].lanes |= (uint8_t)(1u << (place & 7));
    }
    return count;
}

/* Writes the program of a row down. false: it is too long. */
static inline bool repeat_write(repeat_program *p, const repeat_row *r)
{
    repeat_tile list[REPEAT_TILES];
    int64_t count = 0;
    if (r->nnz > REPEAT_NNZ)
        return false;
    for (int64_t t = 0; t < r->length; t++) {
        count = repeat_trace(r, t, list, count);
        if (count < 0)
            return false;
    }
    /* By octets, in A's order within each. */
    p->octets = (int32_t)((r->nnz + 7) / 8);
    int32_t at[REPEAT_NNZ / 8 + 1] = {0};
    for (int64_t e = 0; e < count; e++)
        at[list[e].octet + 1]++;
    for (int32_t o = 0; o < p->octets; o++) {
        at[o + 1] += at[o];
        p->begin[o] = at[o];
    }
    p->begin[p->octets] = (int32_t)count;
    for (int64_t e = 0; e < count; e++)
        p->tiles[at[list[e].octet]++] = list[e];
    return true;
}

/* How many of flags[0 .. most) are 1, from the first on. */
static inline int64_t repeat_ones(const uint8_t *flags, int64_t most)
{
    int64_t n = 0;
    while (n + 8 <= most && load_eight(flags + n) == 0x0101010101010101u)
        n += 8;
    while (n < most && flags[n])
        n++;
    return n;
}

/* `rows` more rows; Ax, and q of each entry of A, are those of the first. */
static inline void repeat_run(repeat_program *p,
                              const repeat_row *r,
                              int64_t rows,
                              const double *Ax,
                              const double *Bx,
                              int32_t *Cj,
                              double *Cx)
{
    for (int32_t e = 0; e < p->begin[p->octets]; e++) {
        repeat_tile *tile = &p->tiles[e];
        const int64_t k = r->Aj[tile->entry];
        tile->stride = r->Bp[k + 1] - r->Bp[k];
        tile->at = Bx + r->Bp[k] + tile->stride + tile->offset;
    }
    for (int64_t row = 0; row < rows; row++) {
        int32_t e = 0;
        for (int32_t o = 0; o < p->octets; o++) {
            __m512d sum = _mm512_setzero_pd();
            for (; e < p->begin[o + 1]; e++) {
                repeat_tile *tile = &p->tiles[e];
                const __m512d b =
                    _mm512_maskz_expandloadu_pd(tile->lanes, tile->at);
                tile->at += tile->stride;
                sum = _mm512_mask_add_pd(
                    sum, tile->lanes, sum,
                    _mm512_mul_pd(_mm512_set1_pd(Ax[tile->entry]), b));
            }
            _mm512_storeu_pd(Cx + 8 * o, sum);
        }
        const __m512i further = _mm512_set1_epi32((int)row + 1);
        for (int64_t c = 0; c < r->nnz; c += 16)
            _mm512_storeu_si512(
                Cj + c,
                _mm512_add_epi32(_mm512_loadu_si512(p->columns + c), further));
        Ax += r->length;
        Cj += r->nnz;
        Cx += r->nnz;
    }
}

#endif
