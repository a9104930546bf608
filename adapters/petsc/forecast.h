/* SPDX-License-Identifier: BSD-3-Clause */
/* What a product will take on all ranks, known to all before it is begun. */
#ifndef SPGEMM_PETSC_FORECAST_H
#define SPGEMM_PETSC_FORECAST_H

#include <spgemm/report.h>

#include "operands.h"
#include "settings.h"

typedef struct forecast {
    /* Of all ranks. */
    double products;
    double nnz;
    /* NaN: nobody knows. */
    double standard_error;
    /* Bytes of C and of what was gathered, of all ranks. */
    double bytes;
    /* Bytes that this rank may take for each part of C; 0: no limit. */
    size_t limit_bytes[PART_COUNT];
} forecast;

/* Collective: an error on all ranks where there is trouble on one, and where all
   together would take more than the limit. */
PetscErrorCode forecast_make(forecast *f, MPI_Comm comm, const factors *x,
                             const settings *s, trouble *what);

/* Collective: a line of what was predicted, and of what came of it. */
PetscErrorCode forecast_view(const forecast *f, MPI_Comm comm,
                             const spgemm_report reports[], int nparts);

#endif
