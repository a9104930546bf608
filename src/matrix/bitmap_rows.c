/* SPDX-License-Identifier: BSD-3-Clause */
/* place = column / 8, taken = the bits of column mod 8. */
#include "matrix/bitmap_rows.h"

#include <string.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/slots.h"
#include "common/team.h"
#include "common/try.h"

/* Entries that are asked what rows they meet: one in SAMPLED, within these. */
#define LEAST_SAMPLES 16
#define MOST_SAMPLES  256
#define SAMPLED       8

#define CACHE_LINE 64
#define MOST_AHEAD 512 /* bytes of a row's columns that are asked for */

/* Rows of a task, and entries, which are worth a thread. */
#define ROW_GRAIN    8192
#define THREAD_GRAIN 16384
#define THREAD_ROWS  16384 /* whose bytes are added */

/* Rows ahead of the one that is written: those between may be shared. */
#define AHEAD_ROWS 32

/* Of a counted row that shares the bitmap of the row before. */
#define SHARED (-1)

static ALWAYS_INLINE int64_t count_bytes(const spgemm_csr *A, bool is_wide,
                                         int64_t begin, int64_t end)
{
    int64_t count = begin < end;
    for (int64_t p = begin + 1; p < end; p++)
        count += column_at(A->colidx, is_wide, p) >> 3 !=
                 column_at(A->colidx, is_wide, p - 1) >> 3;
    return count;
}

static int64_t bytes_of_row(const spgemm_csr *A, int64_t i)
{
    const int64_t begin = A->rowptr[i];
    const int64_t end = A->rowptr[i + 1];
    return A->index_type == SPGEMM_I64 ? count_bytes(A, true, begin, end)
                                       : count_bytes(A, false, begin, end);
}

/* Places of a set of bytes, and entries of a row out of order that is looked at, at most. */
#define SET_BITS    11
#define SET_ENTRIES ((int64_t)1 << (SET_BITS - 1))

/* The bytes of a row in any order, each once; 0: it is too long to be looked at. */
static int64_t bytes_in_any_order(const spgemm_csr *A, int64_t i)
{
    const bool is_wide = A->index_type == SPGEMM_I64;
    int64_t set[1 << SET_BITS];
    int64_t count = 0;
    if (A->rowptr[i + 1] - A->rowptr[i] > SET_ENTRIES)
        return 0;
    memset(set, -1, sizeof set);
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        const int64_t byte = column_at(A->colidx, is_wide, p) >> 3;
        uint64_t at = hash_column((uint64_t)byte, 64 - SET_BITS);
        while (set[at] != byte && set[at] != -1)
            at = (at + 1) % (1 << SET_BITS);
        count += set[at] != byte;
        set[at] = byte;
    }
    return count;
}

/* Asks for the first columns of a row. */
static void prefetch_columns(const spgemm_csr *A, int64_t i)
{
    const size_t size = spgemm_index_size(A->index_type);
    const size_t begin = (size_t)A->rowptr[i] * size;
    const size_t end = (size_t)A->rowptr[i + 1] * size;
    const char *colidx = A->colidx;
    for (size_t at = begin; at < end && at < begin + MOST_AHEAD;
         at += CACHE_LINE)
        PREFETCH(colidx + at);
}

/* The rows of B that some entries of A name. */
static int64_t sample_rows(const spgemm_csr *A, const spgemm_csr *B,
                           int64_t samples, int64_t *rows)
{
    const bool is_wide = A->index_type == SPGEMM_I64;
    int64_t n = 0;
    for (int64_t t = 0; t < samples; t++) {
        const int64_t k = column_at(A->colidx, is_wide, A->nnz / samples * t);
        if (k < 0 || k >= B->nrows)
            continue; /* A and B may not have been checked yet */
        PREFETCH(&B->rowptr[k]);
        rows[n++] = k;
    }
    return n;
}

/* The rows lie anywhere: all are asked for before any is read. */
bitmap_sample spgemm_csr_bitmap_sample(const spgemm_csr *A, const spgemm_csr *B,
                                       bool b_is_sorted)
{
    int64_t rows[MOST_SAMPLES];
    const int64_t samples = min_i64(min_i64(A->nnz, MOST_SAMPLES),
                                    max_i64(A->nnz / SAMPLED, LEAST_SAMPLES));
    const int64_t n = sample_rows(A, B, samples, rows);
    int64_t entries = 0;
    int64_t count = 0;
    int64_t used = 0;
    for (int64_t t = 0; t < n; t++) {
        if (!spgemm_csr_row_is_inside(B, rows[t]))
            continue;
        prefetch_columns(B, rows[t]);
        rows[used++] = rows[t];
    }
    for (int64_t t = 0; t < used; t++) {
        const int64_t bytes = b_is_sorted ? bytes_of_row(B, rows[t])
                                          : bytes_in_any_order(B, rows[t]);
        entries += bytes > 0 ? B->rowptr[rows[t] + 1] - B->rowptr[rows[t]] : 0;
        count += bytes;
    }
    if (count == 0)
        return (bitmap_sample){0.0, 0.0};
    return (bitmap_sample){(double)entries / (double)count,
                           (double)entries / (double)n};
}

