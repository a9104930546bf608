/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows i, i + 1, ... of A that have the columns of row i: a kernel sums them side by
   side. */
#ifndef SPGEMM_KERNELS_ROW_TOGETHER_H
#define SPGEMM_KERNELS_ROW_TOGETHER_H

#include <string.h>

#include "kernels/row/scratch.h"
#include "matrix/csr.h"

/* Rows from i on, before `end`, of the columns of row i: SUPERNODE_ROWS at most. */
static inline int rows_together(const spgemm_csr *A, size_t index_size,
                                int64_t i, int64_t end)
{
    const int64_t *Ap = A->rowptr;
    const int64_t length = Ap[i + 1] - Ap[i];
    const size_t bytes = (size_t)length * index_size;
    const char *first = (const char *)A->colidx + (size_t)Ap[i] * index_size;
    int rows = 1;
    while (rows < SUPERNODE_ROWS && i + rows < end &&
           Ap[i + rows + 1] - Ap[i + rows] == length &&
           memcmp(first + (size_t)rows * bytes, first, bytes) == 0)
        rows++;
    return rows;
}

#endif
