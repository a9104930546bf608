/* SPDX-License-Identifier: BSD-3-Clause */
/* The same as accumulators/few_columns_avx512.h, on any machine and for any type:
   sums beside their columns, in memory. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_FEW_COLUMNS_LIST_H
#define SPGEMM_KERNELS_ACCUMULATORS_FEW_COLUMNS_LIST_H

#include "kernels/row/row.h"
#include "kernels/simd/sixteen_columns.h"

typedef struct few_columns {
    IDX columns[FEW_COLUMNS];
    VAL sums[FEW_COLUMNS];
    int64_t n;
} few_columns;

static ALWAYS_INLINE bool few_columns_sum(spgemm_semiring sr,
                                          const operands *ops, int64_t i,
                                          few_columns *row)
{
    const spgemm_csr *B = ops->B;
    const bool has_one_each = operands_b_has_one_each(ops);
    const IDX *Aj = ops->A->colidx;
    const IDX *Bj = B->colidx;
    sixteen_columns columns = sixteen_none();
    int n = 0;
    for (int64_t p = ops->A->rowptr[i]; p < ops->A->rowptr[i + 1]; p++) {
        int64_t q;
        if (!few_columns_at(B, has_one_each, Aj[p], &q))
            continue;
        const unsigned here = sixteen_equal(&columns, Bj[q]);
        const int at = here != 0 ? __builtin_ctz(here) : n;
        if (here == 0) {
            if (n == FEW_COLUMNS)
                return false;
            sixteen_put(&columns, n, Bj[q]);
            row->columns[n] = Bj[q];
            row->sums[n++] = zero_of(sr);
        }
        row->sums[at] = semiring_add(
            sr, row->sums[at],
            product(sr, value_a(sr, ops->A->values, p), B->values, q));
    }
    row->n = n;
    return true;
}

static ALWAYS_INLINE void few_columns_write(const few_columns *row, IDX *Cj,
                                            VAL *Cx)
{
    for (int64_t t = 0; t < row->n; t++) {
        int64_t rank = 0;
        for (int64_t u = 0; u < row->n; u++)
            rank += row->columns[u] < row->columns[t];
        Cj[rank] = row->columns[t];
        Cx[rank] = row->sums[t];
    }
}

#endif
