/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = a B(k,:) + the few other products of the row, where B(k,:) is long:
   these are sorted by (column, order of arrival) and merged into it.

   Hubs of a web, a social network or a circuit have long rows, and most rows
   that meet one meet little else.

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "merge.tmpl.h: define VAL, IDX and FN first"
#endif

/* The products of all rows of B but the longest. */
typedef struct FN(few) {
    uint64_t keys[MOST_MERGED]; /* column << 8 | arrival, in order */
    VAL terms[MOST_MERGED];     /* in the order of arrival */
    int64_t count;
    int64_t before; /* the longest row's products arrive after so many */
} FN(few);

static ALWAYS_INLINE void
FN(gather_few)(const FN(row) * r, bool is_numeric, FN(few) * few)
{
    int64_t n = 0;
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        if (t == r->longest_at) {
            few->before = n;
            continue;
        }
        const VAL a = is_numeric ? FN(value_a)(r->Ax, t) : (VAL)0;
        FN(b_range)(r, r->Aj[t], &q, &end);
        for (; q < end; q++) {
            if (is_numeric && HAS_VALUES)
                few->terms[n] = FN(term)(a, r->Bx, q);
            insert_key(few->keys, n,
                       (uint64_t)(r->Bj[q] - r->first) << 8 | (uint64_t)n);
            n++;
        }
    }
    few->count = n;
}

/* sum + the products from *u on of one column that arrive before `arrival`. */
static ALWAYS_INLINE VAL FN(add_few)(const FN(few) * few,
                                     int64_t *u,
                                     uint64_t column,
                                     int64_t arrival,
                                     bool is_numeric,
                                     VAL sum)
{
    const uint64_t end = column << 8 | (uint64_t)arrival;
    for (; *u < few->count && few->keys[*u] < end; ++*u)
        if (is_numeric && HAS_VALUES)
            sum = FN(add)(sum, few->terms[few->keys[*u] & 0xff]);
    return sum;
}

/* Needs room for all products, and less than 2^55 columns. */
static ALWAYS_INLINE int64_t FN(merge_row)(const FN(row) * r,
                                           bool is_numeric,
                                           IDX *Cj,
                                           VAL *Cx)
{
    FN(few) few;
    int64_t q;
    int64_t end;
    int64_t n = 0;
    const VAL a = is_numeric ? FN(value_a)(r->Ax, r->longest_at) : (VAL)0;
    FN(gather_few)(r, is_numeric, &few);
    FN(b_range)(r, r->Aj[r->longest_at], &q, &end);
    for (int64_t u = 0; u < few.count; n++) {
        const uint64_t column = few.keys[u] >> 8;
        const int64_t j = r->first + (int64_t)column;
        const int64_t next = FN(lower_bound)(r->Bj, q, end, j);
        const bool is_met = next < end && r->Bj[next] == (IDX)j;
        if (is_numeric)
            FN(scale_some)(r, a, q, next, Cj + n, FN(values_at)(Cx, n));
        n += next - q;
        q = next + is_met;
        VAL sum = FN(add_few)(&few, &u, column, few.before, is_numeric, ZERO);
        if (is_numeric && HAS_VALUES && is_met)
            sum = FN(add)(sum, FN(term)(a, r->Bx, next));
        sum = FN(add_few)(&few, &u, column, MOST_MERGED, is_numeric, sum);
        if (is_numeric)
            Cj[n] = (IDX)j;
        if (is_numeric && HAS_VALUES)
            Cx[n] = sum;
    }
    if (is_numeric)
        FN(scale_some)(r, a, q, end, Cj + n, FN(values_at)(Cx, n));
    return n + end - q;
}
