/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of a row of sums on its way to C, while it is in the cache:

       c = alpha s + beta d, where the mask lets it pass, less what is dropped. */
#ifndef SPGEMM_KERNELS_EPILOGUE_H
#define SPGEMM_KERNELS_EPILOGUE_H

#include "kernels/row/keep.h"

#if HAS_VALUES
/* x[0 .. n) = alpha * x[0 .. n). */
static ALWAYS_INLINE void scale_values(spgemm_semiring sr, VAL alpha, int64_t n,
                                       VAL *x)
{
    for (int64_t t = 0; t < n; t++)
        x[t] = semiring_multiply(sr, alpha, x[t]);
}

/* Entry p of D, times beta. */
static ALWAYS_INLINE VAL scaled_d(spgemm_semiring sr, const VAL *Dx, int64_t p,
                                  const VAL *beta)
{
    return beta ? semiring_multiply(sr, *beta, Dx[p]) : Dx[p];
}

/* x if so, else y; compilers make a branch of that where values are no integers. */
static ALWAYS_INLINE VAL select_value(bool so, VAL x, VAL y)
{
    const VAL both[2] = {y, x};
    return both[so];
}

/* Entries of a row of sums that are looked at at once, where D's row is so many times
   as short: those before its next column are as many as is random, and no branch
   asks. */
#define SUMS_ABREAST   8
#define SUMS_EACH_OF_D 6

/* Moves the sums from *t on that are before column d to `to`, from *n on, as long as
   there are SUMS_ABREAST of them: as many are written. */
static inline void move_sums_below(row_entries *to, int64_t *n,
                                   const row_entries *sums, int64_t *t, IDX d)
{
    int64_t moved = SUMS_ABREAST;
    while (moved == SUMS_ABREAST && *t + SUMS_ABREAST <= sums->count) {
        const IDX *Cj = sums->Cj + *t;
        IDX below = 0;
        for (int u = 0; u < SUMS_ABREAST; u++)
            below += Cj[u] < d;
        moved = (int64_t)below;
        memcpy(to->Cj + *n, Cj, SUMS_ABREAST * sizeof *to->Cj);
        memcpy(to->Cx + *n, sums->Cx + *t, SUMS_ABREAST * sizeof *to->Cx);
        *t += moved;
        *n += moved;
    }
}

/* to = sums + beta * row i of D, which is sorted; of one column it may have several
   entries. `to` has room for both. Which of the two comes next is as good as random: no
   branch asks. is_short: the row of D is, beside the sums. */
static ALWAYS_INLINE void merge_with_row(spgemm_semiring sr, row_entries *to,
                                         const row_entries *sums,
                                         const spgemm_csr *D, int64_t i,
                                         const VAL *beta, bool is_short)
{
    const IDX *Dj = D->colidx;
    const VAL *Dx = D->values;
    const VAL zero = zero_of(sr);
    int64_t p = D->rowptr[i];
    const int64_t end = D->rowptr[i + 1];
    int64_t t = 0;
    int64_t n = 0;
    while (t < sums->count && p < end) {
        if (is_short)
            move_sums_below(to, &n, sums, &t, Dj[p]);
        if (is_short && t == sums->count)
            break;
        const IDX j = sums->Cj[t];
        const IDX d = Dj[p];
        const VAL sum = select_value(j <= d, sums->Cx[t], zero);
        const VAL both =
            semiring_add(sr, select_value(j == d, as_term(sr, sum), sum),
                         scaled_d(sr, Dx, p, beta));
        to->Cj[n] = j <= d ? j : d;
        to->Cx[n] = select_value(d <= j, both, sum);
        t += j <= d;
        p += d <= j;
        for (; UNLIKELY(p < end && Dj[p] == to->Cj[n]); p++)
            to->Cx[n] = semiring_add(sr, to->Cx[n], scaled_d(sr, Dx, p, beta));
        n++;
    }
    for (; t < sums->count; t++, n++) {
        to->Cj[n] = sums->Cj[t];
        to->Cx[n] = sums->Cx[t];
    }
    for (; p < end; n++) {
        const IDX d = Dj[p];
        VAL c = zero;
        for (; p < end && Dj[p] == d; p++)
            c = semiring_add(sr, c, scaled_d(sr, Dx, p, beta));
        to->Cj[n] = d;
        to->Cx[n] = c;
    }
    to->count = n;
}

