/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C, cut into blocks of about equal work.

   A block's chunk should be written and read back within the second cache:
   64 K products make at most 768 KB of entries, and far less when they
   compress. A row of many blocks' worth is cut by columns instead, so that no
   row is a thread's fate. */
#include "spgemm/plan.h"

#include "common/partition.h"
#include "common/try.h"
#include "spgemm/row_columns.h"

#define BLOCK_PRODUCTS       65536
#define LEAST_BLOCK_PRODUCTS 4096
#define BLOCKS_A_THREAD      16
#define MOST_BLOCK_ROWS      16384

/* A row is giant from this many products on. */
#define GIANT_PRODUCTS (8 * BLOCK_PRODUCTS)

/* Parts of a giant row: two blocks' worth of products each, were they spread
   evenly, no narrower than this, and no more than the mean length of B's rows:
   each part looks at all of them. */
#define PART_PRODUCTS      (2 * BLOCK_PRODUCTS)
#define LEAST_PART_COLUMNS 4096

/* Head-room of a chunk over its predicted nnz: a quarter, since the rows of
   one block err less together than alone, and the bound of one more row, so
   that the last need not be counted before it is written, unless it is long. */
#define CHUNK_SLACK 4
#define LONG_ROW    16384

/* The block that rows are being added to. */
typedef struct draft {
    int64_t row_begin;
    int64_t products;
    int64_t predicted;
    int64_t bound;
    int64_t longest; /* bound of a row */
} draft;

static spgemm_status append(plan *p, const block *added)
{
    if (p->count == p->room) {
        const int64_t room = 2 * p->room + 64;
        block *longer = spgemm_memory_resize(p->m, p->blocks, p->room, room,
                                             sizeof *p->blocks);
        if (!longer)
            return SPGEMM_ERROR_OUT_OF_MEMORY;
        p->blocks = longer;
        p->room = room;
    }
    p->blocks[p->count++] = *added;
    p->most_rows =
        max_i64(p->most_rows, added->range.row_end - added->range.row_begin);
    return SPGEMM_SUCCESS;
}

/* Ends the draft before row `row_end`. */
static spgemm_status close_draft(plan *p, draft *d, int64_t row_end)
{
    spgemm_status status = SPGEMM_SUCCESS;
    if (row_end > d->row_begin) {
        const int64_t slack =
            d->predicted / CHUNK_SLACK + min_i64(d->longest, LONG_ROW);
        const block closed = {
            .range = {.row_begin = d->row_begin, .row_end = row_end},
            .capacity =
                min_i64(d->bound, saturating_add_i64(d->predicted, slack)),
            .bound = d->bound,
        };
        p->chunk_capacity = max_i64(p->chunk_capacity, closed.capacity);
        status = append(p, &closed);
    }
    *d = (draft){.row_begin = row_end};
    return status;
}

/* A giant row as parts by columns. */
static spgemm_status append_giant(plan *p, const operands *ops, int64_t row)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t products = ops->products[row];
    int64_t first;
    int64_t last;
    spgemm_row_columns(ops, row, &first, &last);
    const int64_t columns = last - first + 1;
    const int64_t length = ops->A->rowptr[row + 1] - ops->A->rowptr[row];
    const int64_t parts =
        max_i64(1, min_i64(min_i64(products / PART_PRODUCTS, products / length),
                           columns / LEAST_PART_COLUMNS));
    /* Parts of a row differ more than rows of a block. */
    const int64_t capacity =
        2 * (prediction_row(ops->prediction, row, products, ops->B->ncols) /
             parts) +
        LEAST_PART_COLUMNS;
    for (int64_t t = 0; status == SPGEMM_SUCCESS && t < parts; t++) {
        const int64_t begin = partition_bound(columns, parts, t);
        const int64_t end = partition_bound(columns, parts, t + 1);
        const block part = {
            .range = {.row_begin = row,
                      .row_end = row + 1,
                      .col_begin = first + begin,
                      .col_end = first + end,
                      .parts = parts,
                      .is_last = t == parts - 1},
            .capacity = min_i64(capacity, end - begin),
        };
        status = append(p, &part);
    }
    return status;
}

static int64_t block_products(int64_t total, int nthreads)
{
    const int64_t share = total / ((int64_t)nthreads * BLOCKS_A_THREAD);
    return max_i64(LEAST_BLOCK_PRODUCTS, min_i64(BLOCK_PRODUCTS, share));
}

spgemm_status spgemm_plan_make(plan *p,
                               const operands *ops,
                               const product_counts *counts,
                               bool splits_rows,
                               int nthreads,
                               memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t ncols = ops->B->ncols;
    const int64_t target = block_products(counts->total, nthreads);
    draft d = {0};
    *p = (plan){.m = m};
    p->blocks = spgemm_memory_allocate(m, 0, sizeof *p->blocks);
    SPGEMM_REQUIRE(p->blocks, SPGEMM_ERROR_OUT_OF_MEMORY);

    for (int64_t i = 0; i < counts->nrows; i++) {
        const int64_t products = counts->row[i];
        const bool is_giant = splits_rows && products >= GIANT_PRODUCTS;
        if (is_giant || products + d.products > target ||
            i - d.row_begin == MOST_BLOCK_ROWS)
            SPGEMM_TRY(close_draft(p, &d, i));
        if (is_giant) {
            SPGEMM_TRY(append_giant(p, ops, i));
            d.row_begin = i + 1;
            continue;
        }
        const int64_t bound = min_i64(products, ncols);
        d.products += products;
        d.predicted += prediction_row(ops->prediction, i, products, ncols);
        d.bound += bound;
        d.longest = max_i64(d.longest, bound);
    }
    SPGEMM_TRY(close_draft(p, &d, counts->nrows));

cleanup:
    if (status < 0)
        spgemm_plan_clear(p);
    return status;
}

void spgemm_plan_clear(plan *p)
{
    spgemm_memory_release(p->m, p->blocks, p->room, sizeof *p->blocks);
    p->blocks = NULL;
    p->room = 0;
    p->count = 0;
}
