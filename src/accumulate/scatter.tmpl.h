/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, first + x) = sums[x], where bit x is set: a window over the columns,
   for rows that are scattered in it.

   Occupancy is a bit a column, an eighth of the dense window's bytes, so it
   stays in the first cache; a second level has a byte for each word of the
   first, a store and no read, so extraction costs what was touched. Measured,
   one thread of a Zen 4, on conf5_4-8x8-05: 133 ms; 179 with a bit there too.

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "scatter.tmpl.h: define VAL, IDX and FN first"
#endif

static ALWAYS_INLINE void FN(scatter_add)(scratch *s,
                                          const FN(row) * r,
                                          VAL a,
                                          int64_t q,
                                          int64_t end,
                                          bool is_numeric)
{
    const IDX *restrict Bj = r->Bj;
    const VAL *restrict Bx = r->Bx;
    VAL *restrict sums = s->sums;
    uint64_t *restrict bits = s->bits;
    uint8_t *restrict touched = s->touched;
    const int64_t base = r->first;
    for (; q < end; q++) {
        const uint64_t x = (uint64_t)(Bj[q] - base);
        if (is_numeric)
            sums[x] = FN(add)(sums[x], FN(mul)(a, Bx[q]));
        bits[x >> 6] |= (uint64_t)1 << (x & 63);
        touched[x >> 6] = 1;
    }
}

/* The entries of one word of bits, in order. */
static ALWAYS_INLINE int64_t FN(scatter_take)(VAL *restrict sums,
                                              uint64_t word,
                                              int64_t column,
                                              IDX *restrict Cj,
                                              VAL *restrict Cx)
{
    int64_t n = 0;
    for (; word != 0; word &= word - 1) {
        const int x = __builtin_ctzll(word);
        Cj[n] = (IDX)(column + x);
        Cx[n] = sums[x];
        sums[x] = 0;
        n++;
    }
    return n;
}

/* Entries of the window, in order; leaves it clean. */
static ALWAYS_INLINE int64_t FN(scatter_extract)(scratch *s,
                                                 const FN(row) * r,
                                                 bool is_numeric,
                                                 IDX *restrict Cj,
                                                 VAL *restrict Cx)
{
    VAL *restrict sums = s->sums;
    const int64_t words = (r->last - r->first) / 64 + 1;
    int64_t n = 0;
    for (int64_t v = 0; v < words; v += 8) {
        uint64_t eight = load_eight(s->touched + v);
        if (eight == 0)
            continue;
        memset(s->touched + v, 0, 8);
        for (; eight != 0; eight &= eight - 1) {
            const int64_t w = v + __builtin_ctzll(eight) / 8;
            const uint64_t word = s->bits[w];
            s->bits[w] = 0;
            if (is_numeric)
                n += FN(scatter_take)(sums + 64 * w, word, r->first + 64 * w,
                                      Cj + n, Cx + n);
            else
                n += __builtin_popcountll(word);
        }
    }
    return n;
}

/* nnz of the window, which is left as it is. */
static NOINLINE int64_t FN(scatter_count)(const scratch *s, const FN(row) * r)
{
    const int64_t words = (r->last - r->first) / 64 + 1;
    int64_t n = 0;
    for (int64_t w = 0; w < words; w++)
        n += __builtin_popcountll(s->bits[w]);
    return n;
}

/* Needs a window of last - first + 1 columns. */
static ALWAYS_INLINE void
FN(scatter_sum)(const FN(row) * r, scratch *s, bool is_numeric)
{
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        FN(b_range)(r, r->Aj[t], &q, &end);
        FN(scatter_add)
        (s, r, is_numeric ? r->Ax[t] : (VAL)0, q, end, is_numeric);
    }
}
