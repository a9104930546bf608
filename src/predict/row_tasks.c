/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a matrix in tasks of about equal entries, for a team. */
#include "predict/row_tasks.h"

#include "common/checked.h"
#include "common/team.h"

#define TASK_ENTRIES   4096
#define THREAD_ENTRIES 32768 /* that are worth a thread */

void spgemm_row_tasks_run(const spgemm_csr *X,
                          int nthreads,
                          row_task *run,
                          void *work)
{
    /* Rows without entries are work too, if little. */
    const int64_t entries = saturating_add_i64(X->nnz, X->nrows / 8);
    const int64_t tasks = min_i64(entries / TASK_ENTRIES + 1, MOST_ROW_TASKS);
    const int team = spgemm_team_size(nthreads, entries, THREAD_ENTRIES);
#pragma omp parallel num_threads(team)
    {
        const team_fpmode mode = team_fpmode_enter();
#pragma omp for schedule(dynamic, 1)
        for (int64_t t = 0; t < tasks; t++)
            run(work, t, partition_row(X->rowptr, X->nrows, tasks, t),
                partition_row(X->rowptr, X->nrows, tasks, t + 1));
        team_fpmode_leave(&mode);
    }
}
