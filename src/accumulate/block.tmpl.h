/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i .. i + rows, first + x) = sums[row][x], where flags[x] = 1: rows of A
   with the same columns, taken together.

   The unknowns of one node of a mesh have the same neighbours: their rows of C
   have one pattern, found once, and use the same rows of B, read once. B's
   rows of one node have one pattern too: up to MOST_TERMS of them are added to
   a run of sums while it is in registers, in the order of A's row.

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "block.tmpl.h: define VAL, IDX and FN first"
#endif

#define MOST_ROWS  4
#define MOST_TERMS 4
#define RUN        8
#define FLAGS      0x0101010101010101u

/* Some rows of A with the columns of the first. */
typedef struct FN(block) {
    FN(row) r;                /* the first */
    const VAL *Ax[MOST_ROWS]; /* the values of each */
    int rows;
    const uint8_t *b_same;
} FN(block);

/* Products of `rows` rows with `terms` rows of B of one pattern. */
typedef struct FN(tile) {
    VAL a[MOST_ROWS][MOST_TERMS];
    const VAL *Bx[MOST_TERMS];
    const IDX *Bj;
    int64_t length;
} FN(tile);

/* Length of the run of columns at j[0], 2 * RUN at most. */
static ALWAYS_INLINE int FN(run_length)(const IDX *j, int64_t room)
{
#if defined(LEAVES_AVX512)
    const __mmask16 some = room >= 16 ? 0xffff : (__mmask16)((1u << room) - 1);
    const __m512i columns = _mm512_maskz_loadu_epi32(some, j);
    const __m512i expected = _mm512_add_epi32(
        _mm512_set1_epi32((int)j[0]),
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    const unsigned in_run =
        _mm512_mask_cmpeq_epi32_mask(some, columns, expected);
    return __builtin_ctz(~in_run);
#else
    int n = 1;
    while (n < 2 * RUN && n < room && j[n] == j[0] + (IDX)n)
        n++;
    return n;
#endif
}

/* sums[0 .. n) of each row += its a * B[u .. u + n), term after term,
   n <= RUN. */
#if defined(LEAVES_AVX512)
#define VECTOR __m512d
static ALWAYS_INLINE void FN(add_run)(double *sums,
                                      int64_t stride,
                                      int rows,
                                      int terms,
                                      __m512d a[MOST_ROWS][MOST_TERMS],
                                      const double *const *Bx,
                                      int64_t u,
                                      int n)
{
    const __mmask8 run = (__mmask8)((1u << n) - 1);
    __m512d b[MOST_TERMS];
    for (int c = 0; c < terms; c++)
        b[c] = _mm512_maskz_loadu_pd(run, Bx[c] + u);
    for (int row = 0; row < rows; row++) {
        __m512d sum = _mm512_loadu_pd(sums + row * stride);
        for (int c = 0; c < terms; c++)
            sum = _mm512_mask_add_pd(sum, run, sum,
                                     _mm512_mul_pd(a[row][c], b[c]));
        _mm512_storeu_pd(sums + row * stride, sum);
    }
}
#define BROADCAST(x) _mm512_set1_pd(x)
#else
#define VECTOR       VAL
#define BROADCAST(x) (x)
static ALWAYS_INLINE void FN(add_run)(VAL *restrict sums,
                                      int64_t stride,
                                      int rows,
                                      int terms,
                                      VAL a[MOST_ROWS][MOST_TERMS],
                                      const VAL *const *Bx,
                                      int64_t u,
                                      int n)
{
    for (int row = 0; row < rows; row++) {
        VAL *restrict at = sums + row * stride;
        for (int c = 0; c < terms; c++) {
            const VAL *restrict b = Bx[c] + u;
            if (n == RUN)
                for (int v = 0; v < RUN; v++)
                    at[v] = FN(add)(at[v], FN(mul)(a[row][c], b[v]));
            else
                for (int v = 0; v < n; v++)
                    at[v] = FN(add)(at[v], FN(mul)(a[row][c], b[v]));
        }
    }
}
#endif

/* flags[0 .. n) = 1, n <= 8. */
static ALWAYS_INLINE void FN(flag_run)(uint8_t *flags, int n)
{
    uint64_t taken;
    memcpy(&taken, flags, RUN);
    taken |= FLAGS >> 8 * (RUN - n);
    memcpy(flags, &taken, RUN);
}

static ALWAYS_INLINE void FN(tile_sum)(
    const FN(tile) * tile, int rows, int terms, scratch *s, int64_t first)
{
    VAL *restrict sums = s->block_sums;
    uint8_t *restrict flags = s->flags;
    uint8_t *restrict words = s->words;
    const int64_t stride = s->block_stride;
    const IDX *Bj = tile->Bj;
    const int64_t length = tile->length;
    const VAL *Bx[MOST_TERMS];
    for (int c = 0; c < terms; c++)
        Bx[c] = tile->Bx[c];
    VECTOR a[MOST_ROWS][MOST_TERMS];
    for (int row = 0; row < rows; row++)
        for (int c = 0; c < terms; c++)
            a[row][c] = BROADCAST(tile->a[row][c]);
    for (int64_t u = 0; u < length;) {
        const int64_t x = Bj[u] - first;
        const int n = FN(run_length)(Bj + u, length - u);
        for (int begin = 0; begin < n; begin += RUN) {
            const int some = n - begin < RUN ? n - begin : RUN;
            FN(add_run)
            (sums + x + begin, stride, rows, terms, a, Bx, u + begin, some);
            FN(flag_run)(flags + x + begin, some);
        }
        words[x >> 6] = 1;
        words[(x + n - 1) >> 6] = 1;
        u += n;
    }
}

/* As many rows and terms as there are, as constants. */
static NOINLINE void FN(tile_dispatch)(
    const FN(tile) * t, int rows, int terms, scratch *s, int64_t first)
{
    switch (rows * 8 + terms) {
#define CASE(rows, terms)                                                      \
    case (rows)*8 + (terms):                                                   \
        FN(tile_sum)(t, rows, terms, s, first);                                \
        return
        CASE(1, 1);
        CASE(1, 2);
        CASE(1, 3);
        CASE(1, 4);
        CASE(2, 1);
        CASE(2, 2);
        CASE(2, 3);
        CASE(2, 4);
        CASE(3, 1);
        CASE(3, 2);
        CASE(3, 3);
        CASE(3, 4);
        CASE(4, 1);
        CASE(4, 2);
        CASE(4, 3);
        CASE(4, 4);
#undef CASE
    default:
        SPGEMM_ASSERT(false);
    }
}

/* Sums all products of the rows. */
static ALWAYS_INLINE void FN(block_sum)(const FN(block) * k, scratch *s)
{
    const FN(row) *r = &k->r;
    for (int64_t p = 0; p < r->length;) {
        const int64_t first = r->Aj[p];
        int terms = 1;
        while (terms < MOST_TERMS && p + terms < r->length && k->b_same &&
               r->Aj[p + terms] == (IDX)(first + terms) &&
               k->b_same[first + terms])
            terms++;
        FN(tile)
        t = {.Bj = r->Bj + r->Bp[first],
             .length = r->Bp[first + 1] - r->Bp[first]};
        for (int c = 0; c < terms; c++)
            t.Bx[c] = r->Bx + r->Bp[first + c];
        for (int row = 0; row < k->rows; row++)
            for (int c = 0; c < terms; c++)
                t.a[row][c] = k->Ax[row][p + c];
        FN(tile_dispatch)(&t, k->rows, terms, s, r->first);
        p += terms;
    }
}

/* Lists which columns of each word are taken, and wipes the flags: returns the
   number of words, *nnz entries a row. */
static ALWAYS_INLINE int64_t FN(block_list)(scratch *s,
                                            int64_t columns,
                                            int64_t *nnz)
{
    const int64_t words = list_words(s, columns);
    *nnz = 0;
    for (int64_t t = 0; t < words; t++) {
        uint8_t *flags = s->flags + 64 * (int64_t)s->word_list[t];
        s->masks[t] = nonzero_bytes(flags);
        *nnz += __builtin_popcountll(s->masks[t]);
        memset(flags, 0, 64);
    }
    return words;
}

/* The entries of one row; Cj is NULL but for the first. */
static ALWAYS_INLINE void FN(block_take)(scratch *s,
                                         int64_t words,
                                         int row,
                                         int64_t first,
                                         int64_t room,
                                         IDX *Cj,
                                         VAL *Cx)
{
    VAL *sums = (VAL *)s->block_sums + row * s->block_stride;
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++) {
        const int64_t x = 64 * (int64_t)s->word_list[t];
        for (uint64_t mask = s->masks[t]; mask != 0;) {
            const int u = __builtin_ctzll(mask) & ~7;
            const unsigned taken = mask >> u & 0xff;
            mask &= ~((uint64_t)0xff << u);
            n += FN(take_eight)(sums + x + u, taken, first + x + u, room - n,
                                Cj ? Cj + n : NULL, Cx + n);
        }
    }
}

#undef VECTOR
#undef BROADCAST
#undef MOST_TERMS
#undef RUN
#undef FLAGS
