/* SPDX-License-Identifier: BSD-3-Clause */
/* products(i) = sum over A(i,k) of nnz(B(k,:)), and no classes of rows: where
   nnz(C) is not sampled. */
#include <stdatomic.h>

#include "common/checked.h"
#include "common/compiler.h"
#include "common/partition.h"
#include "common/refusal.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/products.h"

#define ROWS_GRAIN        16384 /* of a task */
#define ROWS_THREAD_GRAIN 65536 /* that are worth a thread */

/* Products of row i, if they fit. */
static ALWAYS_INLINE int64_t sum_row(const spgemm_csr *A, bool is_wide,
                                     const int64_t *Bp, int64_t i)
{
    int64_t sum = 0;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        const int64_t k = column_at(A->colidx, is_wide, p);
        sum += Bp[k + 1] - Bp[k];
    }
    return sum;
}

spgemm_status spgemm_products_count_few(product_counts *counts,
                                        const spgemm_csr *A,
                                        const spgemm_csr *B, memory *m,
                                        bool *are_few)
{
    const bool is_wide = A->index_type == SPGEMM_I64;
    const int64_t *Bp = B->rowptr;
    *are_few = A->nnz <= FEW_PRODUCTS && A->nrows <= FEW_PRODUCTS &&
               B->nnz <= INT64_MAX / FEW_PRODUCTS;
    if (!*are_few)
        return SPGEMM_SUCCESS;
    if (!spgemm_products_make_rows(counts, A->nrows, m))
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int64_t i = 0; i < A->nrows && counts->total <= FEW_PRODUCTS; i++) {
        const int64_t sum = sum_row(A, is_wide, Bp, i);
        counts->row[i] = sum;
        counts->row_class[i] = 0;
        counts->total += sum;
        counts->bound += min_i64(sum, B->ncols);
        counts->longest = max_i64(counts->longest, sum);
    }
    *are_few = counts->total <= FEW_PRODUCTS;
    if (!*are_few)
        spgemm_products_clear(counts, m);
    return SPGEMM_SUCCESS;
}

/* What a team counts, in tasks. */
typedef struct counting {
    product_counts *counts;
    const spgemm_csr *A;
    const spgemm_csr *B;
    bool b_has_one_each; /* each row of B is one entry */
    int64_t tasks;
    bool fits;
} counting;

/* Rows [begin, end). A row's products are columns of C: their sum fits. */
static ALWAYS_INLINE int64_t count_rows(const counting *w, bool is_wide,
                                        int64_t begin, int64_t end,
                                        int64_t *longest, bool *fits)
{
    const spgemm_csr *A = w->A;
    int64_t total = 0;
    for (int64_t i = begin; i < end; i++) {
        const int64_t sum = w->b_has_one_each
                                ? A->rowptr[i + 1] - A->rowptr[i]
                                : sum_row(A, is_wide, w->B->rowptr, i);
        w->counts->row[i] = sum;
        w->counts->row_class[i] = 0;
        *fits &= checked_add_i64(total, sum, &total);
        *longest = max_i64(*longest, sum);
    }
    return total;
}

static void count_task(void *context, int64_t t)
{
    counting *w = context;
    product_counts *all = w->counts;
    const int64_t begin = partition_bound(w->A->nrows, w->tasks, t);
    const int64_t end = partition_bound(w->A->nrows, w->tasks, t + 1);
    int64_t longest = 0;
    bool fits = true;
    const int64_t total =
        w->A->index_type == SPGEMM_I64
            ? count_rows(w, true, begin, end, &longest, &fits)
            : count_rows(w, false, begin, end, &longest, &fits);
#pragma omp critical(spgemm_products_scaled)
    {
        w->fits &= fits && checked_add_i64(all->total, total, &all->total);
        all->longest = max_i64(all->longest, longest);
    }
}

spgemm_status spgemm_products_count_scaled(product_counts *counts,
                                           const spgemm_csr *A,
                                           const spgemm_csr *B,
                                           bool b_has_one_each, int nthreads,
                                           memory *m)
{
    const int team = spgemm_team_size(nthreads, A->nrows, ROWS_THREAD_GRAIN);
    counting w = {.counts = counts,
                  .A = A,
                  .B = B,
                  .b_has_one_each = b_has_one_each,
                  .tasks = spgemm_team_tasks(team, A->nrows, ROWS_GRAIN),
                  .fits = true};
    if (!spgemm_products_make_rows(counts, A->nrows, m))
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    spgemm_team_for(team, w.tasks, count_task, &w);
    counts->bound = counts->total;
    return w.fits ? SPGEMM_SUCCESS
                  : spgemm_refuse(SPGEMM_ERROR_OVERFLOW,
                                  "A*B has more products than fit int64_t");
}
