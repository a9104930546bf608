/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = sum over k of A(i,k) * B(k,:), row by row.

   F. G. Gustavson, ACM TOMS 4(3):250-269, 1978. Each row is looked at first:
   the columns it may reach, from the ends of B's rows, decide with its
   products which accumulator takes it.

   Parameters: VAL value type, IDX index type, FN(name) mangler, SR_H semiring. */
#if !defined(VAL) || !defined(IDX) || !defined(FN) || !defined(SR_H)
#error "numeric.tmpl.h: define VAL, IDX, FN and SR_H first"
#endif

#include "accumulate/choose.h"
#include "common/checked.h"
#include "common/compiler.h"
#include "spgemm/row_columns.h"

/* A sum that no term was added to; see scatter.tmpl.h. */
#include SR_H
#include "accumulate/row.tmpl.h"

#include "accumulate/take.tmpl.h"

#include "accumulate/hash.tmpl.h"
#include "accumulate/scatter.tmpl.h"

#include "accumulate/block.tmpl.h"
#include "accumulate/tiny.tmpl.h"
#if defined(LEAVES_AVX512)
#include "accumulate/repeat_avx512.h"
#include "accumulate/tiny_avx512.h"
#define MARK_NEXT FN(mark_next)
#else
#define MARK_NEXT NULL
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

/* Where the next entries go, when numeric: room for n. false: no memory. */
static ALWAYS_INLINE bool
FN(make_room)(output *out, int64_t n, bool is_numeric, IDX **Cj, VAL **Cx)
{
    if (!is_numeric)
        return true;
    if (!output_reserve(out, n))
        return false;
    *Cj = (IDX *)out->colidx + out->used;
    *Cx = (VAL *)out->values + out->used;
    return true;
}

static NOINLINE bool FN(grow_window)(scratch *s, int64_t columns)
{
    if (!spgemm_scratch_grow_window(s, columns))
        return false;
    VAL *sums = s->sums;
    for (int64_t x = 0; x < s->window_columns; x++)
        sums[x] = UNTOUCHED;
    return true;
}

/* A row, or a slice of one, that fits a window. Where the chunk may be too
   short for its bound, its nnz is counted before room is made. */
static ALWAYS_INLINE int64_t FN(window_row)(const FN(row) * r,
                                            scratch *s,
                                            bool is_numeric,
                                            output *out)
{
    const int64_t columns = r->last - r->first + 1;
    const bool by_words = has_words(columns, r->products, is_numeric);
    int64_t most = min_i64(r->products, columns);
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (columns > s->window_columns && !FN(grow_window)(s, columns))
        return -1;
    if (by_words)
        FN(scatter_sum)(r, s, true, is_numeric);
    else
        FN(scatter_sum)(r, s, false, is_numeric);
    if (!is_numeric)
        return scatter_wipe(s, columns);
    if (UNLIKELY(!output_has_room(out, most)))
        most = FN(scatter_count)(s, r);
    if (!FN(make_room)(out, most, true, &Cj, &Cx))
        return -1;
    const int64_t n =
        FN(scatter_extract)(s, r, by_words, output_is_roomy(out, most), Cj, Cx);
    output_take(out, n);
    return n;
}

/* A row wider than a window, window by window. */
static NOINLINE int64_t FN(sliced_row)(const FN(row) * r,
                                       scratch *s,
                                       bool is_numeric,
                                       output *out)
{
    int64_t n = 0;
    FN(row) slice = *r;
    slice.is_clipped = true;
    for (int64_t first = r->first; first <= r->last; first += WINDOW_COLUMNS) {
        slice.first = first;
        slice.last = min_i64(r->last, first + WINDOW_COLUMNS - 1);
        slice.products = r->products - n; /* each entry took one at least */
        const int64_t found = is_numeric
                                  ? FN(window_row)(&slice, s, true, out)
                                  : FN(window_row)(&slice, s, false, NULL);
        if (found < 0)
            return -1;
        n += found;
    }
    return n;
}

/* A row of few products. */
static ALWAYS_INLINE int64_t FN(short_row)(const FN(row) * r,
                                           bool is_scaled,
                                           bool is_numeric,
                                           output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (!FN(make_room)(out, r->products, is_numeric, &Cj, &Cx))
        return -1;
    const int64_t n = is_scaled ? FN(scale_row)(r, is_numeric, Cj, Cx)
                                : FN(tiny_row)(r, is_numeric, Cj, Cx);
    if (is_numeric)
        output_take(out, n);
    return n;
}

