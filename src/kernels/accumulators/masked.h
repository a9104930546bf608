/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, m_t) = sums[t] for the columns m_0 < m_1 < ... of a row of a mask: what
   is not in the mask is neither stored nor summed.

   Where the row of B is much longer than that of the mask, the columns of the
   mask are looked up in it; elsewhere its columns are looked up in the mask, by
   a window of places, or by a table where the mask's columns lie too far apart
   for that. So a product costs at most about min(nnz of B's row, nnz of the
   mask's row) for each entry of A. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_MASKED_H
#define SPGEMM_KERNELS_ACCUMULATORS_MASKED_H

#include "kernels/accumulators/hash.h"
#include "kernels/row/room.h"
#include "kernels/row/row.h"

/* A row of B this many times as long as the mask's row is searched for the
   mask's columns. */
#define MASK_SEARCH 8

/* Columns of the mask within reach of a row, and their sums. */
typedef struct mask_row {
    const IDX *Mj; /* [count], increasing, in [first, last] of the row */
    int64_t count;
    int64_t first; /* Mj[0] */
    int64_t width; /* to the last */
    VAL *sums;     /* [count] */
    IDX *is_met;   /* [count] */
} mask_row;

static ALWAYS_INLINE mask_row mask_of_row(const spgemm_csr *mask, int64_t i,
                                          const c_row *r)
{
    const IDX *Mj = mask->colidx;
    const int64_t begin =
        lower_bound(Mj, mask->rowptr[i], mask->rowptr[i + 1], r->first);
    const int64_t end =
        lower_bound(Mj, begin, mask->rowptr[i + 1], r->last + 1);
    mask_row m = {.Mj = Mj + begin, .count = end - begin};
    if (m.count > 0) {
        m.first = m.Mj[0];
        m.width = m.Mj[m.count - 1] - m.first + 1;
    }
    return m;
}

static ALWAYS_INLINE void mask_add(spgemm_semiring sr, const mask_row *m,
                                   int64_t t, VAL a, const VAL *Bx, int64_t q,
                                   bool is_numeric)
{
    m->is_met[t] = 1;
    if (is_numeric && HAS_VALUES)
        m->sums[t] = semiring_add(sr, m->sums[t], product(sr, a, Bx, q));
}

/* The mask's columns, each searched in the rest of B's row [q, end). */
static ALWAYS_INLINE void mask_search(spgemm_semiring sr, const mask_row *m,
                                      const c_row *r, VAL a, int64_t q,
                                      int64_t end, bool is_numeric)
{
    for (int64_t t = 0; t < m->count && q < end; t++) {
        q = lower_bound(r->Bj, q, end, m->Mj[t]);
        if (q < end && r->Bj[q] == m->Mj[t])
            mask_add(sr, m, t, a, r->Bx, q++, is_numeric);
    }
}

/* All products of the row, by places[x] of column first + x. */
static ALWAYS_INLINE void mask_by_places(spgemm_semiring sr, const mask_row *m,
                                         const c_row *r,
                                         const int32_t *restrict places,
                                         bool is_numeric)
{
    for (int64_t k = 0; k < r->length; k++) {
        const VAL a = is_numeric ? value_a(sr, r->Ax, k) : (VAL)0;
        int64_t q = r->Bp[r->Aj[k]];
        int64_t end = r->Bp[r->Aj[k] + 1];
        if (r->b_is_sorted && (end - q) / MASK_SEARCH > m->count) {
            mask_search(sr, m, r, a, q, end, is_numeric);
            continue;
        }
        for (; q < end; q++) {
            const uint64_t x = (uint64_t)(r->Bj[q] - m->first);
            if (x >= (uint64_t)m->width || places[x] < 0)
                continue;
            mask_add(sr, m, places[x], a, r->Bx, q, is_numeric);
        }
    }
}

/* The same by a table of `slots` slots: keys are columns, places in `spare`. */
static ALWAYS_INLINE void mask_by_table(spgemm_semiring sr, const mask_row *m,
                                        const c_row *r, scratch *s,
                                        int64_t slots, bool is_numeric)
{
    const IDX *keys = s->keys;
    const IDX *places = s->spare;
    const int shift = hash_shift(slots);
    for (int64_t k = 0; k < r->length; k++) {
        const VAL a = is_numeric ? value_a(sr, r->Ax, k) : (VAL)0;
        int64_t q = r->Bp[r->Aj[k]];
        int64_t end = r->Bp[r->Aj[k] + 1];
        if (r->b_is_sorted && (end - q) / MASK_SEARCH > m->count) {
            mask_search(sr, m, r, a, q, end, is_numeric);
            continue;
        }
        for (; q < end; q++) {
            const int64_t h = find_slot(keys, slots, shift, r->Bj[q]);
            if (keys[h] == r->Bj[q])
                mask_add(sr, m, places[h], a, r->Bx, q, is_numeric);
        }
    }
}

/* Sums for a mask's row: a table of at least twice its entries is there. */
static ALWAYS_INLINE void mask_begin(VAL zero, mask_row *m, const scratch *s,
                                     bool is_numeric)
{
    m->sums = s->slot_sums;
    m->is_met = s->columns;
    for (int64_t t = 0; t < m->count; t++)
        m->is_met[t] = 0;
    for (int64_t t = 0; is_numeric && HAS_VALUES && t < m->count; t++)
        m->sums[t] = zero;
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
    if (is_numeric)
        WITH_SEMIRING(r->semiring, sr, mask_by_table(sr, m, r, s, slots, true));
    else
        mask_by_table(SPGEMM_ANY_PAIR, m, r, s, slots, false);
    memset(keys, 0xff, (size_t)slots * sizeof *keys);
}

static ALWAYS_INLINE void mask_narrow(const mask_row *m, const c_row *r,
                                      int32_t *restrict places, bool is_numeric)
{
    for (int64_t t = 0; t < m->count; t++)
        places[m->Mj[t] - m->first] = (int32_t)t;
    if (is_numeric)
        WITH_SEMIRING(r->semiring, sr, mask_by_places(sr, m, r, places, true));
    else
        mask_by_places(SPGEMM_ANY_PAIR, m, r, places, false);
    for (int64_t t = 0; t < m->count; t++)
        places[m->Mj[t] - m->first] = -1;
}

/* What was met, in order; returns how many. Cj is NULL: only that. */
static ALWAYS_INLINE int64_t mask_extract(const mask_row *m, IDX *restrict Cj,
                                          VAL *restrict Cx)
{
    int64_t n = 0;
    for (int64_t t = 0; t < m->count; t++) {
        if (!m->is_met[t])
            continue;
        if (Cj)
            Cj[n] = m->Mj[t];
        if (Cj && HAS_VALUES)
            Cx[n] = m->sums[t];
        n++;
    }
    return n;
}

/* Row i, at the columns that the mask has there. */
static NOINLINE int64_t masked_row(const c_row *r, const spgemm_csr *mask,
                                   int64_t i, scratch *s, bool is_numeric,
                                   output *out)
{
    mask_row m = mask_of_row(mask, i, r);
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (m.count == 0)
        return 0;
    if (r->is_counted)
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_MASKED]++;
    if (!scratch_hash(s, hash_slots(2 * m.count)))
        return -1;
    mask_begin(zero_of(semiring_of_row(r)), &m, s, is_numeric);
    if (m.width > WIDEST_WINDOW)
        mask_wide(&m, r, s, is_numeric);
    else if (m.width <= s->position_columns ||
             spgemm_scratch_grow_positions(s, m.width))
        mask_narrow(&m, r, s->positions, is_numeric);
    else
        return -1;
    const int64_t n = mask_extract(&m, NULL, NULL);
    if (!is_numeric || n == 0)
        return n;
    if (!make_room(out, n, true, &Cj, &Cx))
        return -1;
    mask_extract(&m, Cj, Cx);
    output_take(out, n);
    return n;
}

#endif
