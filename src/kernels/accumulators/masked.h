/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, m_t) = sums[t] for the columns m_0 < m_1 < ... of a row of a mask: what
   is not in the mask is neither stored nor summed.

   Where the row of B is much longer than that of the mask, MASK_SEARCH times, the
   columns of the mask are looked up in it; elsewhere its columns are looked up in
   the mask: of up to sixteen by comparing with all of them, of more by a window of
   places, or by a table where the mask's columns lie too far apart for that. So a
   product costs at most about min(nnz of B's row, nnz of the mask's row) for each
   entry of A. With B as bitmap rows most rows are not these, but summed whole and
   masked then: epilogue_rows.h. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_MASKED_H
#define SPGEMM_KERNELS_ACCUMULATORS_MASKED_H

#include "kernels/accumulators/hash.h"
#include "kernels/row/room.h"
#include "kernels/row/row.h"
#include "kernels/simd/sixteen_columns.h"

/* Columns of a mask's row that are compared with a product's, all at once; without
   AVX-512, of rows of few products, which a window would not be made for. Measured, one
   thread of a Zen 4, C<A> = A*A, by a window and so: t60k (9 products a row) AVX-512
   1.2 to 1.6, AVX2 1.45, portable 1.4; delaunay_n15 (36) 1.31, 1.24, 1.23; cop20k_A-like
   (755) 1.12, 0.76, 1.02. */
#define MASK_FEW_COLUMNS 16
#if defined(LEAVES_AVX512)
#define MASK_FEW_PRODUCTS INT64_MAX
#else
#define MASK_FEW_PRODUCTS 64
#endif

static inline bool mask_is_few(int64_t columns, int64_t products)
{
    return columns <= MASK_FEW_COLUMNS && products <= MASK_FEW_PRODUCTS;
}

/* Columns of the mask within reach of a row, and their sums. */
typedef struct mask_row {
    const IDX *Mj; /* [count], increasing, in [first, last] of the row */
    int64_t count;
    int64_t first; /* Mj[0] */
    int64_t width; /* to the last */
    VAL *sums;     /* [count] */
    IDX *is_met;   /* [count] */
} mask_row;

static inline mask_row mask_of_row(const spgemm_csr *mask, int64_t i,
                                   const c_row *r)
{
    const IDX *Mj = mask->colidx;
    int64_t begin = mask->rowptr[i];
    int64_t end = mask->rowptr[i + 1];
    if (begin < end && Mj[begin] < r->first)
        begin = lower_bound(Mj, begin, end, r->first);
    if (begin < end && Mj[end - 1] > r->last)
        end = lower_bound(Mj, begin, end, r->last + 1);
    mask_row m = {.Mj = Mj + begin, .count = end - begin};
    if (m.count > 0) {
        m.first = m.Mj[0];
        m.width = m.Mj[m.count - 1] - m.first + 1;
    }
    return m;
}

/* Products that fell on the mask, on their way to its sums: whether one does may be as
   good as random, and no branch asks. Where nearly all do, or nearly none, a branch
   does, and none waits. */
#define MASK_HITS  128
#define MASK_STRIP 64 /* products between two looks at the room left */
#define MASK_SURE  16 /* of so many at most one is not as the others */
typedef struct mask_hits {
    int64_t total;
    int64_t count;
    IDX places[MASK_HITS]; /* of the mask's row */
    VAL terms[MASK_HITS];
} mask_hits;

static ALWAYS_INLINE void mask_add(spgemm_semiring sr, const mask_row *m,
                                   IDX place, VAL term, bool is_numeric)
{
    m->is_met[place] = 1;
    if (is_numeric && HAS_VALUES)
        m->sums[place] = semiring_add(sr, m->sums[place], term);
}

static ALWAYS_INLINE void mask_add_hits(spgemm_semiring sr, const mask_row *m,
                                        mask_hits *hits, bool is_numeric)
{
    for (int64_t t = 0; t < hits->count; t++)
        mask_add(sr, m, hits->places[t], hits->terms[t], is_numeric);
    hits->total += hits->count;
    hits->count = 0;
}

/* One product, whose place is negative where the mask has none: it is written over by
   the next. */
static ALWAYS_INLINE void mask_hit(spgemm_semiring sr, const mask_row *m,
                                   mask_hits *hits, IDX place, VAL a,
                                   const VAL *Bx, int64_t q, bool is_sure,
                                   bool is_numeric)
{
    if (!is_sure) {
        hits->places[hits->count] = place;
        hits->terms[hits->count] = product(sr, a, Bx, q);
        hits->count += place >= 0;
    } else if (LIKELY(place >= 0)) {
        mask_add(sr, m, place, product(sr, a, Bx, q), is_numeric);
        hits->total++;
    }
}

