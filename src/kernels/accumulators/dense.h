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
   sum that is untouched_of() had none. With marks as well the same matrices take 1.14
   times as long.

   Where the sums of a line cannot be moved at once, or are moved by tables, which
   does not pay for one or two of them, lines do have bits: a word of them is
   walked through in one loop, which ends at one unforeseeable place. In AVX2 that
   is so where rows are wide or sparse: ms by bits and by tables, cage11 30.0, 32.5;
   gemsec-deezer-HU 46, 61; but of narrow rows bcsstk25 11.9, 9.8;
   poisson3Da-like 32.1, 27.7; email-Enron 121, 113 (one thread of a Zen 4).

   Wide rows whose sums tell one by one are listed instead: dense_listed.h. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_DENSE_H
#define SPGEMM_KERNELS_ACCUMULATORS_DENSE_H

#include "kernels/accumulators/dense_bits.h"
#include "kernels/accumulators/dense_listed.h"
#include "kernels/accumulators/dense_unsorted.h"
#include "kernels/accumulators/lines.h"
#include "kernels/row/ahead.h"
#include "kernels/row/room.h"
#include "kernels/row/take.h"

/* Rows wider than a window go through it slice by slice if there are this many
   products a slice, and this many for each row of B, which every slice looks
   at. Otherwise they have a window of their own, up to a width, and are hashed
   if their products are too few to list what was touched of it. Measured, one
   thread of a Zen 4: a row of 185,000 entries that meets rows of four takes 110
   ms in slices, 17 in a window of its own; random rows of 80 products among
   500,000 columns 1.02 to 1.16 times as long hashed as in a window, 400 among
   a million 1.2 to 1.3, 144 among a million 0.96; webbase-1M-like, where 26,000
   rows of some 370 products are 370,000 columns wide, 1.2. */
#define SLICE_PRODUCTS   2048
#define SLICE_LENGTH     4
#define COLUMNS_A_WINDOW 4096

/* A row of so many columns a product has a window however wide: a hash table of it would
   be as large. Measured, one thread of a Zen 4, rows of 800,000 products in 4 million
   columns: 204 ms, hashed 396. Of 300,000 254 and 441, but the window is the larger. */
#define FULL_COLUMNS 8

static inline bool is_sliced(int64_t products, int64_t length, int64_t columns)
{
    const int64_t slices = columns / WINDOW_COLUMNS + 1;
    return columns > WINDOW_COLUMNS && products / slices >= SLICE_PRODUCTS &&
           products / slices / SLICE_LENGTH >= length;
}

/* A row of so many columns a product that need not be sorted is appended to: the order of
   its columns is that of its products, whatever is predicted. Measured, one thread of a
   Zen 5, time with 32 columns over time with 8, 12, 16 and 22, geometric mean of 75
   products: AVX2 1.06, 1.04, 1.04, 1.02; portable 1.06, 1.04, 1.04, 1.02; AVX-512 1.01,
   1.02, 1.01, 1.01, but poisson3Da-like 0.83, 0.85, 0.91, 1.0. Of 20,000 columns with 30
   entries in random places a row 2.1, 1.8, 1.8, 1.6; 1.5, 1.5, 1.5, 1.1; 1.3, 1.3, 1.3,
   1.1. */
#if defined(LEAVES_AVX512)
#define APPENDED_COLUMNS 16
#else
#define APPENDED_COLUMNS 8
#endif

/* Not one of more products: C's row would be read from as far away as the window.
   Measured, one thread of a Zen 4, time appended over time sorted, 20 and 60 columns a
   product, of 300,000 columns 1.35 (15,000 products) and 0.86, of a million 1.15 and
   1.03; AVX2 and portable 1.28, 1.31 and 0.92; 1.09, 1.29 and 1.04, 1.06. */
#define MOST_APPENDED 8192

