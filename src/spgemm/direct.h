/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over all blocks whose places are known beforehand: what the two
   variants without a prediction are made of. */
#ifndef SPGEMM_SPGEMM_DIRECT_H
#define SPGEMM_SPGEMM_DIRECT_H

#include "spgemm/call.h"

typedef struct direct {
    call *c;
    int team;
    int64_t *block_nnz; /* [blocks] */
    int64_t *offset;    /* [blocks + 1] entry of C at which a block begins */
    int64_t rows_by_accumulator[SPGEMM_ACCUMULATOR_COUNT];
    int threads_used;
} direct;

/** Plans blocks from the bound, giant rows in parts if splits_rows, and makes
    C's rowptr and the two arrays. */
spgemm_status spgemm_direct_open(direct *d, call *c, bool splits_rows);

void spgemm_direct_close(direct *d);

/** Counts nnz of each block. */
spgemm_status spgemm_direct_symbolic(direct *d);

/** Writes the entries of each block to C from its offset on; counts nnz of
    each block, and of each row i into C's rowptr[i + 1]. */
spgemm_status spgemm_direct_numeric(direct *d);

/** offset = sums of block_nnz; returns the last. */
int64_t spgemm_direct_offsets(direct *d);

/** Turns nnz of each row into row pointers, given the offsets of the blocks. */
void spgemm_direct_rowptr(direct *d);

#endif
