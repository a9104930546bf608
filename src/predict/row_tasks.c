/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a matrix in tasks of about equal entries, for a team. */
#include "predict/row_tasks.h"

#include "common/checked.h"
#include "common/team.h"

#define TASK_ENTRIES   4096
#define THREAD_ENTRIES 32768 /* that are worth a thread */

typedef struct row_work {
    const spgemm_csr *X;
    int64_t tasks;
    row_task *run;
    void *work;
} row_work;

static void run_task(void *context, int64_t t)
{
    const row_work *w = context;
    const spgemm_csr *X = w->X;
    w->run(w->work, t, partition_row(X->rowptr, X->nrows, w->tasks, t),
           partition_row(X->rowptr, X->nrows, w->tasks, t + 1));
}

void spgemm_row_tasks_run(const spgemm_csr *X, int nthreads, row_task *run,
                          void *work)
{
    /* Rows without entries are work too, if little. */
    const int64_t entries = saturating_add_i64(X->nnz, X->nrows / 8);
    const int64_t tasks = min_i64(entries / TASK_ENTRIES + 1, MOST_ROW_TASKS);
    const int team = spgemm_team_size(nthreads, entries, THREAD_ENTRIES);
    row_work w = {X, tasks, run, work};
    spgemm_team_for(team, tasks, run_task, &w);
}
