/* SPDX-License-Identifier: BSD-3-Clause */
/* B', some columns of B. */
#include "predict/stratified/column_sample.h"

#include <math.h>
#include <string.h>

#include "common/checked.h"
#include "common/compiler.h"
#include "common/partition.h"
#include "common/rng.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"

/* Columns whose products agree in their first bits are of one weight: a power
   of two, and this many bits behind it. Those without products are of none. */
enum {
    WEIGHT_BITS = 3,
    WEIGHTS = 64 << WEIGHT_BITS,
    NO_PRODUCTS = 1 << WEIGHT_BITS,
    NO_WEIGHT = WEIGHT_BITS << WEIGHT_BITS
};

#define TASK_ROWS 512 /* of B, that are met */

#define THREAD_ENTRIES 32768 /* that are worth a thread */
#define COLUMN_ENTRIES 2     /* of B for each sum of a thread: not less */

/* Random numbers of its own, away from those that draw rows. */
#define THIN_STREAM 0x7468696eu

typedef struct column_work {
    const spgemm_csr *B;
    column_sample *sample;
    int64_t *uses; /* [rows of B] rows of A that meet it, weighted */
    int64_t *met;  /* [count] rows of B that any meets */
    int64_t count;
    int members;        /* threads that sum */
    uint64_t *products; /* [members][columns] in these rows; in [0] of all */
    int32_t *number;    /* [columns]; -1: not drawn; before that, its weight */
} column_work;

/* Each has sums of its own: many would wait for those of one great column. */
static int members_of(const spgemm_csr *B, int nthreads)
{
    const int team = spgemm_team_size(nthreads, B->nnz, THREAD_ENTRIES);
    const int64_t worth = B->nnz / (COLUMN_ENTRIES * max_i64(1, B->ncols));
    return (int)max_i64(1, min_i64(team, worth));
}

/* Rows of B that rows of A meet, and how often. */
static void count_uses(column_work *w, const spgemm_csr *A, const int64_t *rows,
                       const stratum_sample *samples, int64_t count)
{
    const bool is_wide = A->index_type == SPGEMM_I64;
    for (int64_t t = 0; t < count; t++)
        for (int64_t p = A->rowptr[rows[t]]; p < A->rowptr[rows[t] + 1]; p++)
            w->uses[column_at(A->colidx, is_wide, p)] += samples[t].weight;
    for (int64_t k = 0; k < w->B->nrows; k++) {
        w->met[w->count] = k;
        w->count += w->uses[k] > 0;
    }
}

static void count_products(void *work, int64_t t)
{
    const column_work *w = work;
    const bool is_wide = w->B->index_type == SPGEMM_I64;
    uint64_t *products = w->products + spgemm_team_rank() * w->B->ncols;
    const int64_t end = min_i64(w->count, (t + 1) * TASK_ROWS);
    for (int64_t n = t * TASK_ROWS; n < end; n++) {
        const int64_t k = w->met[n];
        const uint64_t uses = (uint64_t)w->uses[k];
        for (int64_t q = w->B->rowptr[k]; q < w->B->rowptr[k + 1]; q++)
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

/* That of no products, and of one, have the bits behind, too: no branch. */
static int weight_of(uint64_t products)
{
    const uint64_t bits = products << (WEIGHT_BITS + 1) | NO_PRODUCTS;
    const int power = 63 - __builtin_clzll(bits);
    const uint64_t behind = bits >> (power - WEIGHT_BITS);
    return power << WEIGHT_BITS | (int)(behind & ((1 << WEIGHT_BITS) - 1));
}

/* One, on the line where columns of a weight lie one behind the other, each as long
   as the probability that it is drawn. */
#define LINE_BITS 32
#define LINE_UNIT ((uint64_t)1 << LINE_BITS)

/* Columns in so many parts, one behind the other in each weight, which are gone
   through side by side: columns that follow each other are often of one weight, and
   would wait for one another. */
enum { COLUMN_PARTS = 4 };

typedef struct weight_class {
    int64_t columns[COLUMN_PARTS];
    uint64_t products[COLUMN_PARTS]; /* of all of these */
    uint64_t at[COLUMN_PARTS];       /* the next column */
    uint64_t probability;
} weight_class;

static int64_t columns_of(const weight_class *class)
{
    int64_t columns = 0;
    for (int x = 0; x < COLUMN_PARTS; x++)
        columns += class->columns[x];
    return columns;
}

static double products_of(const weight_class *class)
{
    uint64_t products = 0;
    for (int x = 0; x < COLUMN_PARTS; x++)
        products += class->products[x];
    return (double)products;
}

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
        if (columns_of(&class[d]) == 0)
            continue;
        sum[n] = products_of(&class[d]);
        root[n] = sqrt(sum[n] / (double)columns_of(&class[d]));
        all += sum[n++];
    }
    for (int step = 0; step < 40; step++) {
        const double c = (low + high) / 2;
        double drawn = 0.0;
        for (int d = 0; d < n; d++)
            drawn += sum[d] * (c * root[d] < 1.0 ? c * root[d] : 1.0);
        *(drawn > share * all ? &high : &low) = c;
    }
    return (low + high) / 2;
}

/* Of a part of the columns, number i; >= ncols: there is none. */
static int64_t column_of_part(int64_t ncols, int x, int64_t i)
{
    return x * ((ncols + COLUMN_PARTS - 1) / COLUMN_PARTS) + i;
}

