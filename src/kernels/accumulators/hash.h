/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) in slot h(j) of a table, or the next free one: for rows whose columns
   lie too far apart for a window.

   The table is sized by the predicted nnz of the row, not by its products: it
   is smaller by the compression, and stays in a nearer cache. It doubles when
   it is half full. Columns are listed as they are found; for sorted rows the
   list is sorted, and each column looked up once more. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_HASH_H
#define SPGEMM_KERNELS_ACCUMULATORS_HASH_H

#include "kernels/row/room.h"
#include "kernels/row/row.h"
#include "kernels/row/sort_columns.h"

#define EMPTY ((IDX)-1)

/* The slot of column j, or the empty one where it belongs. */
static inline int64_t find_slot(const IDX *restrict keys, int64_t slots,
                                int shift, IDX j)
{
    int64_t h = (int64_t)hash_column((uint64_t)j, shift);
    while (keys[h] != j && keys[h] != EMPTY)
        h = (h + 1) & (slots - 1);
    return h;
}

/* Doubles the table in use; the list keeps its order. false: no memory. */
static NOINLINE bool hash_double(scratch *s, int64_t *slots, int64_t n,
                                 bool is_numeric)
{
    scratch old;
    spgemm_scratch_take_hash(s, &old);
    const int old_shift = hash_shift(*slots);
    const int64_t old_slots = *slots;
    *slots *= 2;
    const bool is_grown = scratch_hash(s, *slots);
    for (int64_t t = 0; is_grown && t < n; t++) {
        const IDX j = ((const IDX *)old.columns)[t];
        const int64_t from = find_slot(old.keys, old_slots, old_shift, j);
        const int64_t to = find_slot(s->keys, *slots, hash_shift(*slots), j);
        ((IDX *)s->keys)[to] = j;
        ((IDX *)s->columns)[t] = j;
        if (is_numeric && HAS_VALUES)
            ((VAL *)s->slot_sums)[to] = ((const VAL *)old.slot_sums)[from];
    }
    spgemm_scratch_clear(&old);
    return is_grown;
}

/* Adds the products of the row to a table of its own size. Returns entries
   found, and the slots of the table; -1: no memory. */
static ALWAYS_INLINE int64_t hash_add(spgemm_semiring sr, scratch *s,
                                      const c_row *r, bool is_numeric,
                                      int64_t *table_slots)
{
    int64_t slots = hash_slots(2 * r->predicted);
    if (!scratch_hash(s, slots))
        return -1;
    int shift = hash_shift(slots);
    int64_t n = 0;
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        const VAL a = is_numeric ? value_a(sr, r->Ax, t) : (VAL)0;
        b_range(r, r->Aj[t], &q, &end);
        for (; q < end; q++) {
            const IDX j = r->Bj[q];
            int64_t h = find_slot(s->keys, slots, shift, j);
            if (((IDX *)s->keys)[h] == EMPTY) {
                if (UNLIKELY(2 * (n + 1) > slots)) {
                    if (!hash_double(s, &slots, n, is_numeric))
                        return -1;
                    shift = hash_shift(slots);
                    h = find_slot(s->keys, slots, shift, j);
                }
                ((IDX *)s->keys)[h] = j;
                ((IDX *)s->columns)[n++] = j;
                if (is_numeric && HAS_VALUES)
                    ((VAL *)s->slot_sums)[h] = zero_of(sr);
            }
            if (is_numeric && HAS_VALUES) {
                VAL *sum = (VAL *)s->slot_sums + h;
                *sum = semiring_add(sr, *sum, product(sr, a, r->Bx, q));
            }
        }
    }
    *table_slots = slots;
    return n;
}

/* Moves the n entries out, in order of columns or as found; leaves the table
   clean. */
static ALWAYS_INLINE void hash_extract(scratch *s, int64_t slots, int64_t n,
                                       bool is_numeric, bool sort_row, IDX *Cj,
                                       VAL *Cx)
{
    IDX *columns = s->columns;
    IDX *keys = s->keys;
    const int shift = hash_shift(slots);
    if (is_numeric && sort_row)
        sort_columns(columns, s->spare, n);
    for (int64_t t = 0; is_numeric && t < n; t++) {
        Cj[t] = columns[t];
        if (!HAS_VALUES)
            continue;
        const int64_t h = find_slot(keys, slots, shift, columns[t]);
        Cx[t] = ((VAL *)s->slot_sums)[h];
    }
    memset(keys, 0xff, (size_t)slots * sizeof *keys);
}

static inline bool hash_takes(const c_row *r, const operands *ops)
{
    (void)r;
    (void)ops;
    return true;
}

/* Room is made when the columns' number is known. */
static ROW_OF_SEMIRING int64_t hash_sum_rows(const c_row *r,
                                             const operands *ops, int rows,
                                             scratch *s, bool is_numeric,
                                             output *out)
{
    (void)rows;
    int64_t slots;
    int64_t n = -1;
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    WITH_SEMIRING(r->semiring, sr, n = hash_add(sr, s, r, is_numeric, &slots));
    if (n < 0 || !make_room(out, n, is_numeric, &Cj, &Cx))
        return -1;
    hash_extract(s, slots, n, is_numeric, sorts_row(r, ops), Cj, Cx);
    if (is_numeric)
        output_take(out, n);
    return n;
}

#endif
