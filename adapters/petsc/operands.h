/* SPDX-License-Identifier: BSD-3-Clause */
/* What this rank multiplies: its rows of A, and the rows of B that they meet. */
#ifndef SPGEMM_PETSC_OPERANDS_H
#define SPGEMM_PETSC_OPERANDS_H

#include <stdint.h>

#include "columns.h"
#include "halo.h"
#include "seqaij.h"

/* B and C are cut by columns: into those that this rank owns, and those of other
   ranks, renumbered, so that nothing is as wide as C. */
enum { OWN_COLUMNS = 0, OTHER_COLUMNS = 1, PART_COUNT = 2 };

/* A and B as PETSc holds them on this rank. */
typedef struct blocks {
    /* Their parts; one each of sequential matrices. */
    int nparts;
    Mat A_mat[PART_COUNT];
    Mat B_mat[PART_COUNT];
    aij A[PART_COUNT];
    /* Columns of A[OTHER_COLUMNS] in A: rows of B that other ranks own. */
    const PetscInt *A_column;
    PetscInt nhalo;
    /* Rows of the halo that come before those of this rank. */
    PetscInt nbefore;
    PetscInt nown;
    local_rows B;
    PetscInt end_column;
} blocks;

/* Which matrices A and B are, of which blocks, and in what state their patterns. */
typedef struct identity {
    PetscObjectId id[2];
    PetscObjectId block[2][PART_COUNT];
    PetscObjectState pattern[2];
} identity;

/* What is kept of A and B from one product to the next. All zero: nothing. */
typedef struct operands {
    /* Columns of C of other ranks, in order. */
    columns other;
    /* Its columns are those of this rank, counted from its first; behind them all,
       the members of `other`. */
    halo halo;
    /* Of the patterns of A and B on this rank. */
    uint64_t checksum;
    identity who;
} operands;

/* What the library multiplies. All zero: nothing. */
typedef struct factors {
    /* Of A, the entries that meet entries of the part of B. */
    spgemm_csr A[PART_COUNT];
    spgemm_csr B[PART_COUNT];
    int nparts;
    /* Whether A and B are copies, with rows of other ranks. */
    bool is_copy;
} factors;

/* Collective. Rows of B are gathered; trouble may be of some ranks only. */
PetscErrorCode operands_create(operands *x, Mat A, Mat B, blocks *b,
                               trouble *what);

/* Views where all rows of B are of this rank, copies elsewhere; the values of
   the halo are given back. */
PetscErrorCode operands_factors(operands *x, const blocks *b, factors *f,
                                trouble *what);
void factors_destroy(factors *f);

/* Collective: values of B are gathered again; other patterns are trouble. */
PetscErrorCode operands_refresh(operands *x, Mat A, Mat B, blocks *b,
                                trouble *what);

PetscErrorCode operands_destroy(operands *x);

#endif
