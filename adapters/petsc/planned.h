/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of C = A*B of sequential matrices by a plan of the library, which is
   made when they are asked for so often that it pays. */
#ifndef SPGEMM_PETSC_PLANNED_H
#define SPGEMM_PETSC_PLANNED_H

#include <spgemm/plan.h>

#include "operands.h"
#include "settings.h"

/* All zero: no plan yet. */
typedef struct planned {
    spgemm_plan *plan;
    /* Times that values were found without one, and the least that one took. */
    PetscInt count;
    double seconds;
    /* There was no memory for it, or it took longer. */
    bool is_out;
} planned;

/* The values of C; false: they are to be found without a plan. */
bool planned_values(planned *p, const blocks *b, const aij *C,
                    const settings *s, trouble *what);

/* They were found without one, in so many seconds. */
void planned_count(planned *p, double seconds);

void planned_destroy(planned *p);

#endif