static ALWAYS_INLINE void merge_with_d(spgemm_semiring sr, row_entries *to,
                                       const row_entries *sums,
                                       const spgemm_csr *D, int64_t i,
                                       const VAL *beta)
{
    const int64_t length = D->rowptr[i + 1] - D->rowptr[i];
    if (sums->count >= SUMS_EACH_OF_D * length)
        merge_with_row(sr, to, sums, D, i, beta, true);
    else
        merge_with_row(sr, to, sums, D, i, beta, false);
}

static ALWAYS_INLINE bool has_key_above(spgemm_top_order by, const VAL *x,
                                        int64_t n, uint64_t least)
{
    bool has = false;
    for (int64_t t = 0; t < n; t++)
        has |= top_key(by, x[t]) > least;
    return has;
}

/* A row of more entries for one that is kept is gone through candidate by candidate.
   Measured with 8, 16, 32, 128, one thread of a Zen 4, ten a row, ms for A*A: rows of
   200 entries 33.0, 32.4, 22.8, 23.4; of 1,260 (of 126 rows) 0.56, 0.56, 0.55, 0.62. */
#define CHOSEN_AT_ONCE 32

/* Candidates are gathered at the front, up to twice as many as are kept: the
   larger half of them says what a later one must be above, and each choice is
   paid by as many candidates as it drops. */
static ALWAYS_INLINE void keep_largest_by(spgemm_top_order by, row_entries *e,
                                          int64_t most, uint64_t *keys)
{
    const bool at_once = e->count / CHOSEN_AT_ONCE <= most;
    const int64_t room = at_once ? e->count : 2 * most;
    uint64_t least = keep_of_first(by, e, room, most, keys);
    int64_t n = most;
    int64_t t = room;
    while (t < e->count) {
        const int64_t end = min_i64(e->count, t + LOOKED_AT);
        if (!has_key_above(by, e->Cx + t, end - t, least))
            t = end;
        for (; t < end; t++) {
            move_entry(e, n, t);
            n += top_key(by, e->Cx[t]) > least;
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

/* Entries of a mask or a row that are passed over at once, where no branch asks. */
#define MASK_SKIPS 8

/* Moves MASK_SKIPS of them: in registers, since a call takes longer. */
static inline void move_some(row_entries *e, int64_t to, int64_t from)
{
    IDX columns[MASK_SKIPS];
    VAL values[MASK_SKIPS];
    memcpy(columns, e->Cj + from, sizeof columns);
    memcpy(e->Cj + to, columns, sizeof columns);
    if (HAS_VALUES) {
        memcpy(values, e->Cx + from, sizeof values);
        memcpy(e->Cx + to, values, sizeof values);
    }
}

/* Keeps the columns that row i of the mask has or, of the complement, has not.
   Both are sorted. Which of the two comes next is as good as random. */
static ALWAYS_INLINE void filter_by_mask(row_entries *e, const spgemm_csr *mask,
                                         int64_t i, bool is_complement)
{
    const IDX *Mj = mask->colidx;
    const int64_t end = mask->rowptr[i + 1];
    int64_t p = mask->rowptr[i];
    int64_t n = 0;
    int64_t t = 0;
    while (t < e->count && p < end) {
        const IDX j = e->Cj[t];
        const IDX m = Mj[p];
        if (p + MASK_SKIPS <= end && Mj[p + MASK_SKIPS - 1] < j) {
            p += MASK_SKIPS;
        } else if (t + MASK_SKIPS <= e->count &&
                   e->Cj[t + MASK_SKIPS - 1] < m) {
            if (is_complement)
                move_some(e, n, t);
            n += is_complement ? MASK_SKIPS : 0;
            t += MASK_SKIPS;
        } else {
            move_entry(e, n, t);
            n += is_complement ? j < m : j == m;
            t += j <= m;
            p += m <= j;
        }
    }
    if (is_complement) {
        const size_t rest = (size_t)(e->count - t);
        memmove(e->Cj + n, e->Cj + t, rest * sizeof *e->Cj);
        if (HAS_VALUES)
            memmove(e->Cx + n, e->Cx + t, rest * sizeof *e->Cx);
        n += e->count - t;
    }
    e->count = n;
}

#endif
