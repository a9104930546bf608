/* SPDX-License-Identifier: BSD-3-Clause */
/* What a pass over the rows of C reads, and what it took. */
#ifndef SPGEMM_SPGEMM_EXECUTE_PASS_H
#define SPGEMM_SPGEMM_EXECUTE_PASS_H

#include "spgemm/pipeline/progress.h"
#include "spgemm/pipeline/schedule.h"

typedef struct pass_input {
    const kernels *kernels;
    const operands *ops;
    const schedule *schedule; /* may be another one for each run */
    int64_t products;         /* of all runs */
    progress *progress;
    memory *m;
} pass_input;

#endif
