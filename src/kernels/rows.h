/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = sum over k of A(i,k) * B(k,:), row by row.

   F. G. Gustavson, ACM TOMS 4(3):250-269, 1978. Each row is looked at first:
   the columns it may reach, from the ends of B's rows, decide with its
   products which accumulator takes it. */
#ifndef SPGEMM_KERNELS_ROWS_H
#define SPGEMM_KERNELS_ROWS_H

#include "kernels/accumulate.h"
#include "kernels/accumulators/dots.h"
#include "kernels/accumulators/esc_rows.h"
#include "kernels/accumulators/full.h"
#include "kernels/accumulators/masked_row.h"
#include "kernels/accumulators/masked_rows.h"
#include "kernels/accumulators/ranked_rows.h"
#include "kernels/accumulators/scale.h"
#include "kernels/accumulators/shifted_rows.h"
#include "kernels/row/row_extent.h"

/* Rows from i on, up to `end`, that have the columns of row i: `most` of them,
   so that what is left is no single row. */
static ALWAYS_INLINE int same_rows(const operands *ops, int64_t i, int64_t end,
                                   int most)
{
    int n = 1;
    while (ops->a_same_as_previous && n < 2 * most && i + n < end &&
           ops->a_same_as_previous[i + n])
        n++;
    return n <= most ? n : (n + 1) / 2;
}

/* The columns [col_begin, col_end) of giant row i, which was cut between the first and
   the last that it may have. */
static ALWAYS_INLINE c_row row_part(const operands *ops, int64_t i,
                                    const row_range *range, bool is_numeric)
{
    c_row r =
        row_within(ops, i, range->col_begin, range->col_end - 1, is_numeric);
    r.is_clipped = true;
    r.is_counted = range->is_last;
    return r;
}

/* Products there, at most. A narrow part is bounded by its columns. For a wide one, the
   products of the whole row would be too much to make room for; for a short one, esc
   relies on the true number. */
static inline int64_t part_products(const operands *ops, int64_t i,
                                    const row_range *range)
{
    const int64_t share = 2 * (ops->products[i] / range->parts);
    const bool is_narrow = range->col_end - 1 - range->col_begin < share;
    return is_narrow && share > ESC_PRODUCTS
               ? share
               : spgemm_row_products_within(ops, i, range->col_begin,
                                            range->col_end);
}

/* Row i, or the part of it that the range is. */
static ALWAYS_INLINE c_row begin_row(const operands *ops, int64_t i,
                                     const row_range *range, bool is_numeric)
{
    if (range->parts == 0)
        return row_extent(ops, i, is_numeric);
    c_row r = row_part(ops, i, range, is_numeric);
    r.products = part_products(ops, i, range);
    return r;
}

/* The same of a C that is masked: where columns of B, or up to sixteen of the mask, are
   at hand, the ends of B's rows are not asked. */
static ALWAYS_INLINE c_row begin_masked_row(const operands *ops, int64_t i,
                                            const row_range *range,
                                            bool is_numeric)
{
    if (range->parts > 0)
        return ops->by_columns ? row_part(ops, i, range, is_numeric)
                               : begin_row(ops, i, range, is_numeric);
    if (ops->by_columns)
        return row_within(ops, i, 0, ops->B->ncols - 1, is_numeric);
    return has_few_masked(ops, i) ? row_of_any(ops, i, is_numeric)
                                  : row_extent(ops, i, is_numeric);
}

/* Row i, or that part of it, of a C that is masked: its nnz; -1: no memory. */
static NOINLINE int64_t masked_range(const operands *ops, int64_t i,
                                     const row_range *range, scratch *s,
                                     bool is_numeric, output *out)
{
    if (ops->mask->rowptr[i] == ops->mask->rowptr[i + 1])
        return 0;
    const c_row r = begin_masked_row(ops, i, range, is_numeric);
    return r.first > r.last ? 0 : masked_row(&r, ops, i, s, is_numeric, out);
}

/* Row i, and rows behind it, of short ones up to row `end`, that are taken together
   with it; the nnz of each is written. Returns how many they are; -1: no memory. */
static inline int64_t some_rows(const operands *ops, int64_t i, int64_t end,
                                const row_range *range, scratch *s, output *out,
                                int64_t *nnz)
{
    const int64_t products = ops->products[i];
    const bool is_whole = range->parts == 0;
    const bool is_plain = is_whole && !ops->mask;
    if (is_plain && is_scaled(ops, i))
        return scale_rows(ops, i, end, s, out, nnz);
    if (is_plain && operands_take_full(ops))
        return full_rows(ops, i, end, s, out, nnz);
    if (is_plain && few_columns_takes(ops, products)) {
        *nnz = few_columns_row(ops, i, out);
        s->rows_by_accumulator[few_columns_are(products)] += *nnz > 0;
        if (*nnz != HAS_MORE_COLUMNS)
            return *nnz < 0 ? -1 : 1;
    }
    const bool is_esc = is_plain && is_esc_row(ops, products);
    if (is_esc && !is_with_next(ops, i)) {
        const int64_t rows = esc_rows(ops, i, end - i, out, nnz);
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_ESC] += max_i64(rows, 0);
        return rows;
    }
    if (UNLIKELY(ops->mask != NULL)) {
        if (is_whole && masked_rows_take(ops, i))
            return masked_rows(ops, i, end, s, out, nnz);
        *nnz = masked_range(ops, i, range, s, true, out);
        return *nnz < 0 ? -1 : 1;
    }
    c_row r = begin_row(ops, i, range, true);
    if (r.first > r.last)
        return 1;
    if (is_wide_esc_row(ops, &r) || (is_esc && !supernode_takes(&r, ops))) {
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_ESC]++;
        return esc_rows(ops, i, 1, out, nnz);
    }
    r.predicted = prediction_row(ops->prediction, i, products,
                                 ops->row_class[i], ops->B->ncols) /
                  max_i64(1, range->parts);
    const spgemm_accumulator chosen = choose_accumulator(&r, ops);
    if (is_ranked_row(ops, &r, chosen)) {
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_ESC]++;
        *nnz = ranked_row(ops, i, out);
        return *nnz < 0 ? -1 : 1;
    }
    const int most = most_rows_together(ops, chosen);
    const int rows = most > 1 ? same_rows(ops, i, range->row_end, most) : 1;
    *nnz = accumulate_rows(&r, ops, chosen, rows, s, true, out);
    for (int t = 1; t < rows; t++)
        nnz[t] = *nnz;
    return *nnz < 0 ? -1 : rows;
}

