/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C) = sum over classes c of F_c / r_c, r_c = f*_c / z*_c.

   Rows of C are classed by floor(log2 products); F_c is the products of class
   c, known exactly, and r_c its own sampled compression: the separate ratio
   estimator of W. G. Cochran, Sampling Techniques, 3rd ed. 1977, section 6.10,
   over the sampled compression ratio of Du et al., arXiv:2207.13848. One
   compression for all rows, as published, errs by hundreds of per cent when
   a few heavy rows hide among many light ones; classes do not.

   How many rows of class c: proportional to N_c sqrt(mean products), the
   optimum when the spread of a row goes with its products and so does the
   price of counting it (Cochran, 5.5). Which: one at random in each of n_c
   equal stretches of the class, in row order. Classes whose rows are too dear
   are not sampled: they take over how far the class below departs from the
   model nnz = N (1 - exp(-products / N)) of columns drawn at random. */
#include "predict/predictor.h"

#include <string.h>

#include "common/partition.h"
#include "common/rng.h"
#include "common/team.h"
#include "common/try.h"

/* The budget: products whose rows are counted. */
#define BUDGET_SHARE 0.005   /* of all products, when there are many */
#define BUDGET_LEAST 80000.0 /* a fraction of a millisecond, but at most */
#define BUDGET_MOST  0.08    /* of all products, when there are few */

/* Least rows of a class, where they cost at most this share of the budget. */
#define CLASS_ROWS  10
#define CLASS_SHARE 0.4

/* Relative standard deviation of a class of which nothing is known. */
#define UNKNOWN_DEVIATION 0.1

#define CLASSES    PREDICTION_CLASSES
#define TASK_ROWS  8192
#define MOST_TASKS 64

/* Of one class, first over one task's rows, then over all. */
typedef struct stratum {
    int64_t rows;     /* N_c */
    int64_t products; /* F_c */
    int64_t samples;  /* n_c */
    int64_t first;    /* of its samples, in the list of all samples */
    double compression;
    double deviation; /* of z - f / r_c, relative to the mean of z */
} stratum;

typedef struct strata {
    stratum of[CLASSES];
} strata;

static void
class_rows(strata *s, const int64_t *products, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        if (products[i] == 0)
            continue;
        stratum *c = &s->of[prediction_class(products[i])];
        c->rows++;
        c->products += products[i];
    }
}

/* n_c of each class, and where its samples begin. Returns the sum. */
static int64_t allot_samples(strata *s, double total)
{
    const double budget =
        fmax(BUDGET_SHARE * total, fmin(BUDGET_MOST * total, BUDGET_LEAST));
    double price = 0.0; /* of one sample for each unit of weight */
    for (int c = 0; c < CLASSES; c++) {
        const stratum *k = &s->of[c];
        price +=
            (double)k->products * sqrt((double)k->rows * (double)k->products);
    }
    int64_t samples = 0;
    for (int c = 0; c < CLASSES; c++) {
        stratum *k = &s->of[c];
        if (k->rows == 0)
            continue;
        const double rows = (double)k->rows;
        const double mean = (double)k->products / rows;
        const double weight = sqrt(rows * (double)k->products);
        const double optimum = weight * (double)k->rows * budget / price;
        const double least = floor(CLASS_SHARE * budget / mean);
        k->samples =
            min_i64(k->rows, max_i64((int64_t)optimum,
                                     (int64_t)fmin(CLASS_ROWS, least)));
        k->first = samples;
        samples += k->samples;
    }
    return samples;
}

/* The rank, within its class, of sample t of n of N rows. */
static int64_t
sample_rank(const stratum *k, uint64_t seed, int64_t c, int64_t t)
{
    const int64_t low = partition_bound(k->rows, k->samples, t);
    const int64_t high = partition_bound(k->rows, k->samples, t + 1);
    const uint64_t counter = ((uint64_t)c << 48) + (uint64_t)t;
    return low + rng_below(seed, counter, high - low);
}

/* Writes the sampled rows among [begin, end); before: the classes of the rows
   that precede them. */
static void find_samples(int64_t *rows,
                         const strata *all,
                         const strata *before,
                         const predict_input *in,
                         int64_t begin,
                         int64_t end)
{
    const uint64_t seed = in->options->seed;
    int64_t rank[CLASSES];
    int64_t next[CLASSES];
    int64_t wanted[CLASSES]; /* rank of sample `next`, or -1 */
    for (int c = 0; c < CLASSES; c++) {
        const stratum *k = &all->of[c];
        rank[c] = before->of[c].rows;
        next[c] = 0;
        wanted[c] = -1;
        if (k->samples == 0)
            continue;
        /* The stretch that rank lies in holds the first candidate. */
        next[c] = min_i64(
            k->samples - 1,
            (int64_t)((double)rank[c] / (double)k->rows * (double)k->samples));
        while (next[c] > 0 &&
               partition_bound(k->rows, k->samples, next[c]) > rank[c])
            next[c]--;
        while (next[c] < k->samples &&
               sample_rank(k, seed, c, next[c]) < rank[c])
            next[c]++;
        if (next[c] < k->samples)
            wanted[c] = sample_rank(k, seed, c, next[c]);
    }
    for (int64_t i = begin; i < end; i++) {
        const int64_t products = in->counts->row[i];
        if (products == 0)
            continue;
        const int c = prediction_class(products);
        if (rank[c]++ != wanted[c])
            continue;
        const stratum *k = &all->of[c];
        rows[k->first + next[c]++] = i;
        wanted[c] =
            next[c] < k->samples ? sample_rank(k, seed, c, next[c]) : -1;
    }
}

