/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B by the library, once and again for other values. */
#ifndef SPGEMM_PETSC_PRODUCT_H
#define SPGEMM_PETSC_PRODUCT_H

#include <petscmat.h>

#include "operands.h"
#include "settings.h"

/* What is kept of a product for the next one of the same patterns. */
typedef struct product {
    settings options;
    operands x;
    /* Of this rank. */
    double products;
    PetscObjectState pattern;
} product;

/* What -log_view lists. */
PetscErrorCode product_register_events(void);

/* Collective: *C = A*B, of A's base type; p is to be destroyed, on errors too. */
PetscErrorCode product_multiply(product *p, Mat A, Mat B, Mat *C);

/* *C = L*(A*B) of sequential matrices in one call, without A*B: `inner`, to be
   destroyed, keeps what their patterns were. */
PetscErrorCode product_multiply_three(product *p, operands *inner, Mat L, Mat A,
                                      Mat B, Mat *C);

/* Whether A and B still have the patterns that `inner` keeps: else an error. */
PetscErrorCode product_check_inner(operands *inner, Mat A, Mat B);

/* As if C had been L*R, R = A*B: product_repeat() goes on from here. */
PetscErrorCode product_begin_repeat(product *p, Mat L, Mat R);

/* Collective: the values of C again. */
PetscErrorCode product_repeat(product *p, Mat A, Mat B, Mat C);

PetscErrorCode product_destroy(product *p);

#endif
