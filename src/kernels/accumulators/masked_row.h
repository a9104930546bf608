/* SPDX-License-Identifier: BSD-3-Clause */
/* Row i of C at the columns of a mask: by rows of B, whose columns are looked up among
   the mask's, or by dot products with columns of B, whose entries are looked up among
   A's. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_MASKED_ROW_H
#define SPGEMM_KERNELS_ACCUMULATORS_MASKED_ROW_H

#include "kernels/accumulators/dots.h"
#include "kernels/accumulators/masked.h"

/* Columns of a mask's row that are compared with a product's, all at once; without
   AVX-512, of rows of few products, which a window would not be made for. Measured, one
   thread of a Zen 4, AVX-512, products one by one and sixteen at once, ms: C<M> = A*A, M at
   random with an entry for four of A, filter3D-like 200, 72; cage12 70, 27; copter2 23,
   10; C<A> = A*A, copter2 25, 20; delaunay_n15 4.4, 3.9. Without AVX-512 the 755 products
   a row of cop20k_A-like take 1.3 times as long as by a window. */
#if defined(LEAVES_AVX512)
#define MASK_FEW_PRODUCTS INT64_MAX
#else
#define MASK_FEW_PRODUCTS 64
#endif

static inline bool mask_is_few(int64_t columns, int64_t products)
{
    return columns <= COMPARED_COLUMNS && products <= MASK_FEW_PRODUCTS;
}

/* Whether row i of C is one of few columns of the mask: where those of B's rows lie
   is not asked then. */
static inline bool has_few_masked(const operands *ops, int64_t i)
{
    const spgemm_csr *mask = ops->mask;
    return mask &&
           mask_is_few(mask->rowptr[i + 1] - mask->rowptr[i], ops->products[i]);
}

/* The mask's columns within those of the row. */
static inline mask_row mask_of_row(const spgemm_csr *mask, int64_t i,
                                   const c_row *r)
{
    const IDX *Mj = mask->colidx;
    int64_t begin = mask->rowptr[i];
    int64_t end = mask->rowptr[i + 1];
    if (begin < end && Mj[begin] < r->first)
        begin = lower_bound(Mj, begin, end, r->first);
    if (begin < end && Mj[end - 1] > r->last)
        end = lower_bound(Mj, begin, end, r->last + 1);
    return (mask_row){.Mj = Mj + begin, .count = end - begin};
}

/* The columns among which others are looked up. */
typedef struct column_list {
    const IDX *columns;
    int64_t count;
} column_list;

static ALWAYS_INLINE column_list list_of_row(const operands *ops,
                                             const mask_row *m, const c_row *r)
{
    return ops->by_columns ? (column_list){r->Aj, r->length}
                           : (column_list){m->Mj, m->count};
}

static ALWAYS_INLINE void masked_sum(const operands *ops, const mask_row *m,
                                     const c_row *r,
                                     const column_places *places,
                                     places_way way)
{
    if (ops->by_columns)
        dots_sum_by(m, r, ops, places, way);
    else
        mask_sum_by(ops, m, r, places, way);
}

static NOINLINE void masked_sum_few(const operands *ops, const mask_row *m,
                                    const c_row *r, column_list list)
{
    column_places places;
    open_sixteen(&places, list.columns, list.count);
    masked_sum(ops, m, r, &places, PLACES_OF_SIXTEEN);
}

static NOINLINE void masked_sum_wide(const operands *ops, const mask_row *m,
                                     const c_row *r, column_list list,
                                     scratch *s)
{
    column_places places;
    open_table(s, list.columns, list.count, &places);
    masked_sum(ops, m, r, &places, PLACES_BY_TABLE);
    close_table(s, &places);
}

/* false: no memory. */
static NOINLINE bool masked_sum_narrow(const operands *ops, const mask_row *m,
                                       const c_row *r, column_list list,
                                       scratch *s)
{
    column_places places;
    if (!open_window(s, list.columns, list.count, &places))
        return false;
    masked_sum(ops, m, r, &places, PLACES_BY_WINDOW);
    close_window(s, list.columns, list.count);
    return true;
}

/* Its nnz; -1: no memory. */
static NOINLINE int64_t masked_row(const c_row *r, const operands *ops,
                                   int64_t i, scratch *s, bool is_numeric,
                                   output *out)
{
    mask_row m = mask_of_row(ops->mask, i, r);
    if (m.count == 0)
        return 0;
    if (r->is_counted)
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_MASKED]++;
    const column_list list = list_of_row(ops, &m, r);
    if (!scratch_hash(s, hash_slots(2 * max_i64(m.count, list.count))))
        return -1;
    m.sums = s->slot_sums;
    m.is_met = s->columns;
    if (!ops->by_columns)
        mask_clear(ops, &m);
    if (ops->by_columns ? list.count <= COMPARED_COLUMNS
                        : mask_is_few(list.count, r->products))
        masked_sum_few(ops, &m, r, list);
    else if (list_width(list.columns, list.count) > WIDEST_WINDOW)
        masked_sum_wide(ops, &m, r, list, s);
    else if (!masked_sum_narrow(ops, &m, r, list, s))
        return -1;
    return mask_end(&m, is_numeric, out);
}

#endif
