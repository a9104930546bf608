/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm_csr_check() says yes exactly when a slow reading of the header's
   promises does, and names the place when it says no. */
#include <string.h>

#include "fuzz_bytes.h"

static bool rowptr_is_good(const spgemm_csr *M)
{
    if (M->rowptr[0] != 0 || M->rowptr[M->nrows] != M->nnz)
        return false;
    for (int64_t i = 0; i < M->nrows; i++)
        if (M->rowptr[i + 1] < M->rowptr[i])
            return false;
    return true;
}

static bool columns_are_good(const spgemm_csr *M)
{
    for (int64_t p = 0; p < M->nnz; p++)
        if (column_of(M, p) < 0 || column_of(M, p) >= M->ncols)
            return false;
    return true;
}

static bool flag_is_good(const spgemm_csr *M)
{
    if (!(M->flags & SPGEMM_SORTED_ROWS))
        return true;
    for (int64_t i = 0; i < M->nrows; i++)
        for (int64_t p = M->rowptr[i] + 1; p < M->rowptr[i + 1]; p++)
            if (column_of(M, p) <= column_of(M, p - 1))
                return false;
    return true;
}

static void expect_named(const spgemm_csr *M, const spgemm_fault *fault)
{
    if (!fault->array)
        fail_fuzz("check", "a fault without a name");
    const bool is_rowptr = strcmp(fault->array, "rowptr") == 0;
    const int64_t length = is_rowptr ? M->nrows + 1 : M->nnz;
    if (fault->position < 0 || fault->position >= length)
        fail_fuzz("check", "a fault outside the array");
    const int64_t value =
        is_rowptr ? M->rowptr[fault->position] : column_of(M, fault->position);
    if (value != fault->value)
        fail_fuzz("check", "a fault with another value");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    const spgemm_index_type type = next_byte(&in) % 2 ? SPGEMM_I64 : SPGEMM_I32;
    const int64_t nrows = next_byte(&in) % (FUZZ_LARGEST + 1);
    const int64_t ncols = next_byte(&in) % (FUZZ_LARGEST + 1);
    spgemm_csr M = fuzz_matrix(&in, nrows, ncols, type);
    /* Its arrays are views: the flag of ownership must not free them. */
    M.flags &= (uint32_t)SPGEMM_SORTED_ROWS;

    spgemm_fault fault;
    const spgemm_status status = spgemm_csr_check(&M, &fault);
    const bool is_good =
        rowptr_is_good(&M) && columns_are_good(&M) && flag_is_good(&M);
    if (is_good != (status == SPGEMM_SUCCESS))
        fail_fuzz("check", spgemm_status_string(status));
    if (status == SPGEMM_ERROR_STRUCTURE)
        expect_named(&M, &fault);
    free_csr(&M);
    return 0;
}
