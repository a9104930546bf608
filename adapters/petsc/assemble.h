/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of C on each rank as a matrix of PETSc, and back. */
#ifndef SPGEMM_PETSC_ASSEMBLE_H
#define SPGEMM_PETSC_ASSEMBLE_H

#include "operands.h"
#include "refill.h"

/* Collective: *C lives on the arrays of its parts, which are zeroed, or
   destroyed where there is trouble: then it is an error on all ranks. A is what
   C's rows are of; NULL: of a sequential C, whose rows are B's columns. */
PetscErrorCode assemble(Mat *C, Mat A, Mat B, spgemm_csr parts[],
                        const operands *x, int nparts, trouble *what);

/* The sequential matrices that C consists of: one of all columns is C itself, and
   has no other. */
PetscErrorCode find_parts(Mat C, Mat *own, Mat *other,
                          const PetscInt **column_of);

/* Where the values of C are. */
PetscErrorCode borrow(Mat C, target *to);

/* Trouble if C has got entries at other places than when `pattern` was its state. */
PetscErrorCode check_pattern(Mat C, PetscObjectState pattern, trouble *what);

/* Collective: C has new values, or it is an error on all ranks. */
PetscErrorCode reassemble(Mat C, const trouble *what);

#endif
