/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of C where its places are known. */
#ifndef SPGEMM_PETSC_REFILL_H
#define SPGEMM_PETSC_REFILL_H

#include "operands.h"

/* C as PETSc holds it on this rank. */
typedef struct target {
    aij part[PART_COUNT];
    /* Of C[OTHER_COLUMNS], what its columns are in C. */
    const PetscInt *column_of;
} target;

/* Whether that is worth the room for a sum for each column of this rank, and of
   others that B has here: not where hardly a column has entries. */
bool refill_pays(const target *C, const operands *x, const blocks *b);

/* The values of C = A*B, on that many threads, 0: as many as OpenMP gives.
   Trouble if there is no memory for a row of sums for each. */
void refill(const target *C, const operands *x, const blocks *b, int nthreads,
            trouble *what);

#endif
