/* SPDX-License-Identifier: BSD-3-Clause */
/* What -log_view lists. */
#ifndef SPGEMM_PETSC_EVENTS_H
#define SPGEMM_PETSC_EVENTS_H

#include <petsclog.h>

enum {
    EVENT_GATHER,
    EVENT_PREDICT,
    EVENT_MULTIPLY,
    EVENT_ASSEMBLE,
    EVENT_COUNT
};
extern PetscLogEvent events[EVENT_COUNT];

PetscErrorCode events_register(void);

#endif
