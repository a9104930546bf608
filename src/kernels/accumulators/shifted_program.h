/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that repeat the rows of the period before, further to the right:
   found, and written down as programs, which accumulators/shifted.h runs.

   On a regular grid, row i of A has the columns of row i - period, each plus a
   shift, and the rows of B that it touches repeat those that row touched: then
   so does the row of C, and where each product goes is the same. That is
   written down once for each row of a period, as tiles: of eight neighbouring
   entries of C, those that one row of B adds to. The next line of the grid
   begins with rows of that kind again, and is computed by the same programs. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_PROGRAM_H
#define SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_PROGRAM_H

#include <immintrin.h>
#include <string.h>

#include "common/checked.h"
#include "kernels/row/scratch.h"
#include "matrix/shift_pattern.h"

/* Fewer are not worth the program. */
#define LEAST_SHIFTED_PERIODS 4

/* The rows of B that a row of A takes. */
typedef struct shifted_row {
    const int32_t *Aj; /* [length] */
    int64_t length;
    const int64_t *Bp;
    const int32_t *Bj;
} shifted_row;

/* Whether row[0 .. length) is model[0 .. length), `further`. */
static inline bool repeat_is_further(const int32_t *row, const int32_t *model,
                                     int64_t length, int64_t further)
{
    const __m512i shift = _mm512_set1_epi32((int32_t)further);
    bool is_further = true;
    for (int64_t t = 0; is_further && t < length; t += 16) {
        const __mmask16 some =
            (__mmask16)(length - t >= 16 ? 0xffff : (1u << (length - t)) - 1);
        const __m512i expected =
            _mm512_add_epi32(_mm512_maskz_loadu_epi32(some, model + t), shift);
        is_further =
            _mm512_mask_cmpneq_epi32_mask(
                some, _mm512_maskz_loadu_epi32(some, row + t), expected) == 0;
    }
    return is_further;
}

/* next[i] = whether row i, not empty, has the columns of row i - period, each
   plus shift, for i in [begin, end). */
static inline void shifted_mark(const int64_t *rowptr, const int32_t *colidx,
                                int64_t begin, int64_t end, int64_t period,
                                int64_t shift, uint8_t *next)
{
    for (; begin < end && begin < period; begin++)
        next[begin] = false;
    for (int64_t i = begin; i < end; i++) {
        const int64_t length = rowptr[i + 1] - rowptr[i];
        const int64_t back = rowptr[i] - rowptr[i - period];
        const int32_t *row = colidx + rowptr[i];
        next[i] = length > 0 &&
                  rowptr[i - period + 1] - rowptr[i - period] == length &&
                  repeat_is_further(row, row - back, length, shift);
    }
}

/* A tile, and the eight columns of C's row that it adds to. */
typedef struct traced_tile {
    shifted_tile tile;
    int32_t eight;
} traced_tile;

/* Where the products of A's entry t go, of the row of C with columns Cj[0 ..
   nnz): appended to list[count ..]. Returns the new count; -1: they do not fit,
   or C is not in order. */
static inline int64_t repeat_trace(const shifted_row *r, int64_t t,
                                   const int32_t *Cj, int64_t nnz,
                                   traced_tile *list, int64_t count)
{
    const int64_t begin = r->Bp[r->Aj[t]];
    const int64_t end = r->Bp[r->Aj[t] + 1];
    int64_t place = 0;
    int32_t eight = -1;
    for (int64_t q = begin; q < end; q++) {
        while (place < nnz && Cj[place] < r->Bj[q])
            place++;
        if (place == nnz || Cj[place] != r->Bj[q])
            return -1;
        if (place / 8 != eight) {
            if (count == SHIFTED_TILES)
                return -1;
            eight = (int32_t)(place / 8);
            const shifted_tile tile = {.entry = (uint16_t)t,
                                       .first = (uint16_t)(q - begin)};
            list[count++] = (traced_tile){tile, eight};
        }
        shifted_tile *tile = &list[count - 1].tile;
        tile->lanes |= (uint8_t)(1u << (place & 7));
        tile->front = (uint8_t)(tile->front << 1 | 1);
    }
    return count;
}

