/* SPDX-License-Identifier: BSD-3-Clause */
/* What -log_view lists. */
#ifndef SPGEMM_PETSC_EVENTS_H
#define SPGEMM_PETSC_EVENTS_H

#include <petscmat.h>

enum {
    EVENT_GATHER,
    EVENT_PREDICT,
    EVENT_MULTIPLY,
    EVENT_ASSEMBLE,
    EVENT_COUNT
};
extern PetscLogEvent events[EVENT_COUNT];

PetscErrorCode events_register(void);

/* The end of an event, whether what it is of failed or not, and that as an error. */
PetscErrorCode events_end(int event, Mat A, Mat B, PetscErrorCode failed);

#endif
