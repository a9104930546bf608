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
   equal stretches of the class, in row order. Of rows that are too dear to be
   counted whole, ranges of their columns are counted instead, if B is sorted
   and its rows are long. A class that is left without a sample takes over how
   far the class below departs from the model nnz = N (1 - exp(-products / N))
   of columns drawn at random. */
#include "predict/predictor.h"

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

/* Pieces counted of the rows of a class that are dearer, and the share of the
   budget that they may cost. */
#define CLASS_PIECES 12
#define PIECES_SHARE 0.2
#define MOST_PARTS   4096

/* A piece looks at all rows of B that its row meets: that pays where they are
   this long in the mean. One row is counted whole where they are shorter, if
   it costs no more than this many budgets; a dearer class is not sampled. */
#define PIECE_LENGTH 32
#define DEAR_BUDGETS 2

/* Relative standard deviation of a class of which nothing is known. */
#define UNKNOWN_DEVIATION 0.1

#define CLASSES    PREDICTION_CLASSES
#define TASK_ROWS  8192
#define MOST_TASKS 64
#define ROW_GRAIN  65536 /* rows that are worth a thread */

/* Of one class, first over one task's rows, then over all. */
typedef struct stratum {
    int64_t rows;     /* N_c */
    int64_t products; /* F_c */
    int64_t entries;  /* of A, in these rows */
    int64_t samples;  /* n_c */
    int64_t first;    /* of its samples, in the list of all samples */
    int64_t parts;    /* that a sampled row is cut into; 1: counted whole */
    double compression;
    double deviation; /* of z - f / r_c, relative to the mean of z */
} stratum;

typedef struct strata {
    stratum of[CLASSES];
} strata;

static void
class_rows(strata *s, const predict_input *in, int64_t begin, int64_t end)
{
    const int64_t *products = in->counts->row;
    const int64_t *Ap = in->A->rowptr;
    for (int64_t i = begin; i < end; i++) {
        if (products[i] == 0)
            continue;
        stratum *c = &s->of[prediction_class(products[i])];
        c->rows++;
        c->products += products[i];
        c->entries += Ap[i + 1] - Ap[i];
    }
}

/* n_c of one class; in pieces where whole rows are too dear. */
static void allot_class(stratum *k, double budget, double price, bool has_parts)
{
    const double rows = (double)k->rows;
    const double mean = (double)k->products / rows;
    const double weight = sqrt(rows * (double)k->products);
    const double optimum = weight * rows * budget / price;
    const double least = fmin(CLASS_ROWS, floor(CLASS_SHARE * budget / mean));
    k->parts = 1;
    k->samples = min_i64(k->rows, max_i64((int64_t)optimum, (int64_t)least));
    if (k->samples > 0)
        return;
    if (has_parts && k->products >= PIECE_LENGTH * k->entries) {
        k->samples = min_i64(k->rows, CLASS_PIECES);
        k->parts =
            checked_capacity(mean * CLASS_PIECES / (PIECES_SHARE * budget),
                             2 * CLASS_PIECES / k->samples, MOST_PARTS);
    } else if (mean <= DEAR_BUDGETS * budget) {
        k->samples = 1;
    }
}

/* n_c of each class, and where its samples begin: those counted whole first.
   Returns their number in all, and that of the first. */