/* A row of columns far apart: room is made when their number is known. */
static ALWAYS_INLINE int64_t FN(wide_row)(
    const FN(row) * r, bool sort_row, scratch *s, bool is_numeric, output *out)
{
    int64_t slots;
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    const int64_t n = FN(hash_add)(s, r, is_numeric, &slots);
    if (n < 0 || !FN(make_room)(out, n, is_numeric, &Cj, &Cx))
        return -1;
    FN(hash_extract)(s, slots, n, is_numeric, sort_row, Cj, Cx);
    if (is_numeric)
        output_take(out, n);
    return n;
}

static NOINLINE bool FN(grow_block)(scratch *s, int64_t columns)
{
    if (!spgemm_scratch_grow_block(s, columns))
        return false;
    VAL *sums = s->block_sums;
    for (int64_t x = 0; x < BLOCK_ROWS * s->block_stride; x++)
        sums[x] = UNTOUCHED;
    return true;
}

/* The row r, or `rows` rows of its columns; their nnz. -1: no memory. */
static ALWAYS_INLINE int64_t FN(block_rows)(const FN(row) * row,
                                            const operands *ops,
                                            int rows,
                                            scratch *s,
                                            bool is_numeric,
                                            output *out)
{
    FN(row) r = *row;
    r.first &= ~(int64_t)7;
    const int64_t columns = r.last - r.first + 1;
    int64_t n;
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (columns > s->window_columns && !FN(grow_window)(s, columns))
        return -1;
    if (!is_numeric) {
        FN(block_mark)(&r, ops, s);
        return scatter_wipe(s, columns);
    }
    if (columns > s->block_columns && !FN(grow_block)(s, columns))
        return -1;
    FN(block_sum)(&r, ops, rows, s);
    const int64_t words = FN(block_list)(s, columns, &n);
    if (!FN(make_room)(out, rows * n, true, &Cj, &Cx))
        return -1;
    const bool is_roomy = output_is_roomy(out, rows * n);
    for (int t = 0; t < rows; t++)
        FN(block_take)(s, words, t, r.first, is_roomy, Cj, Cx + t * n);
    for (int t = 1; t < rows; t++)
        memcpy(Cj + t * n, Cj, (size_t)n * sizeof *Cj);
    output_take(out, rows * n);
    return n;
}

/* nnz of a row that has products, or of each of `rows` rows of its columns,
   their entries to `out` when numeric; -1: no memory. */
static ALWAYS_INLINE int64_t FN(accumulate)(const FN(row) * r,
                                            const operands *ops,
                                            spgemm_accumulator chosen,
                                            int rows,
                                            scratch *s,
                                            bool is_numeric,
                                            output *out)
{
    const bool is_scaled = r->length == 1 && r->b_is_sorted;
    if (r->is_counted)
        s->rows_by_accumulator[chosen] += rows;
    switch (chosen) {
    case SPGEMM_ACCUMULATOR_TINY:
        return FN(short_row)(r, is_scaled, is_numeric, out);
    case SPGEMM_ACCUMULATOR_BLOCK:
        return FN(block_rows)(r, ops, rows, s, is_numeric, out);
    case SPGEMM_ACCUMULATOR_SCATTER:
        return r->last - r->first >= WINDOW_COLUMNS
                   ? FN(sliced_row)(r, s, is_numeric, out)
                   : FN(window_row)(r, s, is_numeric, out);
    default:
        return FN(wide_row)(r, ops->sort_rows, s, is_numeric, out);
    }
}

/* One entry in A's row, and B's rows sorted: a row of B, scaled. */
static ALWAYS_INLINE spgemm_accumulator FN(choose)(const FN(row) * r,
                                                   const operands *ops)
{
    return r->length == 1 && r->b_is_sorted
               ? SPGEMM_ACCUMULATOR_TINY
               : choose_accumulator(r->products, r->last - r->first + 1,
                                    r->b_is_sorted,
                                    ops->b_octets && !r->is_clipped);
}

/* Rows from i on, up to `end`, that have the columns of row i: some of them,
   so that what is left is no single row. */
