/* SPDX-License-Identifier: BSD-3-Clause */
/* A row of C before it is multiplied: the columns that it may have, from the
   ends of B's rows; and what the rows after it will read, asked for early.

   Parameters: VAL, IDX, FN. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "look.tmpl.h: define VAL, IDX and FN first"
#endif

/* Rows of B are read at random: their pointers are asked for this many entries
   of A ahead, and the rows themselves half as many. */
#define AHEAD_ROWS     48
#define AHEAD_POINTERS (2 * AHEAD_ROWS)

/* Asks for the lines of [from, to), two or four of them: no loop, whose end
   would be foreseen as badly as the lengths of B's rows. */
static ALWAYS_INLINE void
prefetch_ends(const char *from, const char *to, bool has_middle)
{
    const char *last = to - 1;
    PREFETCH(from);
    PREFETCH(last);
    if (has_middle) {
        PREFETCH(from + 64 < last ? from + 64 : last);
        PREFETCH(from + 128 < last ? from + 128 : last);
    }
}

/* Asks for what the entries of A in [begin, end) will need later. */
static ALWAYS_INLINE void
FN(prefetch)(const operands *ops, int64_t begin, int64_t end, bool is_numeric)
{
    const IDX *Aj = ops->A->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const char *Bj = ops->B->colidx;
    const char *Bx = ops->B->values;
    const int64_t last = ops->A->nnz - 1;
    for (int64_t p = begin; p < end; p++) {
        PREFETCH(&Bp[Aj[min_i64(p + AHEAD_POINTERS, last)]]);
        const int64_t k = Aj[min_i64(p + AHEAD_ROWS, last)];
        const size_t from = (size_t)Bp[k];
        const size_t to = (size_t)Bp[k + 1];
        prefetch_ends(Bj + from * sizeof(IDX), Bj + to * sizeof(IDX), false);
        if (is_numeric)
            prefetch_ends(Bx + from * sizeof(VAL), Bx + to * sizeof(VAL), true);
    }
}

/* Row i of C, with the columns that B's rows say it may have. */
static ALWAYS_INLINE FN(row)
    FN(look)(const operands *ops, int64_t i, bool is_numeric)
{
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const int64_t begin = A->rowptr[i];
    FN(prefetch)(ops, begin, A->rowptr[i + 1], is_numeric);
    FN(row)
    r = {
        .Aj = (const IDX *)A->colidx + begin,
        .Ax = is_numeric ? (const VAL *)A->values + begin : NULL,
        .length = A->rowptr[i + 1] - begin,
        .Bp = B->rowptr,
        .Bj = B->colidx,
        .Bx = is_numeric ? B->values : NULL,
        .b_is_sorted = ops->b_is_sorted,
        .products = ops->products[i],
        .is_counted = true,
    };
    if (!r.b_is_sorted) {
        r.last = B->ncols - 1;
        return r;
    }
    r.first = INT64_MAX;
    for (int64_t t = 0; t < r.length; t++) {
        const int64_t q = r.Bp[r.Aj[t]];
        const int64_t end = r.Bp[r.Aj[t] + 1];
        if (q == end)
            continue;
        r.first = min_i64(r.first, r.Bj[q]);
        r.last = max_i64(r.last, r.Bj[end - 1]);
    }
    return r;
}

#undef AHEAD_POINTERS
#undef AHEAD_ROWS