static inline bool is_appended(const c_row *r, const operands *ops)
{
    return !sorts_row(r, ops) && r->products <= MOST_APPENDED &&
           row_width(r) / APPENDED_COLUMNS >= r->products;
}

/* A row of so many columns a product, where few products meet, is sparse: its lines have
   bits where there is a choice. Setting a bit again and again waits for the time before.
   Measured, one thread of a Zen 5, AVX2, time by tables over time by bits: the random
   places above 1.30; mac_econ_fwd500-like (compression 1.2) 1.07; 27 products 1.029 in
   the geometric mean; at a compression of 3 cage9 0.92, those of 3.6 to 5 0.90 to 0.96. */
#define SPARSE_COLUMNS     8
#define SPARSE_COMPRESSION 2

static inline bool is_sparse(const c_row *r)
{
    return row_width(r) / SPARSE_COLUMNS >= r->products &&
           r->products <= SPARSE_COMPRESSION * r->predicted;
}

static ALWAYS_INLINE bool sums_tell(spgemm_semiring sr)
{
#if (defined(LANES) && defined(VALUE_IS_REAL)) || defined(LINES_AVX2)
    return adds_by_plus(sr);
#else
    (void)sr;
    return false;
#endif
}

/* Whether what is taken of a line can be moved at once. */
#if (defined(LEAVES_AVX512) && (defined(LANES) || !HAS_VALUES)) ||             \
    defined(LINES_AVX2)
#define BY_LINES 1
#else
#define BY_LINES 0
#endif

/* Whether the lines of a row have bits, not bytes. */
static ALWAYS_INLINE bool has_bits(bool has_words)
{
#if defined(LINES_AVX2)
    return has_words;
#else
    (void)has_words;
    return !BY_LINES;
#endif
}

/* Whether columns have marks: in a symbolic pass, which patterns are for, they
   do. */
static ALWAYS_INLINE bool has_marks(spgemm_semiring sr)
{
    return !HAS_VALUES || (BY_LINES && !sums_tell(sr));
}

static NOINLINE bool grow_window(spgemm_semiring sr, scratch *s,
                                 int64_t columns)
{
    if (!spgemm_scratch_grow_window(s, columns, has_marks(sr)))
        return false;
    VAL *sums = s->sums;
    const VAL untouched = untouched_of(sr);
    for (int64_t x = 0; HAS_VALUES && x < s->window_columns; x++)
        sums[x] = untouched;
    return true;
}

/* false: no memory. */
static ALWAYS_INLINE bool make_window(spgemm_semiring sr, scratch *s,
                                      int64_t columns)
{
    return columns <= s->window_columns || grow_window(sr, s, columns);
}

static ALWAYS_INLINE void dense_add(spgemm_semiring sr, scratch *s,
                                    const c_row *r, VAL a, int64_t q,
                                    int64_t end, bool has_words,
                                    bool is_numeric)
{
    const IDX *restrict Bj = r->Bj;
    const VAL *restrict Bx = r->Bx;
    VAL *restrict sums = s->sums;
    uint8_t *restrict marks = s->marks;
    uint8_t *restrict lines = s->lines;
    uint8_t *restrict words = s->words;
    const int64_t base = r->first;
    const bool tells = sums_tell(sr) && !has_bits(has_words);
#pragma GCC unroll 2
    for (; q < end; q++) {
        const uint64_t x = (uint64_t)(Bj[q] - base);
        if (is_numeric && HAS_VALUES) {
            const VAL term = product(sr, a, Bx, q);
            sums[x] = semiring_add(sr, sums[x], tells ? term + (VAL)0 : term);
        }
        if (!is_numeric || (BY_LINES && has_marks(sr)))
            marks[x] = 1;
        if (is_numeric && !has_bits(has_words))
            lines[x >> 3] = 1;
        if (is_numeric && has_bits(has_words))
            lines[x >> 3] |= (uint8_t)(1u << (x & 7));
        if (has_words)
            words[x >> 6] = 1;
    }
}

