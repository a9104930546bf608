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

#include "accumulate/dense.tmpl.h"
#include "accumulate/hash.tmpl.h"
#include "accumulate/scatter.tmpl.h"

#include "accumulate/block.tmpl.h"
#include "accumulate/tiny.tmpl.h"
#if defined(LEAVES_AVX512)
#include "accumulate/tiny_avx512.h"
#endif

/* Rows of B are read at random: their pointers are asked for this many entries
   of A ahead, and the rows themselves half as many. */
#define AHEAD_ROWS     48
#define AHEAD_POINTERS (2 * AHEAD_ROWS)

/* Bytes of one array of a row of B that are asked for; the processor goes on
   by itself. */
#define AHEAD_BYTES 256

static ALWAYS_INLINE void prefetch_bytes(const void *from, int64_t bytes)
{
    const char *line = from;
    for (int64_t at = 0; at < min_i64(bytes, AHEAD_BYTES); at += 64)
        PREFETCH(line + at);
}

/* Asks for what the entries of A in [begin, end) will need later. */
static ALWAYS_INLINE void
FN(prefetch)(const operands *ops, int64_t begin, int64_t end, bool is_numeric)
{
    const IDX *Aj = ops->A->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const int64_t last = ops->A->nnz - 1;
    for (int64_t p = begin; p < end; p++) {
        PREFETCH(&Bp[Aj[min_i64(p + AHEAD_POINTERS, last)]]);
        const int64_t k = Aj[min_i64(p + AHEAD_ROWS, last)];
        const int64_t q = Bp[k];
        const int64_t length = Bp[k + 1] - q;
        prefetch_bytes((const IDX *)ops->B->colidx + q,
                       length * (int64_t)sizeof(IDX));
        if (is_numeric)
            prefetch_bytes((const VAL *)ops->B->values + q,
                           length * (int64_t)sizeof(VAL));
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
static ALWAYS_INLINE int64_t FN(window_row)(
    const FN(row) * r, bool is_dense, scratch *s, bool is_numeric, output *out)
{
    const int64_t columns = r->last - r->first + 1;
    int64_t most = min_i64(r->products, columns);
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (columns > s->window_columns && !FN(grow_window)(s, columns))
        return -1;
    if (is_dense)
        FN(dense_sum)(r, s, is_numeric);
    else
        FN(scatter_sum)(r, s, is_numeric);
    if (is_numeric && UNLIKELY(!output_has_room(out, most)))
        most = is_dense ? FN(dense_count)(s, r) : FN(scatter_count)(s, r);
    if (!FN(make_room)(out, most, is_numeric, &Cj, &Cx))
        return -1;
    int64_t n;
    if (is_dense)
        n = FN(dense_extract)(s->sums, s->flags, r, is_numeric, Cj, Cx);
    else if (is_numeric)
        n = FN(scatter_extract)(s, r, out->limit - out->used, Cj, Cx);
    else
        n = scatter_wipe(s, columns);
    if (is_numeric)
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
        const int64_t found =
            is_numeric ? FN(window_row)(&slice, false, s, true, out)
                       : FN(window_row)(&slice, false, s, false, NULL);
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

/* nnz of a row that has products, its entries to `out` when numeric; -1: no
   memory. */
static ALWAYS_INLINE int64_t FN(accumulate)(const FN(row) * r,
                                            const operands *ops,
                                            scratch *s,
                                            bool is_numeric,
                                            output *out)
{
    const int64_t columns = r->last - r->first + 1;
    const bool is_scaled = r->length == 1 && r->b_is_sorted;
    const spgemm_accumulator chosen =
        is_scaled ? SPGEMM_ACCUMULATOR_TINY
                  : choose_accumulator(r->products, columns, r->b_is_sorted,
                                       ops->b_has_runs);
    s->rows_by_accumulator[chosen] += r->is_counted;
    switch (chosen) {
    case SPGEMM_ACCUMULATOR_TINY:
        return FN(short_row)(r, is_scaled, is_numeric, out);
    case SPGEMM_ACCUMULATOR_DENSE:
        return FN(window_row)(r, true, s, is_numeric, out);
    case SPGEMM_ACCUMULATOR_SCATTER:
        return columns > WINDOW_COLUMNS
                   ? FN(sliced_row)(r, s, is_numeric, out)
                   : FN(window_row)(r, false, s, is_numeric, out);
    case SPGEMM_ACCUMULATOR_HASH:
        break;
    }
    return FN(wide_row)(r, ops->sort_rows, s, is_numeric, out);
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

static NOINLINE bool FN(grow_block)(scratch *s, int64_t columns)
{
    if (!spgemm_scratch_grow_block(s, columns))
        return false;
    VAL *sums = s->block_sums;
    for (int64_t x = 0; x < BLOCK_ROWS * s->block_stride; x++)
        sums[x] = UNTOUCHED;
    return true;
}

/* nnz of each of some rows of one pattern, their entries to `out`; -1: no
   memory. */
static ALWAYS_INLINE int64_t FN(block_rows)(const FN(block) * k,
                                            scratch *s,
                                            output *out)
{
    const int64_t columns = k->r.last - k->r.first + 1;
    int64_t nnz;
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (columns > s->window_columns && !FN(grow_window)(s, columns))
        return -1;
    if (columns > s->block_columns && !FN(grow_block)(s, columns))
        return -1;
    FN(block_sum)(k, s);
    const int64_t words = FN(block_list)(s, columns, &nnz);
    if (!FN(make_room)(out, k->rows * nnz, true, &Cj, &Cx))
        return -1;
    const int64_t room = out->limit - out->used;
    for (int row = 0; row < k->rows; row++)
        FN(block_take)
        (s, words, row, k->r.first, room - row * nnz, row == 0 ? Cj : NULL,
         Cx + row * nnz);
    for (int row = 1; row < k->rows; row++)
        memcpy(Cj + row * nnz, Cj, (size_t)nnz * sizeof *Cj);
    output_take(out, k->rows * nnz);
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE] += k->rows;
    return nnz;
}

/* Rows from i on, up to `end`, that have the columns of row i: some of them,
   so that what is left is no single row. */
static ALWAYS_INLINE int
FN(same_rows)(const operands *ops, int64_t i, int64_t end)
{
    int n = 1;
    if (!ops->a_same)
        return n;
    while (n < 2 * BLOCK_ROWS && i + n < end && ops->a_same[i + n])
        n++;
    return n <= BLOCK_ROWS ? n : (n + 1) / 2;
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

static bool FN(numeric)(const operands *ops,
                        const row_range *range,
                        scratch *s,
                        output *out)
{
    for (int64_t i = range->row_begin; i < range->row_end; i++) {
        int64_t *nnz = &out->row_nnz[i - range->row_begin];
        const int64_t products = ops->products[i];
        *nnz = 0;
        if (products == 0)
            continue;
#if defined(LEAVES_AVX512)
        if (products <= TINY_LANES && range->parts == 0 &&
            ops->B->ncols < TINY_COLUMNS) {
            s->rows_by_accumulator[0]++;
            *nnz = FN(tiny_in_registers)(ops, i, products, out);
            if (*nnz < 0)
                return false;
            output_end_row(out);
            continue;
        }
#endif
        FN(row) r = FN(look)(ops, i, true);
        if (range->parts > 0)
            FN(clip)(&r, ops, i, range);
        if (r.first > r.last)
            continue;
        if (range->parts == 0 && ops->a_same &&
            r.last - r.first < BLOCK_COLUMNS) {
            FN(block)
            k = {.r = r,
                 .rows = FN(same_rows)(ops, i, range->row_end),
                 .b_same = ops->b_same};
            for (int row = 0; row < k.rows; row++)
                k.Ax[row] = r.Ax + row * r.length;
            const int64_t n = FN(block_rows)(&k, s, out);
            if (n < 0)
                return false;
            for (int row = 0; row < k.rows; row++) {
                nnz[row] = n;
                output_end_row(out);
            }
            i += k.rows - 1;
            continue;
        }
        r.predicted =
            prediction_row(ops->prediction, i, products, ops->B->ncols) /
            max_i64(1, range->parts);
        *nnz = FN(accumulate)(&r, ops, s, true, out);
        if (*nnz < 0)
            return false;
        output_end_row(out);
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
        FN(row) r = FN(look)(ops, i, false);
        if (range->parts > 0)
            FN(clip)(&r, ops, i, range);
        if (r.first > r.last)
            continue;
        /* Nothing is known yet of nnz but the bound. */
        r.predicted = min_i64(r.products, r.last - r.first + 1);
        *nnz = FN(accumulate)(&r, ops, s, false, NULL);
        if (*nnz < 0)
            return false;
    }
    return true;
}

#undef AHEAD_POINTERS
#undef AHEAD_ROWS
#undef AHEAD_BYTES
#undef FN
#undef SR_H
#undef LEAVES_AVX512
#undef UNTOUCHED
#undef VAL
#undef IDX
