/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C) = (k - 1) / v, v the k-th smallest distinct h(i,j) in (0, 1] over all
   products A(i,l) B(l,j); 1 / v for k = 1.

   Z. Bar-Yossef, T. S. Jayram, R. Kumar, D. Sivakumar, L. Trevisan, Counting
   distinct elements in a data stream, RANDOM 2002,
   doi:10.1007/3-540-45726-7_1, with the pairs (i,j) for elements. Differs from
   it in: see kmin.c; h is a fixed mixing function of a random key, not drawn
   from a family that is independent for pairs; it is evaluated once, not in
   several copies whose median is taken. The rows of C get products(i) / (F /
   nnz).

   Time: all products. Memory: a sketch of 2 k hashes and one a thread. */
#include "common/hash.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/predictor.h"
#include "predict/published/kmin.h"
#include "predict/row_tasks.h"

/* Entries of A, not rows: a giant row is shared among the team. */
#define TASK_ENTRIES    1024
#define MOST_TASKS      65536
#define THREAD_PRODUCTS 65536

typedef struct hash_work {
    const spgemm_csr *A;
    const spgemm_csr *B;
    uint64_t key;
    int64_t tasks;
} hash_work;

static ALWAYS_INLINE void hash_products(const hash_work *w, bool is_wide,
                                        int64_t begin, int64_t end, kmin *s)
{
    const spgemm_csr *A = w->A;
    const int64_t *Bp = w->B->rowptr;
    int64_t i = row_of_entry(A, begin);
    uint64_t row = hash_index(w->key, i);
    for (int64_t p = begin; p < end; p++) {
        while (A->rowptr[i + 1] <= p)
            row = hash_index(w->key, ++i);
        const int64_t k = column_at(A->colidx, is_wide, p);
        for (int64_t q = Bp[k]; q < Bp[k + 1]; q++)
            kmin_add(s, hash_index(row, column_at(w->B->colidx, is_wide, q)));
    }
}

static void hash_task(void *work, int64_t t, kmin *s)
{
    const hash_work *w = work;
    const int64_t begin = partition_bound(w->A->nnz, w->tasks, t);
    const int64_t end = partition_bound(w->A->nnz, w->tasks, t + 1);
    if (w->A->index_type == SPGEMM_I64)
        hash_products(w, true, begin, end, s);
    else
        hash_products(w, false, begin, end, s);
}

spgemm_status spgemm_predict_min_hash(prediction *out, const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_options *options = in->options;
    hash_work w = {
        .A = in->A,
        .B = in->B,
        .key = hash_key(options->predict.seed, HASH_ROWS),
        .tasks = min_i64(in->A->nnz / TASK_ENTRIES + 1, MOST_TASKS),
    };
    kmin all;
    SPGEMM_REQUIRE(
        spgemm_kmin_init(&all, predict_size(options, SPGEMM_PREDICTOR_MIN_HASH),
                         in->m),
        SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(
        spgemm_kmin_gather(&all, hash_task, &w, w.tasks,
                           spgemm_team_size(options->resources.nthreads,
                                            in->counts->total, THREAD_PRODUCTS),
                           in->m));
    const kmin_count distinct = spgemm_kmin_count(&all);
    prediction_set_total(out, distinct.count, sqrt(distinct.variance),
                         in->counts->total, in->counts->bound);
    out->is_exact = all.used < all.k;
    out->rows_sampled = in->A->nrows;
    out->products_sampled = in->counts->total;

cleanup:
    spgemm_kmin_clear(&all, in->m);
    return status;
}
