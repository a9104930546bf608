/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one entry at most: of a diagonal matrix, a permutation, a choice of rows
   or columns, a prolongation that is constant on aggregates. */
#include "common/checked.h"
#include "matrix/csr.h"

/* Rows that are looked at before it is asked whether one is longer. */
#define SOME_ROWS 64

bool spgemm_csr_rows_are_single(const spgemm_csr *A, int64_t begin, int64_t end)
{
    const int64_t *rowptr = A->rowptr;
    int64_t longest = 0;
    for (int64_t i = begin; i < end && longest <= 1;) {
        const int64_t some = min_i64(end, i + SOME_ROWS);
        for (; i < some; i++)
            longest = max_i64(longest, rowptr[i + 1] - rowptr[i]);
    }
    return longest <= 1;
}

static ALWAYS_INLINE bool columns_increase(const spgemm_csr *A, bool is_wide,
                                           int64_t begin, int64_t end)
{
    int64_t steps_back = 0;
    for (int64_t p = begin; p < end; p++)
        steps_back += column_at(A->colidx, is_wide, p) <=
                      column_at(A->colidx, is_wide, p - 1);
    return steps_back == 0;
}

bool spgemm_csr_columns_increase(const spgemm_csr *A, int64_t begin,
                                 int64_t end)
{
    const int64_t p = max_i64(A->rowptr[begin], 1);
    const int64_t p_end = A->rowptr[end];
    return A->index_type == SPGEMM_I64 ? columns_increase(A, true, p, p_end)
                                       : columns_increase(A, false, p, p_end);
}
