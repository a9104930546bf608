/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i .. i + rows, first + x) = sums[row][x], where bit x of lines is set: rows
   of A with the same columns, one at least, taken together; B in octets.

   The unknowns of one node of a mesh have the same neighbours: their rows of C
   have one pattern, found once, and use the same rows of B, read once. B's
   rows of one node have one pattern too: up to MOST_TERMS of them are added to
   eight sums while these are in a register, in the order of A's row.

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "block.tmpl.h: define VAL, IDX and FN first"
#endif

#define MOST_TERMS 4

/* Products of `rows` rows of A with `terms` rows of B of one pattern. */
typedef struct FN(tile) {
    VAL a[BLOCK_ROWS][MOST_TERMS];
    const VAL *Bx[MOST_TERMS];
    const uint32_t *place;
    const uint8_t *taken;
    int64_t count;
    bool marks; /* what it touches */
} FN(tile);

/* Eight sums of each row += its a * what an octet of B has from q on, term
   after term. */
#if defined(LANES)
#define VECTOR       factor
#define BROADCAST(x) factor_set(x)
static ALWAYS_INLINE void FN(add_octet)(VAL *sums,
                                        int64_t stride,
                                        int rows,
                                        int terms,
                                        factor a[BLOCK_ROWS][MOST_TERMS],
                                        const VAL *const *Bx,
                                        int64_t q,
                                        unsigned taken)
{
    lanes b[MOST_TERMS];
    for (int c = 0; c < terms; c++)
        b[c] = READS_B ? lanes_expand(taken, Bx[c] + q) : lanes_set(0);
    for (int row = 0; row < rows; row++) {
        lanes sum = lanes_load(sums + row * stride);
        for (int c = 0; c < terms; c++)
            /* Lanes that are not taken add what changes nothing: a masked
               addition would become a masked store, from which no load is
               forwarded. */
            sum = FN(add_lanes)(sum, FN(terms)(a[row][c], b[c], taken));
        lanes_store(sums + row * stride, sum);
    }
}
#elif defined(LEAVES_AVX2) && PASTE(IS_PLUS_, SEMIRING_ADD) &&                 \
    PASTE(IS_TIMES_, SEMIRING_MUL)
#define VECTOR       __m256d
#define BROADCAST(x) _mm256_set1_pd(x)
static ALWAYS_INLINE void FN(add_octet)(double *sums,
                                        int64_t stride,
                                        int rows,
                                        int terms,
                                        __m256d a[BLOCK_ROWS][MOST_TERMS],
                                        const double *const *Bx,
                                        int64_t q,
                                        unsigned taken)
{
    for (int half = 0; half < 8; half += 4) {
        const unsigned four = taken >> half & 15;
        if (four == 0)
            continue;
        const __m256d mask = _mm256_castsi256_pd(lane_mask(four));
        __m256d b[MOST_TERMS];
        for (int c = 0; c < terms; c++)
            b[c] = spread_four(Bx[c] + q, four);
        for (int row = 0; row < rows; row++) {
            double *at = sums + row * stride + half;
            __m256d sum = _mm256_loadu_pd(at);
            for (int c = 0; c < terms; c++)
                sum = _mm256_add_pd(
                    sum, _mm256_and_pd(mask, _mm256_mul_pd(a[row][c], b[c])));
            _mm256_storeu_pd(at, sum);
        }
        q += __builtin_popcount(four);
    }
}
#else
#define VECTOR       VAL
#define BROADCAST(x) (x)
static ALWAYS_INLINE void FN(add_octet)(VAL *restrict sums,
                                        int64_t stride,
                                        int rows,
                                        int terms,
                                        VAL a[BLOCK_ROWS][MOST_TERMS],
                                        const VAL *const *Bx,
                                        int64_t q,
                                        unsigned taken)
{
    if (taken == 0xff) {
        for (int row = 0; row < rows; row++)
            for (int c = 0; c < terms; c++)
                for (int u = 0; u < 8; u++) {
                    VAL *sum = sums + row * stride + u;
                    *sum = FN(add)(*sum, FN(term)(a[row][c], Bx[c], q + u));
                }
        return;
    }
    for (; taken != 0; taken &= taken - 1, q++)
        for (int row = 0; row < rows; row++) {
            VAL *sum = sums + row * stride + __builtin_ctz(taken);
            for (int c = 0; c < terms; c++)
                *sum = FN(add)(*sum, FN(term)(a[row][c], Bx[c], q));
        }
}
#endif

