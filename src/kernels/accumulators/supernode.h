/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i .. i + rows, first + x) = sums[row][x], where bit x of lines is set: rows
   of A with the same columns, one at least, taken together; B as bitmap rows, or as
   alike.h has it.

   The unknowns of one node of a mesh have the same neighbours: their rows of C
   have one pattern, found once, and use the same rows of B, read once. B's
   rows of one node have one pattern too: they are added as a tile. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_SUPERNODE_H
#define SPGEMM_KERNELS_ACCUMULATORS_SUPERNODE_H

#include "kernels/accumulators/alike.h"
#include "kernels/accumulators/supernode_tile.h"
#include "kernels/row/room.h"
#include "kernels/row/take.h"

/* Whether to ask for rows of B early: not for a row or two of C alone, which meet what
   the rows before them have just met, nor of a B that stays near. Measured, one thread
   of a Zen 5, time without over time with, AVX-512, AVX2 and portable: rma10-like 1.30,
   1.18, 1.08; conf5_4-8x8-05 1.22, 1.23, 1.08; shipsec1-like 1.20, 1.12, 1.02; but of
   rows alone bcsstk29 0.98, 0.93, 0.93; cant-like 0.99, 0.86, 0.83; of a B of 3 MB
   teko-modified 1.01, 0.97, 0.97. */
#define TILE_ROWS  3
#define FAR_VALUES ((int64_t)1 << 19)

/* Rows of B are asked for this many entries of A ahead. */
#define TILE_AHEAD 12

static ALWAYS_INLINE bool prefetches_tiles(const operands *ops, int rows)
{
#if defined(LEAVES_AVX512) || defined(LEAVES_AVX2)
    return rows >= TILE_ROWS && ops->B->nnz >= FAR_VALUES &&
           reads_b(semiring_of(ops));
#else
    (void)ops;
    (void)rows;
    return false;
#endif
}

/* Asks for what a later tile like this one, of `terms` entries of A from p on, reads of
   B: all its values, which follow one another, TILE_AHEAD entries on, in the next block
   of rows where this one ends; and the ends of the rows, where it is as far in the next
   block, whose extent is looked for first. Every second line of the values only: 0.96 of
   the speed; the first two lines of each of three rows: 0.89. */
static ALWAYS_INLINE void prefetch_tile(const c_row *r, const operands *ops,
                                        int rows, int64_t p, int terms)
{
    const IDX *Aj = ops->A->colidx;
    const int64_t last = ops->A->nnz - 1 - (r->Aj - Aj);
    const int64_t to_next = (rows - 1) * r->length;
    const int64_t ahead =
        p + TILE_AHEAD + (p + TILE_AHEAD < r->length ? 0 : to_next);
    const int64_t k = r->Aj[min_i64(ahead, last)];
    const VAL *end = r->Bx + r->Bp[min_i64(k + terms, ops->B->nrows)];
    for (const VAL *x = r->Bx + r->Bp[k]; x < end; x += 64 / sizeof(VAL))
        PREFETCH(x);
    const int64_t next = r->Aj[min_i64(p + r->length + to_next, last)];
    PREFETCH(r->Bj + r->Bp[next]);
    PREFETCH(r->Bj + max_i64(r->Bp[next + 1] - 1, 0));
}

/* Sums all products of `rows` rows that have the columns of the first, r. */
static ALWAYS_INLINE void supernode_sum(const c_row *r, const operands *ops,
                                        int rows, bool marks, scratch *s)
{
    if (!ops->b_bitmaps) {
        alike_sum(r, rows, marks, s);
        return;
    }
    const spgemm_semiring sr = semiring_of_row(r);
    const bool prefetches = prefetches_tiles(ops, rows);
    for (int64_t p = 0; p < r->length;) {
        const int64_t first = r->Aj[p];
        int terms = 1;
        while (terms < MOST_TERMS && p + terms < r->length &&
               ops->b_same_as_previous &&
               r->Aj[p + terms] == (IDX)(first + terms) &&
               ops->b_same_as_previous[first + terms])
            terms++;
        if (prefetches)
            prefetch_tile(r, ops, rows, p, terms);
        const bitmap_row *o = &ops->b_bitmaps->row[first];
        /* Not all of it: zeroing would cost as much as the rest. */
        supernode_tile t;
        t.place = ops->b_bitmaps->place + o->begin;
        t.taken = ops->b_bitmaps->taken + o->begin;
        t.count = o->count;
        t.marks = marks;
        for (int c = 0; c < terms; c++)
            t.Bx[c] = reads_b(sr) ? r->Bx + r->Bp[first + c] : NULL;
        for (int row = 0; row < rows; row++)
            for (int c = 0; c < terms; c++)
                t.a[row][c] = value_a(sr, r->Ax, row * r->length + p + c);
        supernode_tile_dispatch(&t, sr, rows, terms, s, r->first);
        p += terms;
    }
}

