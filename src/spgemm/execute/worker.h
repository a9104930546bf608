/* SPDX-License-Identifier: BSD-3-Clause */
/* What one thread does in a product of one pass: take a block, compute it into
   chunks, publish it, copy what has found its place in C. */
#ifndef SPGEMM_SPGEMM_EXECUTE_WORKER_H
#define SPGEMM_SPGEMM_EXECUTE_WORKER_H

#include "spgemm/execute/commit.h"
#include "spgemm/execute/workspace.h"
#include "spgemm/pipeline/progress.h"

typedef struct worker {
    const kernels *kernels;
    const operands *ops;
    commit_queue *q;
    progress *progress;
    int rank;
    workspace own;
    workspace *space;  /* that, or one of a context */
    int64_t most_rows; /* that a result has room for */
    result *oldest;    /* published, not yet copied: in order of blocks */
    result *newest;
    int64_t waiting; /* how many */
    result *idle;    /* results for reuse */

    bool is_unclean; /* space: a block was given up half done */
    bool took_part;
    bool may_have_zero; /* what it moved into C */
    block_counts counts;
} worker;

/** An empty worker for the queue: nothing is taken before it is needed. kept:
    the workspace of a context, or NULL. */
void spgemm_worker_init(worker *w, const kernels *k, const operands *ops,
                        commit_queue *q, progress *p, int rank,
                        workspace *kept);

/** Before the blocks of a schedule are taken, the first or a further one: what
    is too small for them goes, and what was not copied. */
void spgemm_worker_begin(worker *w);

/** Works until there is nothing left to take. */
void spgemm_worker_run(worker *w);

/** No block is to come: gives back what only blocks need, but a context's. */
void spgemm_worker_rest(worker *w);

/** Copies what has a place: after the join, all that is left. */
void spgemm_worker_copy_placed(worker *w);

/** Gives everything back, finished or not, and may go on with nothing. */
void spgemm_worker_clear(worker *w);

/** The same at the end, but for a context's workspace, which stays there. */
void spgemm_worker_leave(worker *w);

#endif
