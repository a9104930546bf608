/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread works in, and may leave behind for the next call: its
   accumulators, and the chunks of its rows. */
#ifndef SPGEMM_SPGEMM_EXECUTE_WORKSPACE_H
#define SPGEMM_SPGEMM_EXECUTE_WORKSPACE_H

#include "kernels/row/kernels.h"

typedef struct workspace {
    memory *m;
    numeric_fn *numeric; /* whose sums it is clean for; NULL: it is empty */
    spgemm_semiring semiring; /* and of which semiring */
    scratch s;
    chunk_store chunks;
} workspace;

/** Fit for these kernels: as it was left if it was left by them, else empty. */
void spgemm_workspace_begin(workspace *w, const kernels *k,
                            spgemm_semiring semiring, size_t value_size,
                            size_t index_size);

/** Gives everything back. Accepts an empty one. */
void spgemm_workspace_clear(workspace *w);

/**
 * The workspaces of a context, of `count` threads at least, which are the
 * call's until it leaves; NULL: there is none, it is in use, or no memory.
 */
workspace *spgemm_context_enter(spgemm_context *context, int count);
void spgemm_context_leave(spgemm_context *context);

#endif
