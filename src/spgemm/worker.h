/* SPDX-License-Identifier: BSD-3-Clause */
/* What one thread does in a product of one pass: take a block, compute it into
   chunks, publish it, copy what has found its place in C. */
#ifndef SPGEMM_SPGEMM_WORKER_H
#define SPGEMM_SPGEMM_WORKER_H

#include "spgemm/commit.h"

typedef struct worker {
    const kernels *kernels;
    const operands *ops;
    commit_queue *q;
    scratch s;
    chunk_store chunks;
    result *oldest; /* published, not yet copied: in order of blocks */
    result *newest;
    int64_t waiting; /* how many */
    result *idle;    /* results for reuse */

    bool took_part;
    int64_t overflow_rows;
    int64_t overflow_entries;
} worker;

void spgemm_worker_init(worker *w,
                        const kernels *k,
                        const operands *ops,
                        commit_queue *q);

/** Works until there is nothing left to take. */
void spgemm_worker_run(worker *w);

/** Copies what has a place: after the join, all that is left. */
void spgemm_worker_copy_placed(worker *w);

/** Gives everything back, finished or not. */
void spgemm_worker_clear(worker *w);

#endif
