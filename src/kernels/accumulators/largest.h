/* SPDX-License-Identifier: BSD-3-Clause */
/* The n largest of the sums C(i,j) = sum over k of A(i,k) * B(k,j), where no
   others are wanted.

   The columns are taken slice by slice, as many as the first cache has room
   for: each row of B goes on where the slice before has ended. A slice is
   summed as anywhere, then looked through for sums that are not below a cut,
   which the n-th largest met so far raises: most are, and are wiped without
   being written out. Candidates are gathered as in the selection of whole rows
   (epilogue.h), in order of columns, so that ties end as there. Measured, one
   thread of a Zen 5, X X^T of 100,000 names by their three letters in a row,
   16,400 products and 13,200 sums a row, the ten largest: 6.9 s by windows of
   whole rows, of which 4 are to add, and 2.7. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_LARGEST_H
#define SPGEMM_KERNELS_ACCUMULATORS_LARGEST_H

#include "kernels/accumulators/dense.h"
#include "kernels/row/keep.h"

#if defined(PLUS_TIMES) && defined(VALUE_IS_REAL)

/* Measured with these names, s: 2048 columns 3.2, 4096 and 8192 2.8. */
#define LARGEST_COLUMNS 4096

/* Columns a product, at most: each is looked at. */
#define LARGEST_SPREAD 32

/* Products of a row of B in a slice, at least: each is gone to. */
#define LARGEST_RUN 8

/* Products for each entry that is kept: of fewer, many are candidates. */
#define LARGEST_SHARE 128

/* Rows of fewer products are not worth it. ms for A*A with ten a row, without, so,
   and from 512 products and 16 an entry on: email-Enron 107, 102, 113; memplus
   24.9, 23.5, 27.7; poisson3Da-like 37.0, 37.6, 58.6. */
#define LARGEST_PRODUCTS 2048

/* Bits as wide as a sum, so that tests of many are ored side by side; as many
   sums as these are looked at at once. */
#if defined(VALUE_IS_f32)
typedef uint32_t sum_bits;
#define LEAST_SUM FLT_TRUE_MIN
#else
typedef uint64_t sum_bits;
#define LEAST_SUM DBL_TRUE_MIN
#endif

#define BITS ((int)(8 * sizeof(sum_bits)))

/* What sums are surely no candidates. */
typedef enum sieve {
    SIEVE_UNTOUCHED,       /* those of columns without a product */
    SIEVE_SMALL_VALUE,     /* those below the cut */
    SIEVE_SMALL_MAGNITUDE, /* those of a magnitude below the cut */
} sieve;

/* The candidates of a row, and what a further one must exceed. */
typedef struct candidates {
    row_entries e;
    const epilogue *kept;
    int64_t most;   /* that there is room for: two of each that is kept */
    uint64_t *keys; /* [most] */
    uint64_t least; /* key of the n-th largest so far; 0: there are fewer */
    VAL cut;
    sieve by;
} candidates;

/* Before there are n: what is dropped. The tolerance, rounded to a sum's type,
   is at most one number above itself: what is less, is within it. */
static inline void cut_dropped(candidates *c)
{
    const epilogue *f = c->kept;
    const VAL tolerance = (VAL)f->drop_tolerance;
    c->by =
        epilogue_drops_by_value(f) ? SIEVE_SMALL_MAGNITUDE : SIEVE_UNTOUCHED;
    c->cut = tolerance > LEAST_SUM ? tolerance : LEAST_SUM;
}

/* With x as the n-th largest: what is less. Of values below 0, only what is
   dropped; by magnitudes, and of values from 0 on, all that is 0 at least. */
static inline void cut_below(candidates *c, VAL x)
{
    const bool by_value = c->kept->top_by == SPGEMM_TOP_VALUE;
    const VAL size = x < 0 ? -x : x;
    if (by_value && !(x >= 0))
        return;
    c->by = by_value ? SIEVE_SMALL_VALUE : SIEVE_SMALL_MAGNITUDE;
    c->cut = size > c->cut ? size : c->cut;
}

/* Of twice as many candidates as are kept, the larger half. */
static NOINLINE void keep_half(candidates *c)
{
    const spgemm_top_order by = c->kept->top_by;
    const int64_t n = c->kept->keep_top;
    c->least = keep_of_first(by, &c->e, c->e.count, n, c->keys);
    c->e.count = n;
    for (int64_t t = 0; t < n; t++)
        if (top_key(by, c->e.Cx[t]) == c->least)
            cut_below(c, c->e.Cx[t]);
}

