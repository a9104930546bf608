/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a matrix in tasks of about equal entries, for a team. The tasks
   are the same for any number of threads: what is summed within each, and
   then over them in order, is too. */
#ifndef SPGEMM_PREDICT_ROW_TASKS_H
#define SPGEMM_PREDICT_ROW_TASKS_H

#include "common/partition.h"
#include "spgemm/spgemm.h"

enum { MOST_ROW_TASKS = 128 };

/** Task t, below MOST_ROW_TASKS: rows [begin, end). */
typedef void row_task(void *work, int64_t t, int64_t begin, int64_t end);

/** Every row of X in one task, each task once. */
void spgemm_row_tasks_run(const spgemm_csr *X, int nthreads, row_task *run,
                          void *work);

/** The row of entry p. */
static inline int64_t row_of_entry(const spgemm_csr *X, int64_t p)
{
    return partition_search(X->rowptr, X->nrows, p + 1) - 1;
}

/** The sum over tasks, in order; those not run are 0. */
static inline double sum_row_tasks(const double *sums)
{
    double sum = 0.0;
    for (int t = 0; t < MOST_ROW_TASKS; t++)
        sum += sums[t];
    return sum;
}

#endif
