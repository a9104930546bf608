/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C, one after the other, until a block has its products.

   A row of many blocks' worth is cut by columns instead, so that no row is a
   thread's fate. */
#include "spgemm/pipeline/cut_rows.h"

#include <math.h>

#include "common/partition.h"
#include "kernels/row/row_columns.h"
#include "kernels/row/together.h"

#define MOST_BLOCK_ROWS 16384

/* Parts of a giant row: two blocks' worth of products each, were they spread
   evenly, no narrower than this. */
#define PART_PRODUCTS      (2 * BLOCK_PRODUCTS)
#define LEAST_PART_COLUMNS 4096

/* Head-room of a chunk over its predicted nnz: a quarter, since the rows of
   one block err less together than alone, and the bound of one more row, so
   that the last need not be counted before it is written, unless it is long. */
#define CHUNK_SLACK 4
#define LONG_ROW    16384

/* Of a row by itself less: it is counted before it is written, and each thread
   may have some of them waiting. */
#define WHOLE_SLACK 8

/* Rows that make a block. */
typedef struct draft {
    int64_t row_begin;
    int64_t row_end;
    int64_t products;
    int64_t nnz_of_d; /* work as well */
    double predicted;
    int64_t bound;
    int64_t longest; /* bound of a row */
} draft;

class_shares spgemm_class_shares(const prediction *p)
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
                                      const class_shares *s, int64_t i,
                                      int64_t products)
{
    if (ops->prediction->row_nnz)
        return (double)predicted_row(ops, i);
    return products == 0 ? 0.0 : (double)products * s->of[ops->row_class[i]];
}

spgemm_status spgemm_schedule_room(schedule *p, int64_t room)
{
    block *longer = p->blocks
                        ? spgemm_memory_resize(p->m, p->blocks, p->room, room,
                                               sizeof *p->blocks)
                        : spgemm_memory_allocate(p->m, room, sizeof *p->blocks);
    if (!longer)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    p->blocks = longer;
    p->room = room;
    return SPGEMM_SUCCESS;
}

static spgemm_status append(schedule *p, const block *added)
{
    if (p->count == p->room) {
        const spgemm_status status = spgemm_schedule_room(p, 2 * p->room + 64);
        if (status < 0)
            return status;
    }
    p->blocks[p->count++] = *added;
    p->most_rows =
        max_i64(p->most_rows, added->range.row_end - added->range.row_begin);
    return SPGEMM_SUCCESS;
}

/* Whether there is no room for the rows [row_begin, i]. */
static ALWAYS_INLINE bool is_full(const cut *at, int64_t row_begin, int64_t i,
                                  double predicted)
{
    return at->rows->slack * predicted +
               at->rows->row_room * (double)(i + 1 - row_begin) >
           at->room;
}

static ALWAYS_INLINE void take_row(draft *d, const operands *ops, int64_t i,
                                   double predicted)
{
    const int64_t bound = operands_row_bound(ops, i);
    d->products += ops->products[i];
    d->nnz_of_d += operands_row_of_d(ops, i);
    d->predicted = predicted;
    d->bound += bound;
    d->longest = max_i64(d->longest, bound);
}

/* Rows that are taken at once where a block has room for all of them, of a plain product:
   of short rows it has many, and what is summed of one need not wait for the last. By
   take_row() for each the schedule takes 1.7 times as long (t60k, mc2depi). */
#define ROWS_AT_ONCE 8

/* Whether the next ROWS_AT_ONCE rows from i on are taken, no giant among them. */
static ALWAYS_INLINE bool take_rows_at_once(draft *d, const operands *ops,
                                            const class_shares *shares,
                                            const cut *at, int64_t i)
{
    const int64_t ncols = ops->B->ncols;
    int64_t products = 0;
    int64_t bound = 0;
    int64_t longest = 0;
    double predicted[2] = {0.0, 0.0};
    for (int t = 0; t < ROWS_AT_ONCE; t++) {
        const int64_t of_row = ops->products[i + t];
        products += of_row;
        bound += min_i64(of_row, ncols);
        longest = max_i64(longest, of_row);
        predicted[t % 2] += row_share(ops, shares, i + t, of_row);
    }
    if (longest >= at->giant || products + d->products > at->products)
        return false;
    d->products += products;
    d->predicted += predicted[0] + predicted[1];
    d->bound += bound;
    d->longest = max_i64(d->longest, min_i64(longest, ncols));
    return true;
}

/* The next block's rows, from row_begin on: none if that is a giant, or if
   there is no room for it. */
static ALWAYS_INLINE draft collect(const operands *ops,
                                   const class_shares *shares, const cut *at,
                                   int64_t row_begin, bool is_bounded)
{
    draft d = {.row_begin = row_begin};
    const int64_t end = min_i64(at->rows->row_end, row_begin + MOST_BLOCK_ROWS);
    const bool is_plain = !is_bounded && !ops->prediction->row_nnz &&
                          !ops->mask && !ops->epilogue;
    int64_t i = row_begin;
    while (is_plain && end - i >= ROWS_AT_ONCE &&
           take_rows_at_once(&d, ops, shares, at, i))
        i += ROWS_AT_ONCE;
    for (; i < end; i++) {
        const int64_t products = ops->products[i];
        if (products >= at->giant ||
            (i > row_begin &&
             products + d.products + d.nnz_of_d > at->products))
            break;
        const double predicted =
            d.predicted + row_share(ops, shares, i, products);
        if (is_bounded && is_full(at, row_begin, i, predicted))
            break;
        take_row(&d, ops, i, predicted);
    }
    d.row_end = i;
    return d;
}

