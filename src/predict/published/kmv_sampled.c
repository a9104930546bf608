/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C) = (k - 1) / (v p^2), v the k-th smallest distinct value of
   h(i,j) = (h1(i) - h2(j)) mod 1 over the products of A' B', rows of A and
   columns of B drawn with probability p each (1: all).

   R. R. Amossen, A. Campagna, R. Pagh, Better size estimation for sparse
   matrix products, RANDOM 2010, arXiv:1006.4173. With column l of A' sorted by
   h1 and row l of B' by h2, the j that give a row i its small values lie next
   to one another, from the largest h2(j) <= h1(i) downward, mod 1: products
   that hash high are never looked at. Differs from it in: k - 1, see kmin.c;
   h1 and h2 are fixed mixing functions of random keys; a column or a row is
   sorted as a whole, not in buckets; the limit below which products are looked
   at is guessed from their number and raised until k are found, where theirs
   begins at 1 / k, which needs k^2 < nnz(C), and falls as they are: so any
   nnz(C) will do, and what is looked at is the same for any number of threads;
   a standard error, that of independent hashes, where these are independent in
   pairs (kmin.c), and of the draws (pair_sample.c). The rows of C get
   products(i) / (F / nnz).

   Time: A and B once, sorted; about 2 k F / nnz(C) products. Memory: 24 bytes a
   row of B, 8 p an entry of A and of B, a sketch of 2 k hashes and one a
   thread. */
#include "common/sort_hashes.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/published/pair_sample.h"
#include "predict/row_tasks.h"

/* Products below the first limit, for each of the k, were all distinct. */
#define FIRST_GUESS 1.5

/* How much a limit is raised that was too low: at least, at most, and beyond
   what the hashes found so far ask for. */
#define LEAST_RAISE 2.0
#define MOST_RAISE  64.0
#define MARGIN      1.25

#define TASK_ROWS      64 /* of B', and columns of A' */
#define MOST_TASKS     4096
#define THREAD_ENTRIES 32768 /* that are worth a thread */

typedef struct walk_work {
    const spgemm_csr *A;
    const pair_sample *s;
    int64_t *end;     /* [inner] of the columns of A' */
    uint64_t *hashes; /* [entries] of the rows of A', column by column */
    int64_t entries;  /* of A' */
    int64_t tasks;
    int team;
    uint64_t limit;    /* products that hash below are looked at */
    int64_t looked_at; /* at so many */
} walk_work;

/* A' by columns; the team leaves the rows of a column in any order. */
static void transpose(void *work, int64_t t, int64_t begin, int64_t end)
{
    const walk_work *w = work;
    const bool is_wide = w->A->index_type == SPGEMM_I64;
    (void)t;
    for (int64_t i = begin; i < end; i++) {
        const uint64_t row = hash_index(w->s->row_key, i);
        if (!hash_draws(&w->s->rows, i))
            continue;
        for (int64_t p = w->A->rowptr[i]; p < w->A->rowptr[i + 1]; p++) {
            int64_t *next = &w->end[column_at(w->A->colidx, is_wide, p)];
            int64_t at;
#pragma omp atomic capture
            at = (*next)++;
            w->hashes[at] = row;
        }
    }
}

/* end[l], and the hashes there. */
static void make_columns(walk_work *w, const predict_input *in)
{
    int64_t end = 0;
    for (int64_t l = 0; l < w->s->inner; l++) {
        w->end[l] = end;
        end += w->s->uses[l];
    }
    spgemm_row_tasks_run(in->A, in->options->resources.nthreads, transpose, w);
}

/* Columns of A' and rows of B' by hash. */
static void sort_task(void *context, int64_t t)
{
    const walk_work *w = context;
    const pair_sample *s = w->s;
    const int64_t end = partition_bound(s->inner, w->tasks, t + 1);
    for (int64_t l = partition_bound(s->inner, w->tasks, t); l < end; l++) {
        spgemm_sort_hashes(w->hashes + w->end[l] - s->uses[l], s->uses[l]);
        spgemm_sort_hashes(s->hashes + s->start[l],
                           s->start[l + 1] - s->start[l]);
    }
}

/* Products of one row of A', whose hash is x, that hash below the limit:
   columns from the highest that is at most x downward, and around. Returns how
   many. */
static int64_t walk_down(const uint64_t *columns, int64_t count, int64_t from,
                         uint64_t x, uint64_t limit, kmin *out)
{
    int64_t walked = 0;
    for (; walked < count; walked++) {
        from = from > 0 ? from - 1 : count - 1;
        const uint64_t y = columns[from];
        if (x - y >= limit)
            break;
        kmin_add(out, pair_hash(x - y, x, y));
    }
    return walked;
}

