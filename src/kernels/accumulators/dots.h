/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = A(i,:) B(:,j), a dot product for each column j of a mask's row, where B is
   at hand by columns, B': its products are those of the columns that are wanted.

   The places of A's columns are known while the row is in hand, and each of B'(j,:) is
   looked up there; of a row of B' that is much longer than A's, A's columns are looked
   up in it. Both rows are in order, so that sums are in that of A's row, as those of
   all accumulators.

   F. G. Gustavson's rows and dot products, by the one that has less to read for a
   mask: T. A. Davis, Algorithm 1000, ACM TOMS 45(4):44, 2019. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_DOTS_H
#define SPGEMM_KERNELS_ACCUMULATORS_DOTS_H

#include "kernels/accumulators/masked.h"

/* Entries of B' that are looked up before their terms are added. */
#define DOT_STRIP 64

/* Entries of the mask between B' being asked for and read. */
#define DOTS_AHEAD 8

/* The entries of a strip that met A's row: their places there, and in the strip. */
typedef struct dot_hits {
    int count;
    IDX of_a[DOT_STRIP];
    IDX of_b[DOT_STRIP];
} dot_hits;

/* The entries of a strip of B', Bj[0 .. n). */
static ALWAYS_INLINE void look_up_strip(const column_places *p, places_way way,
                                        const IDX *Bj, int n, dot_hits *hits)
{
    hits->count = 0;
    for (int q = 0; q < n; q++) {
        const IDX place = place_of(p, way, Bj[q]);
        hits->of_a[hits->count] = place;
        hits->of_b[hits->count] = (IDX)q;
        hits->count += place >= 0;
    }
}

/* One sum, and whether anything was added. */
typedef struct dot_sum {
    VAL sum;
    bool is_met;
} dot_sum;

/* Entry t of A's row times entry q of B'. */
static ALWAYS_INLINE void dot_add(spgemm_semiring sr, dot_sum *x,
                                  const c_row *r, int64_t t, const VAL *Bx,
                                  int64_t q, bool is_numeric)
{
    x->is_met = true;
    if (is_numeric && HAS_VALUES)
        x->sum =
            semiring_add(sr, x->sum, product(sr, value_a(sr, r->Ax, t), Bx, q));
}

/* Whether one term is as good as all. */
static ALWAYS_INLINE bool dot_is_done(spgemm_semiring sr, const dot_sum *x,
                                      bool is_numeric)
{
    return x->is_met && (!is_numeric || sr == SPGEMM_ANY_PAIR);
}

/* By looking up A's columns in B'(j,:), entries [q, end). */
static ALWAYS_INLINE dot_sum dot_by_search(spgemm_semiring sr, const c_row *r,
                                           const spgemm_csr *by_columns,
                                           int64_t q, int64_t end,
                                           bool is_numeric)
{
    const IDX *Bj = by_columns->colidx;
    dot_sum x = {zero_of(sr), false};
    for (int64_t t = 0; t < r->length && q < end; t++) {
        q = lower_bound(Bj, q, end, r->Aj[t]);
        if (q == end || Bj[q] != r->Aj[t])
            continue;
        dot_add(sr, &x, r, t, by_columns->values, q++, is_numeric);
        if (dot_is_done(sr, &x, is_numeric))
            break;
    }
    return x;
}

/* By looking up those of B'(j,:) among A's. */
static ALWAYS_INLINE dot_sum dot_by_places(
    spgemm_semiring sr, const c_row *r, const column_places *p, places_way way,
    const spgemm_csr *by_columns, int64_t q, int64_t end, bool is_numeric)
{
    const IDX *Bj = by_columns->colidx;
    dot_sum x = {zero_of(sr), false};
    dot_hits hits;
    for (; q < end && !dot_is_done(sr, &x, is_numeric); q += DOT_STRIP) {
        const int n = (int)min_i64(end - q, DOT_STRIP);
        look_up_strip(p, way, Bj + q, n, &hits);
        for (int t = 0; t < hits.count; t++)
            dot_add(sr, &x, r, hits.of_a[t], by_columns->values,
                    q + hits.of_b[t], is_numeric);
    }
    return x;
}

/* Whether the columns of two rows in order, neither of them empty, are apart. */
static ALWAYS_INLINE bool dots_are_apart(const c_row *r, const IDX *Bj,
                                         int64_t q, int64_t end)
{
    return Bj[q] > r->Aj[r->length - 1] || Bj[end - 1] < r->Aj[0];
}

