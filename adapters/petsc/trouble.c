/* SPDX-License-Identifier: BSD-3-Clause */
/* A failure of one rank becomes an error of all: the least rank that failed
   tells the others why. */
#include "trouble.h"

#include <stdio.h>
#include <string.h>

void trouble_say(trouble *what, spgemm_status status, const char *text)
{
    if (status == SPGEMM_SUCCESS || what->status != SPGEMM_SUCCESS)
        return;
    what->status = status;
    (void)snprintf(what->text, sizeof(what->text), "%s", text);
}

void trouble_note(trouble *what, spgemm_status status)
{
    const char *const text = spgemm_error_text();
    trouble_say(what, status, *text ? text : spgemm_status_string(status));
}

void trouble_no_memory(trouble *what, size_t bytes)
{
    char text[SPGEMM_REFUSAL_BYTES];
    (void)snprintf(text, sizeof(text), "%zu bytes could not be allocated",
                   bytes);
    trouble_say(what, SPGEMM_ERROR_OUT_OF_MEMORY, text);
}

static PetscErrorCode error_code(spgemm_status status)
{
    switch (status) {
    case SPGEMM_ERROR_OUT_OF_MEMORY:
    case SPGEMM_ERROR_MEMORY_LIMIT:
        return PETSC_ERR_MEM;
    case SPGEMM_ERROR_OVERFLOW:
        return PETSC_ERR_ARG_OUTOFRANGE;
    case SPGEMM_ERROR_PATTERN:
        return PETSC_ERR_ARG_WRONGSTATE;
    case SPGEMM_ERROR_SHAPE:
        return PETSC_ERR_ARG_SIZ;
    default:
        return PETSC_ERR_LIB;
    }
}

PetscErrorCode trouble_agree(MPI_Comm comm, const trouble *what)
{
    PetscMPIInt rank;
    PetscMPIInt size;
    trouble first = *what;

    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(comm, &rank));
    PetscCallMPI(MPI_Comm_size(comm, &size));
    PetscMPIInt culprit = what->status == SPGEMM_SUCCESS ? size : rank;
    PetscCallMPI(
        MPI_Allreduce(MPI_IN_PLACE, &culprit, 1, MPI_INT, MPI_MIN, comm));
    if (culprit == size)
        PetscFunctionReturn(0);
    PetscCallMPI(
        MPI_Bcast(&first, (int)sizeof(first), MPI_BYTE, culprit, comm));
    SETERRQ(comm, error_code(first.status), "spgemm, rank %d of %d: %s",
            culprit, size, first.text);
}
