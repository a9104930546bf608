/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of B that the rows of A on this rank meet and other ranks own. */
#ifndef SPGEMM_PETSC_HALO_H
#define SPGEMM_PETSC_HALO_H

#include <petscmat.h>
#include <petscsf.h>

#include "trouble.h"
#include "types.h"

/* The rows of B on this rank, as PETSc holds them: its own columns, and those
   of others, which `column_of` numbers in the matrix. */
typedef struct local_rows {
    spgemm_csr own;
    spgemm_csr other;
    const PetscInt *column_of;
    PetscInt first_column;
} local_rows;

typedef struct halo {
    /* Who owns which of the rows. */
    PetscSF sf;
    PetscInt nrows;
    /* [nrows + 1] where the entries of each row begin. */
    int64_t *start;
    /* [start[nrows]], while they are looked at. */
    PetscInt *columns;
    PetscScalar *values;
} halo;

/* Collective: who sends which rows, how long they are; room for them. Entries
   may be fetched once all ranks agree that there is no trouble.
   row_of: [nrows] the rows of B, increasing. */
PetscErrorCode halo_create(halo *h, Mat B, PetscInt nrows,
                           const PetscInt *row_of, const local_rows *rows,
                           trouble *what);

/* Room for the values alone, to fetch them again. */
void halo_make_room(halo *h, trouble *what);

/* Collective: columns, if there is room for them, and values of the rows. */
PetscErrorCode halo_fetch(halo *h, const local_rows *rows);

/* Give back the room of the entries. */
void halo_forget_entries(halo *h);

PetscErrorCode halo_destroy(halo *h);

#endif