/* The mask's columns, each searched in the rest of B's row [q, end). */
static ALWAYS_INLINE void mask_search(spgemm_semiring sr, const mask_row *m,
                                      const c_row *r, VAL a, int64_t q,
                                      int64_t end, bool is_numeric)
{
    for (int64_t t = 0; t < m->count && q < end; t++) {
        q = lower_bound(r->Bj, q, end, m->Mj[t]);
        if (q < end && r->Bj[q] == m->Mj[t])
            mask_add(sr, m, (IDX)t, product(sr, a, r->Bx, q++), is_numeric);
    }
}

/* How the place of a column in the mask's row is found. */
typedef enum mask_way {
    MASK_BY_COMPARISON,
    MASK_BY_WINDOW,
    MASK_BY_TABLE
} mask_way;

/* That place, or a number below 0. */
typedef struct mask_places {
    sixteen_columns few;
    const int32_t *of_column; /* of column first + x */
    int64_t first;
    uint64_t width; /* at this place there is none */
    const IDX *keys;
    const IDX *of_slot;
    int64_t slots;
    int shift;
} mask_places;

static ALWAYS_INLINE IDX mask_place(const mask_places *p, mask_way way, IDX j)
{
    if (way == MASK_BY_COMPARISON) {
        /* 16 becomes -1: a branch would guess. */
        const IDX at = __builtin_ctz(sixteen_equal(&p->few, j) | 0x10000u);
        return at | -(at >> 4);
    }
    if (way == MASK_BY_TABLE) {
        const int64_t h = find_slot(p->keys, p->slots, p->shift, j);
        return p->keys[h] == j ? p->of_slot[h] : -1;
    }
    const uint64_t x = (uint64_t)(j - p->first);
    return p->of_column[x < p->width ? x : p->width];
}

/* All products of the row; returns how many fell on the mask. */
static ALWAYS_INLINE int64_t mask_sum(spgemm_semiring sr, const mask_row *m,
                                      const c_row *r, const mask_places *places,
                                      mask_way way, bool is_sure,
                                      bool is_numeric)
{
    mask_hits hits;
    hits.total = 0;
    hits.count = 0;
    for (int64_t k = 0; k < r->length; k++) {
        const VAL a = is_numeric ? value_a(sr, r->Ax, k) : (VAL)0;
        int64_t q = r->Bp[r->Aj[k]];
        const int64_t end = r->Bp[r->Aj[k] + 1];
        if (r->b_is_sorted &&
            (end - q) / (way == MASK_BY_COMPARISON ? MASK_SEARCH_FEW
                                                   : MASK_SEARCH) >
                m->count) {
            mask_add_hits(sr, m, &hits, is_numeric);
            mask_search(sr, m, r, a, q, end, is_numeric);
            continue;
        }
        while (q < end) {
            const int64_t stop = is_sure ? end : min_i64(end, q + MASK_STRIP);
            if (!is_sure && hits.count > MASK_HITS - MASK_STRIP)
                mask_add_hits(sr, m, &hits, is_numeric);
            for (; q < stop; q++)
                mask_hit(sr, m, &hits, mask_place(places, way, r->Bj[q]), a,
                         r->Bx, q, is_sure, is_numeric);
        }
    }
    mask_add_hits(sr, m, &hits, is_numeric);
    return hits.total;
}

static ALWAYS_INLINE void mask_begin(VAL zero, mask_row *m, VAL *sums,
                                     IDX *is_met, bool is_numeric)
{
    m->sums = sums;
    m->is_met = is_met;
    for (int64_t t = 0; t < m->count; t++)
        is_met[t] = 0;
    for (int64_t t = 0; is_numeric && HAS_VALUES && t < m->count; t++)
        sums[t] = zero;
}

static NOINLINE void mask_wide(const mask_row *m, const c_row *r, scratch *s,
                               bool is_numeric)
{
    const int64_t slots = hash_slots(2 * m->count);
    const int shift = hash_shift(slots);
    IDX *keys = s->keys;
    for (int64_t t = 0; t < m->count; t++) {
        const int64_t h = find_slot(keys, slots, shift, m->Mj[t]);
        keys[h] = m->Mj[t];
        ((IDX *)s->spare)[h] = (IDX)t;
    }
    const mask_places places = {
        .keys = keys, .of_slot = s->spare, .slots = slots, .shift = shift};
    if (is_numeric)
        WITH_SEMIRING(r->semiring, sr,
                      mask_sum(sr, m, r, &places, MASK_BY_TABLE, false, true));
    else
        mask_sum(SPGEMM_ANY_PAIR, m, r, &places, MASK_BY_TABLE, false, false);
    memset(keys, 0xff, (size_t)slots * sizeof *keys);
}

