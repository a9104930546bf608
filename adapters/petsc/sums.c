/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of columns in the rows of a matrix. */
#include "sums.h"

bool sums_have_runs(const aij *B)
{
    const PetscInt *const column = B->colidx;
    int64_t count = 0;
    for (PetscInt k = 0; k < B->nrows; k++) {
        const PetscInt end = B->rowptr[k + 1];
        for (PetscInt q = B->rowptr[k]; q + 1 < end; q++)
            if (column[q] >= column[q + 1])
                return false;
        for (PetscInt q = B->rowptr[k]; q + RUN <= end;) {
            const bool is_run = column[q + RUN - 1] - column[q] == RUN - 1;
            count += is_run ? RUN : 0;
            q += is_run ? RUN : 1;
        }
    }
    return 2 * count >= B->nnz;
}
