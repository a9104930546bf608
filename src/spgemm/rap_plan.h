/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows of W the rows of R need: C(i,:) those from the least to the largest
   column of R(i,:), and what is needed of later rows stays. */
#ifndef SPGEMM_SPGEMM_RAP_PLAN_H
#define SPGEMM_SPGEMM_RAP_PLAN_H

#include "alloc/memory.h"
#include "predict/products.h"

typedef struct rap_plan {
    const spgemm_csr *R;
    const product_counts *of_W;
    int64_t *least; /* [rows of R + 1] least column of the rows from i on */
    int64_t widest; /* products of the rows of W that one row of R needs, while
                       those of later rows are kept, at most */
    int64_t most;   /* the same of a slab, if it has more than one row */
} rap_plan;

/* Rows [row_begin, row_end) of C, of rows [begin, end) of W. */
typedef struct rap_slab {
    int64_t row_begin;
    int64_t row_end;
    int64_t begin;
    int64_t end;
} rap_slab;

/** Columns of R are looked at: R is in order, and flagged as it is sorted.
    @note Time O(nrows + rows of W), O(nnz(R)) where R is not sorted. */
spgemm_status spgemm_rap_plan_make(rap_plan *p, const spgemm_csr *R,
                                   const product_counts *of_W, memory *m);

/** As many rows behind those of *s as need no more than p->most products of W at
    hand, one at least. s is zero at first. */
void spgemm_rap_plan_next(const rap_plan *p, rap_slab *s);

void spgemm_rap_plan_clear(rap_plan *p, memory *m);

#endif
