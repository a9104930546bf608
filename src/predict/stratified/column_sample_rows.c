/* SPDX-License-Identifier: BSD-3-Clause */
/* products and nnz of some rows of A B'. */
#include "predict/stratified/column_sample_rows.h"

#include <string.h>

#include "common/checked.h"
#include "common/task_queue.h"
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
    task_queue tasks;
} count_work;

/* Numbers of columns that are looked at in one go. */
#define MOST_NUMBERS 4096

/* Of a thread, for each column drawn: nnz of its rows, and the last of these that
   had it; and columns that rows of B' have, one row behind the other. */
typedef struct column_tally {
    int64_t *nnz;
    uint32_t *last_row; /* 0: none; the first is 1 */
    int32_t numbers[MOST_NUMBERS + COLUMN_SAMPLE_STEP];
} column_tally;

/* What a row of C has in the columns drawn, in units of 1 / COLUMN_WEIGHT. */
typedef struct row_sums {
    int64_t products;
    int64_t nnz;
} row_sums;

/* Takes in n numbers of row t: first those that the row does not have yet are put
   in front. */
static void add_numbers(const count_work *w, int64_t t, column_tally *tally,
                        int64_t n, row_sums *sums)
{
    const int64_t *weight = w->columns->weight;
    const int64_t row_weight = w->samples[t].weight;
    const uint32_t row = (uint32_t)t + 1;
    int64_t found = 0;
    for (int64_t e = 0; e < n; e++) {
        const int32_t j = tally->numbers[e];
        tally->numbers[found] = j;
        found += tally->last_row[j] != row;
        tally->last_row[j] = row;
        sums->products += weight[j];
    }
    for (int64_t e = 0; e < found; e++) {
        tally->nnz[tally->numbers[e]] += row_weight;
        sums->nnz += weight[tally->numbers[e]];
    }
}

/* Appends numbers of a row of B' from `from` on, as many as there is room for, to
   n of them; returns how many. A step is copied where the row ends before. */
static int64_t append_row(const count_work *w, const column_sample_row *row,
                          int64_t from, column_tally *tally, int64_t n)
{
    const int64_t end = min_i64(row->end, from + MOST_NUMBERS - n);
    for (int64_t q = from; q < end; q += COLUMN_SAMPLE_STEP)
        memcpy(tally->numbers + n + (q - from), w->columns->numbers + q,
               COLUMN_SAMPLE_STEP * sizeof *tally->numbers);
    return end - from;
}

static void count_row(const count_work *w, int64_t t, column_tally *tally)
{
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    stratum_sample *sample = &w->samples[t];
    row_sums sums = {0};
    int64_t n = 0;
    sample->counted = 0;
    for (int64_t p = A->rowptr[w->rows[t]]; p < A->rowptr[w->rows[t] + 1];
         p++) {
        const column_sample_row *row =
            &w->columns->rows[column_at(A->colidx, is_wide, p)];
        sample->counted += row->end - row->begin;
        for (int64_t q = row->begin; q < row->end;) {
            const int64_t more = append_row(w, row, q, tally, n);
            q += more;
            n += more;
            if (n < MOST_NUMBERS)
                continue;
            add_numbers(w, t, tally, n, &sums);
            n = 0;
        }
    }
    add_numbers(w, t, tally, n, &sums);
    sample->products = (double)sums.products / COLUMN_WEIGHT;
    sample->nnz = (double)sums.nnz / COLUMN_WEIGHT;
}

static void count_tasks(void *context, int rank)
{
    count_work *w = context;
    const int64_t drawn = w->columns->count;
    int64_t task;
    column_tally tally;
    tally.nnz = spgemm_memory_allocate_zeroed(w->m, drawn, sizeof *tally.nnz);
    tally.last_row =
        spgemm_memory_allocate_zeroed(w->m, drawn, sizeof *tally.last_row);
    (void)rank;
    if (!tally.nnz || !tally.last_row)
        task_fail(&w->tasks);
    while (task_take(&w->tasks, &task)) {
        const int64_t end = min_i64(w->count, (task + 1) * TASK_ROWS);
        for (int64_t t = task * TASK_ROWS; t < end; t++)
            count_row(w, t, &tally);
    }
#pragma omp critical(spgemm_column_sample_rows)
    for (int64_t j = 0; tally.nnz && j < drawn; j++)
        w->column_nnz[j] += tally.nnz[j];
    spgemm_memory_release(w->m, tally.nnz, drawn, sizeof *tally.nnz);
    spgemm_memory_release(w->m, tally.last_row, drawn, sizeof *tally.last_row);
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
                    .m = in->m,
                    .tasks = {.count = (count + TASK_ROWS - 1) / TASK_ROWS}};
    spgemm_team_run(
        spgemm_team_size(in->options->resources.nthreads, count, THREAD_ROWS),
        count_tasks, &w);
    return task_has_failed(&w.tasks) ? SPGEMM_ERROR_OUT_OF_MEMORY
                                     : SPGEMM_SUCCESS;
}
