/* SPDX-License-Identifier: BSD-3-Clause */
/* B', some columns of B. */
#include "predict/stratified/column_sample.h"

#include <math.h>
#include <string.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/rng.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/row_tasks.h"

/* Columns whose products agree in their first bits are of one weight: a power
   of two, and this many bits behind it. */
enum { WEIGHT_BITS = 3, WEIGHTS = 64 << WEIGHT_BITS };

#define THREAD_ENTRIES 32768 /* that are worth a thread */
#define COLUMN_ENTRIES 2     /* of B for each sum of a thread: not less */

/* Random numbers of its own, away from those that draw rows. */
#define THIN_STREAM 0x7468696eu

typedef struct column_work {
    const spgemm_csr *B;
    column_sample *sample;
    int64_t *uses;      /* [rows of B] rows of A that meet it, weighted */
    int members;        /* threads that sum */
    uint64_t *products; /* [members][columns] in these rows; in [0] of all */
    int32_t *number;    /* [columns]; -1: not drawn */
} column_work;

/* Each has sums of its own: many would wait for those of one great column. */
static int members_of(const spgemm_csr *B, int nthreads)
{
    const int team = spgemm_team_size(nthreads, B->nnz, THREAD_ENTRIES);
    const int64_t worth = B->nnz / (COLUMN_ENTRIES * max_i64(1, B->ncols));
    return (int)max_i64(1, min_i64(team, worth));
}

static void count_uses(column_work *w, const spgemm_csr *A, const int64_t *rows,
                       const stratum_sample *samples, int64_t count)
{
    const bool is_wide = A->index_type == SPGEMM_I64;
    for (int64_t t = 0; t < count; t++)
        for (int64_t p = A->rowptr[rows[t]]; p < A->rowptr[rows[t] + 1]; p++)
            w->uses[column_at(A->colidx, is_wide, p)] += samples[t].weight;
}

static void count_products(void *work, int64_t t, int64_t begin, int64_t end)
{
    const column_work *w = work;
    const bool is_wide = w->B->index_type == SPGEMM_I64;
    uint64_t *products = w->products + spgemm_team_rank() * w->B->ncols;
    (void)t;
    for (int64_t k = begin; k < end; k++) {
        const uint64_t uses = (uint64_t)w->uses[k];
        const int64_t first = w->B->rowptr[k];
        const int64_t last = uses > 0 ? w->B->rowptr[k + 1] : first;
        for (int64_t q = first; q < last; q++)
            products[column_at(w->B->colidx, is_wide, q)] += uses;
    }
}

static void clear_sums_of(void *context, int64_t member)
{
    const column_work *w = context;
    const size_t ncols = (size_t)w->B->ncols;
    memset(w->products + (size_t)member * ncols, 0,
           ncols * sizeof *w->products);
}

/* Of a part of the columns, all members' products to those of the first. */
static void add_sums_of(void *context, int64_t part)
{
    const column_work *w = context;
    const int64_t ncols = w->B->ncols;
    const int64_t end = partition_bound(ncols, w->members, part + 1);
    for (int64_t j = partition_bound(ncols, w->members, part); j < end; j++)
        for (int t = 1; t < w->members; t++)
            w->products[j] += w->products[t * ncols + j];
}

static void add_sums(column_work *w)
{
    if (w->members > 1)
        spgemm_team_for(w->members, w->members, add_sums_of, w);
}

static int weight_of(uint64_t products)
{
    const int power = 63 - __builtin_clzll(products | 1);
    const uint64_t behind =
        power < WEIGHT_BITS ? 0 : products >> (power - WEIGHT_BITS);
    return power << WEIGHT_BITS | (int)(behind & ((1 << WEIGHT_BITS) - 1));
}

/* Columns of one weight, on a line where all lie one behind the other, each as
   long as the probability that it is drawn. */
typedef struct weight_class {
    int64_t columns;
    double products; /* of each, about */
    double at;       /* the next column */
    double place;    /* the first place to draw a column at, from there on */
    double probability;
} weight_class;

/* c such that columns drawn with probability c sqrt(products), 1 at most, have
   `share` of all products: a column costs its products, and what it adds to the
   spread grows no faster than they do (Cochran, 5.5). */
static double probability_factor(const weight_class *class, double share)
{
    double sum[WEIGHTS];
    double root[WEIGHTS];
    double all = 0.0;
    double high = 1.0;
    double low = 0.0;
    int n = 0;
    for (int d = 0; d < WEIGHTS; d++) {
        if (class[d].columns == 0)
            continue;
        sum[n] = (double)class[d].columns * class[d].products;
        root[n] = sqrt(class[d].products);
        all += sum[n++];
    }
    for (int step = 0; step < 40; step++) {
        const double c = (low + high) / 2;
        double drawn = 0.0;
        for (int d = 0; d < n; d++)
            drawn += sum[d] * fmin(1.0, c * root[d]);
        *(drawn > share * all ? &high : &low) = c;
    }
    return (low + high) / 2;
}

