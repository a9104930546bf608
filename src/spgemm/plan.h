/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C, cut into blocks of about equal work. */
#ifndef SPGEMM_SPGEMM_PLAN_H
#define SPGEMM_SPGEMM_PLAN_H

#include "predict/products.h"
#include "spgemm/kernels.h"

/* A unit of work: some rows, or some columns of a giant row. */
typedef struct block {
    row_range range;
    int64_t capacity; /* entries its chunk should hold, from the prediction */
    int64_t bound;    /* entries of whole rows at most; 0 for parts */
} block;

typedef struct plan {
    memory *m;
    int64_t count;
    int64_t room;           /* blocks allocated */
    block *blocks;          /* in the order of C */
    int64_t most_rows;      /* of a block */
    int64_t chunk_capacity; /* of the chunks that threads reuse */
} plan;

/**
 * Cut the rows of C by products and predicted nnz. Blocks do not depend on the
 * number of threads, but for little work, where there must be enough of them.
 *
 * @param splits_rows  giant rows in parts by columns; B must be sorted
 *
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Time O(nrows + blocks).
 */
spgemm_status spgemm_plan_make(plan *p,
                               const operands *ops,
                               const product_counts *counts,
                               bool splits_rows,
                               int nthreads,
                               memory *m);

void spgemm_plan_clear(plan *p);

#endif
