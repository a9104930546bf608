/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of a row of sums on its way to C, while it is in the cache:

       c = alpha s + beta d, where the mask lets it pass, less what is dropped.

   Parameters: VAL, IDX, FN, semiring. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "finish.tmpl.h: define VAL, IDX and FN first"
#endif

/* A row, sorted, in memory of the thread. */
typedef struct FN(entries) {
    IDX *Cj;
    VAL *Cx;
    int64_t count;
} FN(entries);

#if HAS_VALUES
static ALWAYS_INLINE void FN(scale)(FN(entries) * e, const VAL *alpha)
{
    for (int64_t t = 0; t < e->count; t++)
        e->Cx[t] = FN(mul)(*alpha, e->Cx[t]);
}

/* to = sums + beta * entries [p, end) of D, which are sorted; of one column
   there may be several. `to` has room for both. */
static NOINLINE void FN(merge)(FN(entries) * to,
                               const FN(entries) * sums,
                               const spgemm_csr *D,
                               int64_t i,
                               const VAL *beta)
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
        VAL c = is_summed ? sums->Cx[t++] : ZERO;
        if (p < end && Dj[p] == j)
            c = AS_TERM(c);
        for (; p < end && Dj[p] == j; p++)
            c = FN(add)(c, beta ? FN(mul)(*beta, Dx[p]) : Dx[p]);
        to->Cj[to->count] = j;
        to->Cx[to->count++] = c;
    }
}

/* Drops zeros, and what is not above the tolerance. */
static ALWAYS_INLINE void
FN(drop_small)(FN(entries) * e, bool drop_zeros, double tolerance)
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

/* Keeps the `most` of largest magnitude; of equals those of least column. keys:
   room for as many. */
static NOINLINE void
FN(keep_largest)(FN(entries) * e, int64_t most, uint64_t *keys)
{
    for (int64_t t = 0; t < e->count; t++)
        keys[t] = op_magnitude(e->Cx[t]);
    int64_t equals;
    const uint64_t least = select_largest(keys, e->count, most, &equals);
    int64_t n = 0;
    for (int64_t t = 0; t < e->count; t++) {
        const uint64_t size = op_magnitude(e->Cx[t]);
        const bool is_kept = size > least || (size == least && equals-- > 0);
        e->Cj[n] = e->Cj[t];
        e->Cx[n] = e->Cx[t];
        n += is_kept;
    }
    e->count = n;
}
#endif

/* Keeps the columns that row i of the mask has or, of the complement, has not.
   Both are sorted. */
static ALWAYS_INLINE void FN(filter)(FN(entries) * e,
                                     const spgemm_csr *mask,
                                     int64_t i,
                                     bool is_complement)
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
