/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a matrix: what it owns goes back to where it came from. */
#include "matrix/csr.h"

void spgemm_csr_destroy(spgemm_csr *A)
{
    if (!A)
        return;
    if (A->flags & SPGEMM_OWNS_ARRAYS) {
        memory m;
        spgemm_memory_init(&m, &A->allocator);
        /* This account is thrown away: sizes do not matter to it. */
        spgemm_memory_release(&m, A->rowptr, 0, 0);
        spgemm_memory_release(&m, A->colidx, 0, 0);
        spgemm_memory_release(&m, A->values, 0, 0);
    }
    *A = (spgemm_csr){0};
}
