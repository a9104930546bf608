/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = sum over k of A(i,k) * B(k,:), row by row.

   F. G. Gustavson, ACM TOMS 4(3):250-269, 1978. Each row is looked at first:
   the columns it may reach, from the ends of B's rows, decide with its
   products which accumulator takes it.

   Parameters: VAL value type, IDX index type, FN(name) mangler, SR_H semiring,
   HAS_VALUES whether C has values. Included once for each semiring of a unit,
   after unit.h. */
#if !defined(VAL) || !defined(IDX) || !defined(FN) || !defined(SR_H)
#error "numeric.tmpl.h: define VAL, IDX, FN and SR_H first"
#endif

#include SR_H
#include "semiring/semiring.tmpl.h"

#include "accumulate/row.tmpl.h"
#include "accumulate/take.tmpl.h"

#include "accumulate/append.tmpl.h"
#include "accumulate/hash.tmpl.h"
#include "accumulate/masked.tmpl.h"
#include "accumulate/scatter.tmpl.h"
#include "accumulate/tiny.tmpl.h"

#include "accumulate/merge.tmpl.h"

#include "accumulate/block.tmpl.h"

#include "spgemm/look.tmpl.h"

#include "spgemm/accumulate_row.tmpl.h"
#include "spgemm/leaf_rows.tmpl.h"
#if defined(LANES)
#include "spgemm/repeat_rows.tmpl.h"
#endif

/* One entry in A's row, and B's rows sorted: a row of B, scaled. */
static ALWAYS_INLINE spgemm_accumulator FN(choose)(const FN(row) * r,
                                                   const operands *ops)
{
    return r->length == 1 && r->b_is_sorted
               ? SPGEMM_ACCUMULATOR_TINY
               : choose_accumulator(r->products, r->length,
                                    r->last - r->first + 1, r->b_is_sorted,
                                    ops->b_octets && !r->is_clipped,
                                    r->is_clipped ? 0 : r->longest);
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
    if (is_whole && !ops->mask && FN(fits_registers)(ops, products)) {
        /* One by one where rows may repeat: the next ones are not computed. */
        const int64_t most = ops->b_next ? 1 : range->row_end - i;
        const int64_t rows = FN(tiny_rows)(ops, i, most, out, nnz);
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_TINY] += max_i64(rows, 0);
        return rows;
    }
    FN(row) r = FN(look)(ops, i, true);
    if (!is_whole)
        FN(clip)(&r, ops, i, range);
    if (r.first > r.last)
        return 1;
    if (UNLIKELY(ops->mask != NULL)) {
        *nnz = FN(masked_row)(&r, ops->mask, i, s, true, out);
        return *nnz < 0 ? -1 : 1;
    }
    const spgemm_accumulator chosen = FN(choose)(&r, ops);
    const int rows = chosen == SPGEMM_ACCUMULATOR_BLOCK
                         ? FN(same_rows)(ops, i, range->row_end)
                         : 1;
    r.predicted = prediction_row(ops->prediction, i, products,
                                 ops->row_class[i], ops->B->ncols) /
                  max_i64(1, range->parts);
    *nnz = FN(accumulate)(&r, ops, chosen, rows, s, true, out);
    for (int t = 1; t < rows; t++)
        nnz[t] = *nnz;
    return *nnz < 0 ? -1 : rows;
}

/* The same; by repetition where rows repeat. */
static ALWAYS_INLINE int64_t FN(next_rows)(const operands *ops,
                                           int64_t i,
                                           const row_range *range,
                                           scratch *s,
                                           output *out,
                                           int64_t *nnz)
{
#if defined(LANES)
    const bool may_repeat = ops->b_next && range->parts == 0;
    int64_t rows = 0;
    if (may_repeat)
        rows = FN(repeat_again)(ops, i, range, s, out, nnz);
    if (rows > 0)
        return rows;
    rows = FN(some_rows)(ops, i, range, s, out, nnz);
    if (may_repeat && rows == 1)
        rows += FN(repeat_rows)(ops, i, range, s, out, nnz);
    return rows;
#else
    return FN(some_rows)(ops, i, range, s, out, nnz);
#endif
}

static bool FN(finish_rows)(const operands *ops,
                            const row_range *range,
                            scratch *s,
                            output *out);

static bool FN(numeric)(const operands *ops,
                        const row_range *range,
                        scratch *s,
                        output *out)
{
    int64_t rows;
    if (UNLIKELY(ops->finish != NULL))
        return FN(finish_rows)(ops, range, s, out);
    for (int64_t i = range->row_begin; i < range->row_end; i += rows) {
        int64_t *nnz = &out->row_nnz[i - range->row_begin];
        *nnz = 0;
        rows = 1;
        if (ops->products[i] == 0)
            continue;
        rows = FN(next_rows)(ops, i, range, s, out, nnz);
        if (rows < 0)
            return false;
        output_end_rows(out, rows);
    }
    SPGEMM_ASSERT_EXPENSIVE(spgemm_scratch_is_clean(s));
    return true;
}

#include "spgemm/finish_rows.tmpl.h"

#if HAS_VALUES
#include "spgemm/refill.tmpl.h"
#else
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
            !ops->mask && ops->a_same[i]) {
            *nnz = nnz[-1];
            continue;
        }
        if (range->parts == 0 && !ops->mask &&
            FN(fits_registers)(ops, ops->products[i])) {
            *nnz = FN(tiny_nnz)(ops, i);
            continue;
        }
        FN(row) r = FN(look)(ops, i, false);
        if (range->parts > 0)
            FN(clip)(&r, ops, i, range);
        if (r.first > r.last)
            continue;
        /* Nothing is known yet of nnz but the bound. */
        r.predicted = min_i64(r.products, r.last - r.first + 1);
        *nnz = ops->mask ? FN(masked_row)(&r, ops->mask, i, s, false, NULL)
                         : FN(accumulate)(&r, ops, FN(choose)(&r, ops), 1, s,
                                          false, NULL);
        if (*nnz < 0)
            return false;
    }
    return true;
}

#endif

#undef SEMIRING_ADD
#undef SEMIRING_MUL
#undef ZERO
#undef UNTOUCHED
#undef LEAVE
#undef LEAVE_LANES
#undef AS_TERM
#undef READS_A
#undef READS_B
#undef SR_H
#undef FN
