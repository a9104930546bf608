/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) of a few products: they are sorted by (column, order of arrival), and
   those of one column summed from left to right.

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "tiny.tmpl.h: define VAL, IDX and FN first"
#endif

/* Entries [begin, end) of B, scaled. */
static ALWAYS_INLINE void FN(scale_some)(const FN(row) * r,
                                         VAL a,
                                         int64_t begin,
                                         int64_t end,
                                         IDX *restrict Cj,
                                         VAL *restrict Cx)
{
    const IDX *restrict Bj = r->Bj;
    const VAL *restrict Bx = r->Bx;
    for (int64_t q = begin; q < end; q++) {
        Cj[q - begin] = Bj[q];
        if (HAS_VALUES)
            Cx[q - begin] = FN(add)(ZERO, FN(term)(a, Bx, q));
    }
}

/* A row of B, scaled: where A's row has one entry and B's rows are sorted. */
static ALWAYS_INLINE int64_t FN(scale_row)(const FN(row) * r,
                                           bool is_numeric,
                                           IDX *Cj,
                                           VAL *Cx)
{
    int64_t begin;
    int64_t end;
    FN(b_range)(r, r->Aj[0], &begin, &end);
    if (is_numeric)
        FN(scale_some)(r, FN(value_a)(r->Ax, 0), begin, end, Cj, Cx);
    return end - begin;
}

/* Needs room for min(products, columns) entries, and less than 2^55 columns. */
static ALWAYS_INLINE int64_t FN(tiny_row)(const FN(row) * r,
                                          bool is_numeric,
                                          IDX *Cj,
                                          VAL *Cx)
{
    uint64_t keys[TINY_PRODUCTS];
    VAL terms[TINY_PRODUCTS];
    int64_t n = 0;
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        const VAL a = is_numeric ? FN(value_a)(r->Ax, t) : (VAL)0;
        FN(b_range)(r, r->Aj[t], &q, &end);
        for (; q < end; q++) {
            if (is_numeric && HAS_VALUES)
                terms[n] = FN(term)(a, r->Bx, q);
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
            const VAL sum = is_new ? ZERO : Cx[used - 1];
            Cx[used - 1] = FN(add)(sum, terms[keys[t] & 0xff]);
        }
    }
    return used;
}
