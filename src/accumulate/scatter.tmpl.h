/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, first + x) = sums[x], where x was touched: a window over the columns,
   for rows that are scattered in it.

   What was touched is known by lines of eight columns and words of 64, a byte
   each: extraction lists the words, then their lines, and costs what was
   touched. A line's byte has a bit for each column; but where eight sums can be
   compared at once, the sums themselves tell: +0 is added to each term, so that
   none is -0, and a sum that is UNTOUCHED had none. Taking a column is then
   stores only, with no byte read back. Measured, one thread of a Zen 4, ms for
   A*A with bits and loops over them, and with the sums: offshore-like 478, 319;
   email-Enron 128, 100; cage12 124, 117.

   Parameters: VAL, IDX, FN, semiring add and mul. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "scatter.tmpl.h: define VAL, IDX and FN first"
#endif

#if defined(LEAVES_AVX512)
#define SUMS_TELL 1
#else
#define SUMS_TELL 0
#endif

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
    uint8_t *restrict lines = s->lines;
    uint8_t *restrict words = s->words;
    const int64_t base = r->first;
#pragma GCC unroll 2
    for (; q < end; q++) {
        const uint64_t x = (uint64_t)(Bj[q] - base);
        if (is_numeric) {
            const VAL term = FN(mul)(a, Bx[q]);
            sums[x] = FN(add)(sums[x], SUMS_TELL ? term + (VAL)0 : term);
        }
        if (is_numeric && SUMS_TELL)
            lines[x >> 3] = 1;
        else
            lines[x >> 3] |= (uint8_t)(1u << (x & 7));
        if (has_words)
            words[x >> 6] = 1;
    }
}

/* Lists the n bytes that are not 0, and wipes them. Reads and writes up to 63
   more, which are 0. */
static ALWAYS_INLINE int64_t list_bytes(uint8_t *bytes,
                                        int64_t n,
                                        uint32_t *list)
{
    int64_t count = 0;
    for (int64_t t = 0; t < n; t += 64) {
        count += pack_bits(nonzero_bytes(bytes + t), (uint32_t)t, list + count);
        memset(bytes + t, 0, 64);
    }
    return count;
}

static ALWAYS_INLINE int64_t list_words(scratch *s, int64_t columns)
{
    return list_bytes(s->words, (columns + 63) / 64, s->word_list);
}

/* The bytes of the eight lines of a word, which are wiped. */
static ALWAYS_INLINE uint64_t take_lines(scratch *s, int64_t word)
{
    uint8_t *lines = s->lines + 8 * word;
    const uint64_t eight = load_eight(lines);
    memset(lines, 0, 8);
    return eight;
}

#if SUMS_TELL
static ALWAYS_INLINE unsigned FN(touched)(const VAL *sums)
{
    return _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(sums),
                                    _mm512_set1_epi64(INT64_MIN));
}

/* Lists the lines touched. */
static ALWAYS_INLINE int64_t list_lines(scratch *s,
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

static ALWAYS_INLINE int64_t FN(take_lines)(const scratch *s,
                                            int64_t lines,
                                            int64_t first,
                                            bool is_roomy,
                                            IDX *Cj,
                                            VAL *Cx)
{
    VAL *sums = s->sums;
    const uint32_t *list = s->line_list;
    int64_t n = 0;
    for (int64_t t = 0; t < lines; t++) {
        const int64_t x = 8 * (int64_t)list[t];
        n += FN(take_eight)(sums + x, FN(touched)(sums + x), first + x, true,
                            is_roomy, Cj + n, Cx + n);
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
#if SUMS_TELL
    const int64_t lines = list_lines(s, columns, has_words);
    return is_roomy ? FN(take_lines)(s, lines, r->first, true, Cj, Cx)
                    : FN(take_lines)(s, lines, r->first, false, Cj, Cx);
#else
    VAL *sums = s->sums;
    const int64_t words = list_words(s, columns);
    int64_t n = 0;
    (void)has_words;
    (void)is_roomy;
    for (int64_t t = 0; t < words; t++) {
        const int64_t word = s->word_list[t];
        uint64_t taken = take_lines(s, word);
        for (; taken != 0; taken &= taken - 1) {
            const int64_t x = 64 * word + __builtin_ctzll(taken);
            Cj[n] = (IDX)(r->first + x);
            Cx[n] = sums[x] + (VAL)0;
            sums[x] = UNTOUCHED;
            n++;
        }
    }
    return n;
#endif
}

/* nnz of the window without values, which is left clean. */
static ALWAYS_INLINE int64_t scatter_wipe(scratch *s, int64_t columns)
{
    const int64_t words = list_words(s, columns);
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++)
        n += __builtin_popcountll(take_lines(s, s->word_list[t]));
    return n;
}

/* nnz of the window, which is left as it is. */
static NOINLINE int64_t FN(scatter_count)(const scratch *s, const FN(row) * r)
{
    const int64_t lines = (r->last - r->first) / 8 + 1;
    int64_t n = 0;
    for (int64_t l = 0; l < lines; l++) {
#if SUMS_TELL
        n += __builtin_popcount(FN(touched)((const VAL *)s->sums + 8 * l));
#else
        n += __builtin_popcount(s->lines[l]);
#endif
    }
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
        (s, r, is_numeric ? r->Ax[t] : (VAL)0, q, end, has_words, is_numeric);
    }
}
