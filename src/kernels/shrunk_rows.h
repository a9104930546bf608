/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that are sums of products, scaled, less those that are dropped: many
   are summed one behind the other, where they belong, and closed up while they are
   in a cache. */
#ifndef SPGEMM_KERNELS_SHRUNK_ROWS_H
#define SPGEMM_KERNELS_SHRUNK_ROWS_H

#include "kernels/epilogue.h"
#include "kernels/row/output.h"

#if HAS_VALUES
/* Whether rows are scaled, or entries dropped by their values, and no more. */
static ALWAYS_INLINE bool is_shrunk(const epilogue *f)
{
    return !f->D && !f->mask && f->keep_top == 0;
}

/* Products of the rows that are taken at a time, but for a single row. */
#define SHRUNK_PRODUCTS 16384

/* Where more than one of so many entries is dropped, each is looked at. */
#define FEW_DROPPED 32

/* A place among the entries of some rows, as many as they were. */
typedef struct row_cursor {
    int64_t *nnz; /* [rows] */
    int64_t place;
    int64_t row; /* one that is not behind it */
    int64_t end; /* of that row */
} row_cursor;

/* To the row of the entry `further` on; no earlier one has been asked for since. */
static ALWAYS_INLINE void find_row(row_cursor *at, int64_t further)
{
    while (at->place + further >= at->end)
        at->end += at->nnz[++at->row];
}

/* The row of each of `count` entries that is dropped is one shorter. */
static ALWAYS_INLINE void shorten_rows(const VAL *x, int64_t count,
                                       double tolerance, row_cursor *at)
{
    for (int64_t t = 0; t < count; t++)
        if (is_dropped(x[t], tolerance)) {
            find_row(at, t);
            at->nnz[at->row]--;
        }
}

/* Closes up entries from `from` on, most of which stay. Returns where they end. */
static NOINLINE int64_t close_some(row_entries *e, int64_t from,
                                   double tolerance, row_cursor *at)
{
    int64_t n = from;
    int64_t p = from;
    for (; p + LOOKED_AT <= e->count; p += LOOKED_AT, at->place += LOOKED_AT) {
        const int64_t dropped = count_dropped(e->Cx + p, LOOKED_AT, tolerance);
        if (dropped > 0)
            shorten_rows(e->Cx + p, LOOKED_AT, tolerance, at);
        n = move_looked_at(e, n, p, dropped, tolerance);
    }
    shorten_rows(e->Cx + p, e->count - p, tolerance, at);
    at->place += e->count - p;
    return move_each(e, n, p, e->count - p, tolerance);
}

/* The same row by row. */
static NOINLINE int64_t close_rows(row_entries *e, int64_t from,
                                   double tolerance, row_cursor *at)
{
    int64_t n = from;
    int64_t count;
    for (int64_t p = from; p < e->count; p += count, at->place += count) {
        find_row(at, 0);
        count = min_i64(e->count - p, at->end - at->place);
        const int64_t end = move_kept(e, n, p, count, tolerance);
        at->nnz[at->row] -= count - (end - n);
        n = end;
    }
    return n;
}

/* Makes of sums from `from` on what C has there. */
static ALWAYS_INLINE void shrink_entries(const operands *ops, row_entries *e,
                                         int64_t from, row_cursor *at)
{
    const epilogue *f = ops->epilogue;
    const double tolerance = f->drop_tolerance;
    const int64_t n = e->count - from;
    if (f->alpha)
        WITH_SEMIRING(
            semiring_of(ops), sr,
            scale_values(sr, *(const VAL *)f->alpha, n, e->Cx + from));
    const int64_t dropped =
        drops_by_value(f) ? count_dropped(e->Cx + from, n, tolerance) : 0;
    if (dropped == 0)
        at->place += n;
    else if (FEW_DROPPED * dropped < n)
        e->count = close_some(e, from, tolerance, at);
    else
        e->count = close_rows(e, from, tolerance, at);
}

/* The same of all that went to `out` since `last` was its last chunk and had `used`
   entries, the sums of some rows. */
static void shrink_sums(const operands *ops, output *out, chunk *last,
                        int64_t used, int64_t *row_nnz)
{
    row_cursor at = {.nnz = row_nnz, .row = -1};
    int64_t dropped = 0; /* of the overflow pool */
    for (chunk *c = last; c != out->last; c = c->next, used = 0) {
        row_entries e = {c->colidx, c->values, c->used};
        shrink_entries(ops, &e, used, &at);
        dropped += c != out->first ? c->used - e.count : 0;
        c->used = e.count;
    }
    row_entries e = {out->colidx, out->values, out->used};
    shrink_entries(ops, &e, used, &at);
    dropped += out->last != out->first ? out->used - e.count : 0;
    out->used = e.count;
    out->overflow_entries -= dropped;
}

/* The end of the rows from row i on that are taken at a time. */
static ALWAYS_INLINE int64_t end_of_shrunk(const operands *ops, int64_t i,
                                           int64_t row_end)
{
    int64_t products = ops->products[i++];
    while (i < row_end && products + ops->products[i] <= SHRUNK_PRODUCTS)
        products += ops->products[i++];
    return i;
}

/* The rows of a range. false: no memory. */
static NOINLINE bool shrunk_rows(const operands *ops, const row_range *range,
                                 scratch *s, output *out)
{
    operands plain = *ops;
    row_range some = *range;
    int64_t *const row_nnz = out->row_nnz;
    bool is_well = true;
    plain.epilogue = NULL;
    for (int64_t i = range->row_begin; is_well && i < range->row_end;
         i = some.row_end) {
        chunk *const last = out->last;
        const int64_t used = out->used;
        some.row_begin = i;
        some.row_end = end_of_shrunk(ops, i, range->row_end);
        out->row_nnz = row_nnz + (i - range->row_begin);
        is_well = numeric(&plain, &some, s, out);
        if (is_well)
            shrink_sums(ops, out, last, used, out->row_nnz);
    }
    out->row_nnz = row_nnz;
    return is_well;
}
#endif

#endif
