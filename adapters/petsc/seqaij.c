/* SPDX-License-Identifier: BSD-3-Clause */
/* A sequential AIJ matrix as a matrix of the library, and back: arrays of
   columns and values are shared, row pointers of 32 bits are widened. */
#include "seqaij.h"

#include <stdlib.h>

/* What a matrix lives on. */
typedef struct kept {
    spgemm_csr C;
    PetscInt *rowptr;
} kept;

PetscErrorCode seqaij_borrow(Mat A, aij *arrays)
{
    static const PetscInt none[1] = {0};
    PetscMemType where;

    PetscFunctionBegin;
    PetscCall(MatGetSize(A, &arrays->nrows, &arrays->ncols));
    PetscCall(MatSeqAIJGetCSRAndMemType(A, &arrays->rowptr, &arrays->colidx,
                                        &arrays->values, &where));
    if (arrays->nrows == 0)
        arrays->rowptr = none;
    arrays->nnz = arrays->rowptr[arrays->nrows];
    PetscFunctionReturn(0);
}

void seqaij_view_arrays(const aij *a, spgemm_csr *view, trouble *what)
{
#if defined(PETSC_USE_64BIT_INDICES)
    (void)what;
    *view = spgemm_csr_view(a->nrows, a->ncols, a->nnz, a->rowptr, a->colidx,
                            a->values, PETSC_INDEX_TYPE, PETSC_VALUE_TYPE);
#else
    trouble_note(what, spgemm_csr_view32(view, a->nrows, a->ncols, a->rowptr,
                                         a->colidx, a->values, PETSC_VALUE_TYPE,
                                         NULL));
#endif
}

PetscErrorCode seqaij_view(Mat A, spgemm_csr *view, trouble *what)
{
    aij a;

    PetscFunctionBegin;
    PetscCall(seqaij_borrow(A, &a));
    seqaij_view_arrays(&a, view, what);
    PetscFunctionReturn(0);
}

PetscInt *seqaij_rowptr(const spgemm_csr *C, trouble *what)
{
    if (C->nnz > PETSC_MAX_INT) {
        trouble_say(what, SPGEMM_ERROR_OVERFLOW,
                    "the rows of this rank have more entries than PetscInt "
                    "counts: use a PETSc with 64-bit indices, or more ranks");
        return NULL;
    }
    const size_t bytes = ((size_t)C->nrows + 1) * sizeof(PetscInt);
    PetscInt *const rowptr = malloc(bytes);
    if (rowptr == NULL) {
        trouble_no_memory(what, bytes);
        return NULL;
    }
    for (int64_t i = 0; i <= C->nrows; i++)
        rowptr[i] = (PetscInt)C->rowptr[i];
    return rowptr;
}

static PetscErrorCode destroy_kept(void *context)
{
    kept *what = context;

    PetscFunctionBegin;
    spgemm_csr_destroy(&what->C);
    free(what->rowptr);
    PetscCall(PetscFree(what));
    PetscFunctionReturn(0);
}

PetscErrorCode seqaij_keep(Mat A, spgemm_csr *C, PetscInt *rowptr)
{
    PetscContainer container;
    kept *what;

    PetscFunctionBegin;
    PetscCall(PetscNew(&what));
    /* Row pointers are kept once. */
    spgemm_csr wide = *C;
    wide.flags = SPGEMM_OWNS_ROWPTR;
    spgemm_csr_destroy(&wide);
    C->rowptr = NULL;
    *what = (kept){*C, rowptr};
    *C = (spgemm_csr){0};
    PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
    PetscCall(PetscContainerSetPointer(container, what));
    PetscCall(PetscContainerSetUserDestroy(container, destroy_kept));
    PetscCall(PetscObjectCompose((PetscObject)A, SEQAIJ_ARRAYS,
                                 (PetscObject)container));
    PetscCall(PetscContainerDestroy(&container));
    PetscFunctionReturn(0);
}
