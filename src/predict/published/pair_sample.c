/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C) = nnz(C') / p^2, C' = A' B', rows of A and columns of B drawn with
   probability p each, independently.

   Its variance, z' and c' being nnz of the rows and of the columns of C': as
   a place (i,j) is drawn with p^2, and two of one row or one column with p^3,

     V(nnz(C')) = (1 - p) (sum z'^2 + sum c'^2) - (1 - p)^2 nnz(C')

   is unbiased. The sums are read off the places that hash lowest, a uniform
   sample: the share of pairs of them that are in one of G groups of rows
   estimates sum T^2, T the nnz of a group, and rows fall into groups at
   random, so that sum T^2 = sum z'^2 + (nnz(C')^2 - sum z'^2) / G. To this
   comes the variance of nnz(C') itself: kmin.c. */
#include "predict/published/pair_sample.h"

#include "common/try.h"
#include "matrix/csr.h"
#include "predict/published/column_uses.h"
#include "predict/row_tasks.h"

typedef struct sample_work {
    const spgemm_csr *B;
    pair_sample *s;
} sample_work;

/* start[k + 1] = entries of row k of B'. */
static void count_columns(void *work, int64_t t, int64_t begin, int64_t end)
{
    const sample_work *w = work;
    const bool is_wide = w->B->index_type == SPGEMM_I64;
    (void)t;
    for (int64_t k = begin; k < end; k++) {
        const int64_t first = w->B->rowptr[k];
        const int64_t last = w->s->uses[k] > 0 ? w->B->rowptr[k + 1] : first;
        int64_t count = 0;
        for (int64_t q = first; q < last; q++)
            count +=
                hash_draws(&w->s->columns, column_at(w->B->colidx, is_wide, q));
        w->s->start[k + 1] = count;
    }
}

static void fill_columns(void *work, int64_t t, int64_t begin, int64_t end)
{
    const sample_work *w = work;
    const bool is_wide = w->B->index_type == SPGEMM_I64;
    (void)t;
    for (int64_t k = begin; k < end; k++) {
        int64_t at = w->s->start[k];
        for (int64_t q = w->B->rowptr[k]; at < w->s->start[k + 1]; q++) {
            const int64_t j = column_at(w->B->colidx, is_wide, q);
            if (hash_draws(&w->s->columns, j))
                w->s->hashes[at++] = hash_index(w->s->column_key, j);
        }
    }
}

/* B', once its rows are counted. */
static spgemm_status make_rows(sample_work *w, const predict_input *in)
{
    pair_sample *s = w->s;
    const int nthreads = in->options->resources.nthreads;
    s->start[0] = 0;
    spgemm_row_tasks_run(w->B, nthreads, count_columns, w);
    for (int64_t k = 0; k < s->inner; k++) {
        s->products += s->uses[k] * s->start[k + 1];
        s->start[k + 1] += s->start[k];
    }
    s->hashes =
        spgemm_memory_allocate(in->m, s->start[s->inner], sizeof *s->hashes);
    if (!s->hashes)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    spgemm_row_tasks_run(w->B, nthreads, fill_columns, w);
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_pair_sample_make(pair_sample *s, const predict_input *in,
                                      double probability)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const uint64_t seed = in->options->predict.seed;
    sample_work w = {.B = in->B, .s = s};
    *s = (pair_sample){.probability = probability,
                       .rows = hash_sampler_make(
                           hash_key(seed, HASH_SAMPLE_ROWS), probability),
                       .columns = hash_sampler_make(
                           hash_key(seed, HASH_SAMPLE_COLUMNS), probability),
                       .row_key = hash_key(seed, HASH_ROWS),
                       .column_key = hash_key(seed, HASH_COLUMNS),
                       .inner = in->B->nrows};
    s->uses = spgemm_memory_allocate_zeroed(in->m, s->inner, sizeof *s->uses);
    SPGEMM_REQUIRE(s->uses, SPGEMM_ERROR_OUT_OF_MEMORY);
    s->start = spgemm_memory_allocate(in->m, s->inner + 1, sizeof *s->start);
    SPGEMM_REQUIRE(s->start, SPGEMM_ERROR_OUT_OF_MEMORY);
    s->rows_drawn = spgemm_column_uses(s->uses, in->A, &s->rows,
                                       in->options->resources.nthreads);
    SPGEMM_TRY(make_rows(&w, in));

cleanup:
    return status;
}

void spgemm_pair_sample_clear(pair_sample *s, memory *m)
{
    if (s->hashes)
        spgemm_memory_release(m, s->hashes, s->start[s->inner],
                              sizeof *s->hashes);
    spgemm_memory_release(m, s->start, s->inner + 1, sizeof *s->start);
    spgemm_memory_release(m, s->uses, s->inner, sizeof *s->uses);
    *s = (pair_sample){0};
}

/* sum z'^2 (sum c'^2) from the groups that begin at bit `shift`. */
static double sum_squares(const kmin *places, double nnz, int shift)
{
    const double groups = PAIR_GROUPS;
    const double n = (double)places->used;
    int64_t found[PAIR_GROUPS] = {0};
    double pairs = 0.0;
    for (int64_t t = 0; t < places->used; t++)
        found[(places->values[t] >> shift) % PAIR_GROUPS]++;
    for (int g = 0; g < PAIR_GROUPS; g++)
        pairs += (double)found[g] * (double)(found[g] - 1);
    const double share = n > 1 ? pairs / (n * (n - 1)) : 0.0;
    const double squares = nnz * (nnz - 1) * share + nnz;
    return (squares - nnz * nnz / groups) * groups / (groups - 1);
}

/* Of nnz(C'). */
static double variance_of(const pair_sample *s, const kmin *places,
                          const kmin_count *nnz)
{
    const double missed = 1 - s->probability;
    const double squares = sum_squares(places, nnz->count, PAIR_GROUP_BITS) +
                           sum_squares(places, nnz->count, 0);
    const double drawn = missed * squares - missed * missed * nnz->count;
    return fmax(drawn, 0) + nnz->variance;
}

void spgemm_pair_sample_predict(prediction *out, const predict_input *in,
                                const pair_sample *s, const kmin *places)
{
    const int64_t products = in->counts->total;
    const int64_t bound = in->counts->bound;
    const double share = s->probability * s->probability;
    out->rows_sampled = s->rows_drawn;
    if (s->products == 0) {
        prediction_set_total(out, (double)bound, products > 0 ? NAN : 0.0,
                             products, bound);
        return;
    }
    const kmin_count nnz = spgemm_kmin_count(places);
    prediction_set_total(out, nnz.count / share,
                         sqrt(variance_of(s, places, &nnz)) / share, products,
                         bound);
    out->is_exact = s->probability == 1 && places->used < places->k;
}
