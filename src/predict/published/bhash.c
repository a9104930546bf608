/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C) = nnz(A' B') / p^2, A' rows of A and B' columns of B drawn with
   probability p = 1/10 each, nnz(A' B') from the k smallest hashes of its
   places.

   P. N. Q. Anh, R. Fan, Y. Wen, Balanced hashing and efficient GPU sparse
   general matrix-matrix multiplication, ICS 2016,
   doi:10.1145/2925426.2926273, as Du et al., arXiv:2207.13848, section III,
   describe it. Differs from it in: k is a parameter; the products are formed
   row by row, from the drawn columns of B alone, not as inner products; a
   standard error (pair_sample.c); see kmin.c. The rows of C get products(i) /
   (F / nnz).

   Time: A and B once, p^2 of the products. Memory: 16 bytes a row of B, 8 p an
   entry of B, a sketch of 2 k hashes and one a thread. */
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/published/pair_sample.h"
#include "predict/row_tasks.h"

#define TASK_ENTRIES    4096 /* of A, drawn or not */
#define MOST_TASKS      65536
#define THREAD_PRODUCTS 65536

typedef struct drawn_work {
    const spgemm_csr *A;
    const pair_sample *s;
    int64_t tasks;
} drawn_work;

/* h(i,j) mixes the sum of the hashes of i and of j. */
static void hash_entry(const drawn_work *w, int64_t k, uint64_t row, kmin *out)
{
    const pair_sample *s = w->s;
    for (int64_t q = s->start[k]; q < s->start[k + 1]; q++)
        kmin_add(out,
                 pair_hash(rng_mix(row + s->hashes[q]), row, s->hashes[q]));
}

static void hash_task(void *work, int64_t t, kmin *out)
{
    const drawn_work *w = work;
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    const int64_t end = partition_bound(A->nnz, w->tasks, t + 1);
    int64_t p = partition_bound(A->nnz, w->tasks, t);
    for (int64_t i = row_of_entry(A, p); p < end; i++) {
        const int64_t row_end = min_i64(end, A->rowptr[i + 1]);
        const uint64_t row = hash_index(w->s->row_key, i);
        if (hash_draws(&w->s->rows, i))
            for (; p < row_end; p++)
                hash_entry(w, column_at(A->colidx, is_wide, p), row, out);
        p = row_end;
    }
}

spgemm_status spgemm_predict_bhash(prediction *out, const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_options *options = in->options;
    kmin all = {0};
    pair_sample s;
    SPGEMM_TRY(spgemm_pair_sample_make(
        &s, in, predict_probability(options, SPGEMM_PREDICTOR_BHASH)));
    SPGEMM_REQUIRE(
        spgemm_kmin_init(&all, predict_size(options, SPGEMM_PREDICTOR_BHASH),
                         in->m),
        SPGEMM_ERROR_OUT_OF_MEMORY);
    drawn_work w = {
        .A = in->A,
        .s = &s,
        .tasks = min_i64(in->A->nnz / TASK_ENTRIES + 1, MOST_TASKS),
    };
    SPGEMM_TRY(spgemm_kmin_gather(&all, hash_task, &w, w.tasks,
                                  spgemm_team_size(options->resources.nthreads,
                                                   s.products, THREAD_PRODUCTS),
                                  in->m));
    spgemm_pair_sample_predict(out, in, &s, &all);
    out->products_sampled = s.products;

cleanup:
    spgemm_kmin_clear(&all, in->m);
    spgemm_pair_sample_clear(&s, in->m);
    return status;
}
