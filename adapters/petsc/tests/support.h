/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices, and what is expected of them, on all ranks. */
#ifndef SPGEMM_PETSC_TESTS_SUPPORT_H
#define SPGEMM_PETSC_TESTS_SUPPORT_H

#include <petscmat.h>

extern PetscMPIInt rank_here;
extern PetscMPIInt rank_count;

/* Ends all ranks where it is not so. */
void expect(int is_true, const char *what);

/* nrows-by-ncols, about `degree` entries a row, of small integers. */
PetscErrorCode make(Mat *A, PetscInt nrows, PetscInt ncols, PetscInt degree,
                    unsigned seed);

/* 60-by-50 and 50-by-40, and what PETSc says is their product. */
PetscErrorCode make_factors(Mat *A, Mat *B, Mat *product);

PetscErrorCode expect_equal(Mat A, Mat B, const char *what);

/* How often it was logged. */
int count_of(const char *name);

/* Events of ours since the last call. */
int products_of_ours(void);

/* What it returned on all ranks: 0 of none, or of all. */
int failed_everywhere(PetscErrorCode code);

/* The first row of A gets the first columns. */
PetscErrorCode add_entries(Mat A);

/* A line of /proc/self/status, such as "VmPeak:". */
long kilobytes(const char *field);

/* main(): PETSc from its begin to its end; says "all as promised". */
int run_program(int argc, char **argv, PetscErrorCode (*run)(void));

#endif
