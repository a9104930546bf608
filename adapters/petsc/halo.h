/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of B that the rows of A on this rank meet and other ranks own. */
#ifndef SPGEMM_PETSC_HALO_H
#define SPGEMM_PETSC_HALO_H

#include <petscmat.h>
#include <petscsf.h>

#include "seqaij.h"

/* The rows of B on this rank, as PETSc holds them: its own columns, and those
   of others, which `column_of` numbers in the matrix. */
typedef struct local_rows {
    aij own;
    aij other;
    const PetscInt *column_of;
    PetscInt first_column;
} local_rows;

typedef struct halo {
    /* Who owns which of the rows. */
    PetscSF sf;
    PetscInt nrows;
    /* [nrows + 1] where the entries of each row begin. */
    int64_t *start;
    /* [start[nrows]] */
    PetscInt *columns;
    /* [start[nrows]], while they are looked at. */
    PetscScalar *values;
} halo;

/* Collective: who sends which rows, how long they are; room for them. Entries
   may be fetched once all ranks agree that there is no trouble.
   row_of: [nrows] the rows of B, increasing. */
PetscErrorCode halo_create(halo *h, Mat B, PetscInt nrows,
                           const PetscInt *row_of, const local_rows *rows,
                           trouble *what);

/* Collective: the columns of the rows, numbered as in B. */
PetscErrorCode halo_fetch_columns(halo *h, const local_rows *rows);

/* Room for the values, and collective: the values. */
void halo_make_room(halo *h, trouble *what);
PetscErrorCode halo_fetch_values(halo *h, const local_rows *rows);
void halo_forget_values(halo *h);

PetscErrorCode halo_destroy(halo *h);

#endif
