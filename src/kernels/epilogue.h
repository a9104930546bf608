/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of a row of sums on its way to C, while it is in the cache:

       c = alpha s + beta d, where the mask lets it pass, less what is dropped. */
#ifndef SPGEMM_KERNELS_EPILOGUE_H
#define SPGEMM_KERNELS_EPILOGUE_H

#include "kernels/row/unit.h"

/* A row, sorted, in memory of the thread. */
typedef struct row_entries {
    IDX *Cj;
    VAL *Cx;
    int64_t count;
} row_entries;

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

/* Drops zeros, and what is not above the tolerance. */
static ALWAYS_INLINE void drop_small(row_entries *e, bool drop_zeros,
                                     double tolerance)
{
    int64_t n = 0;
    for (int64_t t = 0; t < e->count; t++) {
        const bool is_dropped =
            (drop_zeros && e->Cx[t] == 0) ||
            (tolerance > 0 && op_is_within(e->Cx[t], tolerance));
        e->Cj[n] = e->Cj[t];
        e->Cx[n] = e->Cx[t];
        n += !is_dropped;
    }
    e->count = n;
}

static ALWAYS_INLINE uint64_t top_key(spgemm_top_order by, VAL x)
{
    return by == SPGEMM_TOP_VALUE ? op_order_key(x) : op_magnitude(x);
}

static ALWAYS_INLINE void keep_largest_by(spgemm_top_order by, row_entries *e,
                                          int64_t most, uint64_t *keys)
{
    for (int64_t t = 0; t < e->count; t++)
        keys[t] = top_key(by, e->Cx[t]);
    int64_t equals;
    const uint64_t least = select_largest(keys, e->count, most, &equals);
    int64_t n = 0;
    for (int64_t t = 0; t < e->count; t++) {
        const uint64_t key = top_key(by, e->Cx[t]);
        const bool is_kept = key > least || (key == least && equals-- > 0);
        e->Cj[n] = e->Cj[t];
        e->Cx[n] = e->Cx[t];
        n += is_kept;
    }
    e->count = n;
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
