/* SPDX-License-Identifier: BSD-3-Clause */
/* The same as accumulators/few_columns_avx512.h, on any machine and for any type:
   sums beside their columns, in memory. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_FEW_COLUMNS_LIST_H
#define SPGEMM_KERNELS_ACCUMULATORS_FEW_COLUMNS_LIST_H

#include "kernels/row/row.h"
#include "kernels/simd/sixteen_columns.h"

typedef struct few_columns {
    sixteen_columns here; /* columns, as they are looked for */
    IDX columns[FEW_COLUMNS];
    VAL sums[FEW_COLUMNS];
    int n;
} few_columns;

static ALWAYS_INLINE void few_columns_begin(few_columns *row)
{
    row->here = sixteen_none();
    row->n = 0;
}

static ALWAYS_INLINE bool few_columns_add(spgemm_semiring sr, few_columns *row,
                                          IDX j, VAL term)
{
    const unsigned here = sixteen_equal(&row->here, j);
    const int at = here != 0 ? __builtin_ctz(here) : row->n;
    if (here == 0) {
        if (row->n == FEW_COLUMNS)
            return false;
        sixteen_put(&row->here, row->n, j);
        row->columns[row->n] = j;
        row->sums[row->n++] = zero_of(sr);
    }
    row->sums[at] = semiring_add(sr, row->sums[at], term);
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
