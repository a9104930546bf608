/* SPDX-License-Identifier: BSD-3-Clause */
/* What went wrong on one rank, and how all ranks come to know of it. */
#ifndef SPGEMM_PETSC_TROUBLE_H
#define SPGEMM_PETSC_TROUBLE_H

#include <petscsys.h>

#include <spgemm/status.h>

/* The first failure of this rank. All zero: none. */
typedef struct trouble {
    spgemm_status status;
    char text[SPGEMM_REFUSAL_BYTES];
} trouble;

/* Keep `status`, and why, unless it is a success or there was trouble before. */
void trouble_note(trouble *what, spgemm_status status);

/* The same for memory that was not of the library. */
void trouble_no_memory(trouble *what, size_t bytes);

/* The same, with words of our own. */
void trouble_say(trouble *what, spgemm_status status, const char *text);

/* Collective: an error on every rank of comm if there is trouble on one. */
PetscErrorCode trouble_agree(MPI_Comm comm, const trouble *what);

#endif