/* Returns the length of the line. */
static double place_weights(const column_work *w, weight_class *class,
                            double share)
{
    double at = 0.0;
    for (int64_t j = 0; j < w->B->ncols; j++)
        if (w->products[j] > 0) {
            weight_class *k = &class[weight_of(w->products[j])];
            k->products += (double)w->products[j];
            k->columns++;
        }
    for (int d = 0; d < WEIGHTS; d++)
        class[d].products /= (double)max_i64(1, class[d].columns);
    const double factor = probability_factor(class, share);
    for (int d = 0; d < WEIGHTS; d++) {
        class[d].at = at;
        class[d].probability = fmin(1.0, factor * sqrt(class[d].products));
        at += (double)class[d].columns * class[d].probability;
    }
    return at;
}

/* Draws the columns at the places start, start + 1, ... on the line. */
static spgemm_status draw_columns(column_work *w, double share, uint64_t seed,
                                  memory *m)
{
    column_sample *sample = w->sample;
    weight_class class[WEIGHTS] = {{0}};
    const double length = place_weights(w, class, share);
    const double start = rng_unit(seed, 0);
    sample->count = (int64_t)length + 2;
    sample->weight =
        spgemm_memory_allocate_zeroed(m, sample->count, sizeof *sample->weight);
    if (!sample->weight)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int d = 0; d < WEIGHTS; d++)
        class[d].place = ceil(class[d].at - start);
    for (int64_t j = 0; j < w->B->ncols; j++) {
        w->number[j] = -1;
        if (w->products[j] == 0)
            continue;
        weight_class *k = &class[weight_of(w->products[j])];
        const double place = k->place;
        k->at += k->probability;
        if (!(place < k->at - start))
            continue;
        k->place = ceil(k->at - start);
        if (place >= 0 && place < (double)sample->count) {
            w->number[j] = (int32_t)place;
            sample->weight[(int64_t)place] =
                (int64_t)(COLUMN_WEIGHT / k->probability + 0.5);
        }
    }
    return SPGEMM_SUCCESS;
}

/* Row k of B', where row k of B begins. */
static void fill_rows(void *work, int64_t t, int64_t begin, int64_t end)
{
    const column_work *w = work;
    const bool is_wide = w->B->index_type == SPGEMM_I64;
    int32_t *numbers = w->sample->numbers;
    (void)t;
    for (int64_t k = begin; k < end; k++) {
        const int64_t first = w->B->rowptr[k];
        const int64_t last = w->uses[k] > 0 ? w->B->rowptr[k + 1] : first;
        int64_t at = first;
        for (int64_t q = first; q < last; q++) {
            const int32_t number =
                w->number[column_at(w->B->colidx, is_wide, q)];
            numbers[at] = number;
            at += number >= 0;
        }
        w->sample->end[k] = at;
    }
}

spgemm_status spgemm_column_sample_make(column_sample *sample,
                                        const predict_input *in,
                                        const int64_t *rows,
                                        const stratum_sample *samples,
                                        int64_t count, double share)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *B = in->B;
    const int nthreads = in->options->resources.nthreads;
    memory *m = in->m;
    column_work w = {
        .B = B, .sample = sample, .members = members_of(B, nthreads)};
    const int64_t sums = w.members * B->ncols;
    *sample = (column_sample){.B = B};
    sample->end = spgemm_memory_allocate(m, B->nrows, sizeof *sample->end);
    sample->numbers =
        spgemm_memory_allocate(m, B->nnz, sizeof *sample->numbers);
    w.uses = spgemm_memory_allocate_zeroed(m, B->nrows, sizeof *w.uses);
    w.products = spgemm_memory_allocate(m, sums, sizeof *w.products);
    w.number = spgemm_memory_allocate(m, B->ncols, sizeof *w.number);
    SPGEMM_REQUIRE(sample->end && sample->numbers && w.uses && w.products &&
                       w.number,
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    spgemm_team_for(w.members, w.members, clear_sums_of, &w);
    count_uses(&w, in->A, rows, samples, count);
    spgemm_row_tasks_run(B, w.members, count_products, &w);
    add_sums(&w);
    SPGEMM_TRY(draw_columns(
        &w, share, rng_bits(in->options->predict.seed, THIN_STREAM), m));
    spgemm_row_tasks_run(B, nthreads, fill_rows, &w);

cleanup:
    spgemm_memory_release(m, w.uses, B->nrows, sizeof *w.uses);
    spgemm_memory_release(m, w.products, sums, sizeof *w.products);
    spgemm_memory_release(m, w.number, B->ncols, sizeof *w.number);
    return status;
}

void spgemm_column_sample_clear(column_sample *sample, memory *m)
{
    if (!sample->B)
        return;
    spgemm_memory_release(m, sample->numbers, sample->B->nnz,
                          sizeof *sample->numbers);
    spgemm_memory_release(m, sample->end, sample->B->nrows,
                          sizeof *sample->end);
    spgemm_memory_release(m, sample->weight, sample->count,
                          sizeof *sample->weight);
    *sample = (column_sample){0};
}
