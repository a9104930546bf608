/* SPDX-License-Identifier: BSD-3-Clause */
/* uses(k) = entries of column k of A, in the rows that are drawn. */
#include "predict/published/column_uses.h"

#include "matrix/csr.h"
#include "predict/row_tasks.h"

typedef struct use_work {
    int64_t *uses;
    const spgemm_csr *A;
    const hash_sampler *rows;
    int64_t drawn;
} use_work;

static void count_uses(void *work, int64_t t, int64_t begin, int64_t end)
{
    use_work *w = work;
    const bool is_wide = w->A->index_type == SPGEMM_I64;
    int64_t drawn = 0;
    (void)t;
    for (int64_t i = begin; i < end; i++) {
        if (!hash_draws(w->rows, i))
            continue;
        drawn++;
        for (int64_t p = w->A->rowptr[i]; p < w->A->rowptr[i + 1]; p++) {
            const int64_t k = column_at(w->A->colidx, is_wide, p);
#pragma omp atomic
            w->uses[k]++;
        }
    }
#pragma omp atomic
    w->drawn += drawn;
}

int64_t spgemm_column_uses(int64_t *uses, const spgemm_csr *A,
                           const hash_sampler *rows, int nthreads)
{
    use_work w = {.uses = uses, .A = A, .rows = rows};
    spgemm_row_tasks_run(A, nthreads, count_uses, &w);
    return w.drawn;
}
