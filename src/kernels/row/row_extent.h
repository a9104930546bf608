/* SPDX-License-Identifier: BSD-3-Clause */
/* A row of C before it is multiplied: the columns that it may have, from the
   ends of B's rows; and what the rows after it will read, asked for early. */
#ifndef SPGEMM_KERNELS_ROW_ROW_EXTENT_H
#define SPGEMM_KERNELS_ROW_ROW_EXTENT_H

#include "kernels/row/row.h"

/* Asks for what the entries of A in [begin, end) will need later. */
static ALWAYS_INLINE void prefetch_rows(const operands *ops, int64_t begin,
                                        int64_t end, bool is_numeric)
{
    const IDX *Aj = ops->A->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const char *Bj = ops->B->colidx;
    const char *Bx = ops->B->values;
    const int64_t last = ops->A->nnz - 1;
    const bool asks_for_b = is_numeric && reads_b(semiring_of(ops));
    for (int64_t p = begin; p < end; p++) {
        PREFETCH(&Bp[Aj[min_i64(p + AHEAD_POINTERS, last)]]);
        const int64_t k = Aj[min_i64(p + AHEAD_ROWS, last)];
        const size_t from = (size_t)Bp[k];
        const size_t to = (size_t)Bp[k + 1];
        prefetch_ends(Bj + from * sizeof(IDX), Bj + to * sizeof(IDX), false);
        if (asks_for_b)
            prefetch_ends(Bx + from * sizeof(VAL), Bx + to * sizeof(VAL), true);
    }
}

/* Asks for what comes after row i. B as bitmap rows has rows of neighbours, which are
   met again and again: they are not asked for. */
static ALWAYS_INLINE void prefetch_row(const operands *ops, int64_t i,
                                       bool is_numeric)
{
    const int64_t *Ap = ops->A->rowptr;
    if (!ops->b_bitmaps)
        prefetch_rows(ops, Ap[i], Ap[i + 1], is_numeric);
}

/* Row i of C, within [first, last]. */
static ALWAYS_INLINE c_row row_within(const operands *ops, int64_t i,
                                      int64_t first, int64_t last,
                                      bool is_numeric)
{
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const int64_t begin = A->rowptr[i];
    const spgemm_semiring sr = semiring_of(ops);
    return (c_row){
        .semiring = sr,
        .Aj = (const IDX *)A->colidx + begin,
        .Ax = is_numeric && reads_a(sr) ? (const VAL *)A->values + begin : NULL,
        .length = A->rowptr[i + 1] - begin,
        .Bp = B->rowptr,
        .Bj = B->colidx,
        .Bx = is_numeric && reads_b(sr) ? B->values : NULL,
        .b_is_sorted = ops->b_is_sorted,
        .first = first,
        .last = last,
        .products = ops->products[i],
        .is_counted = true,
    };
}

/* Row i of C, with the columns that B's rows say it may have. */
static ALWAYS_INLINE c_row row_extent(const operands *ops, int64_t i,
                                      bool is_numeric)
{
    const IDX *Aj = ops->A->colidx;
    const IDX *Bj = ops->B->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const int64_t begin = ops->A->rowptr[i];
    const int64_t end = ops->A->rowptr[i + 1];
    prefetch_row(ops, i, is_numeric);
    if (!ops->b_is_sorted)
        return row_within(ops, i, 0, ops->B->ncols - 1, is_numeric);
    int64_t first = INT64_MAX;
    int64_t last = 0;
    int64_t longest = 0;
    int64_t longest_at = 0;
    for (int64_t p = begin; p < end; p++) {
        const int64_t b = Bp[Aj[p]];
        const int64_t b_end = Bp[Aj[p] + 1];
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