static inline sum_bits bits_of(VAL sum)
{
    sum_bits bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

/* The bits are 0 where the sum is surely no candidate; NaN is below nothing. */
static inline sum_bits passes(VAL sum, sieve by, VAL cut)
{
    switch (by) {
    case SIEVE_SMALL_VALUE:
        return -(sum_bits) !(sum < cut);
    case SIEVE_SMALL_MAGNITUDE:
        return -(sum_bits) !((VAL)fabs((double)sum) < cut);
    default:
        return bits_of(sum) ^ bits_of((VAL)-0.0);
    }
}

static inline bool any_passes(const VAL *sums, sieve by, VAL cut)
{
    sum_bits any = 0;
    for (int t = 0; t < BITS; t++)
        any |= passes(sums[t], by, cut);
    return any != 0;
}

/* A bit for each of BITS sums that passes. */
static inline sum_bits which_pass_by(const VAL *sums, sieve by, VAL cut)
{
    sum_bits which = 0;
    for (int t = 0; t < BITS; t++)
        which |= (sum_bits)(passes(sums[t], by, cut) != 0) << t;
    return which;
}

static inline sum_bits which_pass(const candidates *c, const VAL *sums)
{
    switch (c->by) {
    case SIEVE_SMALL_VALUE:
        return which_pass_by(sums, SIEVE_SMALL_VALUE, c->cut);
    case SIEVE_SMALL_MAGNITUDE:
        return which_pass_by(sums, SIEVE_SMALL_MAGNITUDE, c->cut);
    default:
        return which_pass_by(sums, SIEVE_UNTOUCHED, c->cut);
    }
}

/* Of BITS sums those that are not dropped and, as far as is known, among the
   largest. */
static NOINLINE void take_candidates(candidates *c, const VAL *sums,
                                     int64_t first)
{
    const epilogue *f = c->kept;
    const bool drops = epilogue_drops_by_value(f);
    for (sum_bits left = which_pass(c, sums); left != 0; left &= left - 1) {
        const int t = __builtin_ctzll(left);
        if ((drops && is_dropped(sums[t], f->drop_tolerance)) ||
            !passes(sums[t], SIEVE_UNTOUCHED, 0) ||
            (c->least > 0 && top_key(f->top_by, sums[t]) <= c->least))
            continue;
        SPGEMM_ASSERT(c->e.count < c->most);
        c->e.Cj[c->e.count] = (IDX)(first + t);
        c->e.Cx[c->e.count++] = sums[t];
        if (c->e.count == c->most)
            keep_half(c);
    }
}

/* Candidates among the sums of `columns` columns, which are wiped; `by` is a
   constant, and may be another for the sums left. Returns how many are done. */
static inline int64_t sift_by(sieve by, candidates *c, VAL *sums, int64_t first,
                              int64_t columns)
{
    int64_t x = 0;
    for (; x < columns && c->by == by; x += BITS) {
        if (UNLIKELY(any_passes(sums + x, by, c->cut)))
            take_candidates(c, sums + x, first + x);
        for (int t = 0; t < BITS; t++)
            sums[x + t] = (VAL)-0.0;
    }
    return x;
}

static inline void sift(candidates *c, VAL *sums, int64_t first,
                        int64_t columns)
{
    int64_t x = sift_by(SIEVE_UNTOUCHED, c, sums, first, columns);
    x += sift_by(SIEVE_SMALL_MAGNITUDE, c, sums + x, first + x, columns - x);
    sift_by(SIEVE_SMALL_VALUE, c, sums + x, first + x, columns - x);
}

/* Adds the products of the columns [first, end); next: of each row of B, where
   they begin, and where it ends. Whether there were any. */
static inline bool sum_slice(const c_row *r, VAL *restrict sums,
                             int64_t *restrict next, int64_t first, int64_t end)
{
    const IDX *restrict Bj = r->Bj;
    const VAL *restrict Bx = r->Bx;
    bool has_any = false;
    for (int64_t t = 0; t < r->length; t++) {
        const VAL a = r->Ax[t];
        const int64_t q_end = next[2 * t + 1];
        int64_t q = next[2 * t];
        for (; q < q_end && Bj[q] < end; q++)
            sums[Bj[q] - first] += a * Bx[q] + (VAL)0;
        has_any |= q > next[2 * t];
        next[2 * t] = q;
    }
    return has_any;
}

/* Out of line, as is the sum: else what sums other rows is compiled to something
   slower. Measured, one thread of a Zen 5, A*A without keep_top, as long as before
   there was this accumulator: 2cubes_sphere-like 1.05 to 1.08 times, 1.01 so. */
static NOINLINE bool is_worth_slices(int64_t products, int64_t length,
                                     int64_t columns, int64_t keep_top)
{
    const int64_t slices = columns / LARGEST_COLUMNS;
    return products >= LARGEST_PRODUCTS &&
           products / LARGEST_SHARE >= keep_top &&
           products / LARGEST_RUN >= slices * length &&
           columns / LARGEST_SPREAD <= products;
}

static inline bool largest_takes(const c_row *r, const operands *ops)
{
    return UNLIKELY(ops->kept != NULL) && r->b_is_sorted &&
           is_worth_slices(r->products, r->length, row_width(r),
                           ops->kept->keep_top);
}

static NOINLINE int64_t largest_sum_rows(const c_row *r, const operands *ops,
                                         int rows, scratch *s, bool is_numeric,
                                         output *out)
{
    (void)rows;
    (void)is_numeric;
    const int64_t most = 2 * ops->kept->keep_top;
    candidates c = {.kept = ops->kept, .most = most};
    if (!make_window(SEMIRING, s, LARGEST_COLUMNS) ||
        !scratch_words(s, most + 2 * r->length) ||
        !make_room(out, most, true, &c.e.Cj, &c.e.Cx))
        return -1;
    c.keys = s->words64;
    int64_t *next = (int64_t *)s->words64 + most;
    for (int64_t t = 0; t < r->length; t++)
        b_range(r, r->Aj[t], &next[2 * t], &next[2 * t + 1]);
    cut_dropped(&c);
    for (int64_t left = row_width(r); left > 0; left -= LARGEST_COLUMNS) {
        const int64_t first = r->last - left + 1;
        const int64_t width = min_i64(left, LARGEST_COLUMNS);
        if (sum_slice(r, s->sums, next, first, first + width))
            sift(&c, s->sums, first, width);
    }
    output_take(out, c.e.count);
    return c.e.count;
}

#else

/* Of other products whole rows are summed. */
static inline bool largest_takes(const c_row *r, const operands *ops)
{
    (void)r;
    (void)ops;
    return false;
}

static ALWAYS_INLINE int64_t largest_sum_rows(const c_row *r,
                                              const operands *ops, int rows,
                                              scratch *s, bool is_numeric,
                                              output *out)
{
    (void)r;
    (void)ops;
    (void)rows;
    (void)s;
    (void)is_numeric;
    (void)out;
    return -1;
}

#endif

#endif
