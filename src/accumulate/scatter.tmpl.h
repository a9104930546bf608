/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, first + x) = sums[x], where x was touched: a window over the columns,
   for rows that are scattered in it.

   What was touched is known by marks, a byte for each column, for each line of
   eight columns and, where rows are wide, for each word of 64: extraction lists
   the words, then their lines, and costs what was touched. Taking a column is
   then stores only, with no byte read back: bits in a line's byte, which are,
   cost 1.13 times as much (integers, geometric mean of nine matrices with one
   thread of a Zen 4; 1.46 times in a symbolic pass).

   Where eight sums can be compared at once, the sums of "+" themselves tell,
   and columns have no marks: +0 is added to each term, so that none is -0, and a
   sum that is UNTOUCHED had none. With marks as well the same matrices take 1.14
   times as long.

   Where the sums of a line cannot be moved at once, lines do have bits: a word
   of them is walked through in one loop, which ends at one unforeseeable place
   (AVX2, ca-AstroPh: 76 ms, with marks 83; bcsstk25 11.7 and 10.9).

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "scatter.tmpl.h: define VAL, IDX and FN first"
#endif

#undef SUMS_TELL
#if defined(LANES) && defined(VALUE_IS_REAL) &&                                \
    PASTE(IS_PLUS_, SEMIRING_ADD) && HAS_VALUES
#define SUMS_TELL 1
#else
#define SUMS_TELL 0
#endif

/* Whether what is taken of a line is moved at once. */
#undef BY_LINES
#if defined(LEAVES_AVX512) && (defined(LANES) || !HAS_VALUES)
#define BY_LINES 1
#else
#define BY_LINES 0
#endif

/* Whether columns have marks: in a symbolic pass, which patterns are for, they
   do. */
#undef HAS_MARKS
#define HAS_MARKS (!HAS_VALUES || (BY_LINES && !SUMS_TELL))

static ALWAYS_INLINE void FN(scatter_add)(scratch *s,
                                          const FN(row) * r,
                                          VAL a,
                                          int64_t q,
                                          int64_t end,
                                          bool has_words,
                                          bool is_numeric)
{
    const IDX *restrict Bj = r->Bj;
    const VAL *restrict Bx = r->Bx;
    VAL *restrict sums = s->sums;
    uint8_t *restrict marks = s->marks;
    uint8_t *restrict lines = s->lines;
    uint8_t *restrict words = s->words;
    const int64_t base = r->first;
#pragma GCC unroll 2
    for (; q < end; q++) {
        const uint64_t x = (uint64_t)(Bj[q] - base);
        if (is_numeric && HAS_VALUES) {
            const VAL term = FN(term)(a, Bx, q);
            sums[x] = FN(add)(sums[x], SUMS_TELL ? term + (VAL)0 : term);
        }
        if (!is_numeric || (BY_LINES && HAS_MARKS))
            marks[x] = 1;
        if (is_numeric && BY_LINES)
            lines[x >> 3] = 1;
        if (is_numeric && !BY_LINES)
            lines[x >> 3] |= (uint8_t)(1u << (x & 7));
        if (has_words)
            words[x >> 6] = 1;
    }
}

/* Which of the eight columns of a line were touched, by their sums, their
   marks, or the line's bits. */
static ALWAYS_INLINE unsigned
FN(line_taken)(const VAL *sums, const uint8_t *marks, const uint8_t *line)
{
    (void)sums;
    (void)marks;
    (void)line;
#if SUMS_TELL
    return lanes_touched(lanes_load(sums));
#elif BY_LINES
    const __m128i eight = _mm_loadl_epi64((const __m128i *)(const void *)marks);
    return _mm_test_epi8_mask(eight, eight);
#else
    return *line;
#endif
}

#if BY_LINES
/* Lists the lines touched. */
static ALWAYS_INLINE int64_t FN(list_lines)(scratch *s,
                                            int64_t columns,
                                            bool has_words)
{
    if (!has_words)
        return list_bytes(s->lines, (columns + 7) / 8, s->line_list);
    const int64_t words = list_words(s, columns);
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++) {
        const uint32_t w = s->word_list[t];
        n += pack_bytes(s->lines + 8 * (int64_t)w, 8 * w, s->line_list + n);
        take_lines(s, w);
    }
    return n;
}

static ALWAYS_INLINE int64_t FN(take_lines)(
    scratch *s, int64_t lines, int64_t first, bool is_roomy, IDX *Cj, VAL *Cx)
{
    const uint32_t *list = s->line_list;
    uint8_t *marks = s->marks;
    VAL *sums = s->sums;
    int64_t n = 0;
    for (int64_t t = 0; t < lines; t++) {
        const int64_t x = 8 * (int64_t)list[t];
        VAL *at = FN(values_at)(sums, x);
        const unsigned taken =
            FN(line_taken)(at, HAS_MARKS ? marks + x : NULL, NULL);
        n += FN(take_eight)(at, taken, first + x, true, is_roomy, Cj + n,
                            FN(values_at)(Cx, n));
        if (HAS_MARKS)
            memset(marks + x, 0, 8);
    }
    return n;
}

#else
static ALWAYS_INLINE int64_t
FN(take_words)(scratch *s, int64_t words, int64_t first, IDX *Cj, VAL *Cx)
{
    VAL *sums = s->sums;
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++) {
        const int64_t word = s->word_list[t];
        for (uint64_t taken = take_lines(s, word); taken != 0;
             taken &= taken - 1) {
            const int64_t x = 64 * word + __builtin_ctzll(taken);
            Cj[n] = (IDX)(first + x);
            if (HAS_VALUES) {
                Cx[n] = LEAVE(sums[x]);
                sums[x] = UNTOUCHED;
            }
            n++;
        }
    }
    return n;
}
#endif

/* Entries of the window, in order; leaves it clean. Eight places more than the
   row has may be written if is_roomy. */
static ALWAYS_INLINE int64_t FN(scatter_extract)(scratch *s,
                                                 const FN(row) * r,
                                                 bool has_words,
                                                 bool is_roomy,
                                                 IDX *Cj,
                                                 VAL *Cx)
{
    const int64_t columns = r->last - r->first + 1;
#if BY_LINES
    const int64_t lines = FN(list_lines)(s, columns, has_words);
    return is_roomy ? FN(take_lines)(s, lines, r->first, true, Cj, Cx)
                    : FN(take_lines)(s, lines, r->first, false, Cj, Cx);
#else
    (void)has_words;
    (void)is_roomy;
    return FN(take_words)(s, list_words(s, columns), r->first, Cj, Cx);
#endif
}

/* nnz of the window, which is left as it is. */
static NOINLINE int64_t FN(scatter_count)(const scratch *s, const FN(row) * r)
{
    const int64_t lines = (r->last - r->first) / 8 + 1;
    int64_t n = 0;
    for (int64_t l = 0; l < lines; l++)
        n += __builtin_popcount(
            FN(line_taken)(FN(values_at)(s->sums, 8 * l),
                           HAS_MARKS ? s->marks + 8 * l : NULL, s->lines + l));
    return n;
}

/* Needs a window of last - first + 1 columns. */
static ALWAYS_INLINE void
FN(scatter_sum)(const FN(row) * r, scratch *s, bool has_words, bool is_numeric)
{
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        FN(b_range)(r, r->Aj[t], &q, &end);
        FN(scatter_add)
        (s, r, is_numeric ? FN(value_a)(r->Ax, t) : (VAL)0, q, end, has_words,
         is_numeric);
    }
}
