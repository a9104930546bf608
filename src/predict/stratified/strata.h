/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of rows, or groups of them, as the strata of a separate ratio
   estimator,

       Z = sum over strata c of G_c q_c,   q_c = sum z / sum g,

   z being nnz of the rows sampled in it, g what they had if their f products
   fell on the n columns at random, n (1 - exp(-f / n)), and G_c the same of all
   its rows, as if those of one class had equal f. Of short rows g is f; rows
   of many more products than there are columns are full, whatever they have.
   Of a C that is masked, or of which some is dropped, z is what is kept of a
   row, and g its bound: what the mask has there, or keep_top.

   W. G. Cochran, Sampling Techniques, 3rd edition, 1977: 6.10 the estimator,
   6.13 its variance, 5.5 the allocation that makes it least at a given cost. */
#ifndef SPGEMM_PREDICT_STRATIFIED_STRATA_H
#define SPGEMM_PREDICT_STRATIFIED_STRATA_H

#include <math.h>

#include "predict/predictor.h"

/* Standard errors to each side that hold 95 % of a normal distribution. */
#define NORMAL_95 1.96

/* Pieces that are counted of a stratum whose rows are too expensive to count. */
#define CLASS_PIECES 12

/* What a row stands for, its class's rows to those sampled, in units of this. */
#define COLUMN_WEIGHT 16.0

/* A row that is counted is estimated so many times, where it has to speak for
   all. */
#define TIMES_OF_WHOLE 8

/* What rows of a stratum have, as far as some of A's entries tell (partial_rows.h),
   x, and what that is unlike x of rows counted, e: see measure.c. */
typedef struct partial_sum {
    double products; /* to look at of each row; 0: none is estimated */
    bool is_instead; /* of rows that are too expensive to count more than one */
    int64_t take;    /* rows to estimate next */
    int64_t count;   /* estimated so far, and not counted */
    double slope;    /* sum x / sum g of these */
    double g;        /* sum g of these */
    double whole_g;  /* and of those counted */
    double median;   /* x / g of rows counted */
    double median_z; /* z / g of these */
    double excess;   /* mean e of those not counted */
    double of_whole; /* mean e of those counted */
    double factor;   /* z / x of strange rows that were counted in the end */
    double level; /* or their z / g, where that tells more of others; else 0 */
    double strange_variance; /* of that, over its square */
    double strange;   /* mean e of strange rows that were looked at again */
    double strange_g; /* sum g of these */
    double
        squares; /* sum of squares of e, or x where it is taken for z, less the mean */
    double fourths;
    double spread; /* sum of squares of x / g over its mean, less 1 */
    double trend;  /* means of those of its rows */
    double gap;
} partial_sum;

/* Neighbouring classes, as few as deserve to be sampled by themselves. */
typedef struct stratum {
    int first_class;
    int last_class;
    row_class all; /* N_c, F_c, entries of A */
    int64_t take;  /* rows to sample next */
    int64_t rows;  /* sampled so far */
    int64_t parts; /* of a sampled row's columns, of which one is counted */
    bool
        has_column_sample; /* it is the same columns of all rows: see column_sample_rows.h */
    int64_t samples;  /* rows or parts counted */
    double mean;      /* of z over these */
    double last;      /* z - q_c g of the last sample measured */
    double residuals; /* half the sum of (one less the one before)^2 of these */
    double squares;   /* sum of (z - q_c g)^2 */
    double products;  /* of rows counted whole */
    double lost;      /* of these: entries less than products */
    double slope;     /* sum z / sum g of the samples */
    double g;         /* mean g of the samples */
    double g_squares; /* sum of (g - that)^2 */
    double whole_g;   /* column sample: sum g of these rows with all columns */
    double expected;  /* G_c */
    double ratio;     /* q_c */
    partial_sum partial;
} stratum;

typedef struct strata {
    int count;
    int room;
    stratum *of;  /* [count], of [room] */
    bool is_kept; /* C is masked, or some of it is dropped */
    double price; /* see rows_deserved() */
    double total; /* products */
    double ncols;
    double column_variance; /* of Z, from which columns were drawn */
    double column_freedom;
    /* x is not z of rows too expensive to count more than one of a stratum. */
    bool partial_is_wrong;
} strata;

/* What classes differ by that have all to differ by (see deviation.c): of
   those that show it, and of those that do not. */
typedef struct strata_deviations {
    double seen;
    double unseen;
    /* Rows differ by chance in how many of their entries are kept. */
    bool has_chance;
} strata_deviations;

/* One row, or part of a row, that was counted. */
typedef struct stratum_sample {
    /* -1: not used any more */
    int stratum;
    int64_t row;
    /* Both of a column sample: as the columns drawn say of the row. */
    double products;
    double nnz;
    /* See strata_random_sample(); 0 before it is measured. Of a row that is kept
       in part: its bound. */
    double g;
    /* Products looked at. */
    int64_t counted;
    /* Of a column sample: products of the row, and the rows that it stands for,
       times COLUMN_WEIGHT. */
    int64_t whole;
    int64_t weight;
    /* Estimated from some of A's entries; 0: it was not. */
    double partial_nnz;
    /* Of what was said each time, over its square. */
    double partial_variance;
    /* See partial_row. */
    double partial_trend;
    double partial_gap;
    /* And nothing else is known of it. */
    bool is_partial;
    /* It was strange, and more of it was looked at; or all, which nnz is of. */
    bool was_strange;
    bool was_counted;
} stratum_sample;

