/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over all blocks whose places are known beforehand. */
#include "spgemm/execute/placed.h"

#include <string.h>

#include "common/stream_copy.h"
#include "common/team.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/execute/move_columns.h"
#include "spgemm/execute/move_values.h"

/* Values of a block that a plan writes over: made in a cache, and streamed from
   there, up to this many bytes. STAGE_SLACK more may be written in passing. */
#define STAGE_BYTES ((size_t)1 << 20)
#define STAGE_SLACK 16

spgemm_status spgemm_placed_begin(placed_pass *d, const pass_input *in,
                                  spgemm_csr *C, int team)
{
    const int64_t blocks = in->schedule->count;
    spgemm_status status = SPGEMM_SUCCESS;
    *d = (placed_pass){.in = *in, .C = C, .team = team};
    d->block_nnz = spgemm_memory_allocate(in->m, blocks, sizeof *d->block_nnz);
    SPGEMM_REQUIRE(d->block_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    d->offset = spgemm_memory_allocate(in->m, blocks + 1, sizeof *d->offset);
    SPGEMM_REQUIRE(d->offset, SPGEMM_ERROR_OUT_OF_MEMORY);

cleanup:
    return status;
}

void spgemm_placed_end(placed_pass *d, spgemm_report *report)
{
    if (!d->in.m)
        return;
    const int64_t blocks = d->in.schedule->count;
    spgemm_memory_release(d->in.m, d->offset, blocks + 1, sizeof *d->offset);
    spgemm_memory_release(d->in.m, d->block_nnz, blocks, sizeof *d->block_nnz);
    spgemm_placed_report(d, report);
}

void spgemm_placed_report(const placed_pass *d, spgemm_report *report)
{
    report->nthreads = d->threads_used;
    report->lacks_zeros = d->threads_used > 0 && !d->may_have_zero;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        report->rows_by_accumulator[a] = d->rows_by_accumulator[a];
}

/* Where block b's counts go: into rowptr or, for a part of a row, aside. */
static int64_t *row_counts(const placed_pass *d, const row_range *r,
                           int64_t *aside)
{
    return r->parts > 0 ? aside : d->C->rowptr + r->row_begin + 1;
}

/* nnz of a row of so many sums at most, once it is finished. */
static int64_t finished_nnz(const operands *ops, int64_t i, int64_t sums)
{
    const epilogue *f = ops->epilogue;
    sums += operands_row_of_d(ops, i);
    return f && f->keep_top > 0 ? min_i64(sums, f->keep_top) : sums;
}

static bool symbolic_block(const placed_pass *d, int64_t b, scratch *s)
{
    const row_range *range = &d->in.schedule->blocks[b].range;
    int64_t aside;
    int64_t *counts = row_counts(d, range, &aside);
    if (!d->in.kernels->symbolic(d->in.ops, NULL, range, s, counts))
        return false;
    int64_t nnz = 0;
    for (int64_t i = 0; i < range->row_end - range->row_begin; i++)
        nnz += finished_nnz(d->in.ops, range->row_begin + i, counts[i]);
    d->block_nnz[b] = nnz;
    return true;
}

/* Whether block b is made under columns that are there. */
static bool is_refilled(const placed_pass *d, int64_t b)
{
    return d->known &&
           spgemm_is_refillable(&d->in, &d->in.schedule->blocks[b].range);
}

/* Block b to these arrays, where `limit` places may be written. */
static bool write_block(const placed_pass *d, int64_t b, scratch *s,
                        int64_t limit, void *colidx, void *values)
{
    const row_range *range = &d->in.schedule->blocks[b].range;
    int64_t aside;
    int64_t *counts = row_counts(d, range, &aside);
    output out;
    if (is_refilled(d, b)) {
        const bool is_placed = d->placed && d->placed->places;
        const product_places places =
            is_placed ? spgemm_places_of_block(d->placed, d->in.schedule, b)
                      : (product_places){0};
        return d->in.kernels->refill(d->in.ops, range, s, d->known,
                                     is_placed ? &places : NULL, values,
                                     counts);
    }
    spgemm_output_open_direct(&out, limit, colidx, values, counts);
    if (!d->in.kernels->numeric(d->in.ops, range, s, &out))
        return false;
    d->block_nnz[b] = spgemm_output_close(&out);
    return true;
}

/* What a thread works in. */
typedef struct placed_worker {
    scratch s;
    chunk_store stage;   /* of blocks whose values are streamed */
    chunk_store columns; /* of blocks, narrower than C's */
    bool may_have_zero;  /* what it wrote */
} placed_worker;

static void worker_begin(placed_worker *w, const pass_input *in)
{
    const size_t value_size = in->ops->value_size;
    const size_t index_size = spgemm_index_size(in->ops->B->index_type);
    spgemm_scratch_init(&w->s, in->m, in->kernels->has_sums ? value_size : 0,
                        index_size);
    spgemm_chunk_store_init(&w->stage, in->m, index_size, value_size);
    spgemm_chunk_store_init(&w->columns, in->m, index_size, 0);
    w->may_have_zero = false;
}

static void worker_end(placed_worker *w)
{
    spgemm_scratch_clear(&w->s);
    spgemm_chunk_store_clear(&w->stage);
    spgemm_chunk_store_clear(&w->columns);
}

static chunk *take_room(chunk_store *store, int64_t n)
{
    spgemm_chunk_store_reserve(store, n);
    return spgemm_chunk_take(store, n);
}

/* Where a block is made before its values are streamed; NULL: no memory, or it
   is too large for a cache. */
static chunk *stage_room(chunk_store *stage, int64_t n)
{
    return (size_t)n > STAGE_BYTES / (stage->value_size + stage->index_size)
               ? NULL
               : take_room(stage, n);
}

/* Block b of C, which is not known, or stays in a cache, straight to its place;
   its columns to `columns`, unless that is NULL. */
static bool write_to_place(const placed_pass *d, int64_t b, placed_worker *w,
                           void *columns)
{
    const spgemm_csr *C = d->C;
    const operands *ops = d->in.ops;
    const size_t index_size = spgemm_index_size(C->index_type);
    const size_t at = (size_t)d->offset[b];
    const int64_t n = d->offset[b + 1] - d->offset[b];
    char *colidx = (char *)C->colidx + at * index_size;
    char *values = (char *)C->values + at * ops->value_size;
    if (!write_block(d, b, &w->s, n, columns ? columns : colidx, values))
        return false;
    /* Of less than there was room for, block_nnz tells how much. */
    const int64_t written = d->known ? n : d->block_nnz[b];
    if (columns && !d->known)
        spgemm_move_columns(colidx, index_size, columns,
                            spgemm_index_size(ops->B->index_type), written,
                            d->streams_columns);
    w->may_have_zero |= spgemm_make_one_nan(
        values, (size_t)written * ops->value_size, ops->numbers);
    return true;
}

/* Of a C that is known and stays in no cache only the values of block b, made in
   one and streamed from there. */
static bool stream_values(const placed_pass *d, int64_t b, placed_worker *w,
                          chunk *staged)
{
    const size_t value_size = d->in.ops->value_size;
    const int64_t n = d->offset[b + 1] - d->offset[b];
    const bool is_well = write_block(d, b, &w->s, n + STAGE_SLACK,
                                     staged->colidx, staged->values);
    if (is_well)
        w->may_have_zero |= spgemm_move_values(
            (char *)d->C->values + (size_t)d->offset[b] * value_size,
            staged->values, (size_t)n * value_size, d->in.ops->numbers, true);
    spgemm_chunk_give(&w->stage, staged);
    return is_well;
}

/* Block b of C to its place. */
static bool numeric_block(const placed_pass *d, int64_t b, placed_worker *w)
{
    const operands *ops = d->in.ops;
    const int64_t n = d->offset[b + 1] - d->offset[b];
    chunk *staged = d->streams ? stage_room(&w->stage, n + STAGE_SLACK) : NULL;
    if (staged)
        return stream_values(d, b, w, staged);
    /* Columns that are there are the caller's, and may be others' as well. */
    if (is_refilled(d, b) ||
        (!d->known && ops->B->index_type == ops->index_type))
        return write_to_place(d, b, w, NULL);
    chunk *columns = take_room(&w->columns, n);
    const bool is_well = columns && write_to_place(d, b, w, columns->colidx);
    spgemm_chunk_give(&w->columns, columns);
    return is_well;
}

static void add_counts(placed_pass *d, const placed_worker *w)
{
#pragma omp critical(spgemm_direct)
    {
        d->threads_used++;
        d->may_have_zero |= w->may_have_zero;
        for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
            d->rows_by_accumulator[a] += w->s.rows_by_accumulator[a];
    }
}

/* One pass over all blocks. */
typedef struct pass {
    placed_pass *d;
    bool is_numeric;
    task_queue blocks;
} pass;

static void take_blocks(void *context, int rank)
{
    pass *w = context;
    placed_pass *d = w->d;
    int64_t b;
    placed_worker worker;
    worker_begin(&worker, &d->in);
    while (task_take(&w->blocks, &b))
        if (!(w->is_numeric ? numeric_block(d, b, &worker)
                            : symbolic_block(d, b, &worker.s)) ||
            !progress_step(d->in.progress, rank,
                           d->in.schedule->blocks[b].products))
            task_fail(&w->blocks);
    progress_leave(d->in.progress, rank);
    if (w->is_numeric)
        add_counts(d, &worker);
    worker_end(&worker);
}

static spgemm_status run(placed_pass *d, bool is_numeric)
{
    pass w = {.d = d,
              .is_numeric = is_numeric,
              .blocks = {.count = d->in.schedule->count}};
    spgemm_team_run(d->team, take_blocks, &w);
    return progress_status(d->in.progress, &w.blocks);
}

spgemm_status spgemm_placed_symbolic(placed_pass *d)
{
    spgemm_progress_pass(d->in.progress, 0.0, SYMBOLIC_SHARE, d->in.products);
    return run(d, false);
}

spgemm_status spgemm_placed_numeric(placed_pass *d, double done)
{
    spgemm_progress_pass(d->in.progress, done, 1.0, d->in.products);
    d->streams_columns = (size_t)d->C->nnz * sizeof(int64_t) >= STREAM_BYTES;
    return run(d, true);
}

int64_t spgemm_placed_offsets(placed_pass *d)
{
    int64_t sum = 0;
    for (int64_t b = 0; b < d->in.schedule->count; b++) {
        d->offset[b] = sum;
        sum += d->block_nnz[b];
    }
    d->offset[d->in.schedule->count] = sum;
    return sum;
}

int64_t spgemm_placed_at_bounds(placed_pass *d)
{
    for (int64_t b = 0; b < d->in.schedule->count; b++)
        d->block_nnz[b] = d->in.schedule->blocks[b].bound;
    return spgemm_placed_offsets(d);
}

/* Row pointers of the rows of block b, of which their lengths are there. */
static void add_up(void *context, int64_t b)
{
    const placed_pass *d = context;
    const row_range *range = &d->in.schedule->blocks[b].range;
    int64_t *rowptr = d->C->rowptr;
    if (range->parts > 0) {
        if (range->is_last)
            rowptr[range->row_end] = d->offset[b + 1];
        return;
    }
    int64_t end = d->offset[b];
    for (int64_t i = range->row_begin; i < range->row_end; i++) {
        end += rowptr[i + 1];
        rowptr[i + 1] = end;
    }
}

void spgemm_placed_rowptr(placed_pass *d)
{
    spgemm_team_for(d->team, d->in.schedule->count, add_up, d);
}

/* Moves each block down to where the one before it ends, unless cancelled. */
static spgemm_status compact(placed_pass *d)
{
    const spgemm_csr *C = d->C;
    const size_t index_size = spgemm_index_size(C->index_type);
    const size_t value_size = d->in.ops->value_size;
    char *colidx = C->colidx;
    char *values = C->values;
    size_t end = 0;
    for (int64_t b = 0; b < d->in.schedule->count; b++) {
        const size_t from = (size_t)d->offset[b];
        const size_t n = (size_t)d->block_nnz[b];
        memmove(colidx + end * index_size, colidx + from * index_size,
                n * index_size);
        memmove(values + end * value_size, values + from * value_size,
                n * value_size);
        end += n;
        if (!progress_step(d->in.progress, 0, 0))
            return SPGEMM_ERROR_CANCELLED;
    }
    return SPGEMM_SUCCESS;
}

/* A shrink that fails is no failure: the array stays longer than need be. */
static void *shrink(memory *m, void *array, int64_t had, int64_t nnz,
                    size_t size)
{
    void *shrunk = spgemm_memory_resize(m, array, had, nnz, size);
    return shrunk ? shrunk : array;
}

spgemm_status spgemm_placed_compact(placed_pass *d, int64_t allocated)
{
    spgemm_csr *C = d->C;
    const spgemm_status status = compact(d);
    if (status < 0)
        return status;
    C->nnz = spgemm_placed_offsets(d);
    spgemm_placed_rowptr(d);
    C->colidx = shrink(d->in.m, C->colidx, allocated, C->nnz,
                       spgemm_index_size(C->index_type));
    C->values =
        shrink(d->in.m, C->values, allocated, C->nnz, d->in.ops->value_size);
    return SPGEMM_SUCCESS;
}
