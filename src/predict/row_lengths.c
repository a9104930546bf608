/* SPDX-License-Identifier: BSD-3-Clause */
/* length(k) = rowptr[k + 1] - rowptr[k], by a team. */
#include "predict/row_lengths.h"

#include <stdatomic.h>

#include "common/partition.h"
#include "common/team.h"

#define LENGTHS_GRAIN        65536 /* rows a task */
#define LENGTHS_THREAD_GRAIN 65536 /* rows that are worth a thread */

typedef struct measuring {
    const row_lengths *of;
    int64_t tasks;
    atomic_bool differ;
} measuring;

static void measure_rows(void *context, int64_t t)
{
    measuring *w = context;
    const int64_t *Bp = w->of->rowptr;
    int32_t *lengths = w->of->narrow;
    const int64_t end = partition_bound(w->of->nrows, w->tasks, t + 1);
    const int32_t first = w->of->nrows > 0 ? (int32_t)(Bp[1] - Bp[0]) : 0;
    int32_t differ = 0;
    for (int64_t k = partition_bound(w->of->nrows, w->tasks, t); k < end; k++) {
        lengths[k] = (int32_t)(Bp[k + 1] - Bp[k]);
        differ |= lengths[k] ^ first;
    }
    if (differ)
        atomic_store_explicit(&w->differ, true, memory_order_relaxed);
}

bool spgemm_row_lengths_make(row_lengths *lengths, int nthreads, memory *m)
{
    const int64_t nrows = lengths->nrows;
    lengths->narrow = spgemm_memory_allocate(m, nrows, sizeof *lengths->narrow);
    if (!lengths->narrow)
        return false;
    const int team = spgemm_team_size(nthreads, nrows, LENGTHS_THREAD_GRAIN);
    measuring w = {lengths, spgemm_team_tasks(team, nrows, LENGTHS_GRAIN),
                   false};
    spgemm_team_for(team, w.tasks, measure_rows, &w);
    lengths->are_equal = nrows > 0 && !w.differ;
    return true;
}

void spgemm_row_lengths_clear(row_lengths *lengths, memory *m)
{
    spgemm_memory_release(m, lengths->narrow, lengths->nrows,
                          sizeof *lengths->narrow);
    lengths->narrow = NULL;
}
