/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse products of PETSc by libspgemm, asked for from code. */
#ifndef SPGEMM_PETSC_H
#define SPGEMM_PETSC_H

#include <petscmat.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * From here on A is multiplied by libspgemm, where the other operand is, too.
 *
 * As -dll_prepend libspgemm_petsc.so -mat_seqaij_type seqaijspgemm do for all
 * matrices: A of type MATSEQAIJ becomes "seqaijspgemm", of MATMPIAIJ its two
 * blocks do. Nothing is copied.
 *
 * Collective on A.
 *
 * @param[in,out] A  MATSEQAIJ, or MATMPIAIJ once it is preallocated
 * @return PETSC_ERR_SUP for other types, and for a PETSc of other integers or
 *         scalars than this library was built for;
 *         PETSC_ERR_ARG_WRONGSTATE before it is preallocated
 */
PETSC_EXTERN PetscErrorCode SpgemmPetscUse(Mat A);

#ifdef __cplusplus
}
#endif
#endif
