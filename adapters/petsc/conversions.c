/* SPDX-License-Identifier: BSD-3-Clause */
/* MatConvert() of and to our type is that of and to PETSc's. */
#include "conversions.h"

#include "dispatch.h"

static const char TO_OURS[] = "MatConvert_seqaij_seqaijspgemm_C";
static const char TO_PETSC[] = "MatConvert_seqaijspgemm_seqaij_C";

/* *B of A's entries, unless it is A. */
static PetscErrorCode copy_entries(Mat A, MatReuse reuse, Mat *B)
{
    PetscFunctionBegin;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, B));
    else if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatCopy(A, *B, SAME_NONZERO_PATTERN));
    PetscFunctionReturn(0);
}

/* MatConvert() to what ours is already: it stays, or a copy is. Where
   -mat_seqaij_type makes all matrices ours, PETSc loses the entries of one that
   is not: MatTranspose() sets the type of what it made to that of its parent. */
static PetscErrorCode convert_back(Mat A, MatType type, MatReuse reuse, Mat *B)
{
    PetscFunctionBegin;
    (void)type;
    PetscCall(copy_entries(A, reuse, B));
    PetscFunctionReturn(0);
}

PetscErrorCode convert_to_ours(Mat A, MatType type, MatReuse reuse, Mat *B)
{
    PetscFunctionBegin;
    (void)type;
    PetscCall(copy_entries(A, reuse, B));
    PetscCall(dispatch_take_sequential(*B));
    PetscFunctionReturn(0);
}

/* What PETSc's type is converted to by routines of its own, ours is by the same: the
   general one drops the lower half where a matrix is to be symmetric. */
PetscErrorCode conversions_take(Mat A)
{
    static const char *const types[] = {
        MATSEQSBAIJ, MATSEQBAIJ, MATSEQDENSE,  MATSEQSELL,
        MATIS,       MATHYPRE,   MATSCALAPACK, MATELEMENTAL,
    };
    PetscErrorCode (*convert)(Mat, MatType, MatReuse, Mat *);
    char name[256];

    PetscFunctionBegin;
    for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++) {
        PetscCall(PetscSNPrintf(name, sizeof(name), "MatConvert_%s_%s_C",
                                MATSEQAIJ, types[t]));
        PetscCall(PetscObjectQueryFunction((PetscObject)A, name, &convert));
        PetscCall(PetscSNPrintf(name, sizeof(name), "MatConvert_%s_%s_C",
                                MATSEQAIJSPGEMM, types[t]));
        PetscCall(PetscObjectComposeFunction((PetscObject)A, name, convert));
    }
    PetscCall(
        PetscObjectComposeFunction((PetscObject)A, TO_PETSC, convert_back));
    PetscCall(
        PetscObjectComposeFunction((PetscObject)A, TO_OURS, convert_to_ours));
    PetscFunctionReturn(0);
}
