/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i .. i + 7,:) of up to 64 products each, by sorting: some rows at a time, and
   without a look at the columns that they may have. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_ROWS_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_ROWS_H

#include "kernels/accumulators/ranked.h"
#include "kernels/row/row_extent.h"

/* Sums of products, and rows without values. */
#if !HAS_VALUES || defined(PLUS_TIMES)
#define ESC_LEAVES
#if defined(LEAVES_AVX512) && (!HAS_VALUES || defined(VALUE_IS_REAL))
#include "kernels/accumulators/esc_avx512.h"
#else
#include "kernels/accumulators/esc_rank.h"
#endif
#endif

/* Rows that are gathered and sorted before the first of them is written; no more
   behind so many products: longer ones would be gathered before what was asked
   for has come. Measured, one thread of a Zen 4, ms with 128, 256, 512 of them:
   Erdos-Renyi 2^18 x 8 104, 110, 115; in AVX2 152, 161, 169. And room for their
   products and the rest of the last one's vectors. */
#define ESC_BATCH   128
#define ESC_ABREAST 8
#define ESC_ROOM    ((ESC_ABREAST + 1) * SHORT_PRODUCTS)

/* Rows of more products, up to RANK_MOST, that must be sorted are ranked one by
   one where their window leaves the nearest cache and few of them meet: at most
   5 products for 4 entries. Measured, one thread of a Zen 5, time in windows over
   time by ranks, AVX2 and AVX-512: Erdos-Renyi 2^17 x 8 1.21, 1.35; a copying
   model of 60,000 pages with 9 links each 1.26, 1.17; patents_main-like 1.04,
   1.03; but at any compression basker-matrix1 (59,070 columns, most of them near)
   0.95 in AVX2 and 9 points in random order 1.29, 0.83. Not portably: four
   lanes. */
#if RANK_LANES > 4
#define RANKS_LONG_ROWS
#endif
#define RANKED_COLUMNS ((int64_t)1 << 14)
#define RANKED_ROOM    (RANK_MOST + SHORT_PRODUCTS)

/* Whether a row of so many products is one of these, whatever its columns. */
static ALWAYS_INLINE bool is_esc_row(const operands *ops, int64_t products)
{
#if defined(ESC_LEAVES)
    return products <= ESC_SURE && is_short(products, ops->B->ncols);
#else
    (void)ops;
    (void)products;
    return false;
#endif
}

/* Whether a row is, since its window would be wide. */
static ALWAYS_INLINE bool is_wide_esc_row(const operands *ops, const c_row *r)
{
#if defined(ESC_LEAVES)
    return !r->is_clipped && r->products > ESC_SURE && r->length > 1 &&
           is_short(r->products, ops->B->ncols) &&
           r->last - r->first >= ESC_COLUMNS;
#else
    (void)ops;
    (void)r;
    return false;
#endif
}

/* Whether a row that is too long for that is ranked all the same. */
static ALWAYS_INLINE bool is_ranked_row(const operands *ops, const c_row *r,
                                        spgemm_accumulator chosen)
{
#if defined(ESC_LEAVES) && defined(RANKS_LONG_ROWS)
    return (chosen == SPGEMM_ACCUMULATOR_DENSE ||
            chosen == SPGEMM_ACCUMULATOR_HASH) &&
           !r->is_clipped && r->products > SHORT_PRODUCTS &&
           r->products <= RANK_MOST && r->length > 1 && sorts_row(r, ops) &&
           ops->B->ncols < SHORT_COLUMNS &&
           r->last - r->first >= RANKED_COLUMNS &&
           4 * r->products <= 5 * r->predicted;
#else
    (void)ops;
    (void)r;
    (void)chosen;
    return false;
#endif
}

#if defined(ESC_LEAVES)
/* The same as esc_gather() where each row of B has one entry or none: in place of
   none anything is written, and written over by the next. */
