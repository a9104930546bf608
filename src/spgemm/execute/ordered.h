/* SPDX-License-Identifier: BSD-3-Clause */
/* The team of a product of one pass, and the queue that its blocks go through:
   for one schedule, or for several in turn, with what it has in hand. */
#ifndef SPGEMM_SPGEMM_EXECUTE_ORDERED_H
#define SPGEMM_SPGEMM_EXECUTE_ORDERED_H

#include "spgemm/execute/pass.h"
#include "spgemm/execute/worker.h"

/* Working memory of a thread besides its chunks: windows of 2 MB, tables. */
#define SCRATCH_BYTES   4e6
#define CHUNKS_A_THREAD 4

typedef struct ordered_pass {
    pass_input in;
    int count;    /* workers */
    int active;   /* of them, at most count: the first so many work */
    bool is_last; /* of all schedules: workers give back what they hold */
    worker *workers;
    spgemm_context *context; /* that is in use; NULL: none */
    commit_queue q;
} ordered_pass;

/** Workers who hold nothing yet, but what a context has for them (NULL: none).
    To be ended, on failure too. */
spgemm_status spgemm_ordered_begin(ordered_pass *w, const pass_input *in,
                                   spgemm_context *context, int count);

/**
 * Multiplies the blocks of the schedule. Entries go to `entries`, row pointers from
 * row_begin on to rowptr[1] on. On failure the rows before the block at the
 * queue's frontier are done.
 *
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY  q.is_full tells whether it was
 *                                     that of the entries
 * @retval SPGEMM_ERROR_CANCELLED
 */
spgemm_status spgemm_ordered_run(ordered_pass *w, growable *entries,
                                 int64_t *rowptr, int64_t row_begin);

/** What the blocks took, to the report. Accepts a pass of zeros. */
void spgemm_ordered_report(const ordered_pass *w, spgemm_report *report);

/** Workers give back what they hold, and may go on with nothing. */
void spgemm_ordered_unload(ordered_pass *w);

/** Everything is given back. Accepts a pass of zeros. Returns the bytes that the
    context keeps of it. */
size_t spgemm_ordered_end(ordered_pass *w);

#endif
