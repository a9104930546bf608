/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of C on each rank as a matrix of PETSc, and back. */
#ifndef SPGEMM_PETSC_ASSEMBLE_H
#define SPGEMM_PETSC_ASSEMBLE_H

#include "operands.h"

/* Collective: *C lives on the arrays of its parts, which are zeroed, or
   destroyed where there is trouble: then it is an error on all ranks. */
PetscErrorCode assemble(Mat *C, Mat A, Mat B, spgemm_csr parts[],
                        const operands *x, trouble *what);

/* The parts of C as they were multiplied: views, until reassemble(). */
PetscErrorCode disassemble(spgemm_csr parts[], Mat C, const operands *x,
                           trouble *what);

/* Collective: views end; C has new values. */
PetscErrorCode reassemble(Mat C, spgemm_csr parts[], const operands *x);

#endif
