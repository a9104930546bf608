/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B by the library, once and again for other values. */
#ifndef SPGEMM_PETSC_PRODUCT_H
#define SPGEMM_PETSC_PRODUCT_H

#include <petscmat.h>

#include "operands.h"
#include "planned.h"
#include "settings.h"

/* What is kept of a product for the next one of the same patterns. */
typedef struct product {
    settings options;
    operands x;
    planned again;
    /* Of this rank. */
    double products;
    PetscObjectState pattern;
} product;

/* Collective: *C = A*B, of A's base type; p is to be destroyed, on errors too. */
PetscErrorCode product_multiply(product *p, Mat A, Mat B, Mat *C);

/* Collective: the values of C again. */
PetscErrorCode product_repeat(product *p, Mat A, Mat B, Mat C);

PetscErrorCode product_destroy(product *p);

#endif
