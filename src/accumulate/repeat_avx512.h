/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that repeat the rows of the period before, further to the right:
   found, and written down as programs, which repeat.tmpl.h runs.

   On a regular grid, row i of A has the columns of row i - period, each plus a
   shift, and the rows of B that it touches repeat those that row touched: then
   so does the row of C, and where each product goes is the same. That is
   written down once for each row of a period, as tiles: of eight neighbouring
   entries of C, those that one row of B adds to. */
#ifndef SPGEMM_ACCUMULATE_REPEAT_AVX512_H
#define SPGEMM_ACCUMULATE_REPEAT_AVX512_H

#include <immintrin.h>
#include <string.h>

#include "accumulate/scratch.h"
#include "common/checked.h"
#include "matrix/repetition.h"

/* Fewer are not worth the program. */
#define LEAST_REPEATS 4

/* The row in hand. */
typedef struct repeat_row {
    const int32_t *Aj; /* [length] */
    int64_t length;
    const int64_t *Bp;
    const int32_t *Bj;
    const char *Bx; /* NULL: its values are not read */
    int64_t value_size;
    int64_t a_shift;
    const int32_t *Cj; /* [nnz], as the row was computed */
    int64_t nnz;
} repeat_row;

/* next[i] = whether row i, not empty, has the columns of row i - period, each
   plus shift, for i in [begin, end). */
static inline void repeat_mark(const int64_t *rowptr,
                               const int32_t *colidx,
                               int64_t begin,
                               int64_t end,
                               int64_t period,
                               int64_t shift,
                               uint8_t *next)
{
    const __m512i further = _mm512_set1_epi32((int32_t)shift);
    for (; begin < end && begin < period; begin++)
        next[begin] = false;
    for (int64_t i = begin; i < end; i++) {
        const int64_t length = rowptr[i + 1] - rowptr[i];
        const int64_t back = rowptr[i] - rowptr[i - period];
        bool is_next =
            length > 0 && rowptr[i - period + 1] - rowptr[i - period] == length;
        for (int64_t t = 0; is_next && t < length; t += 16) {
            const __mmask16 some =
                (__mmask16)(length - t >= 16 ? 0xffff
                                             : (1u << (length - t)) - 1);
            const int32_t *row = colidx + rowptr[i] + t;
            const __m512i expected = _mm512_add_epi32(
                _mm512_maskz_loadu_epi32(some, row - back), further);
            is_next =
                _mm512_mask_cmpneq_epi32_mask(
                    some, _mm512_maskz_loadu_epi32(some, row), expected) == 0;
        }
        next[i] = is_next;
    }
}

/* A tile, and the octet of C's row that it adds to. */
typedef struct traced_tile {
    repeat_tile tile;
    int32_t octet;
} traced_tile;

/* Where the products of A's entry t go: appended to list[count ..]. Returns the
   new count; -1: they do not fit, or C is not in order. */
static inline int64_t
repeat_trace(const repeat_row *r, int64_t t, traced_tile *list, int64_t count)
{
    const int64_t begin = r->Bp[r->Aj[t]];
    const int64_t end = r->Bp[r->Aj[t] + 1];
    const int64_t stride = r->Bp[r->Aj[t] + r->a_shift] - begin;
    int64_t place = 0;
    int64_t first = 0;
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
            first = q;
            const repeat_tile tile = {
                .at = r->Bx ? r->Bx + (q + stride) * r->value_size : NULL,
                .stride = stride * r->value_size,
                .entry = (int32_t)t};
            list[count++] = (traced_tile){tile, octet};
        }
        repeat_tile *tile = &list[count - 1].tile;
        const int64_t taken = q - first;
        tile->places |= (uint64_t)taken << 8 * (place & 7);
        tile->lanes |= (uint8_t)(1u << (place & 7));
        tile->front |= (uint8_t)(1u << taken);
    }
    return count;
}

/* Writes the program of a row down. false: it is too long. */
static inline bool repeat_write(repeat_program *p, const repeat_row *r)
{
    traced_tile list[REPEAT_TILES];
    int64_t count = 0;
    if (r->nnz > REPEAT_NNZ)
        return false;
    for (int64_t t = 0; t < r->length; t++) {
        count = repeat_trace(r, t, list, count);
        if (count < 0)
            return false;
    }
    p->length = r->length;
    p->nnz = r->nnz;
    p->octets = (int32_t)((r->nnz + 7) / 8);
    /* By octets, in A's order within each. */
    int32_t at[REPEAT_NNZ / 8 + 1] = {0};
    for (int64_t e = 0; e < count; e++)
        at[list[e].octet + 1]++;
    for (int32_t o = 0; o < p->octets; o++) {
        at[o + 1] += at[o];
        p->begin[o] = at[o];
    }
    p->begin[p->octets] = (int32_t)count;
    for (int64_t e = 0; e < count; e++)
        p->tiles[at[list[e].octet]++] = list[e].tile;
    memcpy(p->columns, r->Cj, (size_t)r->nnz * sizeof *r->Cj);
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

/* How often rows k .. k + run - 1 of B are repeated, each time `shift` rows
   further; `most` times are looked at. Rows between them must repeat too: then
   they lie as many entries further each time. */
static inline int64_t repeat_times(
    const uint8_t *next, int64_t k, int64_t run, int64_t shift, int64_t most)
{
    const int64_t ones =
        repeat_ones(next + k + shift, (most - 1) * shift + run);
    return ones < run ? 0 : (ones - run) / shift + 1;
}

#endif
