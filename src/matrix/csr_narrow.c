/* SPDX-License-Identifier: BSD-3-Clause */
/* colidx[p] in [0, 2^31) as it is; every other one below 0. */
#include "matrix/csr_narrow.h"

#include "common/partition.h"
#include "common/team.h"

#define NARROW_GRAIN        65536  /* entries a task */
#define NARROW_THREAD_GRAIN 262144 /* that are worth a thread */

typedef struct narrowing {
    int32_t *to;
    const int64_t *from;
    int64_t count;
    int64_t tasks;
} narrowing;

/* By halves, each of 32 bits, for the vectors of any processor. */
static void narrow(int32_t *restrict to, const int64_t *restrict from,
                   int64_t count)
{
    for (int64_t t = 0; t < count; t++) {
        const uint32_t low = (uint32_t)from[t];
        const uint32_t high = (uint32_t)((uint64_t)from[t] >> 32);
        to[t] = (int32_t)(low | (high != 0 ? UINT32_MAX : 0));
    }
}

static void narrow_task(void *context, int64_t t)
{
    const narrowing *w = context;
    const int64_t begin = partition_bound(w->count, w->tasks, t);
    const int64_t end = partition_bound(w->count, w->tasks, t + 1);
    narrow(w->to + begin, w->from + begin, end - begin);
}

bool spgemm_csr_is_narrow(const spgemm_csr *X)
{
    return X->nrows <= INT32_MAX && X->ncols <= INT32_MAX;
}

spgemm_status spgemm_csr_narrow(spgemm_csr *out, const spgemm_csr *X,
                                int nthreads, memory *m)
{
    narrowing w = {.to = spgemm_memory_allocate(m, X->nnz, sizeof *w.to),
                   .from = X->colidx,
                   .count = X->nnz,
                   .tasks = X->nnz / NARROW_GRAIN + 1};
    if (!w.to)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    if (w.tasks == 1)
        narrow(w.to, w.from, w.count);
    else
        spgemm_team_for(spgemm_team_size(nthreads, X->nnz, NARROW_THREAD_GRAIN),
                        w.tasks, narrow_task, &w);
    *out = spgemm_csr_with_columns(X, w.to);
    return SPGEMM_SUCCESS;
}

spgemm_csr spgemm_csr_with_columns(const spgemm_csr *X, void *colidx)
{
    spgemm_csr view = *X;
    view.colidx = colidx;
    view.index_type = SPGEMM_I32;
    view.flags = X->flags & SPGEMM_SORTED_ROWS;
    return view;
}

void spgemm_csr_narrow_clear(spgemm_csr *out, memory *m)
{
    spgemm_memory_release(m, out->colidx, out->nnz, sizeof(int32_t));
    *out = (spgemm_csr){0};
}