static ALWAYS_INLINE int
FN(same_rows)(const operands *ops, int64_t i, int64_t end)
{
    int n = 1;
    while (ops->a_same && n < 2 * BLOCK_ROWS && i + n < end &&
           ops->a_same[i + n])
        n++;
    return n <= BLOCK_ROWS ? n : (n + 1) / 2;
}

/* The columns [col_begin, col_end) of a giant row. */
static ALWAYS_INLINE void
FN(clip)(FN(row) * r, const operands *ops, int64_t i, const row_range *range)
{
    r->first = max_i64(r->first, range->col_begin);
    r->last = min_i64(r->last, range->col_end - 1);
    r->is_clipped = true;
    r->is_counted = range->is_last;
    /* A narrow part is bounded by its columns. For a wide one, the products of
       the whole row would be too much to make room for; for a short one, tiny
       relies on the true number. */
    const int64_t share = 2 * (r->products / range->parts);
    const bool is_narrow = r->last - r->first < share;
    r->products =
        is_narrow && share > TINY_PRODUCTS
            ? share
            : spgemm_row_products_within(ops, i, r->first, r->last + 1);
}

/* Whether a row of so many products can be sorted in registers. */
static ALWAYS_INLINE bool FN(fits_registers)(const operands *ops,
                                             int64_t products)
{
#if defined(LEAVES_AVX512)
    return products <= TINY_LANES && ops->B->ncols < TINY_COLUMNS;
#else
    (void)ops;
    (void)products;
    return false;
#endif
}

/* nnz of a row of at most 64 products and columns below 2^26. */
static ALWAYS_INLINE int64_t FN(tiny_in_registers)(const operands *ops,
                                                   int64_t i,
                                                   int64_t products,
                                                   output *out)
{
#if defined(LEAVES_AVX512)
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const int64_t begin = A->rowptr[i];
    const int64_t end = A->rowptr[i + 1];
    const tiny_operands r = {
        .Aj = (const int32_t *)A->colidx + begin,
        .Ax = out ? (const double *)A->values + begin : NULL,
        .length = end - begin,
        .Bp = B->rowptr,
        .Bj = B->colidx,
        .Bx = B->values,
    };
    int32_t *Cj = NULL;
    double *Cx = NULL;
    int64_t room = 0;
    FN(prefetch)(ops, begin, end, out != NULL);
    if (out) {
        if (!output_reserve(out, products))
            return -1;
        Cj = (int32_t *)out->colidx + out->used;
        Cx = (double *)out->values + out->used;
        room = out->limit - out->used;
    }
    int64_t n;
    if (products <= 16)
        n = tiny_vectors(&r, 1, room, Cj, Cx);
    else if (products <= 32)
        n = tiny_vectors(&r, 2, room, Cj, Cx);
    else if (products <= 48)
        n = tiny_vectors(&r, 3, room, Cj, Cx);
    else
        n = tiny_vectors(&r, 4, room, Cj, Cx);
    if (out)
        output_take(out, n);
    return n;
#else
    (void)ops;
    (void)i;
    (void)products;
    (void)out;
    return 0;
#endif
}

#if defined(LEAVES_AVX512)
static void
FN(mark_next)(const spgemm_csr *X, int64_t begin, int64_t end, uint8_t *next)
{
    repeat_mark(X->rowptr, X->colidx, begin, end, next);
}
#endif

/* Rows behind row i, up to `end`, that repeat it: computed, their nnz written.
   Returns their number. Row i is the last that went to `out`. */
static ALWAYS_INLINE int64_t FN(repeat_rows)(const operands *ops,
                                             int64_t i,
                                             int64_t end,
                                             scratch *s,
                                             output *out,
                                             int64_t *nnz)
{
#if defined(LEAVES_AVX512)
    const spgemm_csr *A = ops->A;
    const int64_t begin = A->rowptr[i];
    const repeat_row r = {
        .Aj = (const int32_t *)A->colidx + begin,
        .length = A->rowptr[i + 1] - begin,
        .Bp = ops->B->rowptr,
        .Bj = ops->B->colidx,
        .Cj = (const int32_t *)out->colidx + out->used - *nnz,
        .nnz = *nnz,
    };
    /* The last octet of the last row is written whole. */
    const int64_t room = min_i64(out->capacity, out->limit) - out->used - 16;
    if (*nnz == 0 || room < *nnz || *nnz > out->used)
        return 0;
    int64_t rows = min_i64(end - i - 1, room / *nnz);
    rows = repeat_ones(ops->a_next + i + 1, rows);
    for (int64_t t = 0; t < r.length && rows >= LEAST_REPEATS; t++)
        rows = repeat_ones(ops->b_next + r.Aj[t] + 1, rows);
    if (rows < LEAST_REPEATS || !spgemm_scratch_make_program(s) ||
        !repeat_write(s->program, &r))
        return 0;
    memcpy(s->program->columns, r.Cj, (size_t)*nnz * sizeof *r.Cj);
    repeat_run(s->program, &r, rows,
               (const double *)A->values + A->rowptr[i + 1], ops->B->values,
               (int32_t *)out->colidx + out->used,
               (double *)out->values + out->used);
    for (int64_t row = 1; row <= rows; row++)
        nnz[row] = *nnz;
    output_take(out, rows * *nnz);
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_REPEAT] += rows;
    return rows;
