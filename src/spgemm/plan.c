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
   evenly, no narrower than this, and with this many products for each row of B
   that the row meets: each part looks at all of them. */
#define PART_PRODUCTS      (2 * BLOCK_PRODUCTS)
#define LEAST_PART_COLUMNS 4096
#define PART_LENGTH        4

/* Head-room of a chunk over its predicted nnz: a quarter, since the rows of
   one block err less together than alone, and the bound of one more row, so
   that the last need not be counted before it is written, unless it is long. */
#define CHUNK_SLACK 4
#define LONG_ROW    16384

/* Rows that make a block. */
typedef struct draft {
    int64_t row_begin;
    int64_t row_end;
    int64_t products;
    double predicted;
    int64_t bound;
    int64_t longest; /* bound of a row */
} draft;

/* 1 / compression of each class: a division a row would be a good part of
   planning. */
typedef struct class_shares {
    double of[PREDICTION_CLASSES];
} class_shares;

static class_shares class_shares_of(const prediction *p)
{
    class_shares s;
    for (int c = 0; c < PREDICTION_CLASSES; c++)
        s.of[c] = 1.0 / p->compression[c];
    return s;
}

static int64_t predicted_row(const operands *ops, int64_t i)
{
    return prediction_row(ops->prediction, i, ops->products[i],
                          ops->row_class[i], ops->B->ncols);
}

/* Predicted nnz of row i; of a class's rows only their sum need be whole. */
static ALWAYS_INLINE double row_share(const operands *ops,
                                      const class_shares *s,
                                      int64_t i,
                                      int64_t products)
{
    if (ops->prediction->row_nnz)
        return (double)predicted_row(ops, i);
    return products == 0 ? 0.0 : (double)products * s->of[ops->row_class[i]];
}

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

/* What rows are cut by. */
typedef struct cut {
    int64_t products; /* of a block, about */
    int64_t giant;    /* products of a row that is taken by itself */
} cut;

/* The next block's rows, from row_begin on: none if that is a giant. */
static draft collect(const operands *ops,
                     const product_counts *counts,
                     const class_shares *shares,
                     const cut *at,
                     int64_t row_begin)
{
    draft d = {.row_begin = row_begin};
    int64_t i = row_begin;
    for (; i < counts->nrows && i - row_begin < MOST_BLOCK_ROWS; i++) {
        const int64_t products = counts->row[i];
        const int64_t bound = min_i64(products, ops->B->ncols);
        if (products >= at->giant ||
            (i > row_begin && products + d.products > at->products))
            break;
        d.products += products;
        d.predicted += row_share(ops, shares, i, products);
        d.bound += bound;
        d.longest = max_i64(d.longest, bound);
    }
    d.row_end = i;
    return d;
}

static spgemm_status append_draft(plan *p, const draft *d)
{
    const int64_t predicted = checked_capacity(d->predicted, 0, d->bound);
    const int64_t slack =
        predicted / CHUNK_SLACK + min_i64(d->longest, LONG_ROW);
    const block closed = {
        .range = {.row_begin = d->row_begin, .row_end = d->row_end},
        .capacity = min_i64(d->bound, saturating_add_i64(predicted, slack)),
        .bound = d->bound,
    };
    p->chunk_capacity = max_i64(p->chunk_capacity, closed.capacity);
    return append(p, &closed);
}

/* A giant row whole: its chunk is made to measure. */
static spgemm_status append_whole(plan *p, const operands *ops, int64_t row)
{
    const int64_t products = ops->products[row];
    const int64_t bound = min_i64(products, ops->B->ncols);
    const int64_t predicted = predicted_row(ops, row);
    const block whole = {
        .range = {.row_begin = row, .row_end = row + 1},
        .capacity = min_i64(
            bound, saturating_add_i64(predicted, predicted / CHUNK_SLACK)),
        .bound = bound,
    };
    return append(p, &whole);
}

/* A giant row as parts by columns, or whole where B's rows are too short for
   parts: each looks at all of them. */
static spgemm_status append_giant(plan *p, const operands *ops, int64_t row)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t products = ops->products[row];
    int64_t first;
    int64_t last;
    spgemm_row_columns(ops, row, &first, &last);
    const int64_t columns = last - first + 1;
    const int64_t length = ops->A->rowptr[row + 1] - ops->A->rowptr[row];
    const int64_t parts = min_i64(
        min_i64(products / PART_PRODUCTS, products / length / PART_LENGTH),
        columns / LEAST_PART_COLUMNS);
    if (parts < 2)
        return append_whole(p, ops, row);
    /* Parts of a row differ more than rows of a block. */
    const int64_t capacity =
        2 * (predicted_row(ops, row) / parts) + LEAST_PART_COLUMNS;
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
    const class_shares shares = class_shares_of(ops->prediction);
    const cut at = {
        .products = block_products(counts->total, nthreads),
        .giant = splits_rows ? GIANT_PRODUCTS : INT64_MAX,
    };
    *p = (plan){.m = m};
    p->blocks = spgemm_memory_allocate(m, 0, sizeof *p->blocks);
    SPGEMM_REQUIRE(p->blocks, SPGEMM_ERROR_OUT_OF_MEMORY);

    for (int64_t i = 0; i < counts->nrows;) {
        const draft d = collect(ops, counts, &shares, &at, i);
        if (d.row_end > i)
            SPGEMM_TRY(append_draft(p, &d));
        else
            SPGEMM_TRY(append_giant(p, ops, i));
        i = max_i64(d.row_end, i + 1);
    }

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