static ALWAYS_INLINE void FN(tile_sum)(
    const FN(tile) * tile, int rows, int terms, scratch *s, int64_t first)
{
    VAL *restrict sums = s->block_sums;
    uint8_t *restrict lines = s->lines;
    uint8_t *restrict words = s->words;
    const int64_t stride = s->block_stride;
    const int64_t first_place = first >> 3;
    const bool marks = tile->marks;
    const VAL *Bx[MOST_TERMS];
    VECTOR a[BLOCK_ROWS][MOST_TERMS];
    for (int c = 0; c < terms; c++)
        Bx[c] = tile->Bx[c];
    for (int row = 0; row < rows; row++)
        for (int c = 0; c < terms; c++)
            a[row][c] = BROADCAST(tile->a[row][c]);
    int64_t q = 0;
    for (int64_t o = 0; o < tile->count; o++) {
        const int64_t line = (int64_t)tile->place[o] - first_place;
        const unsigned taken = tile->taken[o];
        FN(add_octet)(sums + 8 * line, stride, rows, terms, a, Bx, q, taken);
        if (marks) {
            lines[line] |= (uint8_t)taken;
            words[line >> 3] = 1;
        }
        q += __builtin_popcount(taken);
    }
}

/* As many rows and terms as there are: as constants, where there are vectors to
   keep in registers. */
static NOINLINE void FN(tile_dispatch)(
    const FN(tile) * t, int rows, int terms, scratch *s, int64_t first)
{
#if !defined(LANES) &&                                                         \
    !(PASTE(IS_PLUS_, SEMIRING_ADD) && PASTE(IS_TIMES_, SEMIRING_MUL))
    FN(tile_sum)(t, rows, terms, s, first);
#else
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
        CASE(5, 1);
        CASE(5, 2);
        CASE(5, 3);
        CASE(5, 4);
        CASE(6, 1);
        CASE(6, 2);
        CASE(6, 3);
        CASE(6, 4);
#undef CASE
    default:
        SPGEMM_ASSERT(false);
    }
#endif
}

/* Sums all products of `rows` rows that have the columns of the first, r. */
static ALWAYS_INLINE void FN(block_sum)(
    const FN(row) * r, const operands *ops, int rows, bool marks, scratch *s)
{
    for (int64_t p = 0; p < r->length;) {
        const int64_t first = r->Aj[p];
        int terms = 1;
        while (terms < MOST_TERMS && p + terms < r->length && ops->b_same &&
               r->Aj[p + terms] == (IDX)(first + terms) &&
               ops->b_same[first + terms])
            terms++;
        const octet_row *o = &ops->b_octets->row[first];
        /* Not all of it: zeroing would cost as much as the rest. */
        FN(tile) t;
        t.place = ops->b_octets->place + o->begin;
        t.taken = ops->b_octets->taken + o->begin;
        t.count = o->count;
        t.marks = marks;
        for (int c = 0; c < terms; c++)
            t.Bx[c] = READS_B ? r->Bx + r->Bp[first + c] : NULL;
        for (int row = 0; row < rows; row++)
            for (int c = 0; c < terms; c++)
                t.a[row][c] = FN(value_a)(r->Ax, row * r->length + p + c);
        FN(tile_dispatch)(&t, rows, terms, s, r->first);
        p += terms;
    }
}

/* The pattern alone, of the first row. B's rows of one pattern count once. */
static ALWAYS_INLINE void
FN(block_mark)(const FN(row) * r, const operands *ops, scratch *s)
{
    const octets *b = ops->b_octets;
    const int64_t first_place = r->first >> 3;
    int64_t marked = -1;
    for (int64_t p = 0; p < r->length; p++) {
        const int64_t k = r->Aj[p];
        const bool is_same = ops->b_same && k == marked + 1 && ops->b_same[k];
        marked = k;
        if (is_same)
            continue;
        const octet_row *o = &b->row[k];
        for (int64_t t = o->begin; t < o->begin + o->count; t++) {
            const int64_t line = (int64_t)b->place[t] - first_place;
            s->lines[line] |= b->taken[t];
            s->words[line >> 3] = 1;
        }
    }
}

/* Lists which columns of each word are taken, and wipes the lines: returns the
   number of words, *nnz entries a row. */
static ALWAYS_INLINE int64_t FN(block_list)(scratch *s,
                                            int64_t columns,
                                            int64_t *nnz)
{
    const int64_t words = list_words(s, columns);
    *nnz = 0;
    for (int64_t t = 0; t < words; t++) {
        s->masks[t] = take_lines(s, s->word_list[t]);
        *nnz += __builtin_popcountll(s->masks[t]);
    }
    return words;
}

/* The entries of one row; the columns of the first only. */
static ALWAYS_INLINE void FN(block_take)(scratch *s,
                                         int64_t words,
                                         int row,
                                         int64_t first,
                                         bool is_roomy,
                                         IDX *Cj,
                                         VAL *Cx)
{
    VAL *sums = FN(values_at)(s->block_sums, row * s->block_stride);
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++) {
        const int64_t x = 64 * (int64_t)s->word_list[t];
        for (uint64_t mask = s->masks[t]; mask != 0;) {
            const int u = __builtin_ctzll(mask) & ~7;
            const unsigned taken = mask >> u & 0xff;
            mask &= ~((uint64_t)0xff << u);
            n += FN(take_eight)(FN(values_at)(sums, x + u), taken,
                                first + x + u, row == 0, is_roomy, Cj + n,
                                FN(values_at)(Cx, n));
        }
    }
}

#undef VECTOR
#undef BROADCAST
#undef MOST_TERMS
