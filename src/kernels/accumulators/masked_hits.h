/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, m_t) = sum of A(i,k) B(k, m_t) for the columns m_0 < m_1 < ... of rows of a mask.

   What the mask lets pass is found first, as (t, entry of A, entry of B), and added
   then: one look-up serves all semirings, and whether a product passes, which may be as
   good as random, no branch asks. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_MASKED_HITS_H
#define SPGEMM_KERNELS_ACCUMULATORS_MASKED_HITS_H

#include "kernels/accumulators/places.h"
#include "kernels/row/room.h"
#include "kernels/row/row.h"

/* Columns of the mask within reach of a row, or of some rows, and their sums. */
typedef struct mask_row {
    const IDX *Mj; /* [count] */
    int64_t count;
    VAL *sums;   /* [count] */
    IDX *is_met; /* [count] */
} mask_row;

#define MASK_HITS  128
#define MASK_STRIP 64 /* entries between two looks at the room left */
#define MASK_SLACK 16 /* hits that may be written behind those of a strip */

/* Whether factors are read at all: products are counted where they are not. */
static ALWAYS_INLINE bool reads_factors(spgemm_semiring sr)
{
    return reads_a(sr) || reads_b(sr);
}

/* What is kept of a product: its term is at hand in kernels of one semiring, where the
   rest of B's row is read, too; elsewhere what is not there would be read for nothing,
   and vectors know first what is there. */
typedef enum hit_kind { HIT_COUNTED, HIT_TERM, HIT_FACTORS } hit_kind;

#if defined(SEMIRING) && !defined(LEAVES_AVX512)
#define HITS_HAVE_TERMS
#define HIT_OF_ROW HIT_TERM
#else
#define HIT_OF_ROW HIT_FACTORS
#endif

/* Products that passed, on their way to the sums. */
typedef struct mask_hits {
    spgemm_semiring semiring;
    hit_kind kind;
    const VAL *Ax; /* from the entry on that of_a are counted from */
    const VAL *Bx;
    int64_t count;
    IDX of_mask[MASK_HITS + MASK_SLACK];
    IDX of_a[MASK_HITS + MASK_SLACK];
    int64_t of_b[MASK_HITS + MASK_SLACK];
#if defined(HITS_HAVE_TERMS)
    VAL terms[MASK_HITS];
#endif
} mask_hits;

static ALWAYS_INLINE void mask_hits_begin(mask_hits *hits, const operands *ops,
                                          const spgemm_csr *B, int64_t first,
                                          hit_kind kind)
{
    hits->semiring = semiring_of(ops);
    hits->kind = kind;
    hits->Ax =
        reads_a(hits->semiring) ? (const VAL *)ops->A->values + first : NULL;
    hits->Bx = B->values;
    hits->count = 0;
}

/* The n-th is that of an entry of B, where terms are kept. */
static ALWAYS_INLINE void mask_hit_term(mask_hits *hits, int64_t n, IDX of_a,
                                        int64_t of_b, hit_kind kind)
{
#if defined(HITS_HAVE_TERMS)
    if (kind == HIT_TERM)
        hits->terms[n] = product(SEMIRING, value_a(SEMIRING, hits->Ax, of_a),
                                 hits->Bx, of_b);
#endif
    (void)hits, (void)n, (void)of_a, (void)of_b, (void)kind;
}

/* One more, if it is there; else the next is written over it. */
static ALWAYS_INLINE void mask_hit(mask_hits *hits, IDX of_mask, IDX of_a,
                                   int64_t of_b, bool is_there)
{
    const int64_t n = hits->count;
    hits->of_mask[n] = of_mask;
    hits->of_a[n] = of_a;
    hits->of_b[n] = of_b;
    mask_hit_term(hits, n, of_a, of_b, hits->kind);
    hits->count = n + is_there;
}

static ALWAYS_INLINE VAL mask_term(spgemm_semiring sr, const mask_hits *hits,
                                   int64_t n, bool is_kept)
{
#if defined(HITS_HAVE_TERMS)
    if (is_kept)
        return hits->terms[n];
#endif
    (void)is_kept;
    return product(sr, value_a(sr, hits->Ax, hits->of_a[n]), hits->Bx,
                   hits->of_b[n]);
}

static ALWAYS_INLINE void mask_add_each(spgemm_semiring sr, const mask_row *m,
                                        const mask_hits *hits, bool are_terms)
{
    for (int64_t n = 0; n < hits->count; n++) {
        const IDX t = hits->of_mask[n];
        m->is_met[t] = 1;
        if (HAS_VALUES)
            m->sums[t] =
                semiring_add(sr, m->sums[t], mask_term(sr, hits, n, are_terms));
    }
}