static int64_t walk_inner(const walk_work *w, int64_t l, kmin *out)
{
    const pair_sample *s = w->s;
    const uint64_t *columns = s->hashes + s->start[l];
    const int64_t count = s->start[l + 1] - s->start[l];
    int64_t walked = 0;
    int64_t from = 0; /* columns that hash to x at most */
    for (int64_t p = w->end[l] - s->uses[l]; count > 0 && p < w->end[l]; p++) {
        const uint64_t x = w->hashes[p];
        while (from < count && columns[from] <= x)
            from++;
        walked += walk_down(columns, count, from, x, w->limit, out);
    }
    return walked;
}

static void walk_task(void *work, int64_t t, kmin *out)
{
    walk_work *w = work;
    const int64_t end = partition_bound(w->s->inner, w->tasks, t + 1);
    int64_t walked = 0;
    for (int64_t l = partition_bound(w->s->inner, w->tasks, t); l < end; l++)
        walked += walk_inner(w, l, out);
#pragma omp atomic
    w->looked_at += walked;
}

/* share of all hashes, as one of them; groups do not move a hash across it. */
static uint64_t limit_of(double share)
{
    const double all = 0x1p64 / (double)PAIR_GROUPS_STEP;
    const double steps = floor(share * all) + 1;
    return steps < all ? (uint64_t)steps * PAIR_GROUPS_STEP : UINT64_MAX;
}

/* The k smallest, or all there are: below higher and higher limits. */
static spgemm_status walk(walk_work *w, kmin *places, memory *m)
{
    double share = FIRST_GUESS * (double)places->k / (double)w->s->products;
    for (;;) {
        w->limit = limit_of(share);
        w->looked_at = 0;
        const spgemm_status status =
            spgemm_kmin_gather(places, walk_task, w, w->tasks, w->team, m);
        if (status < 0 || places->used == places->k || w->limit == UINT64_MAX)
            return status;
        const double wanted =
            MARGIN * (double)places->k / (double)max_i64(places->used, 1);
        share *= fmin(fmax(wanted, LEAST_RAISE), MOST_RAISE);
    }
}

/* The k lowest places of A' B'. */
static spgemm_status find_places(kmin *places, int64_t *looked_at,
                                 const pair_sample *s, const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    walk_work w = {.A = in->A,
                   .s = s,
                   .tasks = min_i64(s->inner / TASK_ROWS + 1, MOST_TASKS)};
    for (int64_t l = 0; l < s->inner; l++)
        w.entries += s->uses[l];
    w.team = spgemm_team_size(in->options->resources.nthreads,
                              w.entries + s->start[s->inner], THREAD_ENTRIES);
    w.end = spgemm_memory_allocate(in->m, s->inner, sizeof *w.end);
    SPGEMM_REQUIRE(w.end, SPGEMM_ERROR_OUT_OF_MEMORY);
    w.hashes = spgemm_memory_allocate(in->m, w.entries, sizeof *w.hashes);
    SPGEMM_REQUIRE(w.hashes, SPGEMM_ERROR_OUT_OF_MEMORY);
    make_columns(&w, in);
    spgemm_team_for(w.team, w.tasks, sort_task, &w);
    SPGEMM_TRY(walk(&w, places, in->m));
    *looked_at = w.looked_at;

cleanup:
    spgemm_memory_release(in->m, w.hashes, w.entries, sizeof *w.hashes);
    spgemm_memory_release(in->m, w.end, s->inner, sizeof *w.end);
    return status;
}

spgemm_status spgemm_predict_kmv_sampled(prediction *out,
                                         const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_options *options = in->options;
    kmin places = {0};
    pair_sample s;
    SPGEMM_TRY(spgemm_pair_sample_make(
        &s, in, predict_probability(options, SPGEMM_PREDICTOR_KMV_SAMPLED)));
    SPGEMM_REQUIRE(
        spgemm_kmin_init(&places,
                         predict_size(options, SPGEMM_PREDICTOR_KMV_SAMPLED),
                         in->m),
        SPGEMM_ERROR_OUT_OF_MEMORY);
    if (s.products > 0)
        SPGEMM_TRY(find_places(&places, &out->products_sampled, &s, in));
    spgemm_pair_sample_predict(out, in, &s, &places);

cleanup:
    spgemm_kmin_clear(&places, in->m);
    spgemm_pair_sample_clear(&s, in->m);
    return status;
}
