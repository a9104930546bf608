/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz of chosen rows of C, by the kernels of the symbolic pass. */
#ifndef SPGEMM_SPGEMM_PIPELINE_SYMBOLIC_H
#define SPGEMM_SPGEMM_PIPELINE_SYMBOLIC_H

#include "kernels/row/kernels.h"
#include "predict/predictor.h"
#include "spgemm/pipeline/progress.h"

typedef struct count_context {
    const kernels *kernels;
    const operands *ops;
    int nthreads;
    progress *progress;
    memory *m;
} count_context;

/** The counters of predictor.h; context: a count_context. Cancelled, they
    return SPGEMM_ERROR_CANCELLED. */
row_counter spgemm_count_rows;
part_counter spgemm_count_parts;

/** nnz of rows of C as they are kept: masked, less what is dropped; by value
    only where that takes values. */
row_counter spgemm_count_kept_rows;

/** The same of parts; not with keep_top, which is of whole rows. */
part_counter spgemm_count_kept_parts;

#endif