/* Writes the program of a row down, as it was computed: C's is Cj[0 .. nnz).
   false: it is too long. */
static inline bool shifted_write(shifted_program *p, const shifted_row *r,
                                 const int32_t *Cj, int64_t nnz)
{
    traced_tile list[SHIFTED_TILES];
    int64_t count = 0;
    if (nnz > SHIFTED_NNZ || r->length > SHIFTED_TILES)
        return false;
    for (int64_t t = 0; t < r->length; t++) {
        count = repeat_trace(r, t, Cj, nnz, list, count);
        if (count < 0)
            return false;
    }
    p->length = r->length;
    p->nnz = nnz;
    p->eights = (int32_t)((nnz + 7) / 8);
    /* By eights of columns, in A's order within each. */
    int32_t at[SHIFTED_NNZ / 8 + 1] = {0};
    for (int64_t e = 0; e < count; e++)
        at[list[e].eight + 1]++;
    for (int32_t o = 0; o < p->eights; o++) {
        at[o + 1] += at[o];
        p->begin[o] = at[o];
    }
    p->begin[p->eights] = (int32_t)count;
    for (int64_t e = 0; e < count; e++)
        p->tiles[at[list[e].eight]++] = list[e].tile;
    memcpy(p->columns, Cj, (size_t)nnz * sizeof *Cj);
    return true;
}

/* Whether the rows of B that a row takes are those that `model` took, which a
   program was written of, each *further: then it does for this row, too. */
static inline bool shifted_fits(const shifted_row *r, const shifted_row *model,
                                int64_t *further)
{
    bool is_known = false;
    if (r->length != model->length)
        return false;
    for (int64_t t = 0; t < r->length; t++) {
        const int32_t *row = r->Bj + r->Bp[r->Aj[t]];
        const int32_t *old = r->Bj + r->Bp[model->Aj[t]];
        const int64_t length = r->Bp[r->Aj[t] + 1] - r->Bp[r->Aj[t]];
        if (r->Bp[model->Aj[t] + 1] - r->Bp[model->Aj[t]] != length)
            return false;
        if (length == 0)
            continue;
        if (!is_known)
            *further = (int64_t)row[0] - old[0];
        is_known = true;
        if (!repeat_is_further(row, old, length, *further))
            return false;
    }
    return is_known;
}

/* The rows of B that a row takes; a_shift further (0: none) are those that the
   next repetition takes. Bx is NULL: values are not read. */
static inline void shifted_bind(shifted_source *sources, const shifted_row *r,
                                const char *Bx, int64_t value_size,
                                int64_t a_shift)
{
    for (int64_t t = 0; Bx && t < r->length; t++) {
        const int64_t *begin = &r->Bp[r->Aj[t]];
        sources[t].at = Bx + begin[0] * value_size;
        sources[t].stride = (begin[a_shift] - begin[0]) * value_size;
    }
}

/* Columns of one more row of a program: sixteen at a time, the last whole. */
static inline void shifted_columns(const shifted_program *p, int64_t further,
                                   int32_t *Cj)
{
    const __m512i right = _mm512_set1_epi32((int32_t)further);
    for (int64_t c = 0; c < p->nnz; c += 16)
        _mm512_storeu_si512(
            Cj + c,
            _mm512_add_epi32(_mm512_loadu_si512(p->columns + c), right));
}

/* How many of flags[0 .. most) are 1, from the first on. */
static inline int64_t shifted_ones(const uint8_t *flags, int64_t most)
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
static inline int64_t shifted_times(const uint8_t *next, int64_t k, int64_t run,
                                    int64_t shift, int64_t most)
{
    const int64_t ones =
        shifted_ones(next + k + shift, (most - 1) * shift + run);
    return ones < run ? 0 : (ones - run) / shift + 1;
}

#endif