/* Which of the eight columns of a line were touched, by their sums, their
   marks, or the line's bits. */
static ALWAYS_INLINE unsigned line_taken(const VAL *sums, bool sums_tell,
                                         const uint8_t *marks,
                                         const uint8_t *line)
{
    (void)sums;
    (void)sums_tell;
    (void)marks;
    (void)line;
#if defined(LANES) && defined(VALUE_IS_REAL)
    if (sums_tell)
        return lanes_touched(lanes_load(sums));
#endif
#if defined(LINES_AVX2)
    return sums_tell ? eight_touched(sums) : *line;
#elif BY_LINES
    const __m128i eight = _mm_loadl_epi64((const __m128i *)(const void *)marks);
    return _mm_test_epi8_mask(eight, eight);
#else
    return *line;
#endif
}

/* Lists the lines touched. */
static ALWAYS_INLINE int64_t list_lines(scratch *s, int64_t columns,
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

static ALWAYS_INLINE int64_t take_listed_lines(scratch *s, int64_t lines,
                                               sum_rule rule, bool sums_tell,
                                               int64_t first, bool is_roomy,
                                               IDX *Cj, VAL *Cx)
{
    const bool has_marks = !HAS_VALUES || !sums_tell;
    const uint32_t *list = s->line_list;
    uint8_t *marks = s->marks;
    VAL *sums = s->sums;
    int64_t n = 0;
    for (int64_t t = 0; t < lines; t++) {
        const int64_t x = 8 * (int64_t)list[t];
        VAL *at = values_at(sums, x);
        const unsigned taken =
            line_taken(at, sums_tell, has_marks ? marks + x : NULL, NULL);
        n += take_eight(at, rule, taken, first + x, true, is_roomy, Cj + n,
                        values_at(Cx, n));
        if (has_marks)
            memset(marks + x, 0, 8);
    }
    return n;
}

/* Entries of the window, in order; leaves it clean. Eight places more than the
   row has may be written if is_roomy. */
static ALWAYS_INLINE int64_t dense_extract(spgemm_semiring sr, scratch *s,
                                           const c_row *r, bool has_words,
                                           bool is_roomy, IDX *Cj, VAL *Cx)
{
    const int64_t columns = row_width(r);
    const sum_rule rule = sum_rule_of(sr);
    if (has_bits(has_words))
        return take_words(s, list_words(s, columns), rule, r, is_roomy, Cj, Cx);
    const int64_t lines = list_lines(s, columns, has_words);
#define TAKE(tell, roomy)                                                      \
    take_listed_lines(s, lines, rule, tell, r->first, roomy, Cj, Cx)
    if (sums_tell(sr))
        return is_roomy ? TAKE(true, true) : TAKE(true, false);
    return is_roomy ? TAKE(false, true) : TAKE(false, false);
#undef TAKE
}

/* nnz of the window, which is left as it is. */
static NOINLINE int64_t dense_count(spgemm_semiring sr, const scratch *s,
                                    const c_row *r, bool has_words)
{
    const bool tells = sums_tell(sr) && !has_bits(has_words);
    const int64_t lines = (r->last - r->first) / 8 + 1;
    int64_t n = 0;
    for (int64_t l = 0; l < lines; l++)
        n += count_bits(line_taken(values_at(s->sums, 8 * l), tells,
                                   has_marks(sr) ? s->marks + 8 * l : NULL,
                                   s->lines + l));
    return n;
}

/* Needs a window of last - first + 1 columns. */
static ALWAYS_INLINE void dense_sum_with(spgemm_semiring sr, const c_row *r,
                                         int64_t begin, int64_t stop,
                                         scratch *s, bool has_words,
                                         bool is_numeric)
{
    for (int64_t t = begin; t < stop; t++) {
        int64_t q;
        int64_t end;
        b_range(r, r->Aj[t], &q, &end);
        dense_add(sr, s, r, is_numeric ? value_a(sr, r->Ax, t) : (VAL)0, q, end,
                  has_words, is_numeric);
    }
}

/* The products of the entries [begin, stop) of A's row. */
static ALWAYS_INLINE void dense_sum(const c_row *r, int64_t begin, int64_t stop,
                                    scratch *s, bool has_words, bool is_numeric)
{
    WITH_SEMIRING(r->semiring, sr,
                  dense_sum_with(sr, r, begin, stop, s, has_words, is_numeric));
}

/* A row, or a slice of one, that fits a window. Where the chunk may be too
   short for its bound, its nnz is counted before room is made. */
static ROW_OF_SEMIRING int64_t window_row(const c_row *r, scratch *s,
                                          bool is_numeric, output *out)
{
    const spgemm_semiring sr = semiring_of_row(r);
    const int64_t columns = row_width(r);
    const bool by_words =
        is_wide(r->products, columns) ||
        (is_numeric && (!BY_LINES || (has_bits(true) && is_sparse(r))));
    int64_t most = min_i64(r->products, columns);
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (!make_window(sr, s, columns))
        return -1;
    for (int64_t t = 0, stop; t < r->length; t = stop) {
        stop = step_end(r, t);
        if (by_words)
            dense_sum(r, t, stop, s, true, is_numeric);
        else
            dense_sum(r, t, stop, s, false, is_numeric);
    }
    if (!is_numeric)
        return dense_wipe(s, columns, by_words);
    if (UNLIKELY(!output_has_room(out, most)))
        most = dense_count(sr, s, r, by_words);
    if (!make_room(out, most, true, &Cj, &Cx))
        return -1;
    const int64_t n =
        dense_extract(sr, s, r, by_words, output_is_roomy(out, most), Cj, Cx);
    output_take(out, n);
    return n;
}

/* A row wider than a window, window by window. */
static NOINLINE int64_t sliced_row(const c_row *r, scratch *s, bool is_numeric,
                                   output *out)
{
    int64_t n = 0;
    c_row slice = *r;
    slice.is_clipped = true;
    for (int64_t left = row_width(r); left > 0; left -= WINDOW_COLUMNS) {
        slice.first = r->last - left + 1;
        slice.last = r->last - max_i64(0, left - WINDOW_COLUMNS);
        slice.products = r->products - n; /* each entry took one at least */
        const int64_t found = is_numeric ? window_row(&slice, s, true, out)
                                         : window_row(&slice, s, false, NULL);
        if (found < 0)
            return -1;
        n += found;
    }
    return n;
}

static inline bool dense_takes(const c_row *r, const operands *ops)
{
    const int64_t columns = row_width(r);
    (void)ops;
    return columns <= WINDOW_COLUMNS ||
           (r->b_is_sorted && is_sliced(r->products, r->length, columns)) ||
           (columns <= WIDEST_WINDOW &&
            columns / COLUMNS_A_WINDOW <= r->products) ||
           columns / FULL_COLUMNS <= r->products;
}

static ALWAYS_INLINE int64_t dense_sum_rows(const c_row *r, const operands *ops,
                                            int rows, scratch *s,
                                            bool is_numeric, output *out)
{
    const int64_t columns = row_width(r);
    (void)rows;
    if (r->b_is_sorted && is_sliced(r->products, r->length, columns))
        return sliced_row(r, s, is_numeric, out);
    const bool appends = is_numeric && is_appended(r, ops);
#if defined(VALUE_IS_REAL)
    const spgemm_semiring sr = semiring_of_row(r);
    if (adds_by_plus(sr) && (appends || (is_numeric && is_listed(r))))
        return make_window(sr, s, columns) ? listed_row(r, s, !appends, out)
                                           : -1;
#endif
    if (appends)
        return unsorted_row(r, s, out);
    return window_row(r, s, is_numeric, out);
}

#endif
