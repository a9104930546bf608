/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, first + x) = sums[x], where flags[x] = 1: a dense window over the
   columns, for rows that fill a good part of it.

   A flag is a byte, so that taking a column is a store and no read; a run of
   eight columns in B is one store of flags and eight sums side by side, which
   the compiler makes vectors of. Extraction reads 64 flags at a time.

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "dense.tmpl.h: define VAL, IDX and FN first"
#endif

#define RUN         8
#define EIGHT_FLAGS 0x0101010101010101u

/* sums += a * B(k, q .. end). */
static ALWAYS_INLINE void FN(dense_add)(VAL *restrict sums,
                                        uint8_t *restrict flags,
                                        const FN(row) * r,
                                        VAL a,
                                        int64_t q,
                                        int64_t end,
                                        bool is_numeric)
{
    const IDX *restrict Bj = r->Bj;
    const VAL *restrict Bx = r->Bx;
    const int64_t base = r->first;
    while (q < end) {
        const int64_t x = Bj[q] - base;
        if (r->b_is_sorted && q + RUN <= end &&
            Bj[q + RUN - 1] - Bj[q] == RUN - 1) {
            if (is_numeric)
                for (int u = 0; u < RUN; u++)
                    sums[x + u] = FN(add)(sums[x + u], FN(mul)(a, Bx[q + u]));
            const uint64_t taken = EIGHT_FLAGS;
            memcpy(flags + x, &taken, RUN);
            q += RUN;
        } else {
            if (is_numeric)
                sums[x] = FN(add)(sums[x], FN(mul)(a, Bx[q]));
            flags[x] = 1;
            q++;
        }
    }
}

/* Eight flags, not all of them 0: moves their entries out, wipes them. */
static ALWAYS_INLINE int64_t FN(dense_take8)(VAL *restrict sums,
                                             uint64_t eight,
                                             int64_t column,
                                             IDX *restrict Cj,
                                             VAL *restrict Cx)
{
    if (eight == EIGHT_FLAGS) {
        for (int u = 0; u < RUN; u++) {
            Cj[u] = (IDX)(column + u);
            Cx[u] = sums[u] + (VAL)0;
            sums[u] = UNTOUCHED;
        }
        return RUN;
    }
    int64_t n = 0;
    for (; eight != 0; eight &= eight - 1) {
        const int u = __builtin_ctzll(eight) / 8;
        Cj[n] = (IDX)(column + u);
        Cx[n] = sums[u] + (VAL)0;
        sums[u] = UNTOUCHED;
        n++;
    }
    return n;
}

/* Entries of the window, in order; leaves it clean. */
static ALWAYS_INLINE int64_t FN(dense_extract)(VAL *restrict sums,
                                               uint8_t *restrict flags,
                                               const FN(row) * r,
                                               bool is_numeric,
                                               IDX *restrict Cj,
                                               VAL *restrict Cx)
{
    const int64_t width = r->last - r->first + 1;
    int64_t n = 0;
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t words[8];
        uint64_t any = 0;
        for (int w = 0; w < 8; w++) {
            words[w] = load_eight(flags + x + 8 * w);
            any |= words[w];
        }
        if (any == 0)
            continue;
        memset(flags + x, 0, 64);
        for (int w = 0; w < 8; w++) {
            if (words[w] == 0)
                continue;
            if (is_numeric)
                n += FN(dense_take8)(sums + x + 8 * w, words[w],
                                     r->first + x + 8 * w, Cj + n, Cx + n);
            else
                n += __builtin_popcountll(words[w]);
        }
    }
    return n;
}

/* nnz of the window, which is left as it is. */
static NOINLINE int64_t FN(dense_count)(const scratch *s, const FN(row) * r)
{
    const int64_t width = r->last - r->first + 1;
    int64_t n = 0;
    for (int64_t x = 0; x < width; x++)
        n += s->flags[x];
    return n;
}

/* Needs a window of last - first + 1 columns. */
static ALWAYS_INLINE void
FN(dense_sum)(const FN(row) * r, scratch *s, bool is_numeric)
{
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        FN(b_range)(r, r->Aj[t], &q, &end);
        FN(dense_add)
        (s->sums, s->flags, r, is_numeric ? r->Ax[t] : (VAL)0, q, end,
         is_numeric);
    }
}

#undef RUN
#undef EIGHT_FLAGS
