/* SPDX-License-Identifier: BSD-3-Clause */
/* products and nnz of some rows of A B'. */
#include "predict/stratified/column_sample_rows.h"

#include <stdatomic.h>
#include <string.h>

#include "common/checked.h"
#include "common/slots.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"

#define TASK_ROWS   64
#define THREAD_ROWS 1024 /* that are worth a thread */

typedef struct count_work {
    const spgemm_csr *A;
    const column_sample *columns;
    const int64_t *rows;
    stratum_sample *samples;
    int64_t count;
    int64_t *column_nnz; /* [columns drawn] of all rows */
    memory *m;
    atomic_int_fast64_t next; /* row */
    atomic_bool has_failed;
} count_work;

/* What one thread counts with: the columns of a row, their numbers from 1 on,
   0 for an empty slot. */
typedef struct sample_counter {
    uint32_t *keys; /* [slots], a power of two */
    int64_t slots;
    int64_t *column_nnz; /* [columns drawn] of its rows */
} sample_counter;

/* An empty table for so many keys: its slots. 0: no memory. */
static int64_t begin_table(sample_counter *c, int64_t keys, memory *m)
{
    const int64_t slots = hash_slots(2 * keys);
    if (slots > c->slots) {
        spgemm_memory_release(m, c->keys, c->slots, sizeof *c->keys);
        c->keys = spgemm_memory_allocate(m, slots, sizeof *c->keys);
        c->slots = c->keys ? slots : 0;
        if (!c->keys)
            return 0;
    }
    memset(c->keys, 0, (size_t)slots * sizeof *c->keys);
    return slots;
}

/* Whether the key was not yet in the table of so many slots. */
static bool add_key(uint32_t *keys, int64_t slots, int shift, uint32_t key)
{
    uint64_t at = hash_column(key, shift);
    while (keys[at] != 0 && keys[at] != key)
        at = (at + 1) & (uint64_t)(slots - 1);
    const bool is_new = keys[at] == 0;
    keys[at] = key;
    return is_new;
}

/* false: no memory. */
static bool count_row(const count_work *w, int64_t t, sample_counter *c)
{
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    const int64_t *start = w->columns->B->rowptr;
    const int64_t *ends = w->columns->end;
    const int64_t begin = A->rowptr[w->rows[t]];
    const int64_t end = A->rowptr[w->rows[t] + 1];
    stratum_sample *sample = &w->samples[t];
    const int64_t *weight = w->columns->weight;
    int64_t products = 0;
    int64_t nnz = 0;
    sample->counted = 0;
    for (int64_t p = begin; p < end; p++) {
        const int64_t k = column_at(A->colidx, is_wide, p);
        sample->counted += ends[k] - start[k];
    }
    const int64_t slots = begin_table(c, sample->counted, w->m);
    if (slots == 0)
        return false;
    const int shift = hash_shift(slots);
    for (int64_t p = begin; p < end; p++) {
        const int64_t k = column_at(A->colidx, is_wide, p);
        for (int64_t q = start[k]; q < ends[k]; q++) {
            const int32_t j = w->columns->numbers[q];
            products += weight[j];
            if (!add_key(c->keys, slots, shift, (uint32_t)j + 1))
                continue;
            nnz += weight[j];
            c->column_nnz[j] += sample->weight;
        }
    }
    sample->products = (double)products / COLUMN_WEIGHT;
    sample->nnz = (double)nnz / COLUMN_WEIGHT;
    return true;
}

static void add_columns(int64_t *sum, const int64_t *added, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        sum[j] += added[j];
}

/* Rows [begin, ..) of one task. false: no memory. */
static bool count_some(const count_work *w, int64_t begin, sample_counter *c)
{
    const int64_t end = min_i64(w->count, begin + TASK_ROWS);
    bool is_well = true;
    for (int64_t t = begin; is_well && t < end; t++)
        is_well = count_row(w, t, c);
    return is_well;
}

static void count_tasks(void *context, int rank)
{
    count_work *w = context;
    int64_t begin;
    sample_counter c = {.column_nnz = spgemm_memory_allocate_zeroed(
                            w->m, w->columns->count, sizeof *c.column_nnz)};
    bool is_well = c.column_nnz;
    (void)rank;
    while (is_well &&
           (begin = atomic_fetch_add(&w->next, TASK_ROWS)) < w->count)
        is_well = count_some(w, begin, &c);
    if (is_well) {
#pragma omp critical(spgemm_column_sample_rows)
        add_columns(w->column_nnz, c.column_nnz, w->columns->count);
    } else {
        atomic_store(&w->has_failed, true);
    }
    spgemm_memory_release(w->m, c.keys, c.slots, sizeof *c.keys);
    spgemm_memory_release(w->m, c.column_nnz, w->columns->count,
                          sizeof *c.column_nnz);
}

spgemm_status spgemm_column_sample_count_rows(
    const predict_input *in, const column_sample *columns, const int64_t *rows,
    stratum_sample *samples, int64_t count, int64_t *column_nnz)
{
    count_work w = {.A = in->A,
                    .columns = columns,
                    .rows = rows,
                    .samples = samples,
                    .count = count,
                    .column_nnz = column_nnz,
                    .m = in->m};
    spgemm_team_run(
        spgemm_team_size(in->options->resources.nthreads, count, THREAD_ROWS),
        count_tasks, &w);
    return atomic_load(&w.has_failed) ? SPGEMM_ERROR_OUT_OF_MEMORY
                                      : SPGEMM_SUCCESS;
}
