/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:), C(i + 1,:), ... of up to 64 products each, by sorting: some rows at a time,
   the shortest as one, and without a look at the columns that they may have. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_ROWS_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_ROWS_H

#include "kernels/accumulators/few_columns.h"

/* Room for the products of a batch and the rest of the last row's vectors. */
#define ESC_ROOM ((ESC_ABREAST + 1) * SHORT_PRODUCTS)

/* Whether a row of so many products is one of these, whatever its columns. */
static ALWAYS_INLINE bool is_esc_row(const operands *ops, int64_t products)
{
    return products <= ESC_SURE && is_short(products, ops->B->ncols);
}

/* Whether row i is added together with the next, which is like it: supernode.h. */
static ALWAYS_INLINE bool is_with_next(const operands *ops, int64_t i)
{
    return ops->b_bitmaps && is_like_next(ops, i);
}

/* Whether a row is, since its window would be wide. */
static ALWAYS_INLINE bool is_wide_esc_row(const operands *ops, const c_row *r)
{
    return !r->is_clipped && r->products > ESC_SURE && r->length > 1 &&
           is_short(r->products, ops->B->ncols) && row_width(r) > ESC_COLUMNS;
}

/* Rows that follow one another, in groups that are sorted as one. */
typedef struct esc_batch {
    esc_group group[ESC_ABREAST];
    int64_t groups;
    int64_t rows;
} esc_batch;

/* Takes `most` rows at most, of which the first is one and has room; the others as
   far as they are, and have. */
static ALWAYS_INLINE void esc_take(const operands *ops, int64_t i, int64_t most,
                                   int64_t room, esc_batch *b)
{
    const int64_t *products = ops->products + i;
    const int64_t longest =
        has_few_columns(ops) ? FEW_PRODUCTS_A_ROW : ESC_SURE;
    int64_t rows = 1;
    int64_t total = products[0];
    esc_group *g = b->group;
    *g = (esc_group){1, total};
    for (; rows < most && products[rows] > 0 && products[rows] <= longest &&
           !is_with_next(ops, i + rows) && total + products[rows] <= room;
         total += products[rows++]) {
        if (g->rows < ESC_TOGETHER &&
            g->products + products[rows] <= ESC_JOINED) {
            g->rows++;
            g->products += products[rows];
        } else if (total < ESC_BATCH && g < b->group + ESC_ABREAST - 1) {
            *++g = (esc_group){1, products[rows]};
        } else {
            break;
        }
    }
    b->groups = g - b->group + 1;
    b->rows = rows;
}

/* Row i, that is one, and up to `most` - 1 rows behind it that are; the nnz of
   each is written. Returns how many they are; -1: no memory.

   All rows are sorted before the first of them is written: how often a row's
   columns repeat is known late, and what was foreseen wrongly would be thrown
   away with the work on the next row. Rows abreast, ms, 1 and 8: Erdos-Renyi
   1M/4 294 and 236; mac_econ 33.5 and 31.0; 16 and 32 as 8 (one thread of a
   Zen 4). */
static NOINLINE int64_t esc_rows(const operands *ops, int64_t i, int64_t most,
                                 output *out, int64_t *nnz)
{
    int32_t columns[ESC_ROOM];
    VAL terms[ESC_ROOM];
    esc_sorted_groups sorted;
    const spgemm_semiring sr = semiring_of(ops);
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *products = ops->products + i;
    esc_batch b;
    if (!output_reserve(out, products[0]))
        return -1;
    esc_take(ops, i, most, out->capacity - out->used, &b);
    esc_products(ops, Ap[i], Ap[i + b.rows], true, columns, terms);
    int64_t row = 0;
    int64_t at = 0;
    esc_sort(columns, products, b.group, b.groups, (int32_t)(ops->B->ncols - 1),
             &sorted);
    for (int64_t g = 0; g < b.groups; g++) {
        const int64_t n = esc_write(
            sr, &sorted.group[g], products + row,
            HAS_VALUES ? terms + at : NULL, out->limit - out->used,
            (IDX *)out->colidx + out->used,
            HAS_VALUES ? (VAL *)out->values + out->used : NULL, nnz + row);
        output_take(out, n);
        row += b.group[g].rows;
        at += b.group[g].products;
    }
    return b.rows;
}

/* nnz of a row that is one. */
static ALWAYS_INLINE int64_t esc_nnz(const operands *ops, int64_t i)
{
    int32_t columns[ESC_ROOM];
    esc_sorted_groups sorted;
    const int64_t *Ap = ops->A->rowptr;
    esc_products(ops, Ap[i], Ap[i + 1], false, columns, NULL);
    const esc_group row = {1, ops->products[i]};
    esc_sort(columns, &row.products, &row, 1, (int32_t)(ops->B->ncols - 1),
             &sorted);
    return esc_sorted_nnz(&sorted.group[0]);
}

#endif
