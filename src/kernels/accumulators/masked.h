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

#include "kernels/accumulators/places.h"
#include "kernels/row/room.h"
#include "kernels/row/row.h"

/* Columns of a mask's row that are compared with a product's, all at once; without
   AVX-512, of rows of few products, which a window would not be made for. Measured, one
   thread of a Zen 4, C<A> = A*A, by a window and so: t60k (9 products a row) AVX-512
   1.2 to 1.6, AVX2 1.45, portable 1.4; delaunay_n15 (36) 1.31, 1.24, 1.23; cop20k_A-like
   (755) 1.12, 0.76, 1.02. */
#if defined(LEAVES_AVX512)
#define MASK_FEW_PRODUCTS INT64_MAX
#else
#define MASK_FEW_PRODUCTS 64
#endif

static inline bool mask_is_few(int64_t columns, int64_t products)
{
    return columns <= COMPARED_COLUMNS && products <= MASK_FEW_PRODUCTS;
}

/* Columns of the mask within reach of a row, and their sums. */
typedef struct mask_row {
    const IDX *Mj; /* [count], increasing, in [first, last] of the row */
    int64_t count;
    VAL *sums;   /* [count] */
    IDX *is_met; /* [count] */
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
    return (mask_row){.Mj = Mj + begin, .count = end - begin};
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

/* All products of the row; returns how many fell on the mask. */
static ALWAYS_INLINE int64_t mask_sum(spgemm_semiring sr, const mask_row *m,
                                      const c_row *r,
                                      const column_places *places,
                                      places_way way, bool is_sure,
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
            (end - q) / (way == PLACES_BY_COMPARISON ? MASK_SEARCH_FEW
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
                mask_hit(sr, m, &hits, place_of(places, way, r->Bj[q]), a,
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
    column_places places;
    open_table(s, m->Mj, m->count, &places);
    if (is_numeric)
        WITH_SEMIRING(
            r->semiring, sr,
            mask_sum(sr, m, r, &places, PLACES_BY_TABLE, false, true));
    else
        mask_sum(SPGEMM_ANY_PAIR, m, r, &places, PLACES_BY_TABLE, false, false);
    close_table(s, &places);
}

/* With a branch or without, as the row before tells. */
static ALWAYS_INLINE void mask_sum_likely(const mask_row *m, const c_row *r,
                                          const column_places *places,
                                          places_way way, scratch *s,
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

/* false: no memory. */
static NOINLINE bool mask_narrow(mask_row m, const c_row *r, scratch *s,
                                 bool is_numeric)
{
    column_places places;
    if (!open_window(s, m.Mj, m.count, &places))
        return false;
    mask_sum_likely(&m, r, &places, PLACES_BY_WINDOW, s, is_numeric);
    close_window(s, m.Mj, m.count);
    return true;
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
    VAL sums[COMPARED_COLUMNS];
    IDX is_met[COMPARED_COLUMNS];
    const column_places places = {.few = sixteen_load(m.Mj, m.count)};
    mask_begin(zero_of(semiring_of_row(r)), &m, sums, is_met, is_numeric);
    mask_sum_likely(&m, r, &places, PLACES_BY_COMPARISON, s, is_numeric);
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
    if (list_width(m.Mj, m.count) > WIDEST_WINDOW)
        mask_wide(&m, r, s, is_numeric);
    else if (!mask_narrow(m, r, s, is_numeric))
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