/* Never, where none are kept: what adds them is not compiled there. */
static ALWAYS_INLINE bool hits_are_terms(const mask_hits *hits)
{
#if defined(HITS_HAVE_TERMS)
    return hits->kind == HIT_TERM;
#else
    (void)hits;
    return false;
#endif
}

static ALWAYS_INLINE void mask_add_all(spgemm_semiring sr, const mask_row *m,
                                       const mask_hits *hits)
{
    if (hits_are_terms(hits))
        mask_add_each(sr, m, hits, true);
    else
        mask_add_each(sr, m, hits, false);
}

/* To the sums; none is left. */
static ROW_OF_SEMIRING void mask_add_hits(const mask_row *m, mask_hits *hits)
{
    WITH_SEMIRING(hits->semiring, sr, mask_add_all(sr, m, hits));
    hits->count = 0;
}

/* Room for a strip. */
static ALWAYS_INLINE void mask_make_room(const mask_row *m, mask_hits *hits)
{
    if (hits->count > MASK_HITS - MASK_STRIP)
        mask_add_hits(m, hits);
}

/* Whose columns have places, where those of B are looked up; of the other an entry is
   the same for all. */
typedef enum looked_up_in {
    IN_MASK,
    IN_A,
    IN_A_FOR_ONE /* entry of the mask, which need not be told */
} looked_up_in;

/* Of entries [q, end) of B those whose columns have places, in their order, behind the
   first n hits: base + the place, the other's entry, and that of B. Returns how many
   hits there are then; what is written behind them are places for as many as were looked
   at, and MASK_SLACK. */
static ALWAYS_INLINE int64_t look_up(const column_places *p, places_way way,
                                     looked_up_in in, const IDX *Bj, int64_t q,
                                     int64_t end, IDX base, IDX other,
                                     hit_kind kind, mask_hits *hits, int64_t n)
{
    const bool is_mask = in == IN_MASK;
    const bool wants_place = is_mask || kind == HIT_FACTORS;
    const bool wants_other = is_mask ? kind == HIT_FACTORS : in == IN_A;
    IDX *places = is_mask ? hits->of_mask : hits->of_a;
    IDX *others = is_mask ? hits->of_a : hits->of_mask;
#if defined(LEAVES_AVX512)
    for (; places_are_vectors(way) && q < end; q += PLACES_AT_ONCE) {
        const sixteen_places found = places_of_next(p, way, Bj + q, end - q);
        const int64_t count = places_count(found);
        if (count == 0 && (wants_place || wants_other))
            continue;
        if (wants_place)
            places_store(found, base, places + n);
        if (wants_other)
            places_store_same(other, others + n);
        if (kind == HIT_FACTORS)
            places_store_entries(found, q, hits->of_b + n);
        n += count;
    }
#endif
    for (; q < end; q++) {
        const column_place at = place_of(p, way, Bj[q]);
        if (wants_place)
            places[n] = base + at.place;
        if (wants_other)
            others[n] = other;
        if (kind == HIT_FACTORS)
            hits->of_b[n] = q;
        mask_hit_term(hits, n, other, q, kind);
        n += at.is_there;
    }
    return n;
}

/* The same where the rest of B's row, entries [q, end), is much longer than the list
   of columns that have places: each of these is searched in it. */
static NOINLINE void search_each(const mask_row *m, looked_up_in in,
                                 const IDX *list, int64_t count, const IDX *Bj,
                                 int64_t q, int64_t end, IDX base, IDX other,
                                 mask_hits *hits)
{
    for (int64_t t = 0; t < count && q < end; t++) {
        const IDX place = base + (IDX)t;
        mask_make_room(m, hits);
        q = lower_bound(Bj, q, end, list[t]);
        if (q == end)
            return;
        const bool is_there = Bj[q] == list[t];
        mask_hit(hits, in == IN_MASK ? place : other,
                 in == IN_MASK ? other : place, q, is_there);
        q += is_there;
    }
}

/* Nothing is met. */
static ALWAYS_INLINE void mask_clear(const operands *ops, const mask_row *m)
{
    const VAL zero = zero_of(semiring_of(ops));
    for (int64_t t = 0; t < m->count; t++)
        m->is_met[t] = 0;
    for (int64_t t = 0; HAS_VALUES && t < m->count; t++)
        m->sums[t] = zero;
}

static inline int64_t mask_nnz(const IDX *is_met, int64_t count)
{
    int64_t n = 0;
    for (int64_t t = 0; t < count; t++)
        n += is_met[t];
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

/* What was met, to C, or counted alone. Returns how many; -1: no memory. */
static NOINLINE int64_t mask_end(const mask_row *m, bool is_numeric,
                                 output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    const int64_t n = mask_nnz(m->is_met, m->count);
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

#endif
