/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a product has come, told to whoever asked, and its end when they
   want no more of it.

   Only the thread that called is heard: it tells between two blocks, and while
   it waits for the others when it finds no block any more. All look between
   two blocks whether to go on: after 64 K products as a rule, some 0.1 ms. A
   giant row that cannot be cut by columns (B is not sorted, or B's rows are
   short for it, or it has few columns: schedule.c) is a block of its own, and
   is finished first: 100 ms are some 20 million products.

   It is asked in passes over products: the numeric one, the symbolic one, and
   where a sample is counted. Not asked is in what takes O(nnz(A) + nnz(B)) or
   O(nnz(C)), checks, predictions by sketches, a C that is moved together. */
#ifndef SPGEMM_SPGEMM_PIPELINE_PROGRESS_H
#define SPGEMM_SPGEMM_PIPELINE_PROGRESS_H

#include <stdatomic.h>

#include "common/compiler.h"
#include "common/task_queue.h"
#include "spgemm/spgemm.h"

/* Share of the time of two passes that the symbolic one takes. */
#define SYMBOLIC_SHARE (1.0 / 3.0)

typedef struct progress {
    int (*callback)(void *context, double done); /* NULL: nobody asked */
    void *context;

    double begin; /* of this pass, as shares of the whole */
    double end;
    int64_t products;         /* of this pass */
    atomic_int_fast64_t done; /* of them */
    atomic_bool is_cancelled;
    double next_seconds; /* those two: of the thread that called */
    double told;
} progress;

/** For a call with these options, on the thread that called. */
void spgemm_progress_init(progress *p, const spgemm_options *options);

/** A pass over `products` products begins, which is the share from `begin` to
    `end` of the whole. */
void spgemm_progress_pass(progress *p, double begin, double end,
                          int64_t products);

/** So many products of the pass are done, whatever was said before. */
void spgemm_progress_set(progress *p, int64_t products);

/* As below, where somebody asked. */
bool spgemm_progress_step(progress *p, int rank, int64_t products);
void spgemm_progress_wait(progress *p);

/** Member `rank` of a team has done so many products. false: stop. */
static ALWAYS_INLINE bool progress_step(progress *p, int rank, int64_t products)
{
    return LIKELY(!p->callback) || spgemm_progress_step(p, rank, products);
}

/** Member `rank` has nothing more to do in a work: rank 0 tells on, until all
    others are done, too. */
static inline void progress_leave(progress *p, int rank)
{
    if (p->callback && rank == 0)
        spgemm_progress_wait(p);
}

static inline bool progress_is_cancelled(const progress *p)
{
    return p->callback && atomic_load(&p->is_cancelled);
}

/** How a pass over these tasks ended, of which one fails where there is no memory. */
static inline spgemm_status progress_status(const progress *p,
                                            const task_queue *tasks)
{
    if (progress_is_cancelled(p))
        return SPGEMM_ERROR_CANCELLED;
    return task_has_failed(tasks) ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_SUCCESS;
}

#endif
