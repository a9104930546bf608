/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of a row of sums on its way to C, while it is in the cache:

       c = alpha s + beta d, where the mask lets it pass, less what is dropped. */
#ifndef SPGEMM_KERNELS_EPILOGUE_H
#define SPGEMM_KERNELS_EPILOGUE_H

#include "kernels/row/keep.h"

#if HAS_VALUES
static ALWAYS_INLINE void scale_row_by(spgemm_semiring sr, row_entries *e,
                                       const VAL *alpha)
{
    for (int64_t t = 0; t < e->count; t++)
        e->Cx[t] = semiring_multiply(sr, *alpha, e->Cx[t]);
}

/* to = sums + beta * entries [p, end) of D, which are sorted; of one column
   there may be several. `to` has room for both. */
static NOINLINE void merge_with_d(spgemm_semiring sr, row_entries *to,
                                  const row_entries *sums, const spgemm_csr *D,
                                  int64_t i, const VAL *beta)
{
    const IDX *Dj = D->colidx;
    const VAL *Dx = D->values;
    int64_t p = D->rowptr[i];
    const int64_t end = D->rowptr[i + 1];
    int64_t t = 0;
    to->count = 0;
    while (t < sums->count || p < end) {
        const bool is_summed =
            t < sums->count && (p == end || sums->Cj[t] <= Dj[p]);
        const IDX j = is_summed ? sums->Cj[t] : Dj[p];
        VAL c = is_summed ? sums->Cx[t++] : zero_of(sr);
        if (p < end && Dj[p] == j)
            c = as_term(sr, c);
        for (; p < end && Dj[p] == j; p++)
            c = semiring_add(
                sr, c, beta ? semiring_multiply(sr, *beta, Dx[p]) : Dx[p]);
        to->Cj[to->count] = j;
        to->Cx[to->count++] = c;
    }
}

static ALWAYS_INLINE bool are_dropped(const VAL *x, int64_t n, bool drop_zeros,
                                      double tolerance)
{
    bool are = true;
    for (int64_t t = 0; t < n; t++)
        are &= is_dropped(x[t], drop_zeros, tolerance);
    return are;
}

/* Drops zeros, and what is not above the tolerance. */
static ALWAYS_INLINE void drop_small(row_entries *e, bool drop_zeros,
                                     double tolerance)
{
    int64_t n = 0;
    int64_t t = 0;
    while (t < e->count) {
        const int64_t end = min_i64(e->count, t + LOOKED_AT);
        if (tolerance > 0 &&
            are_dropped(e->Cx + t, end - t, drop_zeros, tolerance))
            t = end;
        for (; t < end; t++) {
            const bool is_kept = !is_dropped(e->Cx[t], drop_zeros, tolerance);
            e->Cj[n] = e->Cj[t];
            e->Cx[n] = e->Cx[t];
            n += is_kept;
        }
    }
    e->count = n;
}

static ALWAYS_INLINE bool has_key_above(spgemm_top_order by, const VAL *x,
                                        int64_t n, uint64_t least)
{
    bool has = false;
    for (int64_t t = 0; t < n; t++)
        has |= top_key(by, x[t]) > least;
    return has;
}

/* Candidates are gathered at the front, up to twice as many as are kept: the
   larger half of them says what a later one must be above, and each choice is
   paid by as many candidates as it drops. */
static ALWAYS_INLINE void keep_largest_by(spgemm_top_order by, row_entries *e,
                                          int64_t most, uint64_t *keys)
{
    const int64_t room = min_i64(e->count, 2 * most);
    uint64_t least = keep_of_first(by, e, room, most, keys);
    int64_t n = most;
    int64_t t = room;
    while (t < e->count) {
        const int64_t end = min_i64(e->count, t + LOOKED_AT);
        if (!has_key_above(by, e->Cx + t, end - t, least))
            t = end;
        for (; t < end; t++) {
            if (top_key(by, e->Cx[t]) <= least)
                continue;
            e->Cj[n] = e->Cj[t];
            e->Cx[n++] = e->Cx[t];
            if (n == room) {
                least = keep_of_first(by, e, n, most, keys);
                n = most;
            }
        }
    }
    if (n > most)
        keep_of_first(by, e, n, most, keys);
    e->count = most;
}

/* Keeps the `most` largest; of equals those of least column. keys: room for the
   row. Which order is a constant in the loops. */
static NOINLINE void keep_largest(spgemm_top_order by, row_entries *e,
                                  int64_t most, uint64_t *keys)
{
    if (by == SPGEMM_TOP_VALUE)
        keep_largest_by(SPGEMM_TOP_VALUE, e, most, keys);
    else
        keep_largest_by(SPGEMM_TOP_MAGNITUDE, e, most, keys);
}
#endif

/* Keeps the columns that row i of the mask has or, of the complement, has not.
   Both are sorted. */
static ALWAYS_INLINE void filter_by_mask(row_entries *e, const spgemm_csr *mask,
                                         int64_t i, bool is_complement)
{
    const IDX *Mj = mask->colidx;
    const int64_t end = mask->rowptr[i + 1];
    int64_t p = mask->rowptr[i];
    int64_t n = 0;
    for (int64_t t = 0; t < e->count; t++) {
        while (p < end && Mj[p] < e->Cj[t])
            p++;
        const bool is_there = p < end && Mj[p] == e->Cj[t];
        e->Cj[n] = e->Cj[t];
        if (HAS_VALUES)
            e->Cx[n] = e->Cx[t];
        n += is_there != is_complement;
    }
    e->count = n;
}

#endif