/* The pattern alone, of the first row. B's rows of one pattern count once. */
static inline void supernode_mark(const c_row *r, const operands *ops,
                                  scratch *s)
{
    if (!ops->b_bitmaps) {
        alike_mark_all(r, s);
        return;
    }
    const uint32_t *restrict place = ops->b_bitmaps->place;
    const uint8_t *restrict taken = ops->b_bitmaps->taken;
    const uint8_t *restrict same = ops->b_same_as_previous;
    uint8_t *restrict lines = s->lines;
    uint8_t *restrict words = s->words;
    const int64_t first_place = r->first >> 3;
    int64_t marked = -1;
    for (int64_t p = 0; p < r->length; p++) {
        const int64_t k = r->Aj[p];
        const bool is_same = same && k == marked + 1 && same[k];
        marked = k;
        if (is_same)
            continue;
        const bitmap_row o = ops->b_bitmaps->row[k];
        for (int64_t t = o.begin; t < o.begin + o.count; t++) {
            const int64_t line = (int64_t)place[t] - first_place;
            lines[line] |= taken[t];
            words[line >> 3] = 1;
        }
    }
}

/* Lists which columns of each word are taken, and wipes the lines: returns the
   number of words, *nnz entries a row. */
static inline int64_t supernode_list(scratch *s, int64_t columns, int64_t *nnz)
{
    const int64_t words = list_words(s, columns);
    *nnz = 0;
    for (int64_t t = 0; t < words; t++) {
        s->masks[t] = take_lines(s, s->word_list[t]);
        *nnz += count_bits(s->masks[t]);
    }
    return words;
}

/* Whether the columns of a word are listed at once. */
#if defined(__POPCNT__)
#define PACKS_COLUMNS (sizeof(IDX) == sizeof(uint32_t))
#else
#define PACKS_COLUMNS false
#endif

/* The columns of the words listed; with has_slack, PACK_SLACK places behind the last
   may be written. */
static ALWAYS_INLINE void pack_listed_words(const scratch *s, int64_t words,
                                            int64_t first, bool has_slack,
                                            IDX *Cj)
{
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++) {
        const int64_t x = first + 64 * (int64_t)s->word_list[t];
        uint64_t mask = s->masks[t];
        if (has_slack) {
            n += pack_bits(mask, (uint32_t)x, (uint32_t *)(void *)(Cj + n));
            continue;
        }
        for (; mask != 0; mask &= mask - 1)
            Cj[n++] = (IDX)(x + __builtin_ctzll(mask));
    }
}

/* The same, n in all, at the end of `out`. */
static inline void supernode_take_columns(const scratch *s, int64_t words,
                                          int64_t n, int64_t first,
                                          const output *out, IDX *Cj)
{
    if (PACKS_COLUMNS && n + PACK_SLACK <= out->limit - out->used)
        pack_listed_words(s, words, first, true, Cj);
    else
        pack_listed_words(s, words, first, false, Cj);
}

#if BY_LINES && HAS_VALUES
/* The entries of one row; the columns of the first only. */
static ALWAYS_INLINE void supernode_take(scratch *s, sum_rule rule,
                                         int64_t words, int row, int64_t first,
                                         bool is_roomy, IDX *Cj, VAL *Cx)
{
    VAL *sums = values_at(s->supernode_sums, row * s->supernode_stride);
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++) {
        const int64_t x = 64 * (int64_t)s->word_list[t];
        for (uint64_t mask = s->masks[t]; mask != 0;) {
            const int u = __builtin_ctzll(mask) & ~7;
            const unsigned taken = mask >> u & 0xff;
            mask &= ~((uint64_t)0xff << u);
            n += take_eight(values_at(sums, x + u), rule, taken, first + x + u,
                            row == 0, is_roomy, Cj + n, values_at(Cx, n));
        }
    }
}

