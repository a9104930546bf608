/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) of a few products: they are sorted by (column, order of arrival), and
   those of one column summed from left to right. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_H

#include "kernels/accumulators/scale.h"
#include "kernels/row/room.h"
#include "kernels/row/row.h"

#define ESC_PRODUCTS 16

/* A row of B, scaled: where A's row has one entry and B's rows are sorted. */
static ALWAYS_INLINE int64_t scale_row(spgemm_semiring sr, const c_row *r,
                                       bool is_numeric, IDX *Cj, VAL *Cx)
{
    int64_t begin;
    int64_t end;
    b_range(r, r->Aj[0], &begin, &end);
    if (is_numeric)
        scale_some(sr, r->Bj, r->Bx, value_a(sr, r->Ax, 0), begin, end, Cj, Cx);
    return end - begin;
}

/* Needs room for min(products, columns) entries, and less than 2^55 columns. */
static ALWAYS_INLINE int64_t esc_row(spgemm_semiring sr, const c_row *r,
                                     bool is_numeric, IDX *Cj, VAL *Cx)
{
    uint64_t keys[ESC_PRODUCTS];
    VAL terms[ESC_PRODUCTS];
    int64_t n = 0;
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        const VAL a = is_numeric ? value_a(sr, r->Ax, t) : (VAL)0;
        b_range(r, r->Aj[t], &q, &end);
        for (; q < end; q++) {
            if (is_numeric && HAS_VALUES)
                terms[n] = product(sr, a, r->Bx, q);
            insert_key(keys, n,
                       (uint64_t)(r->Bj[q] - r->first) << 8 | (uint64_t)n);
            n++;
        }
    }
    int64_t used = 0;
    uint64_t previous = UINT64_MAX;
    for (int64_t t = 0; t < n; t++) {
        const uint64_t column = keys[t] >> 8;
        const bool is_new = column != previous;
        used += is_new;
        previous = column;
        if (is_numeric)
            Cj[used - 1] = (IDX)(r->first + (int64_t)column);
        if (is_numeric && HAS_VALUES) {
            const VAL sum = is_new ? zero_of(sr) : Cx[used - 1];
            Cx[used - 1] = semiring_add(sr, sum, terms[keys[t] & 0xff]);
        }
    }
    return used;
}

/* One entry in A's row, and B's rows sorted: a row of B, scaled. */
static ALWAYS_INLINE bool esc_scales(const c_row *r)
{
    return r->length == 1 && r->b_is_sorted;
}

static ALWAYS_INLINE bool esc_takes(const c_row *r, const operands *ops)
{
    (void)ops;
    return esc_scales(r) ||
           (r->products <= ESC_PRODUCTS && row_width(r) < KEY_COLUMNS);
}

static ROW_OF_SEMIRING int64_t esc_sum_rows(const c_row *r, const operands *ops,
                                            int rows, scratch *s,
                                            bool is_numeric, output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    (void)ops;
    (void)rows;
    (void)s;
    if (!make_room(out, r->products, is_numeric, &Cj, &Cx))
        return -1;
    int64_t n = 0;
    WITH_SEMIRING(r->semiring, sr,
                  n = esc_scales(r) ? scale_row(sr, r, is_numeric, Cj, Cx)
                                    : esc_row(sr, r, is_numeric, Cj, Cx));
    if (is_numeric)
        output_take(out, n);
    return n;
}

#endif
