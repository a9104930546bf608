/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that are more, or less, than sums of products: some at a time go to
   a buffer of the thread, are finished there, and on to `out`.

   Parameters: VAL, IDX, FN, semiring. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "finish_rows.tmpl.h: define VAL, IDX and FN first"
#endif

#include "accumulate/finish.tmpl.h"

#if HAS_VALUES
/* The row and what D has there, in the other buffer. false: no memory. */
static ALWAYS_INLINE bool
FN(add_d)(const form *f, int64_t i, row_buffers *b, FN(entries) * e)
{
    const int64_t length = f->D->rowptr[i + 1] - f->D->rowptr[i];
    FN(entries) to = {0};
    if (!spgemm_row_buffer_empty(&b->merged, e->count + length))
        return false;
    to.Cj = b->merged.colidx;
    to.Cx = b->merged.values;
    FN(merge)(&to, e, f->D, i, f->beta);
    *e = to;
    return true;
}

static ALWAYS_INLINE bool
FN(keep_top)(const form *f, row_buffers *b, FN(entries) * e)
{
    if (f->keep_top == 0 || e->count <= f->keep_top)
        return true;
    if (!spgemm_row_buffers_make_keys(b, e->count))
        return false;
    FN(keep_largest)(e, f->keep_top, b->keys);
    return true;
}
#endif

/* Row i of C from its sums, to `out`; its nnz, -1: no memory. */
static ALWAYS_INLINE int64_t FN(finish_row)(
    const form *f, int64_t i, row_buffers *b, FN(entries) e, output *out)
{
#if HAS_VALUES
    if (f->alpha)
        FN(scale)(&e, f->alpha);
    if (f->D && !FN(add_d)(f, i, b, &e))
        return -1;
#else
    (void)b;
#endif
    if (f->mask)
        FN(filter)(&e, f->mask, i, f->is_complement);
#if HAS_VALUES
    if (f->drop_zeros || f->drop_tolerance > 0)
        FN(drop_small)(&e, f->drop_zeros, f->drop_tolerance);
    if (!FN(keep_top)(f, b, &e))
        return -1;
#endif
    IDX *Cj;
    VAL *Cx;
    if (!FN(make_room)(out, e.count, true, &Cj, &Cx))
        return -1;
    memcpy(Cj, e.Cj, (size_t)e.count * sizeof *Cj);
    if (HAS_VALUES)
        memcpy(Cx, e.Cx, (size_t)e.count * sizeof *Cx);
    output_take(out, e.count);
    return e.count;
}

/* Rows [begin, end) of C: their sums to the buffer, each from there to `out`.
   false: no memory. */
static bool FN(finish_some)(const operands *plain,
                            const form *f,
                            const row_range *some,
                            scratch *s,
                            row_buffers *b,
                            output *out,
                            int64_t *row_nnz)
{
    b->sums.row_nnz = b->nnz;
    if (!spgemm_row_buffer_empty(&b->sums, 0) ||
        !FN(numeric)(plain, some, s, &b->sums) ||
        !spgemm_row_buffer_join(&b->sums))
        return false;
    int64_t at = 0;
    for (int64_t i = some->row_begin; i < some->row_end; i++) {
        const int64_t t = i - some->row_begin;
        const FN(entries) e = {
            .Cj = (IDX *)b->sums.colidx + at,
            .Cx = FN(values_at)(b->sums.values, at),
            .count = b->nnz[t],
        };
        at += e.count;
        row_nnz[t] = FN(finish_row)(f, i, b, e, out);
        if (row_nnz[t] < 0)
            return false;
        output_end_rows(out, 1);
    }
    return true;
}

static NOINLINE bool FN(finish_rows)(const operands *ops,
                                     const row_range *range,
                                     scratch *s,
                                     output *out)
{
    row_buffers b;
    operands plain = *ops;
    plain.finish = NULL;
    bool is_well =
        spgemm_row_buffers_open(&b, s->m, sizeof(IDX), ops->value_size);
    row_range some = *range;
    for (int64_t i = range->row_begin; is_well && i < range->row_end;
         i = some.row_end) {
        some.row_begin = i;
        some.row_end = spgemm_row_buffers_end(ops->products, i, range->row_end);
        is_well = FN(finish_some)(&plain, ops->finish, &some, s, &b, out,
                                  out->row_nnz + (i - range->row_begin));
    }
    spgemm_row_buffers_close(&b);
    return is_well;
}
