/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that are sums of products, scaled, less those that are dropped: many
   are summed one behind the other, where they belong, and compacted while they are
   in a cache. */
#ifndef SPGEMM_KERNELS_EPILOGUE_IN_PLACE_H
#define SPGEMM_KERNELS_EPILOGUE_IN_PLACE_H

#include "kernels/epilogue.h"
#include "kernels/row/output.h"

#if HAS_VALUES
/* Whether rows are scaled, or entries dropped by their values, and no more. */
static inline bool is_done_in_place(const epilogue *f)
{
    return !f->D && !f->mask && f->keep_top == 0;
}

/* Products of the rows that are taken at a time, but for a single row. */
#define IN_PLACE_PRODUCTS 16384

/* A place among the sums of some rows, and a row that is not behind it. */
typedef struct row_cursor {
    int64_t *nnz; /* [rows] */
    int64_t place;
    int64_t row;
    int64_t end; /* of the row, before any of its sums was dropped */
} row_cursor;

/* Drops sums from `from` on, row by row. */
static NOINLINE void compact_rows(row_entries *e, int64_t from,
                                  double tolerance, row_cursor *at)
{
    int64_t n = from;
    int64_t count;
    for (int64_t p = from; p < e->count; p += count, at->place += count) {
        while (at->place >= at->end)
            at->end += at->nnz[++at->row];
        count = min_i64(e->count - p, at->end - at->place);
        const int64_t end = move_kept(e, n, p, count, tolerance);
        at->nnz[at->row] -= count - (end - n);
        n = end;
    }
    e->count = n;
}

/* Makes of sums from `from` on what C has there. */
static inline void finish_sums(const operands *ops, row_entries *e,
                               int64_t from, row_cursor *at)
{
    const epilogue *f = ops->epilogue;
    const double tolerance = f->drop_tolerance;
    const int64_t n = e->count - from;
    if (f->alpha)
        WITH_SEMIRING(
            semiring_of(ops), sr,
            scale_values(sr, *(const VAL *)f->alpha, n, e->Cx + from));
    if (epilogue_drops_by_value(f) &&
        count_dropped(e->Cx + from, n, tolerance) > 0)
        compact_rows(e, from, tolerance, at);
    else
        at->place += n;
}

/* The same of all that went to `out` since `last` was its last chunk and had `used`
   entries, the sums of some rows. */
static void finish_output(const operands *ops, output *out, chunk *last,
                          int64_t used)
{
    row_cursor at = {.nnz = out->row_nnz, .row = -1};
    int64_t dropped = 0; /* of the overflow pool */
    for (chunk *c = last; c != out->last; c = c->next, used = 0) {
        row_entries e = {c->colidx, c->values, c->used};
        finish_sums(ops, &e, used, &at);
        dropped += c != out->first ? c->used - e.count : 0;
        c->used = e.count;
    }
    row_entries e = {out->colidx, out->values, out->used};
    finish_sums(ops, &e, used, &at);
    dropped += out->last != out->first ? out->used - e.count : 0;
    out->used = e.count;
    out->overflow_entries -= dropped;
}

/* The rows of a range. false: no memory. */
static NOINLINE bool epilogue_in_place(const operands *ops,
                                       const row_range *range, scratch *s,
                                       output *out)
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
        some.row_end = spgemm_rows_of_products(ops->products, i, range->row_end,
                                               IN_PLACE_PRODUCTS);
        out->row_nnz = row_nnz + (i - range->row_begin);
        is_well = numeric(&plain, &some, s, out);
        if (is_well)
            finish_output(ops, out, last, used);
    }
    out->row_nnz = row_nnz;
    return is_well;
}
#endif

#endif