static ALWAYS_INLINE void supernode_take_rows(scratch *s, sum_rule rule,
                                              int64_t words, int rows,
                                              int64_t nnz, int64_t first,
                                              const output *out, IDX *Cj,
                                              VAL *Cx)
{
    const bool is_roomy = output_is_roomy(out, rows * nnz);
    for (int row = 0; row < rows; row++)
        supernode_take(s, rule, words, row, first, is_roomy, Cj,
                       values_at(Cx, row * nnz));
}
#else
/* The entries of all rows; the columns of the first only, which say where the
   values of all are. */
static ALWAYS_INLINE void supernode_take_rows(scratch *s, sum_rule rule,
                                              int64_t words, int rows,
                                              int64_t nnz, int64_t first,
                                              const output *out, IDX *Cj,
                                              VAL *Cx)
{
    supernode_take_columns(s, words, nnz, first, out, Cj);
    for (int row = 0; HAS_VALUES && row < rows; row++)
        take_sums((VAL *)s->supernode_sums + row * s->supernode_stride, rule,
                  Cj, nnz, first, Cx + row * nnz);
}
#endif

static NOINLINE bool grow_supernode(spgemm_semiring sr, scratch *s,
                                    int64_t columns)
{
    if (!spgemm_scratch_grow_supernode(s, columns))
        return false;
    VAL *sums = s->supernode_sums;
    const VAL untouched = untouched_of(sr);
    for (int64_t x = 0; x < SUPERNODE_ROWS * s->supernode_stride; x++)
        sums[x] = untouched;
    return true;
}

/* A window, and those of the rows of a block. false: no memory. */
static ALWAYS_INLINE bool make_supernode(spgemm_semiring sr, scratch *s,
                                         int64_t columns)
{
    return make_window(sr, s, columns) &&
           (columns <= s->supernode_columns || grow_supernode(sr, s, columns));
}

/* The row r, or `rows` rows of its columns; their nnz. -1: no memory. */
static ALWAYS_INLINE int64_t supernode_sum_rows(const c_row *row,
                                                const operands *ops, int rows,
                                                scratch *s, bool is_numeric,
                                                output *out)
{
    c_row r = *row;
    const spgemm_semiring sr = semiring_of(ops);
    r.first &= ~(int64_t)7;
    const int64_t columns = row_width(&r);
    int64_t n;
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (is_numeric && HAS_VALUES ? !make_supernode(sr, s, columns)
                                 : !make_window(sr, s, columns))
        return -1;
    if (!is_numeric) {
        supernode_mark(&r, ops, s);
        return supernode_wipe(s, columns);
    }
    if (HAS_VALUES)
        supernode_sum(&r, ops, rows, true, s);
    else
        supernode_mark(&r, ops, s);
    const int64_t words = supernode_list(s, columns, &n);
    if (!make_room(out, rows * n, true, &Cj, &Cx))
        return -1;
    if (ops->b_bitmaps) {
        supernode_take_rows(s, sum_rule_of(sr), words, rows, n, r.first, out,
                            Cj, Cx);
    } else {
        supernode_take_columns(s, words, n, r.first, out, Cj);
        if (HAS_VALUES)
            alike_take(s, sum_rule_of(sr), rows, Cj, n, r.first, Cx);
    }
    for (int t = 1; t < rows; t++)
        memcpy(Cj + t * n, Cj, (size_t)n * sizeof *Cj);
    output_take(out, rows * n);
    return n;
}

/* Rows of one pattern that are taken together, at most. */
static inline int supernode_most(const operands *ops)
{
    return ops->b_bitmaps ? SUPERNODE_ROWS : ALIKE_ROWS;
}

static inline bool supernode_takes(const c_row *r, const operands *ops)
{
    return (ops->b_bitmaps || r->is_alike) && !r->is_clipped &&
           row_width(r) <= SUPERNODE_COLUMNS;
}

#endif
