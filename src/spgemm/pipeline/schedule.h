/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C, cut into blocks of about equal work. */
#ifndef SPGEMM_SPGEMM_PIPELINE_SCHEDULE_H
#define SPGEMM_SPGEMM_PIPELINE_SCHEDULE_H

#include "kernels/row/kernels.h"
#include "predict/products.h"

/* A unit of work: some rows, or some columns of a giant row. */
typedef struct block {
    row_range range;
    int64_t products; /* of a part: were they spread evenly */
    int64_t capacity; /* entries its chunk should hold, from the prediction */
    int64_t bound;    /* entries of whole rows at most; 0 for parts */
} block;

/* The rows of a schedule: from row_begin on, to row_end or as far as they are
   predicted to have room, but one row at least. */
typedef struct slab {
    int64_t row_begin;
    int64_t row_end;
    double room;      /* entries; infinity: enough */
    double row_room;  /* what a row takes beside its entries, in entries */
    double slack;     /* entries to make room for / predicted */
    int64_t products; /* that there are to share, about */
    bool
        keeps_together; /* no block ends between rows_together(); room is infinite */
    double predicted; /* out: entries */
} slab;

typedef struct schedule {
    memory *m;
    int64_t count;
    int64_t room;           /* blocks allocated */
    block *blocks;          /* in the order of C */
    int64_t most_rows;      /* of a block */
    int64_t chunk_capacity; /* of the chunks that threads reuse */
} schedule;

/** All rows of a product, with room for all. */
slab spgemm_slab_of_all(const product_counts *counts);

/**
 * Cut the rows of a slab by products and predicted nnz. Blocks do not depend on
 * the number of threads, but for little work, where there must be enough of
 * them. A schedule that was made before is made anew, in its memory.
 *
 * @param p            zeroed at first, but for m
 * @param rows         row_end becomes the end of the last block, predicted is
 *                     set
 * @param splits_rows  giant rows in parts by columns; B must be sorted
 *
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Time O(nrows + blocks).
 */
spgemm_status spgemm_schedule_make(schedule *p, const operands *ops, slab *rows,
                                   bool splits_rows, int nthreads);

/** Entries of a planned chunk, about, when C has nnz entries. */
double spgemm_schedule_chunk(const product_counts *counts, double nnz);

void spgemm_schedule_clear(schedule *p);

#endif