static NOINLINE void esc_gather_single(spgemm_semiring sr, const operands *ops,
                                       int64_t begin, int64_t end,
                                       int32_t *columns, VAL *terms)
{
    const spgemm_csr *B = ops->B;
    const bool is_full = operands_b_is_full(ops);
    const int64_t *Bp = B->rowptr;
    const IDX *Aj = ops->A->colidx;
    const VAL *Ax = ops->A->values;
    const IDX *Bj = B->colidx;
    const VAL *Bx = B->values;
    int64_t n = 0;
    for (int64_t p = begin; p < end; p++) {
        const int64_t k = Aj[p];
        const int64_t q = is_full ? k : min_i64(Bp[k], B->nnz - 1);
        columns[n] = (int32_t)Bj[q];
        if (terms)
            terms[n] = product(sr, value_a(sr, Ax, p), Bx, q);
        n += is_full ? 1 : Bp[k + 1] - Bp[k];
    }
}

/* Columns and terms of A's entries [begin, end), those of rows to come asked for. */
static ALWAYS_INLINE void esc_products(const operands *ops, int64_t begin,
                                       int64_t end, bool is_numeric,
                                       int32_t *columns, VAL *terms)
{
    const spgemm_semiring sr = semiring_of(ops);
    if (ops->b_is_single) {
        esc_gather_single(sr, ops, begin, end, columns,
                          HAS_VALUES && is_numeric ? terms : NULL);
        return;
    }
    if (!b_is_near(ops->B))
        prefetch_rows(ops, begin, end, is_numeric);
    esc_gather(sr, ops, begin, end, is_numeric, columns, terms);
}
#endif

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
#if defined(ESC_LEAVES)
    int32_t columns[ESC_ROOM];
    VAL terms[ESC_ROOM];
    esc_sorted sorted[ESC_ABREAST];
    const spgemm_semiring sr = semiring_of(ops);
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *products = ops->products + i;
    int64_t total = products[0];
    int64_t rows = 1;
    int64_t at = 0;
    if (!output_reserve(out, total))
        return -1;
    while (rows < min_i64(most, ESC_ABREAST) && products[rows] > 0 &&
           is_esc_row(ops, products[rows]) && total < ESC_BATCH &&
           output_has_room(out, total + products[rows]))
        total += products[rows++];
    esc_products(ops, Ap[i], Ap[i + rows], true, columns, terms);
    for (int64_t t = 0; t < rows; at += products[t++])
        esc_sort(columns + at, products[t], &sorted[t]);
    at = 0;
    for (int64_t t = 0; t < rows; at += products[t++]) {
        nnz[t] =
            esc_write(sr, &sorted[t], HAS_VALUES ? terms + at : NULL,
                      out->limit - out->used, (IDX *)out->colidx + out->used,
                      HAS_VALUES ? (VAL *)out->values + out->used : NULL);
        output_take(out, nnz[t]);
    }
    return rows;
#else
    (void)ops;
    (void)i;
    (void)most;
    (void)out;
    (void)nnz;
    return 0;
#endif
}

/* Row i, that is ranked. -1: no memory. */
static NOINLINE int64_t ranked_row(const operands *ops, int64_t i, output *out)
{
#if defined(ESC_LEAVES)
    int32_t columns[RANKED_ROOM];
    VAL terms[RANKED_ROOM];
    int32_t ranks[RANK_MOST];
    const int64_t *Ap = ops->A->rowptr;
    if (!output_reserve(out, ops->products[i]))
        return -1;
    esc_products(ops, Ap[i], Ap[i + 1], true, columns, terms);
    rank_keys(columns, ops->products[i], ranks);
    const ranked row = {columns, ops->products[i], ranks};
    const int64_t n =
        ranked_write(semiring_of(ops), &row, HAS_VALUES ? terms : NULL,
                     out->limit - out->used, (IDX *)out->colidx + out->used,
                     HAS_VALUES ? (VAL *)out->values + out->used : NULL);
    output_take(out, n);
    return n;
#else
    (void)ops;
    (void)i;
    (void)out;
    return 0;
#endif
}

/* nnz of a row that is one. */
static ALWAYS_INLINE int64_t esc_nnz(const operands *ops, int64_t i)
{
#if defined(ESC_LEAVES)
    int32_t columns[ESC_ROOM];
    esc_sorted sorted;
    const int64_t *Ap = ops->A->rowptr;
    esc_products(ops, Ap[i], Ap[i + 1], false, columns, NULL);
    esc_sort(columns, ops->products[i], &sorted);
    return esc_sorted_nnz(&sorted);
#else
    (void)ops;
    (void)i;
    return 0;
#endif
}

#endif
