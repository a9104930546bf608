/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of the class Spgemm. */
#include "events.h"

PetscLogEvent events[EVENT_COUNT];

PetscErrorCode events_register(void)
{
    static const char *const name[EVENT_COUNT] = {
        "SpgemmGather", "SpgemmPredict", "SpgemmMultiply", "SpgemmAssemble"};
    PetscClassId class;

    PetscFunctionBegin;
    PetscCall(PetscClassIdRegister("Spgemm", &class));
    for (int e = 0; e < EVENT_COUNT; e++)
        PetscCall(PetscLogEventRegister(name[e], class, &events[e]));
    PetscFunctionReturn(0);
}

PetscErrorCode events_end(int event, Mat A, Mat B, PetscErrorCode failed)
{
    PetscFunctionBegin;
    PetscCall(PetscLogEventEnd(events[event], A, B, 0, 0));
    PetscCall(failed);
    PetscFunctionReturn(0);
}
