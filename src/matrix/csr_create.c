/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix with room for nnz entries, or a view of the caller's arrays. */
#include "matrix/csr.h"

#include "common/checked.h"
#include "common/try.h"

size_t spgemm_index_size(spgemm_index_type type)
{
    return type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
}

size_t spgemm_value_size(spgemm_value_type type)
{
    (void)type;
    return sizeof(double);
}

spgemm_status spgemm_csr_check_header(const spgemm_csr *A)
{
    if (!A || A->nrows < 0 || A->ncols < 0 || A->nnz < 0)
        return SPGEMM_ERROR_INVALID;
    if (A->index_type != SPGEMM_I32 && A->index_type != SPGEMM_I64)
        return SPGEMM_ERROR_INVALID;
    if (A->value_type != SPGEMM_FP64)
        return SPGEMM_ERROR_INVALID;
    if (A->flags & ~(uint32_t)(SPGEMM_SORTED_ROWS | SPGEMM_OWNS_ARRAYS))
        return SPGEMM_ERROR_INVALID;
    if (!spgemm_index_holds(A->index_type, A->ncols))
        return SPGEMM_ERROR_OVERFLOW;
    size_t bytes;
    if (A->nrows == INT64_MAX ||
        !checked_bytes(A->nrows + 1, sizeof(int64_t), &bytes) ||
        !checked_bytes(A->nnz, sizeof(int64_t), &bytes))
        return SPGEMM_ERROR_OVERFLOW;
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_csr_allocate(spgemm_csr *A, memory *m, int64_t nnz)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr made = *A;
    made.nnz = nnz;
    made.rowptr = NULL;
    made.colidx = NULL;
    made.values = NULL;
    made.flags = SPGEMM_OWNS_ARRAYS;
    made.allocator = spgemm_memory_hooks(m);
    SPGEMM_TRY(spgemm_csr_check_header(&made));

    made.rowptr =
        spgemm_memory_allocate_zeroed(m, made.nrows + 1, sizeof *made.rowptr);
    SPGEMM_REQUIRE(made.rowptr, SPGEMM_ERROR_OUT_OF_MEMORY);
    made.colidx =
        spgemm_memory_allocate(m, nnz, spgemm_index_size(made.index_type));
    SPGEMM_REQUIRE(made.colidx, SPGEMM_ERROR_OUT_OF_MEMORY);
    made.values =
        spgemm_memory_allocate(m, nnz, spgemm_value_size(made.value_type));
    SPGEMM_REQUIRE(made.values, SPGEMM_ERROR_OUT_OF_MEMORY);
    *A = made;
    return SPGEMM_SUCCESS;

cleanup:
    spgemm_csr_destroy(&made);
    return status;
}

spgemm_status spgemm_csr_create(spgemm_csr *A,
                                int64_t nrows,
                                int64_t ncols,
                                int64_t nnz,
                                spgemm_index_type index_type,
                                spgemm_value_type value_type,
                                const spgemm_allocator *allocator)
{
    if (!A)
        return SPGEMM_ERROR_INVALID;
    memory m;
    spgemm_memory_init(&m, allocator);
    spgemm_csr made = {.nrows = nrows,
                       .ncols = ncols,
                       .index_type = index_type,
                       .value_type = value_type};
    const spgemm_status status = spgemm_csr_allocate(&made, &m, nnz);
    if (status == SPGEMM_SUCCESS)
        *A = made;
    return status;
}

spgemm_csr spgemm_csr_view(int64_t nrows,
                           int64_t ncols,
                           int64_t nnz,
                           const int64_t *rowptr,
                           const void *colidx,
                           const void *values,
                           spgemm_index_type index_type,
                           spgemm_value_type value_type)
{
    /* The struct serves owners too; a view's arrays are never written. */
    return (spgemm_csr){.nrows = nrows,
                        .ncols = ncols,
                        .nnz = nnz,
                        .rowptr = (int64_t *)(uintptr_t)rowptr,
                        .colidx = (void *)(uintptr_t)colidx,
                        .values = (void *)(uintptr_t)values,
                        .index_type = index_type,
                        .value_type = value_type};
}
