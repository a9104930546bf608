/* SPDX-License-Identifier: BSD-3-Clause */
/* Finished blocks find their place in C, in order, and no thread waits.

   Blocks are taken in any order and finished in any order. The frontier is the
   first block without a place in C; a block gets its place when all before it
   have theirs. Whoever finishes a block tries to move the frontier on; each
   thread then copies those of its own blocks that have a place. A thread that
   has too many blocks waiting computes the block at the frontier itself. */
#ifndef SPGEMM_SPGEMM_EXECUTE_COMMIT_H
#define SPGEMM_SPGEMM_EXECUTE_COMMIT_H

#include <stdatomic.h>

#include "alloc/growable.h"
#include "common/number_kind.h"
#include "spgemm/pipeline/schedule.h"

/* What blocks took, of those whose entries went to C. */
typedef struct block_counts {
    int64_t overflow_rows;
    int64_t overflow_entries;
    int64_t rows_by_accumulator[SPGEMM_ACCUMULATOR_COUNT];
    int64_t chained_products;
} block_counts;

/* A finished block, owned by the thread that computed it. */
typedef struct result {
    struct result *next; /* of the same thread, in order of blocks */
    int64_t block;
    int64_t nnz;
    block_counts counts;
    chunk *chunks;
    int64_t *row_nnz; /* [most_rows of the worker] */

    atomic_bool is_placed; /* then: */
    int64_t offset;        /* in C */
    char *colidx;          /* its place */
    char *values;
} result;

/* Who finished a block, if anybody. */
typedef struct publication {
    _Atomic(result *) by;
} publication;

typedef struct commit_queue {
    const schedule *p;
    growable *entries; /* of C; touched under the lock */
    int64_t *rowptr;   /* of C, from row_begin on */
    int64_t row_begin;
    size_t index_size;        /* of a column in a chunk */
    number_kind numbers;      /* what values are */
    bool streams;             /* entries go to C past the caches */
    publication *published;   /* [blocks + 1]; the last stays empty */
    int64_t room;             /* of published */
    atomic_int_fast64_t next; /* block to be taken */
    atomic_int_fast64_t frontier;
    atomic_bool lock;
    atomic_bool has_failed; /* no memory, or cancelled: everybody stops */
    bool is_full;           /* the entries: none of these had room */
    memory *m;
} commit_queue;

/** An empty queue for the blocks of p, in whose chunks columns have so many
    bytes, as C's or fewer. */
void spgemm_commit_init(commit_queue *q, const schedule *p, size_t index_size,
                        number_kind numbers, memory *m);

/** Before the blocks of a schedule are taken, the first or a further one: rows
    from row_begin on go to rowptr[1] on, and to `entries`. */
spgemm_status spgemm_commit_begin(commit_queue *q, growable *entries,
                                  int64_t *rowptr, int64_t row_begin);

void spgemm_commit_clear(commit_queue *q);

/** Offers a finished block. false: somebody else finished it first. */
bool spgemm_commit_publish(commit_queue *q, result *r);

/** Moves the frontier as far as it goes, unless somebody else is at it. */
void spgemm_commit_advance(commit_queue *q);

/** Copies a placed block into C. Returns whether a value of it may be zero. */
bool spgemm_commit_copy(const commit_queue *q, const result *r);

/** Whether block b needs no (further) computing. */
bool spgemm_commit_is_published(const commit_queue *q, int64_t b);

/** The first row that C has not whole. */
int64_t spgemm_commit_row_reached(const commit_queue *q);

#endif
