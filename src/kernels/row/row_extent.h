/* SPDX-License-Identifier: BSD-3-Clause */
/* A row of C before it is multiplied: the columns that it may have, from the
   ends of B's rows; and what the rows after it will read, asked for early. */
#ifndef SPGEMM_KERNELS_ROW_ROW_EXTENT_H
#define SPGEMM_KERNELS_ROW_ROW_EXTENT_H

#include "kernels/row/ahead.h"

/* A B of so many bytes, which a second cache holds or nearly so, is not asked for
   before it is read. Measured, one thread of a Zen 4 (1 MB), time asked over time not
   asked, in AVX-512 and in AVX2, five entries a row, of a B of 60 KB: 1.15, 1.12;
   600 KB: 1.13, 1.10; 1.5 MB: 1.11, 1.06; 2.4 MB: 0.99, 0.95; 14 squares of 1 to
   1.5 MB 1.03, 1.02, on two threads 1.035; 22 of 1.5 to 4 MB 1.01, from 0.93 to 1.04. */
#define NEAR_BYTES ((size_t)3 << 19)

/* Whether B is as near as what is asked for early would be: to ask is then work
   for nothing. */
static inline bool b_is_near(const spgemm_csr *B)
{
    const size_t entry = sizeof(IDX) + (HAS_VALUES ? sizeof(VAL) : 0);
    return B->nnz <= (int64_t)(NEAR_BYTES / entry);
}

/* Asks for what the entries of A in [begin, end) will need later. */
static ALWAYS_INLINE void prefetch_rows(const operands *ops, int64_t begin,
                                        int64_t end, bool is_numeric)
{
    const spgemm_csr *B = ops->B;
    const bool asks_for_b = is_numeric && reads_b(semiring_of(ops));
    for (int64_t p = begin; p < end; p++)
        ask_ahead(ops->A->colidx, p, ops->A->nnz - 1, B->rowptr, B->colidx,
                  asks_for_b ? B->values : NULL, true);
}

/* Asks for what comes after row i. B as bitmap rows has rows of neighbours, which are
   met again and again: they are not asked for. */
static ALWAYS_INLINE void prefetch_row(const operands *ops, int64_t i,
                                       bool is_numeric)
{
    const int64_t *Ap = ops->A->rowptr;
    if (!ops->b_bitmaps && !b_is_near(ops->B))
        prefetch_rows(ops, Ap[i], Ap[i + 1], is_numeric);
}

/* Whether a row of A of so many entries is long; see ahead.h. */
static ALWAYS_INLINE bool is_long_row(const operands *ops, int64_t length)
{
    return UNLIKELY(length >= LONG_LENGTH) && !b_is_near(ops->B);
}

/* Whether the next row of A is marked as like row i. */
static inline bool is_like_next(const operands *ops, int64_t i)
{
    const uint8_t *same = ops->a_same_as_previous;
    return same && i + 1 < ops->A->nrows && same[i + 1];
}

static inline bool is_alike(const operands *ops, int64_t i)
{
    return is_like_next(ops, i) ||
           (ops->a_same_as_previous && ops->a_same_as_previous[i]);
}

/* Row i of C, within [first, last]. Every member is named: where one is not, GCC 12
   clears all of them first, by `rep stos`. */
static ALWAYS_INLINE c_row row_within(const operands *ops, int64_t i,
                                      int64_t first, int64_t last,
                                      bool is_numeric)
{
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const int64_t begin = A->rowptr[i];
    const int64_t length = A->rowptr[i + 1] - begin;
    const spgemm_semiring sr = semiring_of(ops);
    return (c_row){
        .semiring = sr,
        .Aj = (const IDX *)A->colidx + begin,
        .Ax = is_numeric && reads_a(sr) ? (const VAL *)A->values + begin : NULL,
        .length = length,
        .Bp = B->rowptr,
        .Bj = B->colidx,
        .Bx = is_numeric && reads_b(sr) ? B->values : NULL,
        .b_is_sorted = ops->b_is_sorted,
        .is_clipped = false,
        .first = first,
        .last = last,
        .products = ops->products[i],
        .predicted = 0,
        .longest = 0,
        .longest_at = 0,
        .is_counted = true,
        .is_long = is_long_row(ops, length),
        .is_alike = is_alike(ops, i),
    };
}

