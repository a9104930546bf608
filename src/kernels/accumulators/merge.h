/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = a B(k,:) + the few other products of the row, where B(k,:) is long:
   these are sorted by (column, order of arrival) and merged into it.

   Hubs of a web, a social network or a circuit have long rows, and most rows
   that meet one meet little else. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_MERGE_H
#define SPGEMM_KERNELS_ACCUMULATORS_MERGE_H

#include "kernels/accumulators/esc.h"
#include "kernels/row/room.h"
#include "kernels/row/row.h"

/* The products of all rows of B but the longest. */
typedef struct other_products {
    uint64_t keys[MOST_MERGED]; /* column << 8 | arrival, in order */
    VAL terms[MOST_MERGED];     /* in the order of arrival */
    int64_t count;
    int64_t before; /* the longest row's products arrive after so many */
} other_products;

static ALWAYS_INLINE void gather_few(spgemm_semiring sr, const c_row *r,
                                     bool is_numeric, other_products *few)
{
    int64_t n = 0;
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        if (t == r->longest_at) {
            few->before = n;
            continue;
        }
        const VAL a = is_numeric ? value_a(sr, r->Ax, t) : (VAL)0;
        b_range(r, r->Aj[t], &q, &end);
        for (; q < end; q++) {
            if (is_numeric && HAS_VALUES)
                few->terms[n] = product(sr, a, r->Bx, q);
            insert_key(few->keys, n,
                       (uint64_t)(r->Bj[q] - r->first) << 8 | (uint64_t)n);
            n++;
        }
    }
    few->count = n;
}

/* sum + the products from *u on of one column that arrive before `arrival`. */
static ALWAYS_INLINE VAL add_few(spgemm_semiring sr, const other_products *few,
                                 int64_t *u, uint64_t column, int64_t arrival,
                                 bool is_numeric, VAL sum)
{
    const uint64_t end = column << 8 | (uint64_t)arrival;
    for (; *u < few->count && few->keys[*u] < end; ++*u)
        if (is_numeric && HAS_VALUES)
            sum = semiring_add(sr, sum, few->terms[few->keys[*u] & 0xff]);
    return sum;
}

/* Needs room for all products, and less than 2^55 columns. */
static ALWAYS_INLINE int64_t merge_row(spgemm_semiring sr, const c_row *r,
                                       bool is_numeric, IDX *Cj, VAL *Cx)
{
    other_products few;
    int64_t q;
    int64_t end;
    int64_t n = 0;
    const VAL a = is_numeric ? value_a(sr, r->Ax, r->longest_at) : (VAL)0;
    gather_few(sr, r, is_numeric, &few);
    b_range(r, r->Aj[r->longest_at], &q, &end);
    for (int64_t u = 0; u < few.count; n++) {
        const uint64_t column = few.keys[u] >> 8;
        const int64_t j = r->first + (int64_t)column;
        const int64_t next = lower_bound(r->Bj, q, end, j);
        const bool is_met = next < end && r->Bj[next] == (IDX)j;
        if (is_numeric)
            scale_some(sr, r->Bj, r->Bx, a, q, next, Cj + n, values_at(Cx, n));
        n += next - q;
        q = next + is_met;
        VAL sum =
            add_few(sr, &few, &u, column, few.before, is_numeric, zero_of(sr));
        if (is_numeric && HAS_VALUES && is_met)
            sum = semiring_add(sr, sum, product(sr, a, r->Bx, next));
        sum = add_few(sr, &few, &u, column, MOST_MERGED, is_numeric, sum);
        if (is_numeric)
            Cj[n] = (IDX)j;
        if (is_numeric && HAS_VALUES)
            Cx[n] = sum;
    }
    if (is_numeric)
        scale_some(sr, r->Bj, r->Bx, a, q, end, Cj + n, values_at(Cx, n));
    return n + end - q;
}

/* Which semiring it is does not matter. */
static NOINLINE int64_t merged_nnz(const c_row *r)
{
    return merge_row(SPGEMM_ANY_PAIR, r, false, NULL, NULL);
}

static inline bool merge_takes(const c_row *r, const operands *ops)
{
    (void)ops;
    return is_merged(r->products, r->is_clipped ? 0 : r->longest) &&
           row_width(r) < KEY_COLUMNS;
}

/* Where the chunk may be too short for its bound, nnz is counted before room is
   made. */
static ROW_OF_SEMIRING int64_t merge_sum_rows(const c_row *r,
                                              const operands *ops, int rows,
                                              scratch *s, bool is_numeric,
                                              output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    (void)ops;
    (void)rows;
    (void)s;
    if (!is_numeric)
        return merged_nnz(r);
    const int64_t most =
        LIKELY(output_has_room(out, r->products)) ? r->products : merged_nnz(r);
    if (!make_room(out, most, true, &Cj, &Cx))
        return -1;
    int64_t n = 0;
    WITH_SEMIRING(r->semiring, sr, n = merge_row(sr, r, true, Cj, Cx));
    output_take(out, n);
    return n;
}

#endif
