/* SPDX-License-Identifier: BSD-3-Clause */
/* products and nnz of some rows of A B'. */
#include "predict/stratified/column_sample_rows.h"

#include <stdatomic.h>

#include "common/checked.h"
#include "common/team.h"
#include "matrix/csr.h"

#define TASK_ROWS   16
#define THREAD_ROWS 256 /* that are worth a thread */

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

/* Of a column drawn: nnz of a thread's rows, and the last row that had it. */
typedef struct column_count {
    int64_t nnz;
    int64_t last_row; /* 0: none; the first is 1 */
} column_count;

static void count_row(const count_work *w, int64_t t, column_count *columns)
{
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    const int64_t *start = w->columns->B->rowptr;
    const int64_t *ends = w->columns->end;
    const int64_t *weight = w->columns->weight;
    stratum_sample *sample = &w->samples[t];
    int64_t products = 0;
    int64_t nnz = 0;
    sample->counted = 0;
    for (int64_t p = A->rowptr[w->rows[t]]; p < A->rowptr[w->rows[t] + 1];
         p++) {
        const int64_t k = column_at(A->colidx, is_wide, p);
        sample->counted += ends[k] - start[k];
        for (int64_t q = start[k]; q < ends[k]; q++) {
            const int32_t j = w->columns->numbers[q];
            const bool is_new = columns[j].last_row != t + 1;
            columns[j].last_row = t + 1;
            columns[j].nnz += is_new ? sample->weight : 0;
            products += weight[j];
            nnz += is_new ? weight[j] : 0;
        }
    }
    sample->products = (double)products / COLUMN_WEIGHT;
    sample->nnz = (double)nnz / COLUMN_WEIGHT;
}

static void count_tasks(void *context, int rank)
{
    count_work *w = context;
    const int64_t drawn = w->columns->count;
    int64_t begin;
    column_count *columns =
        spgemm_memory_allocate_zeroed(w->m, drawn, sizeof *columns);
    (void)rank;
    if (!columns) {
        atomic_store(&w->has_failed, true);
        return;
    }
    while ((begin = atomic_fetch_add(&w->next, TASK_ROWS)) < w->count) {
        const int64_t end = min_i64(w->count, begin + TASK_ROWS);
        for (int64_t t = begin; t < end; t++)
            count_row(w, t, columns);
    }
#pragma omp critical(spgemm_column_sample_rows)
    for (int64_t j = 0; j < drawn; j++)
        w->column_nnz[j] += columns[j].nnz;
    spgemm_memory_release(w->m, columns, drawn, sizeof *columns);
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
