/* SPDX-License-Identifier: BSD-3-Clause */
/* Which products of PETSc are ours, and the types of matrices that say so. */
#ifndef SPGEMM_PETSC_DISPATCH_H
#define SPGEMM_PETSC_DISPATCH_H

#include <petscmat.h>

/* The type of sequential matrices that are multiplied by the library. */
#define MATSEQAIJSPGEMM "seqaijspgemm"
#define MATAIJSPGEMM    "aijspgemm"

/* Make A, in place, such a matrix. */
PetscErrorCode dispatch_take_sequential(Mat A);

/* From here on A's blocks decide whose its products are. */
PetscErrorCode dispatch_take_parallel(Mat A);

/* Whether A is multiplied by the library. */
PetscErrorCode dispatch_is_ours(Mat A, PetscBool *is_ours);

/* What MatProductSetFromOptions() calls for sequential and parallel products. */
PetscErrorCode dispatch_sequential(Mat C);
PetscErrorCode dispatch_parallel(Mat C);

#endif
