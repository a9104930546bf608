/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B, slab by slab: consecutive rows that are predicted to fill the bytes
   of a block, multiplied in one pass, as all of them are by spgemm_predicted(),
   and handed over.

   Blocks of work find their place in order, so a slab that does not fit is
   whole up to some row: these rows are handed over, and the next slab begins
   there. Only when there are none, since its first block is too large, it is
   multiplied again, in halves. */
#include "spgemm/stream.h"

#include <inttypes.h>
#include <math.h>

#include "common/caller_mode.h"
#include "common/checked.h"
#include "common/refusal.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/execute/ordered.h"
#include "spgemm/pass_of_call.h"

#define DEFAULT_BYTES ((size_t)256 << 20)

/* Where memory is short, slabs are shortened first, down to this, and then
   the team. */
#define LEAST_BYTES ((size_t)8 << 20)

/* Scratch of a thread, for each column of B, where these are few. */
#define SCRATCH_COLUMN_BYTES 90.0
#define SCRATCH_LEAST_BYTES  1e5

/* What the entries of one slab say of the next: no more than this. */
#define MOST_CORRECTION 64.0

/* The arrays of a slab are aligned. */
#define ALIGNMENT     ((size_t)64)
#define PADDING_BYTES (2 * ALIGNMENT)

typedef struct stream {
    spgemm_stream_sink *sink;
    void *context;
    size_t block_bytes; /* as asked for; 0: the default */

    call *c;
    ordered_pass w;
    size_t most_bytes; /* of the arrays of a slab */
    size_t bytes;      /* of the next */
    int team;
    bool is_alone;     /* the next is one row by one thread: the last resort */
    int64_t most_rows; /* of the next */
    double correction; /* entries found / predicted, in the last */

    char *memory; /* of the slab in hand, reused for the next */
    size_t held_bytes;
    growable entries;
    int64_t *rowptr;
    int64_t row;      /* before which all rows are handed over */
    int64_t products; /* of these */
} stream;

/* ---- Memory --------------------------------------------------------------- */

static size_t bytes_of(double bytes)
{
    return (size_t)checked_capacity(bytes, 1, INT64_MAX / 2);
}

/* Working memory of one thread, about. */
static double thread_bytes(const call *c, double slab_bytes)
{
    const double ncols = (double)c->ops.B->ncols;
    const double tables =
        fmin(SCRATCH_BYTES, SCRATCH_COLUMN_BYTES * ncols + SCRATCH_LEAST_BYTES);
    const double one_chunk =
        spgemm_schedule_chunk(&c->counts, c->prediction.nnz) *
        (double)spgemm_call_entry_bytes(c);
    return tables + CHUNKS_A_THREAD * fmin(one_chunk, slab_bytes / 8);
}

/* Bytes of a slab, and threads, within what the limit leaves. */
static void plan_memory(stream *s)
{
    const call *c = s->c;
    const size_t limit = c->options.resources.memory_limit_bytes;
    const double left = spgemm_call_bytes_left(c) - 2.0 * PADDING_BYTES;
    const double asked = (double)(s->block_bytes > 0 ? s->block_bytes
                                  : limit > 0        ? limit / 2
                                                     : DEFAULT_BYTES);
    const double one = thread_bytes(c, asked);
    s->team = spgemm_call_team(c);
    while (s->team > 1 && s->team * one > left / 2)
        s->team--;
    s->most_bytes = bytes_of(fmin(asked, fmax(left - s->team * one, left / 4)));
    const double whole =
        8.0 * ((double)c->counts.nrows + 1.0) +
        spgemm_call_expected(c) * (double)spgemm_call_entry_bytes(c);
    s->bytes = bytes_of(fmin((double)s->most_bytes, whole));
}

static void release_memory(stream *s)
{
    spgemm_memory_release(&s->c->m, s->memory, (int64_t)s->held_bytes, 1);
    s->memory = NULL;
    s->held_bytes = 0;
}

/* Memory for s->bytes: what is in hand, if it is of this size. */
static bool reserve_memory(stream *s)
{
    const size_t wanted = s->bytes + PADDING_BYTES;
    if (s->held_bytes == wanted)
        return true;
    release_memory(s);
    s->memory = spgemm_memory_allocate(&s->c->m, (int64_t)wanted, 1);
    if (!s->memory)
        return false;
    s->held_bytes = wanted;
    if (s->c->report.allocated_bytes < s->bytes)
        s->c->report.allocated_bytes = s->bytes;
    return true;
}

static char *align(char *at)
{
    return at + (-(uintptr_t)at & (ALIGNMENT - 1));
}

