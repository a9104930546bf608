/* SPDX-License-Identifier: BSD-3-Clause */
/* products(i) = sum over A(i,k) of nnz(B(k,:)).

   Algorithm 1 of Du et al., arXiv:2207.13848. Differs from it in: 64-bit
   counters, checked; rows are dealt out by entries of A, not by number. */
#include "predict/products.h"

#include "common/checked.h"
#include "common/compiler.h"
#include "common/partition.h"
#include "common/team.h"
#include "matrix/csr.h"

#define PRODUCTS_GRAIN        32768  /* entries of A a task */
#define PRODUCTS_THREAD_GRAIN 131072 /* that are worth a thread */
#define PREFETCH_AHEAD        24 /* entries; B's row pointers are random reads */

/* Of rows [begin, end). false: a sum does not fit int64_t; it always does
   unless is_checked. */
static ALWAYS_INLINE bool count_range(product_counts *counts,
                                      const spgemm_csr *A,
                                      const spgemm_csr *B,
                                      bool is_wide,
                                      bool is_checked,
                                      int64_t begin,
                                      int64_t end)
{
    const int64_t *restrict Ap = A->rowptr;
    const int64_t *restrict Bp = B->rowptr;
    bool fits = true;
    for (int64_t i = begin; i < end; i++) {
        int64_t sum = 0;
        const int64_t row_end = Ap[i + 1];
        for (int64_t p = Ap[i]; p < row_end; p++) {
            const int64_t k = column_at(A->colidx, is_wide, p);
            const int64_t nnz = Bp[k + 1] - Bp[k];
            if (LIKELY(p + PREFETCH_AHEAD < A->nnz))
                PREFETCH(
                    &Bp[column_at(A->colidx, is_wide, p + PREFETCH_AHEAD)]);
            if (is_checked)
                fits &= checked_add_i64(sum, nnz, &sum);
            else
                sum += nnz;
        }
        counts->row[i] = sum;
        fits &= checked_add_i64(counts->total, sum, &counts->total);
        counts->bound =
            saturating_add_i64(counts->bound, min_i64(sum, B->ncols));
        counts->longest = max_i64(counts->longest, sum);
    }
    return fits;
}

/* The same; no sum can overflow when nnz(A) nnz(B) does not. */
static bool count_rows(product_counts *counts,
                       const spgemm_csr *A,
                       const spgemm_csr *B,
                       int64_t begin,
                       int64_t end)
{
    int64_t most;
    if (__builtin_mul_overflow(A->nnz, B->nnz, &most))
        return A->index_type == SPGEMM_I64
                   ? count_range(counts, A, B, true, true, begin, end)
                   : count_range(counts, A, B, false, true, begin, end);
    return A->index_type == SPGEMM_I64
               ? count_range(counts, A, B, true, false, begin, end)
               : count_range(counts, A, B, false, false, begin, end);
}

spgemm_status spgemm_products_count(product_counts *counts,
                                    const spgemm_csr *A,
                                    const spgemm_csr *B,
                                    int nthreads,
                                    memory *m)
{
    bool fits = true;
    product_counts all = {.nrows = A->nrows};
    all.row = spgemm_memory_allocate(m, A->nrows, sizeof *all.row);
    if (!all.row)
        return SPGEMM_ERROR_OUT_OF_MEMORY;

    const int64_t tasks = A->nnz / PRODUCTS_GRAIN + 1;
    const int team = spgemm_team_size(nthreads, A->nnz, PRODUCTS_THREAD_GRAIN);
#pragma omp parallel for num_threads(team) schedule(dynamic, 1)
    for (int64_t t = 0; t < tasks; t++) {
        product_counts mine = {.row = all.row};
        const int64_t begin = partition_row(A->rowptr, A->nrows, tasks, t);
        const int64_t end = partition_row(A->rowptr, A->nrows, tasks, t + 1);
        const bool is_exact = count_rows(&mine, A, B, begin, end);
#pragma omp critical(spgemm_products)
        {
            fits &= is_exact;
            fits &= checked_add_i64(all.total, mine.total, &all.total);
            all.bound = saturating_add_i64(all.bound, mine.bound);
            all.longest = max_i64(all.longest, mine.longest);
        }
    }
    *counts = all;
    return fits ? SPGEMM_SUCCESS : SPGEMM_ERROR_OVERFLOW;
}

void spgemm_products_clear(product_counts *counts, memory *m)
{
    spgemm_memory_release(m, counts->row, counts->nrows, sizeof *counts->row);
    *counts = (product_counts){0};
}
