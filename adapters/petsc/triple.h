/* SPDX-License-Identifier: BSD-3-Clause */
/* C = L*(A*B) of sequential matrices, once and again, without A*B. */
#ifndef SPGEMM_PETSC_TRIPLE_H
#define SPGEMM_PETSC_TRIPLE_H

#include "operands.h"
#include "settings.h"

/* What is kept of it for the next one of the same patterns. */
typedef struct triple {
    /* A and B; L and A, unless L is B^T. */
    operands inner;
    operands outer;
    double products;
    PetscObjectState pattern;
} triple;

/* *C, of A's base type; L is NULL for B^T. t is to be destroyed, on errors too. */
PetscErrorCode triple_multiply(triple *t, const settings *s, Mat L, Mat A,
                               Mat B, Mat *C);

/* The values of C again. */
PetscErrorCode triple_repeat(triple *t, const settings *s, Mat L, Mat A, Mat B,
                             Mat C);

PetscErrorCode triple_destroy(triple *t);

#endif
