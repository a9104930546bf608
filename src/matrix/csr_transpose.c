/* SPDX-License-Identifier: BSD-3-Clause */
/* T(j,i) = A(i,j), by counting the entries of each column.

   F. G. Gustavson, Two fast algorithms for sparse matrices: multiplication and
   permuted transposition, ACM TOMS 4(3):250-269, 1978. Rows of T come out
   sorted because A's rows are visited in order. */
#include "matrix/csr.h"

#include <string.h>

#include "common/try.h"

/* next[j + 1] = entries of column j, then next[j] = start of row j of T. */
static ALWAYS_INLINE void
count_columns(int64_t *rowptr, const spgemm_csr *A, bool is_wide)
{
    for (int64_t p = 0; p < A->nnz; p++)
        rowptr[column_at(A->colidx, is_wide, p) + 1]++;
    for (int64_t j = 0; j < A->ncols; j++)
        rowptr[j + 1] += rowptr[j];
}

static ALWAYS_INLINE void
scatter(spgemm_csr *T, int64_t *next, const spgemm_csr *A, bool is_wide)
{
    const double *Ax = A->values;
    double *Tx = T->values;
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const int64_t q = next[column_at(A->colidx, is_wide, p)]++;
            set_column(T->colidx, is_wide, q, i);
            if (Ax)
                Tx[q] = Ax[p];
        }
}

spgemm_status spgemm_csr_transpose(spgemm_csr *T, const spgemm_csr *A)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr made = {0};
    int64_t *next = NULL;
    bool is_sorted;
    memory m;

    if (!T)
        return SPGEMM_ERROR_INVALID;
    status = spgemm_csr_check_full(A, 0, NULL, &is_sorted, &(spgemm_fault){0});
    if (status < 0)
        return status;
    spgemm_memory_init(&m, &A->allocator);

    made.nrows = A->ncols;
    made.ncols = A->nrows;
    made.index_type = A->index_type;
    made.value_type = A->value_type;
    SPGEMM_TRY(spgemm_csr_allocate(&made, &m, A->nnz));
    if (!A->values) {
        spgemm_memory_release(&m, made.values, 0, 0);
        made.values = NULL;
    }
    next = spgemm_memory_allocate(&m, A->ncols + 1, sizeof *next);
    SPGEMM_REQUIRE(next, SPGEMM_ERROR_OUT_OF_MEMORY);

    const bool is_wide = A->index_type == SPGEMM_I64;
    if (is_wide)
        count_columns(made.rowptr, A, true);
    else
        count_columns(made.rowptr, A, false);
    memcpy(next, made.rowptr, (size_t)(A->ncols + 1) * sizeof *next);
    if (is_wide)
        scatter(&made, next, A, true);
    else
        scatter(&made, next, A, false);
    if (is_sorted)
        made.flags |= SPGEMM_SORTED_ROWS;
    *T = made;
    made = (spgemm_csr){0};

cleanup:
    spgemm_memory_release(&m, next, A->ncols + 1, sizeof *next);
    spgemm_csr_destroy(&made);
    return status;
}