/* r_c and the spread about it. */
static void measure_class(stratum *k,
                          const int64_t *rows,
                          const int64_t *row_nnz,
                          const int64_t *products)
{
    double f = 0.0;
    double z = 0.0;
    for (int64_t t = k->first; t < k->first + k->samples; t++) {
        f += (double)products[rows[t]];
        z += (double)row_nnz[t];
    }
    k->compression = f / z;
    k->deviation = k->samples == k->rows ? 0.0 : UNKNOWN_DEVIATION;
    if (k->samples < 2 || k->samples == k->rows)
        return;
    const double n = (double)k->samples;
    double squares = 0.0;
    for (int64_t t = k->first; t < k->first + k->samples; t++) {
        const double d =
            (double)row_nnz[t] - (double)products[rows[t]] / k->compression;
        squares += d * d;
    }
    k->deviation = sqrt(squares / (n - 1)) / (z / n);
}

/* Mean nnz of a class were its columns drawn at random from ncols. */
static double random_nnz(const stratum *k, double ncols)
{
    const double mean = (double)k->products / (double)k->rows;
    return ncols * -expm1(-mean / ncols);
}

/* A class without samples departs from random columns as `like` does. */
static void borrow_class(stratum *k, const stratum *like, double ncols)
{
    const double f = (double)k->products / (double)k->rows;
    double departure = 1.0;
    if (like) {
        const double g = (double)like->products / (double)like->rows;
        departure = g / like->compression / random_nnz(like, ncols);
    }
    const double nnz =
        fmin(fmin(f, ncols), fmax(1.0, departure * random_nnz(k, ncols)));
    k->compression = f / nnz;
    k->deviation =
        fmax(UNKNOWN_DEVIATION, like ? like->deviation : UNKNOWN_DEVIATION);
}

/* The total and its standard error; classes are independent. */
static void sum_classes(prediction *out, strata *s, double ncols)
{
    const stratum *like = NULL;
    double variance = 0.0;
    prediction_fill(out, 1.0);
    for (int c = 0; c < CLASSES; c++) {
        stratum *k = &s->of[c];
        if (k->rows == 0)
            continue;
        if (k->samples == 0)
            borrow_class(k, like, ncols);
        like = k;
        const double nnz = (double)k->products / k->compression;
        const double n = (double)max_i64(k->samples, 1);
        const double unseen = 1.0 - (double)k->samples / (double)k->rows;
        out->nnz += nnz;
        variance += nnz * nnz * k->deviation * k->deviation * unseen / n;
        out->compression[c] = k->compression;
        out->rows_sampled += k->samples;
    }
    out->standard_error = sqrt(variance);
}

/* Classes of all rows, and of the rows before each task. */
static void class_all_rows(strata *all,
                           strata *before,
                           int64_t tasks,
                           const predict_input *in,
                           int team)
{
    const int64_t nrows = in->A->nrows;
#pragma omp parallel for num_threads(team) schedule(dynamic, 1)
    for (int64_t t = 0; t < tasks; t++)
        class_rows(&before[t], in->counts->row,
                   partition_bound(nrows, tasks, t),
                   partition_bound(nrows, tasks, t + 1));
    for (int64_t t = 0; t < tasks; t++)
        for (int c = 0; c < CLASSES; c++) {
            const stratum mine = before[t].of[c];
            before[t].of[c].rows = all->of[c].rows;
            all->of[c].rows += mine.rows;
            all->of[c].products += mine.products;
        }
}

spgemm_status spgemm_predict_stratified(prediction *out,
                                        const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t nrows = in->A->nrows;
    const int64_t *products = in->counts->row;
    const int64_t tasks = min_i64(nrows / TASK_ROWS + 1, MOST_TASKS);
    const int team = spgemm_team_size(in->options->nthreads, nrows, 65536);
    strata all = {0};
    int64_t samples = 0;
    int64_t *rows = NULL;
    int64_t *row_nnz = NULL;
    strata *before =
        spgemm_memory_allocate_zeroed(in->m, tasks, sizeof *before);
    SPGEMM_REQUIRE(before, SPGEMM_ERROR_OUT_OF_MEMORY);

    class_all_rows(&all, before, tasks, in, team);
    samples = allot_samples(&all, (double)in->counts->total);
    rows = spgemm_memory_allocate(in->m, samples, sizeof *rows);
    SPGEMM_REQUIRE(rows, SPGEMM_ERROR_OUT_OF_MEMORY);
    row_nnz = spgemm_memory_allocate(in->m, samples, sizeof *row_nnz);
    SPGEMM_REQUIRE(row_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
#pragma omp parallel for num_threads(team) schedule(dynamic, 1)
    for (int64_t t = 0; t < tasks; t++)
        find_samples(rows, &all, &before[t], in,
                     partition_bound(nrows, tasks, t),
                     partition_bound(nrows, tasks, t + 1));
    SPGEMM_TRY(in->count_rows(in->count_context, rows, samples, row_nnz));

    for (int c = 0; c < CLASSES; c++)
        if (all.of[c].samples > 0)
            measure_class(&all.of[c], rows, row_nnz, products);
    sum_classes(out, &all, (double)in->B->ncols);
    for (int64_t t = 0; t < samples; t++)
        out->products_sampled += products[rows[t]];

cleanup:
    spgemm_memory_release(in->m, row_nnz, samples, sizeof *row_nnz);
    spgemm_memory_release(in->m, rows, samples, sizeof *rows);
    spgemm_memory_release(in->m, before, tasks, sizeof *before);
    return status;
}
