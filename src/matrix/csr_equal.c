/* SPDX-License-Identifier: BSD-3-Clause */
/* A = B, bit for bit. */
#include "matrix/csr.h"

#include <string.h>

static bool same_bytes(const void *x, const void *y, int64_t count, size_t size)
{
    return count == 0 || memcmp(x, y, (size_t)count * size) == 0;
}

bool spgemm_csr_equal(const spgemm_csr *A, const spgemm_csr *B)
{
    if (A->nrows != B->nrows || A->ncols != B->ncols || A->nnz != B->nnz ||
        A->index_type != B->index_type || A->value_type != B->value_type ||
        !A->values != !B->values)
        return false;
    return same_bytes(A->rowptr, B->rowptr, A->nrows + 1, sizeof(int64_t)) &&
           same_bytes(A->colidx, B->colidx, A->nnz,
                      spgemm_index_size(A->index_type)) &&
           (!A->values || same_bytes(A->values, B->values, A->nnz,
                                     spgemm_value_size(A->value_type)));
}
