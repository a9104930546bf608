/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over all blocks whose places are known beforehand: what the two
   variants without a prediction are made of. */
#ifndef SPGEMM_SPGEMM_EXECUTE_PLACED_H
#define SPGEMM_SPGEMM_EXECUTE_PLACED_H

#include "spgemm/execute/pass.h"
#include "spgemm/execute/place.h"

typedef struct placed_pass {
    pass_input in;
    spgemm_csr *C; /* its rowptr is there; entries, when they are allocated */
    int team;
    int64_t *block_nnz; /* [blocks] */
    int64_t *offset;    /* [blocks + 1] entry of C at which a block begins */
    int64_t rows_by_accumulator[SPGEMM_ACCUMULATOR_COUNT];
    int threads_used;
    bool may_have_zero;         /* C, of what the numeric pass wrote */
    const spgemm_csr *known;    /* C, its structure known; NULL: not yet */
    const block_places *placed; /* of that; NULL: none */
    bool streams;               /* its values are written past the caches */
    bool streams_columns;       /* the same of columns that are widened */
} placed_pass;

/** The two arrays of a pass by `team` threads. To be ended, on failure too. */
spgemm_status spgemm_placed_begin(placed_pass *d, const pass_input *in,
                                  spgemm_csr *C, int team);

/** The arrays are given back; what the blocks took, to the report. */
void spgemm_placed_end(placed_pass *d, spgemm_report *report);

/** What the blocks took, to the report. */
void spgemm_placed_report(const placed_pass *d, spgemm_report *report);

/** Counts nnz of each block: the share of the product up to SYMBOLIC_SHARE. */
spgemm_status spgemm_placed_symbolic(placed_pass *d);

/** Writes the entries of each block to C from its offset on; counts nnz of
    each block, and of each row i into C's rowptr[i + 1]. What is done when it
    begins: `done`, of 1. */
spgemm_status spgemm_placed_numeric(placed_pass *d, double done);

/** offset = sums of block_nnz; returns the last. */
int64_t spgemm_placed_offsets(placed_pass *d);

/** The same where each block, of whole rows, has as many as its bound: bounds of
    parts would add up to more than that of their row. */
int64_t spgemm_placed_at_bounds(placed_pass *d);

/** After a numeric pass into more room than was needed: moves the blocks
    together, writes rowptr, and shrinks C's arrays of `allocated` entries.
    SPGEMM_ERROR_CANCELLED: progress asked to stop. */
spgemm_status spgemm_placed_compact(placed_pass *d, int64_t allocated);

/** Turns nnz of each row into row pointers, given the offsets of the blocks. */
void spgemm_placed_rowptr(placed_pass *d);

#endif