/* With a branch or without, as the row before tells. */
static ALWAYS_INLINE void mask_sum_likely(const mask_row *m, const c_row *r,
                                          const mask_places *places,
                                          mask_way way, scratch *s,
                                          bool is_numeric)
{
    int64_t hits = 0;
    if (!is_numeric)
        hits = mask_sum(SPGEMM_ANY_PAIR, m, r, places, way, false, false);
    else if (s->mask_is_sure)
        WITH_SEMIRING(r->semiring, sr,
                      hits = mask_sum(sr, m, r, places, way, true, true));
    else
        WITH_SEMIRING(r->semiring, sr,
                      hits = mask_sum(sr, m, r, places, way, false, true));
    s->mask_is_sure =
        MASK_SURE * min_i64(hits, r->products - hits) <= r->products;
}

static NOINLINE void mask_narrow(mask_row m, const c_row *r, scratch *s,
                                 bool is_numeric)
{
    int32_t *of_column = s->positions;
    for (int64_t t = 0; t < m.count; t++)
        of_column[m.Mj[t] - m.first] = (int32_t)t;
    const mask_places places = {
        .of_column = of_column, .first = m.first, .width = (uint64_t)m.width};
    mask_sum_likely(&m, r, &places, MASK_BY_WINDOW, s, is_numeric);
    for (int64_t t = 0; t < m.count; t++)
        of_column[m.Mj[t] - m.first] = -1;
}

static inline int64_t mask_nnz(const mask_row *m)
{
    int64_t n = 0;
    for (int64_t t = 0; t < m->count; t++)
        n += m->is_met[t];
    return n;
}

/* What was met, in order; where it is roomy, a place behind the last is written. */
static ALWAYS_INLINE void mask_extract(const mask_row *m, bool is_roomy,
                                       IDX *restrict Cj, VAL *restrict Cx)
{
    int64_t n = 0;
    for (int64_t t = 0; t < m->count; t++) {
        if (!is_roomy && !m->is_met[t])
            continue;
        Cj[n] = m->Mj[t];
        if (HAS_VALUES)
            Cx[n] = m->sums[t];
        n += m->is_met[t];
    }
}

/* What is there of the row, to C. Returns its nnz; -1: no memory. */
static ALWAYS_INLINE int64_t mask_end(const mask_row *m, bool is_numeric,
                                      output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    const int64_t n = mask_nnz(m);
    if (!is_numeric || n == 0)
        return n;
    if (!make_room(out, n, true, &Cj, &Cx))
        return -1;
    if (output_is_roomy(out, n))
        mask_extract(m, true, Cj, Cx);
    else
        mask_extract(m, false, Cj, Cx);
    output_take(out, n);
    return n;
}

/* A row of a mask of few columns: a product's is compared with all of them. */
static NOINLINE int64_t mask_few(mask_row m, const c_row *r, scratch *s,
                                 bool is_numeric, output *out)
{
    VAL sums[MASK_FEW_COLUMNS];
    IDX is_met[MASK_FEW_COLUMNS];
    const mask_places places = {.few = sixteen_load(m.Mj, m.count)};
    mask_begin(zero_of(semiring_of_row(r)), &m, sums, is_met, is_numeric);
    mask_sum_likely(&m, r, &places, MASK_BY_COMPARISON, s, is_numeric);
    return mask_end(&m, is_numeric, out);
}

/* Row i, at the columns that the mask has there. */
static NOINLINE int64_t masked_row(const c_row *r, const spgemm_csr *mask,
                                   int64_t i, scratch *s, bool is_numeric,
                                   output *out)
{
    mask_row m = mask_of_row(mask, i, r);
    if (m.count == 0)
        return 0;
    if (r->is_counted)
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_MASKED]++;
    if (mask_is_few(m.count, r->products))
        return mask_few(m, r, s, is_numeric, out);
    if (!scratch_hash(s, hash_slots(2 * m.count)))
        return -1;
    mask_begin(zero_of(semiring_of_row(r)), &m, s->slot_sums, s->columns,
               is_numeric);
    if (m.width > WIDEST_WINDOW)
        mask_wide(&m, r, s, is_numeric);
    else if (m.width < s->position_columns ||
             spgemm_scratch_grow_positions(s, m.width + 1))
        mask_narrow(m, r, s, is_numeric);
    else
        return -1;
    return mask_end(&m, is_numeric, out);
}

/* Whether row i of C is one of few columns of the mask: where those of B's rows lie
   is not asked then. */
static inline bool has_few_masked(const operands *ops, int64_t i)
{
    const spgemm_csr *mask = ops->mask;
    return mask &&
           mask_is_few(mask->rowptr[i + 1] - mask->rowptr[i], ops->products[i]);
}

#endif