static int64_t
allot_samples(strata *s, double total, bool has_parts, int64_t *whole)
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
    for (int c = 0; c < CLASSES; c++)
        if (s->of[c].rows > 0)
            allot_class(&s->of[c], budget, price, has_parts);
    for (int is_cut = 0; is_cut <= 1; is_cut++) {
        for (int c = 0; c < CLASSES; c++) {
            stratum *k = &s->of[c];
            if (k->samples == 0 || (k->parts > 1) != is_cut)
                continue;
            k->first = samples;
            samples += k->samples;
        }
        if (!is_cut)
            *whole = samples;
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

/* r_c and the spread about it, of n of `all` things sampled: products f[t],
   nnz z[t]. */
static void
measure_class(stratum *k, const row_part *counted, int64_t n, int64_t all)
{
    double f = 0.0;
    double z = 0.0;
    for (int64_t t = 0; t < n; t++) {
        f += (double)counted[t].products;
        z += (double)counted[t].nnz;
    }
    /* Ranges of columns may all be empty. */
    k->compression = z > 0 ? f / z : 1.0;
    k->deviation = n == all ? 0.0 : UNKNOWN_DEVIATION;
    if (n < 2 || n == all || z == 0)
        return;
    double squares = 0.0;
    for (int64_t t = 0; t < n; t++) {
        const double d = (double)counted[t].nnz -
                         (double)counted[t].products / k->compression;
        squares += d * d;
    }
    k->deviation = sqrt(squares / (double)(n - 1)) / (z / (double)n);
}

/* Rows, or pieces of rows, that were counted of a class. */
static int64_t counted_of(const stratum *k)
{
    return k->samples > 0 && k->parts > 1
               ? CLASS_PIECES / k->samples * k->samples
               : k->samples;
}

/* Classes whose rows are counted whole. */
static spgemm_status measure_whole(strata *s,
                                   const int64_t *rows,
                                   row_part *counted,
                                   int64_t count,
                                   const predict_input *in)
{
    int64_t *row_nnz = spgemm_memory_allocate(in->m, count, sizeof *row_nnz);
    if (!row_nnz)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    const spgemm_status status =
        in->count_rows(in->count_context, rows, count, row_nnz);
    for (int64_t t = 0; status == SPGEMM_SUCCESS && t < count; t++)
        counted[t] = (row_part){.row = rows[t],
                                .products = in->counts->row[rows[t]],
                                .nnz = row_nnz[t]};
    spgemm_memory_release(in->m, row_nnz, count, sizeof *row_nnz);
    if (status < 0)
        return status;
    for (int c = 0; c < CLASSES; c++) {
        stratum *k = &s->of[c];
        if (k->samples > 0 && k->parts == 1)
            measure_class(k, counted + k->first, k->samples, k->rows);
    }
    return SPGEMM_SUCCESS;
}

/* Classes of whose rows pieces are counted: each sampled row gives as many,
   one from each of as many stretches of its columns. */
static spgemm_status measure_cut(strata *s,
                                 const int64_t *rows,
                                 prediction *out,
                                 const predict_input *in)
{
    row_part pieces[CLASS_PIECES];
    for (int c = 0; c < CLASSES; c++) {
        stratum *k = &s->of[c];
        if (k->samples == 0 || k->parts == 1)
            continue;
        const int64_t n = counted_of(k);
        const int64_t each = n / k->samples;
        for (int64_t t = 0; t < n; t++) {
            const int64_t low = partition_bound(k->parts, each, t % each);
            const int64_t high = partition_bound(k->parts, each, t % each + 1);
            const uint64_t counter =
                ((uint64_t)(CLASSES + c) << 48) + (uint64_t)t;
            pieces[t] = (row_part){
                .row = rows[k->first + t / each],
                .part = low + rng_below(in->options->seed, counter, high - low),
                .parts = k->parts};
        }
        const spgemm_status status =
            in->count_parts(in->count_context, pieces, n);
        if (status < 0)
            return status;
        measure_class(k, pieces, n, k->rows * k->parts);
        for (int64_t t = 0; t < n; t++)
            out->products_sampled += pieces[t].products;
    }
    return SPGEMM_SUCCESS;
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
static void sum_classes(prediction *out, strata *s, double ncols, int64_t bound)
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
        const double n = (double)max_i64(counted_of(k), 1);
        const double unseen = 1.0 - n / ((double)k->rows * (double)k->parts);
        out->nnz += nnz;
        variance += nnz * nnz * k->deviation * k->deviation * unseen / n;
        out->compression[c] = k->compression;
        out->rows_sampled += k->samples;
    }
    out->nnz = fmin(out->nnz, (double)bound);
    out->standard_error = sqrt(variance);
}

/* Classes of all rows, and of the rows before each task. */
static void class_all_rows(strata *all,
                           strata *before,
                           int64_t tasks,
                           const predict_input *in)
{
    const int64_t nrows = in->A->nrows;
#pragma omp parallel for schedule(dynamic, 1)                                  \
    num_threads(spgemm_team_size(in->options->nthreads, nrows, ROW_GRAIN))
    for (int64_t t = 0; t < tasks; t++)
        class_rows(&before[t], in, partition_bound(nrows, tasks, t),
                   partition_bound(nrows, tasks, t + 1));
    for (int64_t t = 0; t < tasks; t++)
        for (int c = 0; c < CLASSES; c++) {
            const stratum mine = before[t].of[c];
            before[t].of[c].rows = all->of[c].rows;
            all->of[c].rows += mine.rows;
            all->of[c].products += mine.products;
            all->of[c].entries += mine.entries;
        }
}

spgemm_status spgemm_predict_stratified(prediction *out,
                                        const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t nrows = in->A->nrows;
    const int64_t tasks = min_i64(nrows / TASK_ROWS + 1, MOST_TASKS);
    strata all = {0};
    int64_t samples = 0;
    int64_t whole = 0;
    int64_t *rows = NULL;
    row_part *counted = NULL;
    strata *before =
        spgemm_memory_allocate_zeroed(in->m, tasks, sizeof *before);
    SPGEMM_REQUIRE(before, SPGEMM_ERROR_OUT_OF_MEMORY);

    class_all_rows(&all, before, tasks, in);
    samples =
        allot_samples(&all, (double)in->counts->total, in->count_parts, &whole);
    rows = spgemm_memory_allocate(in->m, samples, sizeof *rows);
    SPGEMM_REQUIRE(rows, SPGEMM_ERROR_OUT_OF_MEMORY);
    counted = spgemm_memory_allocate(in->m, whole, sizeof *counted);
    SPGEMM_REQUIRE(counted, SPGEMM_ERROR_OUT_OF_MEMORY);
#pragma omp parallel for schedule(dynamic, 1)                                  \
    num_threads(spgemm_team_size(in->options->nthreads, nrows, ROW_GRAIN))
    for (int64_t t = 0; t < tasks; t++)
        find_samples(rows, &all, &before[t], in,
                     partition_bound(nrows, tasks, t),
                     partition_bound(nrows, tasks, t + 1));
    SPGEMM_TRY(measure_whole(&all, rows, counted, whole, in));
    SPGEMM_TRY(measure_cut(&all, rows, out, in));
    sum_classes(out, &all, (double)in->B->ncols, in->counts->bound);
    for (int64_t t = 0; t < whole; t++)
        out->products_sampled += counted[t].products;

cleanup:
    spgemm_memory_release(in->m, counted, whole, sizeof *counted);
    spgemm_memory_release(in->m, rows, samples, sizeof *rows);
    spgemm_memory_release(in->m, before, tasks, sizeof *before);
    return status;
}
