/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, first + x) in place positions[x] of the row, the next free one when x is
   met first: for rows that need not be sorted.

   F. G. Gustavson, ACM TOMS 4(3):250-269, 1978. The sums are where they will
   stay, begun at ZERO before any product comes, so that old and new columns take
   the same steps and no branch asks which it is.

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "append.tmpl.h: define VAL, IDX and FN first"
#endif

/* Entries of the row in the order in which they are met; returns their number.
   Cx[0 .. zeros) are set to ZERO first, zeros >= that number. */
static ALWAYS_INLINE int64_t FN(append_row)(const FN(row) * r,
                                            int32_t *restrict positions,
                                            int64_t zeros,
                                            IDX *restrict Cj,
                                            VAL *restrict Cx)
{
    int32_t n = 0;
    for (int64_t u = 0; HAS_VALUES && u < zeros; u++)
        Cx[u] = ZERO;
    for (int64_t t = 0; t < r->length; t++) {
        const VAL a = FN(value_a)(r->Ax, t);
        int64_t q;
        int64_t end;
        FN(b_range)(r, r->Aj[t], &q, &end);
        for (; q < end; q++) {
            const IDX j = r->Bj[q];
            int32_t *at = &positions[j - r->first];
            const int32_t met = *at;
            const int32_t place = met < 0 ? n : met;
            n += met < 0;
            *at = place;
            Cj[place] = j;
            if (HAS_VALUES)
                Cx[place] = FN(add)(Cx[place], FN(term)(a, r->Bx, q));
        }
    }
    for (int32_t u = 0; u < n; u++)
        positions[Cj[u] - r->first] = -1;
    return n;
}
