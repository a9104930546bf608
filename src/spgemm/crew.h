/* SPDX-License-Identifier: BSD-3-Clause */
/* The team of a product of one pass, and the queue that its blocks go through:
   for one schedule, or for several in turn, with what it has in hand. */
#ifndef SPGEMM_SPGEMM_CREW_H
#define SPGEMM_SPGEMM_CREW_H

#include "spgemm/call.h"
#include "spgemm/worker.h"

/* Working memory of a thread besides its chunks: windows of 2 MB, tables. */
#define SCRATCH_BYTES   4e6
#define CHUNKS_A_THREAD 4

typedef struct crew {
    call *c;
    int count;  /* workers */
    int active; /* of them, at most count: the first so many work */
    worker *workers;
    spgemm_context *context; /* that is in use; NULL: none */
    commit_queue q;
} crew;

/** Workers who hold nothing yet. To be dismissed, on failure too. */
spgemm_status spgemm_crew_hire(crew *w, call *c, int count);

/**
 * Multiplies the blocks of c->p. Entries go to `entries`, row pointers from
 * row_begin on to rowptr[1] on. On failure the rows before the block at the
 * queue's frontier are done.
 *
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY  q.is_full tells whether it was
 *                                     that of the entries
 * @retval SPGEMM_ERROR_CANCELLED
 */
spgemm_status spgemm_crew_work(crew *w,
                               growable *entries,
                               int64_t *rowptr,
                               int64_t row_begin);

/** What the blocks took, to the report. Accepts a crew of zeros. */
void spgemm_crew_report(const crew *w);

/** Workers give back what they hold, and may go on with nothing. */
void spgemm_crew_unload(crew *w);

/** Everything is given back. Accepts a crew of zeros. */
void spgemm_crew_dismiss(crew *w);

#endif