#else
    (void)ops;
    (void)i;
    (void)end;
    (void)s;
    (void)out;
    (void)nnz;
    return 0;
#endif
}

/* Row i, and rows behind it that are taken together with it; the nnz of each is
   written. Returns how many they are; -1: no memory. */
static ALWAYS_INLINE int64_t FN(some_rows)(const operands *ops,
                                           int64_t i,
                                           const row_range *range,
                                           scratch *s,
                                           output *out,
                                           int64_t *nnz)
{
    const int64_t products = ops->products[i];
    const bool is_whole = range->parts == 0;
    if (is_whole && FN(fits_registers)(ops, products)) {
        *nnz = FN(tiny_in_registers)(ops, i, products, out);
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_TINY]++;
        return *nnz < 0 ? -1 : 1;
    }
    FN(row) r = FN(look)(ops, i, true);
    if (!is_whole)
        FN(clip)(&r, ops, i, range);
    if (r.first > r.last)
        return 1;
    const spgemm_accumulator chosen = FN(choose)(&r, ops);
    const int rows = chosen == SPGEMM_ACCUMULATOR_BLOCK
                         ? FN(same_rows)(ops, i, range->row_end)
                         : 1;
    r.predicted = prediction_row(ops->prediction, i, products, ops->B->ncols) /
                  max_i64(1, range->parts);
    *nnz = FN(accumulate)(&r, ops, chosen, rows, s, true, out);
    for (int t = 1; t < rows; t++)
        nnz[t] = *nnz;
    return *nnz < 0 ? -1 : rows;
}

static bool FN(numeric)(const operands *ops,
                        const row_range *range,
                        scratch *s,
                        output *out)
{
    int64_t rows;
    for (int64_t i = range->row_begin; i < range->row_end; i += rows) {
        int64_t *nnz = &out->row_nnz[i - range->row_begin];
        *nnz = 0;
        rows = 1;
        if (ops->products[i] == 0)
            continue;
        rows = FN(some_rows)(ops, i, range, s, out, nnz);
        if (rows < 0)
            return false;
        if (ops->b_next && rows == 1 && range->parts == 0)
            rows += FN(repeat_rows)(ops, i, range->row_end, s, out, nnz);
        output_end_rows(out, rows);
    }
    SPGEMM_ASSERT_EXPENSIVE(spgemm_scratch_is_clean(s));
    return true;
}

static bool FN(symbolic)(const operands *ops,
                         const int64_t *rows,
                         const row_range *range,
                         scratch *s,
                         int64_t *row_nnz)
{
    for (int64_t t = range->row_begin; t < range->row_end; t++) {
        const int64_t i = rows ? rows[t] : t;
        int64_t *nnz = &row_nnz[t - range->row_begin];
        *nnz = 0;
        if (ops->products[i] == 0)
            continue;
        if (!rows && t > range->row_begin && range->parts == 0 && ops->a_same &&
            ops->a_same[i]) {
            *nnz = nnz[-1];
            continue;
        }
        FN(row) r = FN(look)(ops, i, false);
        if (range->parts > 0)
            FN(clip)(&r, ops, i, range);
        if (r.first > r.last)
            continue;
        /* Nothing is known yet of nnz but the bound. */
        r.predicted = min_i64(r.products, r.last - r.first + 1);
        *nnz = FN(accumulate)(&r, ops, FN(choose)(&r, ops), 1, s, false, NULL);
        if (*nnz < 0)
            return false;
    }
    return true;
}

#undef AHEAD_POINTERS
#undef AHEAD_ROWS
#undef SR_H