/* Row i of C, whose columns nobody looks for. */
static ALWAYS_INLINE c_row row_of_any(const operands *ops, int64_t i,
                                      bool is_numeric)
{
    prefetch_row(ops, i, is_numeric);
    return row_within(ops, i, 0, ops->B->ncols - 1, is_numeric);
}

/* The same as row_extent() where no row of B has two entries. Nothing is asked for
   early: no branch waits for what is read. */
static ALWAYS_INLINE c_row row_extent_single(const operands *ops, int64_t i,
                                             bool is_numeric)
{
    const spgemm_csr *B = ops->B;
    const bool has_one_each = operands_b_has_one_each(ops);
    const IDX *Aj = ops->A->colidx;
    const IDX *Bj = B->colidx;
    const int64_t *Bp = B->rowptr;
    const int64_t end = ops->A->rowptr[i + 1];
    IDX first = (IDX)(B->ncols - 1);
    IDX last = 0;
    for (int64_t p = ops->A->rowptr[i]; p < end; p++) {
        const int64_t q = has_one_each ? Aj[p] : Bp[Aj[p]];
        if (!has_one_each && q == Bp[Aj[p] + 1])
            continue;
        first = Bj[q] < first ? Bj[q] : first;
        last = Bj[q] > last ? Bj[q] : last;
    }
    return row_within(ops, i, first, last, is_numeric);
}

/* A long row that has a product for so many columns of B, and meets B's rows at both ends
   of it, as far as so many of them tell, is taken for one of all columns: to read the
   ends of all of B's rows would take as long as to add them. Measured, one thread of a
   Zen 4, the product of ahead.h: 775 ms read, 585 not. */
#define ALL_OVER_COLUMNS 4
#define ALL_OVER_SAMPLE  16

static inline bool is_all_over(const operands *ops, int64_t i)
{
    const int64_t *Bp = ops->B->rowptr;
    const IDX *Bj = ops->B->colidx;
    const int64_t ncols = ops->B->ncols;
    const int64_t begin = ops->A->rowptr[i];
    const int64_t length = ops->A->rowptr[i + 1] - begin;
    if (LIKELY(!is_long_row(ops, length)) ||
        ops->products[i] < ncols / ALL_OVER_COLUMNS)
        return false;
    int64_t first = ncols;
    int64_t last = -1;
    for (int t = 0; t < ALL_OVER_SAMPLE; t++) {
        const int64_t p = begin + length / ALL_OVER_SAMPLE * t;
        const int64_t k = ((const IDX *)ops->A->colidx)[p];
        if (Bp[k] == Bp[k + 1])
            continue;
        first = min_i64(first, Bj[Bp[k]]);
        last = max_i64(last, Bj[Bp[k + 1] - 1]);
    }
    return last - first >= ncols / 2;
}

/* Row i of C, with the columns that B's rows say it may have. Of rows of B that have
   the columns of the one before, one is looked at. */
static ALWAYS_INLINE c_row row_extent(const operands *ops, int64_t i,
                                      bool is_numeric)
{
    const IDX *Aj = ops->A->colidx;
    const IDX *Bj = ops->B->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const int64_t begin = ops->A->rowptr[i];
    const int64_t end = ops->A->rowptr[i + 1];
    if (ops->b_is_single)
        return row_extent_single(ops, i, is_numeric);
    if (!ops->b_is_sorted)
        return row_of_any(ops, i, is_numeric);
    if (UNLIKELY(is_all_over(ops, i)))
        return row_within(ops, i, 0, ops->B->ncols - 1, is_numeric);
    prefetch_row(ops, i, is_numeric);
    const uint8_t *same = ops->b_same_as_previous;
    int64_t first = INT64_MAX;
    int64_t last = 0;
    int64_t longest = 0;
    int64_t longest_at = 0;
    int64_t before = -1;
    for (int64_t p = begin; p < end; p++) {
        const int64_t k = Aj[p];
        const bool is_seen = same && k == before + 1 && same[k];
        before = k;
        if (is_seen)
            continue;
        const int64_t b = Bp[k];
        const int64_t b_end = Bp[k + 1];
        if (b == b_end)
            continue;
        first = min_i64(first, Bj[b]);
        last = max_i64(last, Bj[b_end - 1]);
        longest_at = b_end - b > longest ? p - begin : longest_at;
        longest = max_i64(longest, b_end - b);
    }
    c_row r = row_within(ops, i, first, last, is_numeric);
    r.longest = longest;
    r.longest_at = longest_at;
    return r;
}

#endif