/* The arrays of a slab of `rows` rows. false: not even rowptr has room. */
static bool carve(stream *s, int64_t rows)
{
    const call *c = s->c;
    const size_t value_size = c->ops.value_size;
    const size_t rowptr_bytes = ((size_t)rows + 1) * sizeof *s->rowptr;
    if (rowptr_bytes > s->bytes)
        return false;
    const size_t capacity =
        (s->bytes - rowptr_bytes) / spgemm_call_entry_bytes(c);
    s->rowptr = (int64_t *)(void *)s->memory;
    s->rowptr[0] = 0;
    char *values = align(s->memory + rowptr_bytes);
    spgemm_growable_borrow(&s->entries, spgemm_index_size(c->made.index_type),
                           value_size, align(values + capacity * value_size),
                           values, (int64_t)capacity);
    return true;
}

/* ---- A slab --------------------------------------------------------------- */

/* As many of the next rows as are predicted to have room. */
static spgemm_status plan_slab(stream *s, slab *rows)
{
    const call *c = s->c;
    const double entry = (double)spgemm_call_entry_bytes(c);
    const double bar = c->prediction.nnz > 0
                           ? spgemm_call_expected(c) / c->prediction.nnz
                           : 1.0;
    const int64_t nrows = c->counts.nrows;
    *rows = (slab){
        .row_begin = s->row,
        .row_end =
            nrows - s->row < s->most_rows ? nrows : s->row + s->most_rows,
        .room = ((double)s->bytes - (double)sizeof *s->rowptr) / entry,
        .row_room = (double)sizeof *s->rowptr / entry,
        .slack = bar * s->correction,
    };
    const double share = rows->room / (rows->slack * c->prediction.nnz +
                                       rows->row_room * (double)nrows);
    rows->products =
        checked_capacity(share * (double)c->counts.total, 1, c->counts.total);
    return spgemm_call_plan(s->c, rows, true);
}

static int64_t products_before(const stream *s, int64_t row)
{
    int64_t products = 0;
    for (int64_t i = s->row; i < row; i++)
        products += s->c->counts.row[i];
    return products;
}

/* What the rows found say of the rows to come. */
static void learn(stream *s, const slab *rows, int64_t nnz, int64_t products)
{
    int64_t all = 0;
    for (int64_t b = 0; b < s->c->p.count; b++)
        all += s->c->p.blocks[b].products;
    const double predicted = rows->predicted * (double)products / (double)all;
    const double found = (double)nnz / predicted;
    if (nnz > 0 && isfinite(found))
        s->correction =
            fmax(1.0 / MOST_CORRECTION, fmin(found, MOST_CORRECTION));
}

/* Rows up to row_end go to the sink. */
static spgemm_status hand_over(stream *s, const slab *rows, int64_t row_end)
{
    call *c = s->c;
    const int64_t nrows = row_end - s->row;
    const spgemm_csr done = {
        .nrows = nrows,
        .ncols = c->made.ncols,
        .nnz = s->rowptr[nrows],
        .rowptr = s->rowptr,
        .colidx = s->entries.segments[0].colidx,
        .values = c->ops.value_size > 0 ? s->entries.segments[0].values : NULL,
        .index_type = c->made.index_type,
        .value_type = c->made.value_type,
        .flags = c->ops.sort_rows ? SPGEMM_SORTED_ROWS : 0,
    };
    SPGEMM_ASSERT_EXPENSIVE(spgemm_csr_check(&done, NULL) == SPGEMM_SUCCESS);
    caller_turn turn;
    spgemm_caller_enter(&turn);
    const int answer = s->sink(s->context, &done, s->row);
    spgemm_caller_leave(&turn);
    if (answer != 0)
        return spgemm_refuse(SPGEMM_ERROR_CANCELLED,
                             "sink returned %d for the rows from %" PRId64
                             " on",
                             answer, s->row);
    const int64_t products = products_before(s, row_end);
    learn(s, rows, done.nnz, products);
    c->made.nnz += done.nnz;
    s->products += products;
    s->row = row_end;
    s->most_rows = INT64_MAX;
    if (s->is_alone) {
        s->is_alone = false;
        s->w.active = s->team;
        s->bytes = s->most_bytes;
    }
    return SPGEMM_SUCCESS;
}

/* Memory was refused: the next slabs have less of it. */
static void hold_less(stream *s)
{
    spgemm_ordered_unload(&s->w);
    if (s->bytes > LEAST_BYTES || s->team == 1) {
        s->most_bytes = s->bytes / 2 + 1;
        s->bytes = s->most_bytes;
    } else {
        s->team = (s->team + 1) / 2;
        s->w.active = s->team;
    }
}

/* Bytes that the next row takes at most; 0: there is none. */
static double row_bytes(const stream *s)
{
    const product_counts *counts = &s->c->counts;
    if (s->row == counts->nrows)
        return 0.0;
    const int64_t bound = operands_row_bound(&s->c->ops, s->row);
    return 2.0 * sizeof *s->rowptr +
           (double)bound * (double)spgemm_call_entry_bytes(s->c);
}

