/* SPDX-License-Identifier: BSD-3-Clause */
/* A sequential AIJ matrix as a matrix of the library, and back: no copy. */
#ifndef SPGEMM_PETSC_SEQAIJ_H
#define SPGEMM_PETSC_SEQAIJ_H

#include <petscmat.h>

#include "trouble.h"
#include "types.h"

/* The arrays of a sequential matrix, as PETSc holds them. */
typedef struct aij {
    PetscInt nrows;
    PetscInt ncols;
    PetscInt nnz;
    const PetscInt *rowptr;
    const PetscInt *colidx;
    PetscScalar *values;
} aij;

PetscErrorCode seqaij_borrow(Mat A, aij *arrays);

/* A view of arrays, to be destroyed; without row pointers of its own where there
   is trouble. */
void seqaij_view_arrays(const aij *a, spgemm_csr *view, trouble *what);

/* The same of A's. */
PetscErrorCode seqaij_view(Mat A, spgemm_csr *view, trouble *what);

/* Row pointers of C as PETSc's integers, to be freed with free(). */
PetscInt *seqaij_rowptr(const spgemm_csr *C, trouble *what);

/* The object composed with a matrix that holds what it lives on. */
#define SEQAIJ_ARRAYS "spgemm_arrays"

/* A lives on the arrays of C, and on rowptr: they go when A goes. C is zeroed. */
PetscErrorCode seqaij_keep(Mat A, spgemm_csr *C, PetscInt *rowptr);

#endif
