/* SPDX-License-Identifier: BSD-3-Clause */
/* The products of one row of C: A(i,k) * B(k,j) for k in A's row, in its
   order, and j in [first, last].

   Parameters: VAL value type, IDX index type, FN(name) mangler. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "row.tmpl.h: define VAL, IDX and FN first"
#endif

typedef struct FN(row) {
    const IDX *Aj; /* [length] */
    const VAL *Ax; /* [length]; NULL in a symbolic pass, or not read */
    int64_t length;
    const int64_t *Bp;
    const IDX *Bj;
    const VAL *Bx; /* NULL in a symbolic pass, or not read */
    bool b_is_sorted;
    bool is_clipped; /* B's rows reach beyond [first, last]; they are sorted */
    int64_t first;
    int64_t last;
    int64_t products;   /* at most, in [first, last] */
    int64_t predicted;  /* nnz */
    int64_t longest;    /* products of one row of B; 0: not known */
    int64_t longest_at; /* its place in A's row */
    bool is_counted;    /* in the report: once, for a row in parts */
} FN(row);

/* The first position in [p, end) of B whose column is at least j. */
static int64_t
FN(lower_bound)(const IDX *restrict Bj, int64_t p, int64_t end, int64_t j)
{
    while (p < end) {
        const int64_t middle = p + (end - p) / 2;
        if (Bj[middle] < j)
            p = middle + 1;
        else
            end = middle;
    }
    return p;
}

/* Positions [*p, *end) of row k of B that lie in [first, last]. */
static ALWAYS_INLINE void
FN(b_range)(const FN(row) * r, int64_t k, int64_t *p, int64_t *end)
{
    *p = r->Bp[k];
    *end = r->Bp[k + 1];
    if (r->is_clipped) {
        *p = FN(lower_bound)(r->Bj, *p, *end, r->first);
        *end = FN(lower_bound)(r->Bj, *p, *end, r->last + 1);
    }
}
