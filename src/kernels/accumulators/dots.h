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

#include "kernels/accumulators/masked_hits.h"
#include "kernels/row/prefetch.h"

/* Entries of the mask between B' being asked for and read. */
#define DOTS_AHEAD 8

/* One sum, and whether anything was added. */
typedef struct dot_sum {
    VAL sum;
    bool is_met;
} dot_sum;

/* Adds entry t of A's row times entry q of B'. */
static ALWAYS_INLINE VAL dot_add(spgemm_semiring sr, VAL sum, const c_row *r,
                                 int64_t t, const VAL *Bx, int64_t q)
{
    return semiring_add(sr, sum, product(sr, value_a(sr, r->Ax, t), Bx, q));
}

static ROW_OF_SEMIRING VAL dot_add_one(VAL sum, const c_row *r, int64_t t,
                                       const VAL *Bx, int64_t q)
{
    WITH_SEMIRING(r->semiring, sr, sum = dot_add(sr, sum, r, t, Bx, q));
    return sum;
}

static ALWAYS_INLINE VAL dot_add_each(spgemm_semiring sr, VAL sum,
                                      const c_row *r, const mask_hits *hits,
                                      const VAL *Bx)
{
    for (int64_t t = 0; t < hits->count; t++)
        sum = dot_add(sr, sum, r, hits->of_a[t], Bx, hits->of_b[t]);
    return sum;
}

static ROW_OF_SEMIRING VAL dot_add_hits(VAL sum, const c_row *r,
                                        const mask_hits *hits, const VAL *Bx)
{
    WITH_SEMIRING(r->semiring, sr, sum = dot_add_each(sr, sum, r, hits, Bx));
    return sum;
}

static ALWAYS_INLINE VAL dot_add_ones(spgemm_semiring sr, VAL sum, int64_t n)
{
    for (int64_t t = 0; !reads_factors(sr) && t < n; t++)
        sum = semiring_add(sr, sum, product(sr, (VAL)0, NULL, 0));
    return sum;
}

/* n products of factors that nobody reads. */
static ROW_OF_SEMIRING VAL dot_count(VAL sum, const c_row *r, int64_t n)
{
    WITH_SEMIRING(r->semiring, sr, sum = dot_add_ones(sr, sum, n));
    return sum;
}

/* Whether one term is as good as all. */
static ALWAYS_INLINE bool dot_is_done(const c_row *r, const dot_sum *x)
{
    return x->is_met && semiring_of_row(r) == SPGEMM_ANY_PAIR;
}

/* By looking up A's columns in B'(j,:), entries [q, end). */
static NOINLINE dot_sum dot_by_search(const c_row *r, VAL zero,
                                      const spgemm_csr *by_columns, int64_t q,
                                      int64_t end)
{
    const IDX *Bj = by_columns->colidx;
    dot_sum x = {zero, false};
    for (int64_t t = 0; t < r->length && q < end && !dot_is_done(r, &x); t++) {
        q = lower_bound(Bj, q, end, r->Aj[t]);
        if (q == end || Bj[q] != r->Aj[t])
            continue;
        x.is_met = true;
        if (HAS_VALUES)
            x.sum = dot_add_one(x.sum, r, t, by_columns->values, q);
        q++;
    }
    return x;
}

/* By looking up those of B'(j,:) among A's. */
static ALWAYS_INLINE dot_sum dot_by_places(
    const c_row *r, VAL zero, const column_places *p, places_way way,
    const spgemm_csr *by_columns, int64_t q, int64_t end, hit_kind kind)
{
    const IDX *Bj = by_columns->colidx;
    dot_sum x = {zero, false};
    mask_hits hits;
    for (; q < end && !dot_is_done(r, &x); q += MASK_STRIP) {
        hits.count =
            look_up(p, way, IN_A_FOR_ONE, Bj, q, min_i64(end, q + MASK_STRIP),
                    0, 0, kind, &hits, 0);
        x.is_met |= hits.count > 0;
        if (HAS_VALUES && kind == HIT_COUNTED)
            x.sum = dot_count(x.sum, r, hits.count);
        else if (HAS_VALUES)
            x.sum = dot_add_hits(x.sum, r, &hits, by_columns->values);
    }
    return x;
}

/* Whether the columns of two rows in order, neither of them empty, are apart. */
static ALWAYS_INLINE bool dots_are_apart(const IDX *Aj, int64_t length,
                                         const IDX *Bj, int64_t q, int64_t end)
{
    return Bj[q] > Aj[length - 1] || Bj[end - 1] < Aj[0];
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
static ALWAYS_INLINE void dots_sum(const mask_row *m, const c_row *r,
                                   const operands *ops, const column_places *p,
                                   places_way way, hit_kind kind)
{
    const VAL zero = zero_of(semiring_of(ops));
    const spgemm_csr *by_columns = ops->by_columns;
    const int64_t *Bp = by_columns->rowptr;
    const IDX *Bj = by_columns->colidx;
    const IDX *last = (const IDX *)ops->mask->colidx + ops->mask->nnz - 1;
    const IDX *Mj = m->Mj;
    const int64_t count = m->count;
    const bool is_near = b_is_near(by_columns);
    VAL *sums = m->sums;
    IDX *is_met = m->is_met;
    for (int64_t t = 0; t < count; t++) {
        const int64_t q = Bp[Mj[t]];
        const int64_t end = Bp[Mj[t] + 1];
        dot_sum x = {zero, false};
        if (!is_near)
            dots_prefetch(by_columns, Mj + t, last);
        if (q < end && !dots_are_apart(r->Aj, r->length, Bj, q, end))
            x = (end - q) / MASK_SEARCH > r->length
                    ? dot_by_search(r, zero, by_columns, q, end)
                    : dot_by_places(r, zero, p, way, by_columns, q, end, kind);
        is_met[t] = x.is_met;
        if (HAS_VALUES)
            sums[t] = x.sum;
    }
}

static ALWAYS_INLINE void dots_sum_by(const mask_row *m, const c_row *r,
                                      const operands *ops,
                                      const column_places *p, places_way way)
{
    if (reads_factors(semiring_of(ops)))
        dots_sum(m, r, ops, p, way, HIT_FACTORS);
    else
        dots_sum(m, r, ops, p, way, HIT_COUNTED);
}

#endif
