/* SPDX-License-Identifier: BSD-3-Clause */
/* A view of arrays whose row pointers have 32 bits: these are widened. */
#include "matrix/csr.h"

/* false: one is negative. */
static bool widen(int64_t *to, const int32_t *from, int64_t count)
{
    int32_t signs = 0;
    for (int64_t i = 0; i < count; i++) {
        signs |= from[i];
        to[i] = from[i];
    }
    return signs >= 0;
}

spgemm_status spgemm_csr_view32(spgemm_csr *A,
                                int64_t nrows,
                                int64_t ncols,
                                const int32_t *rowptr,
                                const int32_t *colidx,
                                const void *values,
                                spgemm_value_type value_type,
                                const spgemm_allocator *allocator)
{
    if (!A || nrows < 0 || !rowptr)
        return SPGEMM_ERROR_INVALID;
    memory m;
    spgemm_memory_init(&m, allocator);
    spgemm_csr made = spgemm_csr_view(nrows, ncols, rowptr[nrows], NULL, colidx,
                                      values, SPGEMM_I32, value_type);
    const spgemm_status status = spgemm_csr_check_header(&made);
    if (status < 0)
        return status;
    if (made.nnz > 0 && !colidx)
        return SPGEMM_ERROR_INVALID;
    made.rowptr = spgemm_memory_allocate(&m, nrows + 1, sizeof *made.rowptr);
    if (!made.rowptr)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    made.flags = SPGEMM_OWNS_ROWPTR;
    made.allocator = spgemm_memory_hooks(&m);
    if (!widen(made.rowptr, rowptr, nrows + 1)) {
        spgemm_csr_destroy(&made);
        return SPGEMM_ERROR_INVALID;
    }
    *A = made;
    return SPGEMM_SUCCESS;
}