/* Products that samples may cost. */
typedef struct sample_budget {
    double first; /* to learn how much rows differ */
    double most;
    double cap;     /* of all stages together, whatever the rows cost */
    double least;   /* of one row, where otherwise nothing is sampled */
    double columns; /* in a second stage with some columns only */
    double partial; /* of rows that are estimated from some of A's entries */
    double error;   /* that is good enough: relative, 95 % half-width */
} sample_budget;

static inline double stratum_products(const stratum *k)
{
    return (double)k->all.products / (double)k->all.rows;
}

/* Predicted nnz. */
static inline double stratum_nnz(const stratum *k)
{
    return k->expected * k->ratio;
}

/* Rows, or parts of rows, that there are to sample. */
static inline double stratum_population(const stratum *k)
{
    return (double)k->all.rows * (double)k->parts;
}

static inline bool stratum_is_sampled(const stratum *k)
{
    return k->samples > 0 || k->partial.count > 0;
}

static inline bool stratum_is_exact(const stratum *k)
{
    return !k->has_column_sample && k->samples > 0 &&
           (double)k->samples == stratum_population(k);
}

/* nnz that f products had on n columns, were they at random. */
static inline double strata_random_nnz(double f, double n)
{
    return n * -expm1(-f / n);
}

/* Parts of so many products in the mean differ by how full they are, not by
   chance. */
#define FULL_PART 32

/* g of a sample, which is measured. A part of many products has its share of what its row has: to take
   what its own products say would leave out that they gather in few parts. */
static inline double strata_random_sample(const strata *s,
                                          const stratum_sample *sample)
{
    const double parts = (double)s->of[sample->stratum].parts;
    return parts > 1 && (double)sample->whole > FULL_PART * parts
               ? strata_random_nnz((double)sample->whole, s->ncols) / parts
               : strata_random_nnz(sample->products, s->ncols / parts);
}

/** G of the rows of class c: what they may keep, where that is less than A*B has;
    else rows (g(m) + g''(m) / 2 times the variance of f), m being the mean of f. */
double spgemm_strata_random_class(const strata *s, const row_class *k, int c);

/** The strata of these rows. has_parts: rows can be counted in part. */
spgemm_status spgemm_strata_begin(strata *s, const product_counts *counts,
                                  const sample_budget *budget, int64_t ncols,
                                  bool has_parts, memory *m);

void spgemm_strata_clear(strata *s, memory *m);

/** What to take first, when nothing is known of them. */
void spgemm_strata_allot_first(strata *s, const sample_budget *budget);

/** Relative standard error of what rows that are estimated say of the others. */
double spgemm_stratum_partial_error(const stratum *k);

/** More rows to estimate, where that is what the error is of, for what is left. */
void spgemm_strata_allot_partial(strata *s, const sample_budget *budget,
                                 double looked_at, double left);

/** Entries of A's row to look at, of so many with so many products. */
int64_t spgemm_stratum_partial_entries(const stratum *k, int64_t length,
                                       int64_t products);

/** Products of what is to be taken of it, about. */
double spgemm_stratum_cost(const stratum *k);

/** What more to take, where rows differ: nothing if the error is small enough, or
    the budget spent. false: rows alone will not make it so. */
bool spgemm_strata_allot_more(strata *s, const sample_budget *budget,
                              double spent, double left);

/**
 * What to take where that is not enough: P times as many rows, of which columns
 * with a P-th of the products are counted.
 *
 * With rows alone the variance of Z is S_r / rows, with both S_r / rows + S_c /
 * columns, at a cost of rows times columns: so that a tenth of either is better
 * than a hundredth of the rows by as much as five times, if rows and columns
 * differ alike. Returns P; 1: it would cost too much to look through B, and
 * what was allotted stays.
 */
int64_t spgemm_strata_allot_column_sample(strata *s, double budget,
                                          int64_t nnz_b);

/** The rows allotted are of sampled columns, and replace what was sampled of their strata. */
void spgemm_strata_begin_column_sample(strata *s);

/** Compression and deviation of each stratum from all samples taken. */
void spgemm_strata_measure(strata *s, stratum_sample *samples, int64_t count);

/** What the columns drawn, in order of their products, each have of nnz, rows
    weighted, and stand for: the variance from drawing these, by their successive
    differences (Cochran, 8.11). */
void spgemm_strata_measure_columns(strata *s, const int64_t *column_nnz,
                                   const int64_t *column_weight, int64_t count);

/** What classes differ by. */
strata_deviations spgemm_strata_deviations(const strata *s);

/** S_c over the mean of z, as far as samples tell. */
double spgemm_stratum_deviation(const stratum *k, const strata_deviations *all);

/** The same; but the rows of a class that shows none may differ like any. */
double spgemm_stratum_pessimistic_deviation(const stratum *k,
                                            const strata_deviations *all);

/** Relative standard error of a class whose rows have another g in the mean than
    those sampled, which is known: of whether z grows as g does. */
double spgemm_stratum_unlike_error(const stratum *k,
                                   const strata_deviations *all);

/** Relative standard error of what two rows or more that are estimated, in place of
    being counted, say of the others, and its degrees of freedom: that they agree does
    not prove that all do. */
double spgemm_stratum_instead_error(const stratum *k,
                                    const strata_deviations *all);

double spgemm_stratum_instead_freedom(const stratum *k);

/** How far a class may be from one that is nothing like it, over its mean. */
double spgemm_stratum_strangeness(const stratum *k);

/** How far the rows of each class are from what it says of them, relative;
    of classes that have rows. */
void spgemm_strata_row_deviations(double *deviation, const strata *s);

/** Degrees of freedom of the deviation. */
double spgemm_stratum_freedom(const stratum *k);

/** The total, its standard error, and the compression of each class. */
void spgemm_strata_sum(prediction *out, strata *s,
                       const product_counts *counts);

#endif
