/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that are more, or less, than sums of products: some at a time go to
   a buffer of the thread, are finished there, and on to `out`. */
#ifndef SPGEMM_KERNELS_EPILOGUE_ROWS_H
#define SPGEMM_KERNELS_EPILOGUE_ROWS_H

#include "kernels/epilogue.h"
#include "kernels/epilogue_in_place.h"
#include "kernels/row/room.h"

#if HAS_VALUES
/* The row and what D has there, in the other buffer. false: no memory. */
static NOINLINE bool add_row_of_d(spgemm_semiring which, const epilogue *f,
                                  int64_t i, row_buffers *b, row_entries *e)
{
    const int64_t length = f->D->rowptr[i + 1] - f->D->rowptr[i];
    row_entries to = {0};
    if (!spgemm_row_buffer_empty(&b->merged, e->count + length))
        return false;
    to.Cj = b->merged.colidx;
    to.Cx = b->merged.values;
    WITH_SEMIRING(which, sr, merge_with_d(sr, &to, e, f->D, i, f->beta));
    *e = to;
    return true;
}

static inline bool keep_top_entries(const epilogue *f, row_buffers *b,
                                    row_entries *e)
{
    if (f->keep_top == 0 || e->count <= f->keep_top)
        return true;
    if (!spgemm_row_buffers_make_keys(b, e->count))
        return false;
    keep_largest(f->top_by, e, f->keep_top, b->keys);
    return true;
}
#endif

/* Row i of C from its sums, to `out`; its nnz, -1: no memory. */
static inline int64_t epilogue_row(const operands *ops, int64_t i,
                                   row_buffers *b, row_entries e, output *out)
{
    const epilogue *f = ops->epilogue;
#if HAS_VALUES
    const spgemm_semiring which = semiring_of(ops);
    if (f->alpha)
        WITH_SEMIRING(which, sr,
                      scale_values(sr, *(const VAL *)f->alpha, e.count, e.Cx));
    if (f->D && !add_row_of_d(which, f, i, b, &e))
        return -1;
#else
    (void)b;
#endif
    if (f->mask)
        filter_by_mask(&e, f->mask, i, f->is_complement);
#if HAS_VALUES
    if (epilogue_drops_by_value(f))
        e.count = move_kept(&e, 0, 0, e.count, f->drop_tolerance);
    if (!keep_top_entries(f, b, &e))
        return -1;
#endif
    IDX *Cj;
    VAL *Cx;
    if (!make_room(out, e.count, true, &Cj, &Cx))
        return -1;
    memcpy(Cj, e.Cj, (size_t)e.count * sizeof *Cj);
    if (HAS_VALUES)
        memcpy(Cx, e.Cx, (size_t)e.count * sizeof *Cx);
    output_take(out, e.count);
    return e.count;
}

/* Whether entries are kept by their sums alone, and some are not. */
static inline bool keeps_sums(const operands *ops)
{
    const epilogue *f = ops->epilogue;
    return f->keep_top > 0 && !f->alpha && !f->D && !f->mask && !ops->mask;
}

/* Whether row i is summed whole, and masked then. */
static inline bool is_masked_last(const operands *ops, int64_t i)
{
    const epilogue *f = ops->epilogue;
    if (!ops->b_bitmaps || !f->mask || !ops->mask)
        return false;
    const int64_t *Ap = ops->A->rowptr;
    const int64_t wanted = f->mask->rowptr[i + 1] - f->mask->rowptr[i];
    return !row_is_thin(wanted, Ap[i + 1] - Ap[i], ops->products[i]);
}

/* Rows [begin, end) of C: their sums to the buffer, each from there to `out`.
   false: no memory. */
static bool epilogue_some(const operands *ops, const row_range *some,
                          scratch *s, row_buffers *b, output *out,
                          int64_t *row_nnz)
{
    operands plain = *ops;
    plain.epilogue = NULL;
    plain.mask = is_masked_last(ops, some->row_begin) ? NULL : ops->mask;
    plain.kept = keeps_sums(ops) ? ops->epilogue : NULL;
    b->sums.row_nnz = b->nnz;
    if (!spgemm_row_buffer_empty(&b->sums, 0) ||
        !numeric(&plain, some, s, &b->sums) ||
        !spgemm_row_buffer_join(&b->sums))
        return false;
    int64_t at = 0;
    for (int64_t i = some->row_begin; i < some->row_end; i++) {
        const int64_t t = i - some->row_begin;
        const row_entries e = {
            .Cj = (IDX *)b->sums.colidx + at,
            .Cx = values_at(b->sums.values, at),
            .count = b->nnz[t],
        };
        at += e.count;
        row_nnz[t] = epilogue_row(ops, i, b, e, out);
        if (row_nnz[t] < 0)
            return false;
        output_end_rows(out, 1);
    }
    return true;
}

/* Whether row i has no entries, since the mask has none. */
static inline bool is_masked_out(const operands *ops, int64_t i)
{
    const epilogue *f = ops->epilogue;
    return f->mask && !f->is_complement &&
           f->mask->rowptr[i] == f->mask->rowptr[i + 1];
}

/* Whether row i can be taken with one before it, of this kind. */
static ALWAYS_INLINE bool is_like(const operands *ops, int64_t i, bool is_last)
{
    return !is_masked_out(ops, i) && is_masked_last(ops, i) == is_last;
}

/* The end of the rows from row i on that are taken at a time: some, and those that
   are summed together with the last of them. */
static inline int64_t end_of_some(const operands *ops, int64_t i,
                                  int64_t row_end)
{
    const int64_t most = spgemm_rows_of_products(
        ops->products, i, min_i64(row_end, i + BUFFER_ROWS), BUFFER_PRODUCTS);
    const uint8_t *same = ops->b_bitmaps ? ops->a_same_as_previous : NULL;
    const bool is_last = is_masked_last(ops, i);
    int64_t end = i + 1;
    while (end < most && is_like(ops, end, is_last))
        end++;
    int64_t first = end - 1;
    while (same && first > i && same[first])
        first--;
    const int64_t room = min_i64(first + SUPERNODE_ROWS, i + BUFFER_ROWS);
    while (same && end < min_i64(row_end, room) && same[end] &&
           is_like(ops, end, is_last))
        end++;
    return end;
}

static NOINLINE bool epilogue_rows(const operands *ops, const row_range *range,
                                   scratch *s, output *out)
{
#if HAS_VALUES
    if (is_done_in_place(ops->epilogue))
        return epilogue_in_place(ops, range, s, out);
#endif
    row_buffers b;
    bool is_well = spgemm_row_buffers_open(&b, s->m, sizeof(IDX),
                                           HAS_VALUES ? ops->value_size : 0);
    row_range some = *range;
    for (int64_t i = range->row_begin; is_well && i < range->row_end;
         i = some.row_end) {
        int64_t *row_nnz = out->row_nnz + (i - range->row_begin);
        some.row_begin = i;
        some.row_end = i + 1;
        if (is_masked_out(ops, i)) {
            *row_nnz = 0;
            output_end_rows(out, 1);
            continue;
        }
        some.row_end = end_of_some(ops, i, range->row_end);
        is_well = epilogue_some(ops, &some, s, &b, out, row_nnz);
    }
    spgemm_row_buffers_close(&b);
    return is_well;
}

#endif
