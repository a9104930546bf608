/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a matrix: what it owns goes back to where it came from. */
#include "matrix/csr.h"

void spgemm_csr_release(spgemm_csr *A, memory *m)
{
    if (A->rowptr)
        spgemm_memory_release(m, A->rowptr, A->nrows + 1, sizeof *A->rowptr);
    spgemm_memory_release(m, A->colidx, A->nnz,
                          spgemm_index_size(A->index_type));
    spgemm_memory_release(m, A->values, A->nnz,
                          spgemm_value_bytes(A->value_type));
    *A = (spgemm_csr){0};
}

void spgemm_csr_destroy(spgemm_csr *A)
{
    if (!A)
        return;
    /* This account is thrown away: sizes do not matter to it. */
    memory m;
    spgemm_memory_init(&m, &A->allocator);
    if (A->flags & (SPGEMM_OWNS_ARRAYS | SPGEMM_OWNS_ROWPTR))
        spgemm_memory_release(&m, A->rowptr, 0, 0);
    if (A->flags & SPGEMM_OWNS_ARRAYS) {
        spgemm_memory_release(&m, A->colidx, 0, 0);
        spgemm_memory_release(&m, A->values, 0, 0);
    }
    *A = (spgemm_csr){0};
}