/* Writes the bitmap of one row. */
static ALWAYS_INLINE void write_bitmap(const spgemm_csr *A, bool is_wide,
                                       int64_t i, uint32_t *place,
                                       uint8_t *taken)
{
    const int64_t end = A->rowptr[i + 1];
    int64_t n = -1;
    int64_t last = -1;
    unsigned bits = 0;
    for (int64_t p = A->rowptr[i]; p < end; p++) {
        const int64_t j = column_at(A->colidx, is_wide, p);
        const bool is_new = j >> 3 != last;
        last = j >> 3;
        n += is_new;
        /* No branch, which would be foreseen badly. */
        bits = (bits & ((unsigned)is_new - 1u)) | 1u << (j & 7);
        place[n] = (uint32_t)last;
        taken[n] = (uint8_t)bits;
    }
}

spgemm_status spgemm_bitmap_rows_begin(bitmap_rows *o, const spgemm_csr *A,
                                       memory *m)
{
    *o = (bitmap_rows){.nrows = A->nrows};
    o->row = spgemm_memory_allocate(m, A->nrows, sizeof *o->row);
    return o->row ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY;
}

void spgemm_bitmap_rows_count(bitmap_rows *o, const spgemm_csr *A,
                              const uint8_t *same, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const bool is_shared = same && same[i] && i > begin;
        o->row[i].begin = is_shared ? SHARED : 0;
        o->row[i].count = is_shared ? o->row[i - 1].count : bytes_of_row(A, i);
    }
}

static int64_t bytes_to_write(const bitmap_rows *o, int64_t begin, int64_t end)
{
    int64_t total = 0;
    for (int64_t i = begin; i < end; i++)
        total += o->row[i].begin == SHARED ? 0 : o->row[i].count;
    return total;
}

/* Asks for the columns of a row that will be written soon. */
static void prefetch_row(const bitmap_rows *o, const spgemm_csr *A, int64_t i)
{
    if (i >= o->nrows || o->row[i].begin == SHARED)
        return;
    const size_t size = spgemm_index_size(A->index_type);
    const char *colidx = A->colidx;
    for (size_t at = (size_t)A->rowptr[i] * size;
         at < (size_t)A->rowptr[i + 1] * size; at += CACHE_LINE)
        PREFETCH(colidx + at);
}

typedef struct writing {
    bitmap_rows *o;
    const spgemm_csr *A;
    int64_t tasks;
    int64_t *at; /* [tasks + 1]: what each writes, then where it begins */
} writing;

static void measure_task(void *context, int64_t t)
{
    const writing *w = context;
    w->at[t] = bytes_to_write(w->o, partition_bound(w->o->nrows, w->tasks, t),
                              partition_bound(w->o->nrows, w->tasks, t + 1));
}

/* Sums of what is before each. */
static void add_up(int64_t *at, int64_t count)
{
    int64_t sum = 0;
    for (int64_t t = 0; t < count; t++) {
        const int64_t here = at[t];
        at[t] = sum;
        sum += here;
    }
    at[count] = sum;
}

/* Bytes of the rows of one task. */
static void write_task(void *context, int64_t t)
{
    const writing *w = context;
    bitmap_rows *o = w->o;
    const spgemm_csr *A = w->A;
    const int64_t begin = partition_bound(o->nrows, w->tasks, t);
    const int64_t end = partition_bound(o->nrows, w->tasks, t + 1);
    int64_t at = w->at[t];
    /* Where the row before ends, rows that share it begin. */
    for (int64_t i = begin; i < end; i++) {
        bitmap_row *row = &o->row[i];
        prefetch_row(o, A, i + AHEAD_ROWS);
        if (row->begin == SHARED) {
            row->begin = at - row->count;
            continue;
        }
        row->begin = at;
        if (A->index_type == SPGEMM_I64)
            write_bitmap(A, true, i, o->place + at, o->taken + at);
        else
            write_bitmap(A, false, i, o->place + at, o->taken + at);
        at += row->count;
    }
}

spgemm_status spgemm_bitmap_rows_finish(bitmap_rows *o, const spgemm_csr *A,
                                        int nthreads, memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int team = spgemm_team_size(nthreads, A->nnz, THREAD_GRAIN);
    const int64_t tasks =
        max_i64(A->nrows / ROW_GRAIN + 1,
                spgemm_team_tasks(team, A->nnz, THREAD_GRAIN));
    int64_t *at = spgemm_memory_allocate(m, tasks + 1, sizeof *at);
    SPGEMM_REQUIRE(at, SPGEMM_ERROR_OUT_OF_MEMORY);
    writing w = {o, A, tasks, at};
    spgemm_team_for(spgemm_team_size(nthreads, A->nrows, THREAD_ROWS), tasks,
                    measure_task, &w);
    add_up(at, tasks);
    o->total = at[tasks];
    o->place = spgemm_memory_allocate(m, o->total, sizeof *o->place);
    SPGEMM_REQUIRE(o->place, SPGEMM_ERROR_OUT_OF_MEMORY);
    o->taken = spgemm_memory_allocate(m, o->total, sizeof *o->taken);
    SPGEMM_REQUIRE(o->taken, SPGEMM_ERROR_OUT_OF_MEMORY);
    spgemm_team_for(team, tasks, write_task, &w);

cleanup:
    spgemm_memory_release(m, at, tasks + 1, sizeof *at);
    return status;
}

void spgemm_bitmap_rows_clear(bitmap_rows *o, memory *m)
{
    spgemm_memory_release(m, o->row, o->nrows, sizeof *o->row);
    spgemm_memory_release(m, o->place, o->total, sizeof *o->place);
    spgemm_memory_release(m, o->taken, o->total, sizeof *o->taken);
    *o = (bitmap_rows){0};
}
