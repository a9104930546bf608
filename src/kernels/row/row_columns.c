/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row of C is known by before it is multiplied, B being sorted: the
   ends of the rows of B that it is made of. */
#include "kernels/row/row_columns.h"

#include "common/checked.h"
#include "matrix/csr.h"

static ALWAYS_INLINE bool find_columns(const operands *ops, bool is_wide,
                                       int64_t i, int64_t *first, int64_t *last)
{
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    *first = INT64_MAX;
    *last = -1;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        const int64_t k = column_at(A->colidx, is_wide, p);
        const int64_t begin = B->rowptr[k];
        const int64_t end = B->rowptr[k + 1];
        if (begin == end)
            continue;
        *first = min_i64(*first, column_at(B->colidx, is_wide, begin));
        *last = max_i64(*last, column_at(B->colidx, is_wide, end - 1));
    }
    return *first <= *last;
}

bool spgemm_row_columns(const operands *ops, int64_t i, int64_t *first,
                        int64_t *last)
{
    return ops->B->index_type == SPGEMM_I64
               ? find_columns(ops, true, i, first, last)
               : find_columns(ops, false, i, first, last);
}

int64_t spgemm_rows_of_products(const int64_t *products, int64_t begin,
                                int64_t end, int64_t most)
{
    int64_t sum = products[begin];
    int64_t i = begin + 1;
    while (i < end && sum + products[i] <= most)
        sum += products[i++];
    return i;
}

static ALWAYS_INLINE int64_t count_within(const operands *ops, bool is_wide,
                                          int64_t i, int64_t begin, int64_t end)
{
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    int64_t products = 0;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        const int64_t k = column_at(A->colidx, is_wide, p);
        const int64_t stop = B->rowptr[k + 1];
        const int64_t q =
            column_search(B->colidx, is_wide, B->rowptr[k], stop, begin);
        products += column_search(B->colidx, is_wide, q, stop, end) - q;
    }
    return products;
}

int64_t spgemm_row_products_within(const operands *ops, int64_t i,
                                   int64_t begin, int64_t end)
{
    return ops->B->index_type == SPGEMM_I64
               ? count_within(ops, true, i, begin, end)
               : count_within(ops, false, i, begin, end);
}
