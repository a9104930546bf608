/* SPDX-License-Identifier: BSD-3-Clause */
/* C = [C_own C_other]: two sequential matrices on the arrays that the products
   filled. PETSc numbers the columns of C_other that have entries; the product
   numbered all that B has. */
#include "assemble.h"

#include "events.h"
#include "seqaij.h"

#include <stdlib.h>

static PetscErrorCode destroy_parts(spgemm_csr parts[], PetscInt *rowptr[])
{
    PetscFunctionBegin;
    for (int part = 0; part < PART_COUNT; part++) {
        spgemm_csr_destroy(&parts[part]);
        free(rowptr[part]);
        rowptr[part] = NULL;
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode make_sequential(Mat *C, spgemm_csr *part,
                                      PetscInt *rowptr)
{
    PetscFunctionBegin;
    PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, (PetscInt)part->nrows,
                                        (PetscInt)part->ncols, rowptr,
                                        part->colidx, part->values, C));
    PetscCall(seqaij_keep(*C, part, rowptr));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_parallel(Mat *C, Mat A, Mat B, spgemm_csr parts[],
                                    PetscInt *rowptr[], const operands *x)
{
    PetscInt *const colidx = parts[OTHER_COLUMNS].colidx;
    PetscInt nrows_all;
    PetscInt ncols_all;
    Mat own;
    Mat other;

    PetscFunctionBegin;
    for (int64_t t = 0; t < parts[OTHER_COLUMNS].nnz; t++)
        colidx[t] = x->other.member[colidx[t]];
    PetscCall(MatGetSize(A, &nrows_all, NULL));
    PetscCall(MatGetSize(B, NULL, &ncols_all));
    PetscCall(MatCreateMPIAIJWithSplitArrays(
        PetscObjectComm((PetscObject)A), (PetscInt)parts[0].nrows,
        (PetscInt)parts[0].ncols, nrows_all, ncols_all, rowptr[OWN_COLUMNS],
        parts[OWN_COLUMNS].colidx, parts[OWN_COLUMNS].values,
        rowptr[OTHER_COLUMNS], colidx, parts[OTHER_COLUMNS].values, C));
    PetscCall(MatMPIAIJGetSeqAIJ(*C, &own, &other, NULL));
    PetscCall(seqaij_keep(own, &parts[OWN_COLUMNS], rowptr[OWN_COLUMNS]));
    PetscCall(seqaij_keep(other, &parts[OTHER_COLUMNS], rowptr[OTHER_COLUMNS]));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_block_sizes(Mat C, Mat A, Mat B)
{
    PetscInt size;

    PetscFunctionBegin;
    if (A != NULL) {
        PetscCall(MatSetBlockSizesFromMats(C, A, B));
        PetscFunctionReturn(0);
    }
    PetscCall(MatGetBlockSizes(B, NULL, &size));
    PetscCall(MatSetBlockSizes(C, size, size));
    PetscFunctionReturn(0);
}

PetscErrorCode assemble(Mat *C, Mat A, Mat B, spgemm_csr parts[],
                        const operands *x, int nparts, trouble *what)
{
    const MPI_Comm comm = PetscObjectComm((PetscObject)B);
    PetscInt *rowptr[PART_COUNT] = {NULL, NULL};

    PetscFunctionBegin;
    for (int part = 0; part < nparts && what->status == SPGEMM_SUCCESS; part++)
        rowptr[part] = seqaij_rowptr(&parts[part], what);
    if (what->status != SPGEMM_SUCCESS)
        PetscCall(destroy_parts(parts, rowptr));
    const PetscErrorCode refused = trouble_agree(comm, what);
    if (refused)
        PetscCall(destroy_parts(parts, rowptr));
    PetscCall(refused);
    if (nparts == 1)
        PetscCall(make_sequential(C, &parts[0], rowptr[0]));
    else
        PetscCall(make_parallel(C, A, B, parts, rowptr, x));
    PetscCall(set_block_sizes(*C, A, B));
    /* As of any product of PETSc, entries may be added later: not where there
       are two blocks. MatSetValues() of PETSc 3.18 gives the arrays of the second
       back as if they had been allocated as those of the first were. */
    if (nparts == 1)
        PetscCall(MatSetOption(*C, MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE));
    PetscFunctionReturn(0);
}

PetscErrorCode find_parts(Mat C, Mat *own, Mat *other,
                          const PetscInt **column_of)
{
    PetscBool is_parallel;

    PetscFunctionBegin;
    *own = C;
    *other = NULL;
    PetscCall(PetscObjectTypeCompare((PetscObject)C, MATMPIAIJ, &is_parallel));
    if (is_parallel)
        PetscCall(MatMPIAIJGetSeqAIJ(C, own, other, column_of));
    PetscFunctionReturn(0);
}

PetscErrorCode borrow(Mat C, target *to)
{
    Mat own;
    Mat other;

    PetscFunctionBegin;
    *to = (target){0};
    PetscCall(find_parts(C, &own, &other, &to->column_of));
    if (other)
        PetscCall(seqaij_borrow(other, &to->part[OTHER_COLUMNS]));
    PetscCall(seqaij_borrow(own, &to->part[OWN_COLUMNS]));
    PetscFunctionReturn(0);
}

PetscErrorCode check_pattern(Mat C, PetscObjectState pattern, trouble *what)
{
    PetscObjectState now;

    PetscFunctionBegin;
    PetscCall(MatGetNonzeroState(C, &now));
    if (now != pattern)
        trouble_say(what, SPGEMM_ERROR_PATTERN,
                    "C has been given entries at other places than the product "
                    "has: use MAT_INITIAL_MATRIX");
    PetscFunctionReturn(0);
}

/* PETSc learns that the values of a sequential matrix are new. */
static PetscErrorCode touch(Mat A)
{
    PetscScalar *values;

    PetscFunctionBegin;
    PetscCall(MatSeqAIJGetArrayWrite(A, &values));
    PetscCall(MatSeqAIJRestoreArrayWrite(A, &values));
    PetscFunctionReturn(0);
}

static PetscErrorCode touch_all(Mat C, const trouble *what)
{
    Mat own;
    Mat other;

    PetscFunctionBegin;
    PetscCall(find_parts(C, &own, &other, NULL));
    if (other)
        PetscCall(touch(other));
    PetscCall(touch(own));
    if (other)
        PetscCall(MatSetOption(C, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
    PetscCall(MatAssemblyBegin(C, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(C, MAT_FINAL_ASSEMBLY));
    if (other)
        PetscCall(MatSetOption(C, MAT_NO_OFF_PROC_ENTRIES, PETSC_FALSE));
    PetscCall(trouble_agree(PetscObjectComm((PetscObject)C), what));
    PetscFunctionReturn(0);
}

PetscErrorCode reassemble(Mat C, const trouble *what)
{
    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(events[EVENT_ASSEMBLE], C, 0, 0, 0));
    PetscCall(events_end(EVENT_ASSEMBLE, C, NULL, touch_all(C, what)));
    PetscFunctionReturn(0);
}