/* Asks for the row of B' of the mask's entry some entries on. */
static ALWAYS_INLINE void dots_prefetch(const spgemm_csr *by_columns,
                                        const IDX *Mj, const IDX *last)
{
    const int64_t *Bp = by_columns->rowptr;
    const IDX *Bj = by_columns->colidx;
    const IDX *far = Mj + 2 * DOTS_AHEAD;
    const IDX *near = Mj + DOTS_AHEAD;
    PREFETCH(&Bp[far < last ? *far : *last]);
    const int64_t j = near < last ? *near : *last;
    prefetch_ends((const char *)(Bj + Bp[j]), (const char *)(Bj + Bp[j + 1]),
                  false);
}

/* All entries of the mask's row. */
static ALWAYS_INLINE void dots_sum(spgemm_semiring sr, const mask_row *m,
                                   const c_row *r, const operands *ops,
                                   const column_places *p, places_way way,
                                   bool is_numeric)
{
    const spgemm_csr *by_columns = ops->by_columns;
    const int64_t *Bp = by_columns->rowptr;
    const IDX *Bj = by_columns->colidx;
    const IDX *last = (const IDX *)ops->mask->colidx + ops->mask->nnz - 1;
    const IDX *Mj = m->Mj;
    const int64_t count = m->count;
    VAL *sums = m->sums;
    IDX *is_met = m->is_met;
    for (int64_t t = 0; t < count; t++) {
        const int64_t q = Bp[Mj[t]];
        const int64_t end = Bp[Mj[t] + 1];
        dot_sum x = {zero_of(sr), false};
        dots_prefetch(by_columns, Mj + t, last);
        if (q < end && !dots_are_apart(r, Bj, q, end))
            x = (end - q) / MASK_SEARCH > r->length
                    ? dot_by_search(sr, r, by_columns, q, end, is_numeric)
                    : dot_by_places(sr, r, p, way, by_columns, q, end,
                                    is_numeric);
        is_met[t] = x.is_met;
        if (is_numeric && HAS_VALUES)
            sums[t] = x.sum;
    }
}

static ALWAYS_INLINE void dots_sum_by(const mask_row *m, const c_row *r,
                                      const operands *ops,
                                      const column_places *p, places_way way,
                                      bool is_numeric)
{
    if (is_numeric)
        WITH_SEMIRING(r->semiring, sr, dots_sum(sr, m, r, ops, p, way, true));
    else
        dots_sum(SPGEMM_ANY_PAIR, m, r, ops, p, way, false);
}

static NOINLINE void dots_few(const mask_row *m, const c_row *r,
                              const operands *ops, bool is_numeric)
{
    const column_places places = {.few = sixteen_load(r->Aj, r->length)};
    dots_sum_by(m, r, ops, &places, PLACES_BY_COMPARISON, is_numeric);
}

static NOINLINE void dots_wide(const mask_row *m, const c_row *r,
                               const operands *ops, scratch *s, bool is_numeric)
{
    column_places places;
    open_table(s, r->Aj, r->length, &places);
    dots_sum_by(m, r, ops, &places, PLACES_BY_TABLE, is_numeric);
    close_table(s, &places);
}

/* false: no memory. */
static NOINLINE bool dots_narrow(const mask_row *m, const c_row *r,
                                 const operands *ops, scratch *s,
                                 bool is_numeric)
{
    column_places places;
    if (!open_window(s, r->Aj, r->length, &places))
        return false;
    dots_sum_by(m, r, ops, &places, PLACES_BY_WINDOW, is_numeric);
    close_window(s, r->Aj, r->length);
    return true;
}

/* Row i, or the part of it that the range is, at the columns that the mask has there.
   Returns its nnz; -1: no memory. */
static NOINLINE int64_t dots_row(const operands *ops, int64_t i,
                                 const row_range *range, scratch *s,
                                 bool is_numeric, output *out)
{
    c_row r = row_within(ops, i, 0, ops->B->ncols - 1, is_numeric);
    if (range->parts > 0) {
        r.first = range->col_begin;
        r.last = range->col_end - 1;
        r.is_counted = range->is_last;
    }
    mask_row m = mask_of_row(ops->mask, i, &r);
    if (m.count == 0)
        return 0;
    if (r.is_counted)
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_MASKED]++;
    if (!scratch_hash(s, hash_slots(2 * max_i64(m.count, r.length))))
        return -1;
    m.sums = s->slot_sums;
    m.is_met = s->columns;
    if (r.length <= COMPARED_COLUMNS)
        dots_few(&m, &r, ops, is_numeric);
    else if (list_width(r.Aj, r.length) > WIDEST_WINDOW)
        dots_wide(&m, &r, ops, s, is_numeric);
    else if (!dots_narrow(&m, &r, ops, s, is_numeric))
        return -1;
    return mask_end(&m, is_numeric, out);
}

#endif
