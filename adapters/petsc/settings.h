/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of this adapter, -spgemm_... */
#ifndef SPGEMM_PETSC_SETTINGS_H
#define SPGEMM_PETSC_SETTINGS_H

#include <petscsys.h>

#include <spgemm/options.h>

typedef struct settings {
    /* Threads of each rank; 0: as many as OpenMP gives. */
    PetscInt nthreads;
    /* Bytes that a product may hold, on all ranks together; 0: no limit. */
    PetscReal memory_limit;
    /* Least products of A P, a row of A, for which P^T A P is ours; less than 0:
       as many as pay. */
    PetscReal ptap_products;
    /* Times that MAT_REUSE_MATRIX of A*B goes without a plan; less than 0: always. */
    PetscInt plan_after;
    /* Whether each product prints a line. */
    PetscBool view;
    /* -mat_product_clear: nothing is kept for MAT_REUSE_MATRIX. */
    PetscBool clear;
} settings;

/* Collective. What -help lists, and what the options with this prefix say. */
PetscErrorCode settings_read(MPI_Comm comm, const char *prefix, settings *s);

/* What they are to a call of the library that is one rank's alone. */
spgemm_options settings_options(const settings *s);

#endif
