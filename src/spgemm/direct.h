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
    const spgemm_csr *known; /* C, its structure known; NULL: not yet */
    bool streams;            /* its values are written past the caches */
} direct;

/** Plans blocks from the bound, giant rows in parts if splits_rows, and makes
    C's rowptr and the two arrays. */
spgemm_status spgemm_direct_open(direct *d, call *c, bool splits_rows);

void spgemm_direct_close(direct *d);

/** Counts nnz of each block: the share of the product up to SYMBOLIC_SHARE. */
spgemm_status spgemm_direct_symbolic(direct *d);

/** Writes the entries of each block to C from its offset on; counts nnz of
    each block, and of each row i into C's rowptr[i + 1]. What is done when it
    begins: `done`, of 1. */
spgemm_status spgemm_direct_numeric(direct *d, double done);

/** offset = sums of block_nnz; returns the last. */
int64_t spgemm_direct_offsets(direct *d);

/** After a numeric pass into more room than was needed: moves the blocks
    together, writes rowptr, and shrinks C's arrays of `allocated` entries.
    SPGEMM_ERROR_CANCELLED: progress asked to stop. */
spgemm_status spgemm_direct_compact(direct *d, int64_t allocated);

/** Turns nnz of each row into row pointers, given the offsets of the blocks. */
void spgemm_direct_rowptr(direct *d);

#endif