/* One row, all memory that is left: a half for its chunk. */
static void stand_alone(stream *s)
{
    release_memory(s);
    spgemm_ordered_unload(&s->w);
    double bytes = fmin(spgemm_call_bytes_left(s->c) / 2, row_bytes(s));
    if (s->block_bytes > 0)
        bytes = fmin(bytes, (double)s->block_bytes);
    s->bytes = bytes_of(bytes);
    s->most_rows = 1;
    s->w.active = 1;
    s->is_alone = true;
}

/* Of `tried` rows `done` were done: what to do otherwise, from the next on. */
static spgemm_status fall_back(stream *s, spgemm_status status, int64_t tried,
                               int64_t done)
{
    const bool is_full = s->w.q.is_full;
    if (is_full && s->bytes < s->most_bytes && !s->is_alone) {
        const double wanted = fmax(2.0 * (double)s->bytes, row_bytes(s));
        s->bytes = bytes_of(fmin(wanted, (double)s->most_bytes));
        return SPGEMM_SUCCESS;
    }
    if (!is_full && !s->is_alone)
        hold_less(s);
    if (done > 0)
        return SPGEMM_SUCCESS;
    if (s->is_alone)
        return is_full
                   ? spgemm_refuse(
                         SPGEMM_ERROR_MEMORY_LIMIT,
                         "row %" PRId64 " of C alone does not fit block_bytes, "
                         "or what options.resources.memory_limit_bytes "
                         "leaves",
                         s->row)
                   : status;
    if (tried > 1)
        s->most_rows = tried / 2;
    else
        stand_alone(s);
    return SPGEMM_SUCCESS;
}

/* The next slab, as far as it fits: up to *row_end. */
static spgemm_status multiply_slab(stream *s, slab *rows, int64_t *row_end)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call *c = s->c;
    *row_end = s->row;
    s->w.q.is_full = false;
    atomic_store(&c->m.refused_bytes, 0);
    spgemm_progress_set(&c->progress, s->products);
    SPGEMM_REQUIRE(reserve_memory(s), SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(plan_slab(s, rows));
    s->w.q.is_full = !carve(s, rows->row_end - rows->row_begin);
    SPGEMM_REQUIRE(!s->w.q.is_full, SPGEMM_ERROR_OUT_OF_MEMORY);
    c->report.allocate_seconds += timer_lap(&c->lap_seconds);
    status = spgemm_ordered_run(&s->w, &s->entries, s->rowptr, s->row);
    c->report.multiply_seconds += timer_lap(&c->lap_seconds);
    *row_end = spgemm_commit_row_reached(&s->w.q);

cleanup:
    return status;
}

/* One step: some rows handed over, or something changed that stood against it. */
static spgemm_status advance(stream *s)
{
    slab rows = {.row_begin = s->row,
                 .row_end = s->row +
                            min_i64(s->most_rows, s->c->counts.nrows - s->row)};
    int64_t row_end;
    const spgemm_status status = multiply_slab(s, &rows, &row_end);
    const int64_t done = row_end - s->row;
    spgemm_status handed = SPGEMM_SUCCESS;
    if (status == SPGEMM_ERROR_CANCELLED)
        return status;
    if (done > 0)
        handed = hand_over(s, &rows, row_end);
    s->c->report.compact_seconds += timer_lap(&s->c->lap_seconds);
    if (handed < 0 || status == SPGEMM_SUCCESS)
        return handed;
    return fall_back(s, status, rows.row_end - rows.row_begin, done);
}

static spgemm_status multiply(call *c, void *context)
{
    spgemm_status status = SPGEMM_SUCCESS;
    stream *s = context;
    s->c = c;
    SPGEMM_REQUIRE(s->sink,
                   spgemm_refuse(SPGEMM_ERROR_INVALID, "sink is NULL"));
    s->most_rows = INT64_MAX;
    s->correction = 1.0;
    SPGEMM_TRY(spgemm_call_predict_for_pass(c));
    spgemm_call_make_header(c);
    c->made.flags = 0;
    plan_memory(s);
    const pass_input in = pass_of_call(c);
    SPGEMM_TRY(spgemm_ordered_begin(&s->w, &in, context_of_call(c), s->team));
    while (s->row < c->counts.nrows)
        SPGEMM_TRY(advance(s));

cleanup:
    c->report.nnz = c->made.nnz;
    spgemm_ordered_report(&s->w, &c->report);
    c->context_bytes = spgemm_ordered_end(&s->w);
    release_memory(s);
    return status;
}

static const entry_point self = {
    .name = "spgemm_stream", .predicts = true, .multiplies = true};

spgemm_status spgemm_stream(const spgemm_csr *A, const spgemm_csr *B,
                            const spgemm_options *options, size_t block_bytes,
                            spgemm_stream_sink *sink, void *context,
                            spgemm_report *report)
{
    stream s = {.sink = sink, .context = context, .block_bytes = block_bytes};
    spgemm_csr none; /* nothing is left of C */
    static const product_ways ways = {.usual = multiply};
    return spgemm_call_product(&self, &none, A, B, options, report, &ways, &s);
}
