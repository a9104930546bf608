/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan keeps of the product that it was made of. */
#ifndef SPGEMM_SPGEMM_PLAN_STATE_H
#define SPGEMM_SPGEMM_PLAN_STATE_H

#include "matrix/csr_narrow.h"
#include "spgemm/execute/placed.h"
#include "spgemm/pipeline/call.h"
#include "spgemm/plan.h"
#include "spgemm/plan_patterns.h"

struct spgemm_plan {
    call c;              /* as it was when C was done: it does not move */
    int64_t *offset;     /* [blocks + 1] entry of C at which a block begins */
    spgemm_csr narrow_C; /* columns of C, if read, and A's are narrowed */
    block_places places; /* of products in C */
    patterns sums;       /* as they were given */
    uint64_t sum_C;
};

#endif
