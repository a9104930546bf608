/* SPDX-License-Identifier: BSD-3-Clause */
/* A*B, A^T*B, P^T*A*P, R*A*R^T and A*B*C as a last product L*R. */
#ifndef SPGEMM_PETSC_CHAIN_H
#define SPGEMM_PETSC_CHAIN_H

#include <petscmat.h>

/* MATOP_PRODUCTSYMBOLIC: structure and values of C, of the mats of its product.
   C keeps what it takes to find its values again. */
PetscErrorCode chain_symbolic(Mat C);

#endif
