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

#include SR_H
#include "accumulate/row.tmpl.h"

#include "accumulate/dense.tmpl.h"
#include "accumulate/hash.tmpl.h"
#include "accumulate/scatter.tmpl.h"
#include "accumulate/tiny.tmpl.h"

/* Entries of A ahead of the one in hand: B's row pointers, then B's rows. */
#define AHEAD_POINTERS 16
#define AHEAD_ROWS     8

static ALWAYS_INLINE void
FN(prefetch)(const operands *ops, int64_t p, bool is_numeric)
{
    const spgemm_csr *A = ops->A;
    const IDX *Aj = A->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const int64_t last = A->nnz - 1;
    PREFETCH(&Bp[Aj[min_i64(p + AHEAD_POINTERS, last)]]);
    const int64_t q = Bp[Aj[min_i64(p + AHEAD_ROWS, last)]];
    PREFETCH((const IDX *)ops->B->colidx + q);
    if (is_numeric)
        PREFETCH((const VAL *)ops->B->values + q);
}

/* Row i of C, with the columns that B's rows say it may have. */
static ALWAYS_INLINE FN(row)
    FN(look)(const operands *ops, int64_t i, bool is_numeric)
{
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const int64_t begin = A->rowptr[i];
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
    };
    if (!r.b_is_sorted) {
        r.last = B->ncols - 1;
        return r;
    }
    r.first = INT64_MAX;
    for (int64_t t = 0; t < r.length; t++) {
        FN(prefetch)(ops, begin + t, is_numeric);
        const int64_t q = r.Bp[r.Aj[t]];
        const int64_t end = r.Bp[r.Aj[t] + 1];
        if (q == end)
            continue;
        r.first = min_i64(r.first, r.Bj[q]);
        r.last = max_i64(r.last, r.Bj[end - 1]);
    }
    return r;
}

/* A row wider than a window, window by window. */
static NOINLINE int64_t
FN(sliced_row)(const FN(row) * r, scratch *s, bool is_numeric, IDX *Cj, VAL *Cx)
{
    int64_t n = 0;
    FN(row) slice = *r;
    slice.is_clipped = true;
    for (int64_t first = r->first; first <= r->last; first += WINDOW_COLUMNS) {
        slice.first = first;
        slice.last = min_i64(r->last, first + WINDOW_COLUMNS - 1);
        n += is_numeric ? FN(scatter_row)(&slice, s, true, Cj + n, Cx + n)
                        : FN(scatter_row)(&slice, s, false, NULL, NULL);
    }
    return n;
}

/* nnz of a row that has products, its entries at Cj and Cx when numeric;
   -1: no memory. */
static ALWAYS_INLINE int64_t FN(accumulate)(const FN(row) * r,
                                            const operands *ops,
                                            scratch *s,
                                            bool is_numeric,
                                            IDX *Cj,
                                            VAL *Cx)
{
    const int64_t columns = r->last - r->first + 1;
    if (r->length == 1 && r->b_is_sorted) {
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_TINY]++;
        return FN(scale_row)(r, is_numeric, Cj, Cx);
    }
    const spgemm_accumulator chosen = choose_accumulator(
        r->products, columns, r->b_is_sorted, ops->b_has_runs);
    s->rows_by_accumulator[chosen]++;
    switch (chosen) {
    case SPGEMM_ACCUMULATOR_TINY:
        return FN(tiny_row)(r, is_numeric, Cj, Cx);
    case SPGEMM_ACCUMULATOR_DENSE:
        if (!scratch_window(s, columns))
            return -1;
        return FN(dense_row)(r, s, is_numeric, Cj, Cx);
    case SPGEMM_ACCUMULATOR_SCATTER:
        if (!scratch_window(s, min_i64(columns, WINDOW_COLUMNS)))
            return -1;
        if (columns > WINDOW_COLUMNS)
            return FN(sliced_row)(r, s, is_numeric, Cj, Cx);
        return FN(scatter_row)(r, s, is_numeric, Cj, Cx);
    case SPGEMM_ACCUMULATOR_HASH:
        break;
    }
    return FN(hash_row)(r, s, is_numeric, ops->sort_rows, Cj, Cx);
}

/* Products of a clipped row, counted. */
static NOINLINE int64_t FN(count_clipped)(const FN(row) * r)
{
    int64_t products = 0;
    for (int64_t t = 0; t < r->length; t++) {
        int64_t q;
        int64_t end;
        FN(b_range)(r, r->Aj[t], &q, &end);
        products += end - q;
    }
    return products;
}

/* The columns [col_begin, col_end) of a giant row. */
static ALWAYS_INLINE void FN(clip)(FN(row) * r, const row_range *range)
{
    r->first = max_i64(r->first, range->col_begin);
    r->last = min_i64(r->last, range->col_end - 1);
    r->is_clipped = true;
    /* A narrow part is bounded by its columns. For a wide one, the products of
       the whole row would be too much to make room for. */
    const int64_t share = 2 * (r->products / range->parts);
    r->products = r->last - r->first < share ? share : FN(count_clipped)(r);
}

static bool FN(numeric)(const operands *ops,
                        const row_range *range,
                        scratch *s,
                        output *out)
{
    for (int64_t i = range->row_begin; i < range->row_end; i++) {
        const int64_t local = i - range->row_begin;
        if (ops->products[i] == 0) {
            out->row_nnz[local] = 0;
            continue;
        }
        FN(row) r = FN(look)(ops, i, true);
        if (range->parts > 0)
            FN(clip)(&r, range);
        if (r.first > r.last) {
            out->row_nnz[local] = 0;
            continue;
        }
        r.predicted =
            prediction_row(ops->prediction, i, r.products, ops->B->ncols) /
            max_i64(1, range->parts);
        if (!output_reserve(out, min_i64(r.products, r.last - r.first + 1)))
            return false;
        const int64_t n =
            FN(accumulate)(&r, ops, s, true, (IDX *)out->colidx + out->used,
                           (VAL *)out->values + out->used);
        if (n < 0)
            return false;
        output_advance(out, local, n);
    }
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
            FN(clip)(&r, range);
        if (r.first > r.last)
            continue;
        /* Nothing is known yet of nnz but the bound. */
        r.predicted = min_i64(r.products, r.last - r.first + 1);
        *nnz = FN(accumulate)(&r, ops, s, false, NULL, NULL);
        if (*nnz < 0)
            return false;
    }
    return true;
}

#undef AHEAD_POINTERS
#undef AHEAD_ROWS
#undef FN
#undef SR_H
#undef VAL
#undef IDX