/* number[j] becomes the weight of column j. */
static void weigh_columns(const column_work *w, weight_class *class)
{
    const int64_t ncols = w->B->ncols;
    const int64_t length = column_of_part(ncols, 1, 0);
    for (int64_t i = 0; i < length; i++)
        for (int x = 0; x < COLUMN_PARTS; x++) {
            const int64_t j = column_of_part(ncols, x, i);
            if (j >= ncols)
                continue;
            const int weight = weight_of(w->products[j]);
            w->number[j] = weight;
            class[weight].products[x] += w->products[j];
            class[weight].columns[x]++;
        }
    for (int x = 0; x < COLUMN_PARTS; x++)
        class[NO_WEIGHT].columns[x] = 0;
}

/* Returns where the line ends that begins at `start`. */
static uint64_t place_weights(weight_class *class, double share, uint64_t start)
{
    const double factor = probability_factor(class, share);
    uint64_t at = start;
    for (int d = 0; d < WEIGHTS; d++) {
        weight_class *k = &class[d];
        const int64_t columns = columns_of(k);
        if (columns == 0)
            continue;
        const double p = factor * sqrt(products_of(k) / (double)columns);
        k->probability =
            (uint64_t)fmax(1.0, fmin(1.0, p) * (double)LINE_UNIT + 0.5);
        for (int x = 0; x < COLUMN_PARTS; x++) {
            k->at[x] = at;
            at += (uint64_t)k->columns[x] * k->probability;
        }
    }
    return at;
}

/* Column j, of part x, is drawn if the line reaches 1, 2, ... in it. */
static ALWAYS_INLINE void draw_column(const column_work *w, weight_class *class,
                                      int x, int64_t j)
{
    weight_class *k = &class[w->number[j]];
    const uint64_t place = k->at[x] >> LINE_BITS;
    k->at[x] += k->probability;
    w->number[j] = -1;
    if (k->at[x] >> LINE_BITS == place)
        return;
    w->number[j] = (int32_t)place;
    w->sample->weight[place] =
        (int64_t)(COLUMN_WEIGHT * (double)LINE_UNIT / (double)k->probability +
                  0.5);
}

static spgemm_status draw_columns(column_work *w, double share, uint64_t seed,
                                  memory *m)
{
    column_sample *sample = w->sample;
    const int64_t ncols = w->B->ncols;
    weight_class class[WEIGHTS] = {0};
    const uint64_t start = rng_bits(seed, 0) >> LINE_BITS;
    weigh_columns(w, class);
    sample->count = (int64_t)(place_weights(class, share, start) >> LINE_BITS);
    sample->weight =
        spgemm_memory_allocate(m, sample->count, sizeof *sample->weight);
    if (!sample->weight)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int64_t i = 0; i < column_of_part(ncols, 1, 0); i++)
        for (int x = 0; x < COLUMN_PARTS; x++) {
            const int64_t j = column_of_part(ncols, x, i);
            if (j < ncols)
                draw_column(w, class, x, j);
        }
    return SPGEMM_SUCCESS;
}

/* Rows of B', one behind the other from where the first of them is in B. */
static void fill_rows(void *work, int64_t t)
{
    const column_work *w = work;
    const bool is_wide = w->B->index_type == SPGEMM_I64;
    const int64_t end = min_i64(w->count, (t + 1) * TASK_ROWS);
    int32_t *numbers = w->sample->numbers;
    int64_t at = w->B->rowptr[w->met[t * TASK_ROWS]];
    for (int64_t n = t * TASK_ROWS; n < end; n++) {
        const int64_t k = w->met[n];
        w->sample->rows[k].begin = at;
        for (int64_t q = w->B->rowptr[k]; q < w->B->rowptr[k + 1]; q++) {
            const int32_t number =
                w->number[column_at(w->B->colidx, is_wide, q)];
            numbers[at] = number;
            at += number >= 0;
        }
        w->sample->rows[k].end = at;
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
    sample->rows = spgemm_memory_allocate(m, B->nrows, sizeof *sample->rows);
    sample->numbers = spgemm_memory_allocate(m, B->nnz + COLUMN_SAMPLE_STEP,
                                             sizeof *sample->numbers);
    w.uses = spgemm_memory_allocate_zeroed(m, B->nrows, sizeof *w.uses);
    w.met = spgemm_memory_allocate(m, B->nrows, sizeof *w.met);
    w.products = spgemm_memory_allocate(m, sums, sizeof *w.products);
    w.number = spgemm_memory_allocate(m, B->ncols, sizeof *w.number);
    SPGEMM_REQUIRE(sample->rows && sample->numbers && w.uses && w.met &&
                       w.products && w.number,
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    spgemm_team_for(w.members, w.members, clear_sums_of, &w);
    count_uses(&w, in->A, rows, samples, count);
    const int64_t tasks = (w.count + TASK_ROWS - 1) / TASK_ROWS;
    spgemm_team_for(w.members, tasks, count_products, &w);
    add_sums(&w);
    SPGEMM_TRY(draw_columns(
        &w, share, rng_bits(in->options->predict.seed, THIN_STREAM), m));
    spgemm_team_for(spgemm_team_size(nthreads, B->nnz, THREAD_ENTRIES), tasks,
                    fill_rows, &w);

cleanup:
    spgemm_memory_release(m, w.uses, B->nrows, sizeof *w.uses);
    spgemm_memory_release(m, w.met, B->nrows, sizeof *w.met);
    spgemm_memory_release(m, w.products, sums, sizeof *w.products);
    spgemm_memory_release(m, w.number, B->ncols, sizeof *w.number);
    return status;
}

void spgemm_column_sample_clear(column_sample *sample, memory *m)
{
    if (!sample->B)
        return;
    spgemm_memory_release(m, sample->numbers,
                          sample->B->nnz + COLUMN_SAMPLE_STEP,
                          sizeof *sample->numbers);
    spgemm_memory_release(m, sample->rows, sample->B->nrows,
                          sizeof *sample->rows);
    spgemm_memory_release(m, sample->weight, sample->count,
                          sizeof *sample->weight);
    *sample = (column_sample){0};
}
