/* SPDX-License-Identifier: BSD-3-Clause */
/* products and nnz of some rows of A B'. */
#include "predict/thin_rows.h"

#include <string.h>

#include "common/slots.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"

#define TASK_ROWS   64
#define THREAD_ROWS 1024 /* that are worth a thread */

typedef struct count_work {
    const spgemm_csr *A;
    const thin_columns *thin;
    const int64_t *rows;
    stratum_sample *samples;
    memory *m;
} count_work;

/* What one thread counts with: the columns of a row, their numbers from 1 on,
   0 for an empty slot. */
typedef struct thin_counter {
    uint32_t *keys; /* [slots], a power of two */
    int64_t slots;
    int64_t *column_nnz; /* [columns drawn] of its rows */
} thin_counter;

/* An empty table for so many keys: its slots. 0: no memory. */
static int64_t begin_table(thin_counter *c, int64_t keys, memory *m)
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
static bool count_row(const count_work *w, int64_t t, thin_counter *c)
{
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    const int64_t *start = w->thin->B->rowptr;
    const int64_t *ends = w->thin->end;
    const int64_t begin = A->rowptr[w->rows[t]];
    const int64_t end = A->rowptr[w->rows[t] + 1];
    stratum_sample *sample = &w->samples[t];
    const int64_t *weight = w->thin->weight;
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
            const int32_t j = w->thin->numbers[q];
            products += weight[j];
            if (!add_key(c->keys, slots, shift, (uint32_t)j + 1))
                continue;
            nnz += weight[j];
            c->column_nnz[j] += sample->weight;
        }
    }
    sample->products = (double)products / THIN_WEIGHT;
    sample->nnz = (double)nnz / THIN_WEIGHT;
    return true;
}

static void add_columns(int64_t *sum, const int64_t *added, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        sum[j] += added[j];
}

spgemm_status spgemm_thin_rows_count(const predict_input *in,
                                     const thin_columns *thin,
                                     const int64_t *rows,
                                     stratum_sample *samples,
                                     int64_t count,
                                     int64_t *column_nnz)
{
    const count_work w = {in->A, thin, rows, samples, in->m};
    const int team =
        spgemm_team_size(in->options->nthreads, count, THREAD_ROWS);
    bool has_failed = false;
#pragma omp parallel num_threads(team) reduction(|| : has_failed)
    {
        thin_counter c = {.column_nnz = spgemm_memory_allocate_zeroed(
                              w.m, thin->count, sizeof *c.column_nnz)};
        has_failed = !c.column_nnz;
#pragma omp for schedule(dynamic, TASK_ROWS)
        for (int64_t t = 0; t < count; t++)
            has_failed = has_failed || !count_row(&w, t, &c);
        if (!has_failed) {
#pragma omp critical(spgemm_thin_rows)
            add_columns(column_nnz, c.column_nnz, thin->count);
        }
        spgemm_memory_release(w.m, c.keys, c.slots, sizeof *c.keys);
        spgemm_memory_release(w.m, c.column_nnz, thin->count,
                              sizeof *c.column_nnz);
    }
    return has_failed ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_SUCCESS;
}
