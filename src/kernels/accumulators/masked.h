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

#include "kernels/accumulators/masked_hits.h"

/* Columns of a mask's row that are compared with a product's, all at once; without
   AVX-512, of rows of few products, which a window would not be made for. Measured, one
   thread of a Zen 4, AVX-512, products one by one and sixteen at once, ms: C<M> = A*A, M at
   random with an entry for four of A, filter3D-like 200, 72; cage12 70, 27; copter2 23,
   10; C<A> = A*A, copter2 25, 20; delaunay_n15 4.4, 3.9. Without AVX-512 the 755 products
   a row of cop20k_A-like take 1.3 times as long as by a window. */
#if defined(LEAVES_AVX512)
#define MASK_FEW_PRODUCTS INT64_MAX
#else
#define MASK_FEW_PRODUCTS 64
#endif

static inline bool mask_is_few(int64_t columns, int64_t products)
{
    return columns <= COMPARED_COLUMNS && products <= MASK_FEW_PRODUCTS;
}

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

/* The mask's columns, each searched in the rest of B's row [q, end), by entry k of A's. */
static NOINLINE void mask_search(const mask_row *m, const c_row *r, int64_t k,
                                 int64_t q, int64_t end, mask_hits *hits)
{
    for (int64_t t = 0; t < m->count && q < end; t++) {
        mask_make_room(m, hits);
        q = lower_bound(r->Bj, q, end, m->Mj[t]);
        if (q == end)
            return;
        const bool is_there = r->Bj[q] == m->Mj[t];
        mask_hit(hits, (IDX)t, (IDX)k, q, is_there);
        q += is_there;
    }
}

/* All products of the row. */
static ALWAYS_INLINE void mask_sum(const operands *ops, const mask_row *m,
                                   const c_row *r, const column_places *places,
                                   places_way way, hit_kind kind)
{
    const IDX *Bj = r->Bj;
    mask_hits hits;
    mask_hits_begin(&hits, ops, ops->B, r->Aj - (const IDX *)ops->A->colidx,
                    kind);
    for (int64_t k = 0; k < r->length; k++) {
        int64_t q = r->Bp[r->Aj[k]];
        const int64_t end = r->Bp[r->Aj[k] + 1];
        if (r->b_is_sorted &&
            (end - q) /
                    (way == PLACES_OF_SIXTEEN ? MASK_SEARCH_FEW : MASK_SEARCH) >
                m->count) {
            mask_search(m, r, k, q, end, &hits);
            continue;
        }
        for (; q < end; q += MASK_STRIP) {
            mask_make_room(m, &hits);
            hits.count = look_up(places, way, IN_MASK, Bj, q,
                                 min_i64(end, q + MASK_STRIP), 0, (IDX)k, kind,
                                 &hits, hits.count);
        }
    }
    mask_add_hits(m, &hits);
}

static ALWAYS_INLINE void mask_sum_by(const operands *ops, const mask_row *m,
                                      const c_row *r,
                                      const column_places *places,
                                      places_way way)
{
    if (reads_factors(semiring_of(ops)))
        mask_sum(ops, m, r, places, way, HIT_OF_ROW);
    else
        mask_sum(ops, m, r, places, way, HIT_COUNTED);
}

static NOINLINE void mask_few(const operands *ops, const mask_row *m,
                              const c_row *r)
{
    column_places places;
    open_sixteen(&places, m->Mj, m->count);
    mask_sum_by(ops, m, r, &places, PLACES_OF_SIXTEEN);
}

static NOINLINE void mask_wide(const operands *ops, const mask_row *m,
                               const c_row *r, scratch *s)
{
    column_places places;
    open_table(s, m->Mj, m->count, &places);
    mask_sum_by(ops, m, r, &places, PLACES_BY_TABLE);
    close_table(s, &places);
}

/* false: no memory. */
static NOINLINE bool mask_narrow(const operands *ops, const mask_row *m,
                                 const c_row *r, scratch *s)
{
    column_places places;
    if (!open_window(s, m->Mj, m->count, &places))
        return false;
    mask_sum_by(ops, m, r, &places, PLACES_BY_WINDOW);
    close_window(s, m->Mj, m->count);
    return true;
}

/* Row i, at the columns that the mask has there. */
static NOINLINE int64_t masked_row(const c_row *r, const operands *ops,
                                   int64_t i, scratch *s, bool is_numeric,
                                   output *out)
{
    mask_row m = mask_of_row(ops->mask, i, r);
    if (m.count == 0)
        return 0;
    if (r->is_counted)
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_MASKED]++;
    if (!scratch_hash(s, hash_slots(2 * m.count)))
        return -1;
    mask_begin(ops, &m, s->slot_sums, s->columns);
    if (mask_is_few(m.count, r->products))
        mask_few(ops, &m, r);
    else if (list_width(m.Mj, m.count) > WIDEST_WINDOW)
        mask_wide(ops, &m, r, s);
    else if (!mask_narrow(ops, &m, r, s))
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
