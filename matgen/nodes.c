/* SPDX-License-Identifier: BSD-3-Clause */
/* The Kronecker product of a pattern and a dense dofs x dofs block. */
#include "common/checked.h"
#include "kind.h"

/* All rows of a node are alike. */
static void expand_row(spgemm_csr *E, const spgemm_csr *A, int64_t v,
                       int64_t dofs)
{
    const int32_t *nodes = A->colidx;
    int32_t *columns = E->colidx;
    const int64_t length = (A->rowptr[v + 1] - A->rowptr[v]) * dofs;
    for (int64_t dof = 0; dof < dofs; dof++) {
        const int64_t i = v * dofs + dof;
        int64_t used = E->rowptr[i];
        for (int64_t p = A->rowptr[v]; p < A->rowptr[v + 1]; p++)
            for (int64_t d = 0; d < dofs; d++)
                columns[used++] = (int32_t)(nodes[p] * dofs + d);
        E->rowptr[i + 1] = E->rowptr[i] + length;
    }
}

static spgemm_status expand(spgemm_csr *E, const spgemm_csr *A, int64_t nrows,
                            int64_t dofs)
{
    int64_t nnz;
    if (__builtin_mul_overflow(A->nnz, dofs * dofs, &nnz))
        return SPGEMM_ERROR_OVERFLOW;
    const spgemm_status status =
        spgemm_csr_create(E, nrows, nrows, nnz, SPGEMM_I32, SPGEMM_FP64, NULL);
    if (status < 0)
        return status;
    for (int64_t v = 0; v < A->nrows; v++)
        expand_row(E, A, v, dofs);
    E->flags |= A->flags & SPGEMM_SORTED_ROWS;
    return SPGEMM_SUCCESS;
}

spgemm_status make_nodes(spgemm_csr *A, const row_rule *rule, int64_t dofs)
{
    spgemm_csr nodes;
    const int64_t nrows = rows_times(rule->nrows, dofs);
    if (nrows == 0)
        return SPGEMM_ERROR_INVALID;
    if (dofs == 1)
        return make_rows(A, rule);
    spgemm_status status = make_rows(&nodes, rule);
    if (status < 0)
        return status;
    status = expand(A, &nodes, nrows, dofs);
    spgemm_csr_destroy(&nodes);
    return status;
}