/* The same where rows may repeat. Short rows that do are computed by programs where
   many of them follow one another; the others are taken together up to there. */
static inline int64_t some_repeating_rows(const operands *ops, int64_t i,
                                          const row_range *range, scratch *s,
                                          output *out, int64_t *nnz)
{
    int64_t end = i + 1;
    int64_t rows = 0;
    bool is_far = false;
    if (is_esc_row(ops, ops->products[i])) {
        end = shifted_model_end(ops, i, range->row_end);
        is_far = end - i > ops->shifts.period;
        end -= is_far ? ops->shifts.period : 0;
    }
    if (!is_far)
        rows = shifted_again(ops, i, range, s, out, nnz);
    if (rows > 0)
        return rows;
    rows = some_rows(ops, i, end, range, s, out, nnz);
    /* More than one, where B is taken as bitmap rows, may be alike: no program is
       written of such. */
    if (rows > 0 && (rows == 1 || !ops->b_bitmaps))
        rows += shifted_rows(ops, i + rows - 1, range, s, out, nnz + rows - 1);
    return rows;
}

static inline int64_t next_rows(const operands *ops, int64_t i,
                                const row_range *range, scratch *s, output *out,
                                int64_t *nnz)
{
    if (ops->b_shifted && range->parts == 0)
        return some_repeating_rows(ops, i, range, s, out, nnz);
    return some_rows(ops, i, range->row_end, range, s, out, nnz);
}

static bool epilogue_rows(const operands *ops, const row_range *range,
                          scratch *s, output *out);

static bool numeric(const operands *ops, const row_range *range, scratch *s,
                    output *out)
{
    int64_t rows;
    if (UNLIKELY(ops->epilogue != NULL))
        return epilogue_rows(ops, range, s, out);
    for (int64_t i = range->row_begin; i < range->row_end; i += rows) {
        int64_t *nnz = &out->row_nnz[i - range->row_begin];
        *nnz = 0;
        rows = 1;
        if (ops->products[i] == 0)
            continue;
        rows = next_rows(ops, i, range, s, out, nnz);
        if (rows < 0)
            return false;
        output_end_rows(out, rows);
    }
    SPGEMM_ASSERT_EXPENSIVE(spgemm_scratch_is_clean(s));
    return true;
}

#include "kernels/epilogue_rows.h"

#if !HAS_VALUES
/* nnz of row i, or of a part of it, by its accumulator; -1: no memory. */
static inline int64_t symbolic_row(const operands *ops, int64_t i,
                                   const row_range *range, scratch *s)
{
    c_row r = begin_row(ops, i, range, false);
    if (r.first > r.last)
        return 0;
    /* Nothing is known yet of nnz but the bound. */
    r.predicted = min_i64(r.products, row_width(&r));
    return accumulate_rows(&r, ops, choose_accumulator(&r, ops), 1, s, false,
                           NULL);
}

static bool symbolic(const operands *ops, const int64_t *rows,
                     const row_range *range, scratch *s, int64_t *row_nnz)
{
    const bool is_plain = range->parts == 0 && !ops->mask;
    for (int64_t t = range->row_begin; t < range->row_end; t++) {
        const int64_t i = rows ? rows[t] : t;
        int64_t *nnz = &row_nnz[t - range->row_begin];
        *nnz = 0;
        if (ops->products[i] == 0)
            continue;
        if (is_plain && !rows && t > range->row_begin &&
            ops->a_same_as_previous && ops->a_same_as_previous[i]) {
            *nnz = nnz[-1];
            continue;
        }
        if (is_plain && is_scaled(ops, i)) {
            *nnz = ops->products[i];
            continue;
        }
        if (is_plain && ops->b_is_full) {
            *nnz = ops->B->ncols;
            continue;
        }
        if (is_plain && is_esc_row(ops, ops->products[i])) {
            *nnz = esc_nnz(ops, i);
            continue;
        }
        *nnz = ops->mask ? masked_range(ops, i, range, s, false, NULL)
                         : symbolic_row(ops, i, range, s);
        if (*nnz < 0)
            return false;
    }
    return true;
}

#endif

#endif