/* And those behind it that its last row is taken together with. */
static void keep_together(draft *d, const operands *ops,
                          const class_shares *shares, int64_t row_end)
{
    const size_t index_size = spgemm_index_size(ops->A->index_type);
    int64_t end = d->row_begin;
    while (end < d->row_end)
        end += rows_together(ops->A, index_size, end, row_end);
    for (; d->row_end < end; d->row_end++)
        take_row(d, ops, d->row_end,
                 d->predicted + row_share(ops, shares, d->row_end,
                                          ops->products[d->row_end]));
}

/* Without room to count, planning takes two thirds of the time. */
static draft collect_rows(const operands *ops, const class_shares *shares,
                          const cut *at, int64_t row_begin)
{
    if (at->rows->room < INFINITY)
        return collect(ops, shares, at, row_begin, true);
    draft d = collect(ops, shares, at, row_begin, false);
    if (at->rows->keeps_together)
        keep_together(&d, ops, shares, at->rows->row_end);
    return d;
}

static spgemm_status append_draft(schedule *p, const draft *d)
{
    const int64_t predicted = checked_capacity(d->predicted, 0, d->bound);
    const int64_t slack =
        predicted / CHUNK_SLACK + min_i64(d->longest, LONG_ROW);
    const block closed = {
        .range = {.row_begin = d->row_begin, .row_end = d->row_end},
        .products = d->products,
        .capacity = min_i64(d->bound, saturating_add_i64(predicted, slack)),
        .bound = d->bound,
    };
    p->chunk_capacity = max_i64(p->chunk_capacity, closed.capacity);
    return append(p, &closed);
}

/* A row by itself: its chunk is made to measure. */
static spgemm_status append_whole(schedule *p, const operands *ops, int64_t row)
{
    const int64_t bound = operands_row_bound(ops, row);
    const int64_t predicted = predicted_row(ops, row);
    const block whole = {
        .range = {.row_begin = row, .row_end = row + 1},
        .products = ops->products[row],
        .capacity = min_i64(
            bound, saturating_add_i64(predicted, predicted / WHOLE_SLACK)),
        .bound = bound,
    };
    return append(p, &whole);
}

/* A giant row as parts by columns, or whole where B's rows are too short for
   parts: each looks at all of them. */
static spgemm_status append_giant(schedule *p, const operands *ops,
                                  const cut *at, int64_t row)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t products = ops->products[row];
    const int64_t length = ops->A->rowptr[row + 1] - ops->A->rowptr[row];
    const int64_t most =
        min_i64(products / PART_PRODUCTS, products / length / at->part_length);
    int64_t first = 0;
    int64_t last = -1;
    if (most >= 2)
        spgemm_row_columns(ops, row, &first, &last);
    const int64_t columns = last - first + 1;
    const int64_t parts = min_i64(most, columns / LEAST_PART_COLUMNS);
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
            .products = partition_bound(products, parts, t + 1) -
                        partition_bound(products, parts, t),
            .capacity = min_i64(capacity, end - begin),
        };
        status = append(p, &part);
    }
    return status;
}

/* Takes the room for some rows; false: there is not enough. */
static bool take_room(cut *at, int64_t nrows, double predicted, bool is_forced)
{
    const double taken =
        at->rows->slack * predicted + at->rows->row_room * (double)nrows;
    if (taken > at->room && !is_forced)
        return false;
    at->room -= taken;
    at->rows->predicted += predicted;
    return true;
}

/* The block or blocks from row *i on, which becomes the row behind them, or
   stays: there is no room. The first row of a slab is taken whatever the room
   is. */
static spgemm_status append_rows(schedule *p, const operands *ops,
                                 const class_shares *shares, cut *at,
                                 int64_t *i)
{
    const int64_t row = *i;
    const draft d = collect_rows(ops, shares, at, row);
    if (d.row_end > row) {
        *i = d.row_end;
        take_room(at, d.row_end - row, d.predicted, true);
        return append_draft(p, &d);
    }
    if (!take_room(at, 1, (double)predicted_row(ops, row),
                   row == at->rows->row_begin))
        return SPGEMM_SUCCESS;
    *i = row + 1;
    return ops->products[row] >= at->giant ? append_giant(p, ops, at, row)
                                           : append_whole(p, ops, row);
}

spgemm_status spgemm_cut_rows(schedule *p, const operands *ops,
                              const class_shares *shares, cut *at)
{
    slab *rows = at->rows;
    spgemm_status status = SPGEMM_SUCCESS;
    int64_t i = rows->row_begin;
    for (int64_t before = -1;
         status == SPGEMM_SUCCESS && i < rows->row_end && i > before;) {
        before = i;
        status = append_rows(p, ops, shares, at, &i);
    }
    rows->row_end = i;
    return status;
}

double spgemm_schedule_chunk(const product_counts *counts, double nnz)
{
    const double most = BLOCK_PRODUCTS;
    const double share = counts->total > 0 ? nnz / (double)counts->total : 1.0;
    return fmin(most, most * share * (1.0 + 1.0 / CHUNK_SLACK) + LONG_ROW);
}
