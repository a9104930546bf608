/* SPDX-License-Identifier: BSD-3-Clause */
/* Z = sum over c of G_c q_c from the samples taken, and its variance,

       V = sum over c of G_c^2 S_c^2 / n_c (1 - n_c / N_c) + V_columns. */
#include <stdlib.h>

#include "common/checked.h"
#include "predict/stratified/strata.h"

/* What is missing in the variance: 95.8 % of all bars of 94 matrices squared, 20
   seeds each, were right without it, but only 85 % on six. */
#define BAR_FACTOR 1.03

/* Degrees of freedom of a loss that was not seen. */
#define LOSS_FREEDOM 8

/* Levels apart from which one class says nothing of another. */
#define STRANGE_DISTANCE 6.0

/* Relative, of anything from 0 to twice its mean: 1 / sqrt(3). */
#define GUESS_ERROR 0.57735

/* What is kept of rows of which none was counted may be off that of others by
   this share of it. */
#define BORROWED_SHARE 0.5

double spgemm_strata_random_class(const strata *s, const row_class *k, int c)
{
    if (s->is_kept)
        return (double)k->bound;
    if (k->rows == 0)
        return 0.0;
    const double rows = (double)k->rows;
    const double mean = (double)k->products / rows;
    const double least = ldexp(1.0, c / (CLASS_LENGTHS * CLASS_SKEWS));
    const double square =
        (double)k->squares / rows / (EXCESS_UNIT * EXCESS_UNIT);
    const double excess = mean / least - 1.0;
    const double variance = fmax(0.0, square - excess * excess) * least * least;
    return rows * (strata_random_nnz(mean, s->ncols) -
                   variance / (2.0 * s->ncols) * exp(-mean / s->ncols));
}

/* Levels that two classes are apart; those of rows that are kept in part are of their
   bound alone. */
static int class_distance(const strata *s, int x, int y)
{
    const int levels = CLASS_LENGTHS * CLASS_SKEWS;
    if (s->is_kept)
        return abs(x / levels - y / levels) + abs(x % levels - y % levels);
    return abs(x / levels - y / levels) +
           abs(x / CLASS_SKEWS % CLASS_LENGTHS -
               y / CLASS_SKEWS % CLASS_LENGTHS) +
           abs(x % CLASS_SKEWS - y % CLASS_SKEWS);
}

/* The sampled class that is most like class k: of about as many products and
   entries a row; NULL if none was sampled. */
static const stratum *most_alike(const strata *s, const stratum *k)
{
    const stratum *best = NULL;
    int least = INT32_MAX;
    for (int t = 0; t < s->count; t++) {
        const stratum *other = &s->of[t];
        if (!stratum_is_sampled(other))
            continue;
        const int distance =
            class_distance(s, other->first_class, k->first_class);
        if (distance < least) {
            least = distance;
            best = other;
        }
    }
    return best;
}

/* The ratio of a class that was not sampled lies between that of the class
   most like it and 1, the further from the former the less alike they are: a row
   of a million products need not compress as those of ten do. It is taken from
   the middle; returns its relative standard error, of a uniform distribution and,
   as far as they are unlike, of what classes differ by. How unlike goes to *unlike. */
static double borrow_ratio(const strata *s, stratum *k, const stratum *like,
                           double *unlike)
{
    const double distance =
        class_distance(s, like->first_class, k->first_class);
    const double part = (distance - 1.0) / STRANGE_DISTANCE;
    *unlike = fmin(1.0, fmax(0.0, part));
    if (s->is_kept) {
        k->ratio = like->ratio;
        return hypot(BORROWED_SHARE * sqrt(fmin(1.0, fabs(1.0 - k->ratio))),
                     *unlike * GUESS_ERROR);
    }
    const double off = *unlike / 2.0 * (1.0 - like->ratio);
    k->ratio = like->ratio + off;
    return hypot(off / (sqrt(3.0) * k->ratio),
                 *unlike * spgemm_stratum_strangeness(k));
}

/* Where no class was sampled the ratio is anything from 0 to 1, of a uniform
   distribution, and the same for all of them. Returns its relative standard error;
   0: one was sampled. */
static double guess_ratios(strata *s)
{
    for (int t = 0; t < s->count; t++)
        if (stratum_is_sampled(&s->of[t]))
            return 0.0;
    for (int t = 0; t < s->count; t++)
        s->of[t].ratio = 0.5;
    return GUESS_ERROR;
}

/* Where nothing was kept of the rows that a class is likened to, that much of one that
   was not sampled may be. */
static double unseen_borrowed(const strata *s, const stratum *like, double room)
{
    return s->is_kept && like && like->mean == 0
               ? BORROWED_SHARE * room / ((double)like->samples + 1.0)
               : 0.0;
}

/* Standard error of what is borrowed, as far as that is unlike: all of it may be off
   alike. It is little where that is a small share of Z, and a guess's where it is all. */
static double borrowed_error(double borrowed, double nnz)
{
    return borrowed > 0 ? borrowed * borrowed / nnz * GUESS_ERROR : 0.0;
}

/* A row of which nothing is counted may be off what is extrapolated by this
   share of what a row that was not looked at may be. */
#define EXTRAPOLATION_SHARE 0.3

/* Of what partial_rows.h says that such rows may be off alike. */
#define TREND_TIMES 2.0
#define GAP_SHARE   0.5

double spgemm_stratum_partial_error(const stratum *k)
{
    const double n = (double)k->partial.count;
    if (n == 0)
        return 0.0;
    if (n < 2)
        return 1.0;
    const double left = 1.0 - fmin(1.0, n / (double)k->all.rows);
    const double of_strange =
        k->partial.excess * k->partial.excess * k->partial.strange_variance;
    return sqrt(k->partial.squares / (n - 1.0) / n * left + of_strange) /
           k->ratio;
}

/* What all its rows alike may be off what some of their entries say, over it. */
static double partial_doubt(const stratum *k)
{
    return fmax(TREND_TIMES * fabs(k->partial.trend),
                GAP_SHARE * k->partial.gap);
}

static double partial_freedom(const stratum *k)
{
    const partial_sum *p = &k->partial;
    return p->fourths > 0 ? fmax(1.0, p->squares * p->squares / p->fourths - 1)
                          : 1.0;
}

/* Relative standard error of class k's nnz, as far as it is of rows counted. */
static double class_error(const stratum *k, const strata_deviations *all)
{
    const double n = (double)k->samples;
    const double deviation = spgemm_stratum_deviation(k, all);
    if (k->partial.count > 0 && k->partial.is_instead)
        return EXTRAPOLATION_SHARE * deviation;
    if (n == 0)
        return deviation;
    return hypot(deviation * sqrt((1.0 - n / stratum_population(k)) / n),
                 spgemm_stratum_unlike_error(k, all));
}

/* A variance of a sum of some, and fourth powers over their degrees of freedom:
   those of the sum are the first squared over the second (Welch, Satterthwaite). */
typedef struct error_sum {
    double variance;
    double fourths;
} error_sum;

static void add_error(error_sum *to, double error, double freedom)
{
    to->variance += error * error;
    if (error > 0)
        to->fourths += error * error * error * error / freedom;
}

/* How much further 95 % reach with so many degrees of freedom than with
   infinitely many: Student's t over the normal, to a per cent or two from 2 on (of 1
   it is 6.5; so few are a guess themselves). */
static double student_factor(double freedom)
{
    return 1.0 + 1.2 / freedom + 1.4 / (freedom * freedom) +
           1.9 / (freedom * freedom * freedom);
}

/* nnz that a class has at most. */
static double class_most(const strata *s, const row_class *class)
{
    return s->is_kept
               ? (double)class->bound
               : fmin((double)class->products, (double)class->rows * s->ncols);
}

/* And at least: a row of products has an entry, but it may not be kept. */
static double class_least(const strata *s, const row_class *class)
{
    return s->is_kept ? 0.0 : (double)class->rows;
}

/* nnz of the classes of a stratum, of which no row has more than products or
   columns; their compressions to `out`. */
static double class_sums(prediction *out, const stratum *k, const strata *s,
                         const product_counts *counts)
{
    double nnz = 0.0;
    for (int c = k->first_class; c <= k->last_class; c++) {
        const row_class *class = &counts->classes[c];
        if (class->rows == 0)
            continue;
        const double z =
            fmin(class_most(s, class),
                 fmax(class_least(s, class),
                      k->ratio * spgemm_strata_random_class(s, class, c)));
        out->compression[c] = (double)class->products / z;
        nnz += z;
    }
    return nnz;
}

/* The same of a stratum of which every row was counted: its nnz is known. */
static double known_sums(prediction *out, const stratum *k, double estimated)
{
    const double nnz = round(k->mean * (double)k->samples);
    for (int c = k->first_class; nnz > 0 && c <= k->last_class; c++)
        out->compression[c] *= estimated / nnz;
    return nnz;
}

/* nnz of the classes of a stratum may be that much apart. */
static double room_of(const stratum *k, const strata *s,
                      const product_counts *counts)
{
    double room = 0.0;
    for (int c = k->first_class; c <= k->last_class; c++)
        room += class_most(s, &counts->classes[c]) -
                class_least(s, &counts->classes[c]);
    return room;
}

/* Entries that samples cannot tell of, whatever they show: one more or less in a
   row of as many as were seen and one. */
static double unseen_entries(const stratum *k)
{
    const double n = (double)k->samples;
    return fmax(stratum_population(k) - n, 0.0) / (n + 1.0);
}

/* Whether no product of the rows counted was lost. */
static bool is_lossless(const stratum *k, const strata *s)
{
    return !s->is_kept && k->samples > 0 && k->lost == 0;
}

/* Of n products none was lost: one in n + 1 may be. Products of each one in
   all lossless classes together. */
static double unseen_loss(const strata *s)
{
    double products = 0.0;
    for (int t = 0; t < s->count; t++)
        if (is_lossless(&s->of[t], s))
            products += s->of[t].products;
    return 1.0 / (products + 1.0);
}

/* Takes a total beyond the bound down to it, rows and all. */
static void keep_bound(prediction *out, double bound)
{
    const double factor = out->nnz / bound;
    if (!(factor > 1.0))
        return;
    for (int c = 0; c < PREDICTION_CLASSES; c++)
        out->compression[c] *= factor;
    out->nnz = bound;
}

void spgemm_strata_sum(prediction *out, strata *s, const product_counts *counts)
{
    double unseen = 0.0; /* the error, where no class shows any */
    error_sum errors = {0};
    const strata_deviations all = spgemm_strata_deviations(s);
    const double loss = unseen_loss(s);
    const double guess = guess_ratios(s);
    double lossless = 0.0;
    double borrowed = 0.0;
    double doubtful = 0.0;
    add_error(&errors, sqrt(s->column_variance), s->column_freedom);
    /* Of rows of no class nothing is kept. */
    prediction_fill(out, s->is_kept ? INFINITY : 1.0);
    out->is_exact = true;
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        const stratum *like = stratum_is_sampled(k) ? NULL : most_alike(s, k);
        double unlike = 0.0;
        const double strange = like ? borrow_ratio(s, k, like, &unlike) : 0.0;
        const double room = room_of(k, s, counts);
        double nnz = class_sums(out, k, s, counts);
        out->rows_sampled += k->rows;
        if (stratum_is_exact(k))
            nnz = known_sums(out, k, nnz);
        out->nnz += nnz;
        borrowed += unlike * nnz;
        if (stratum_is_exact(k) || room == 0)
            continue;
        out->is_exact = false;
        unseen = hypot(unseen, fmin(room, unseen_entries(k)));
        if (is_lossless(k, s))
            lossless += fmin(room, nnz * loss);
        /* All rows, or none, are kept whole as far as was seen. */
        if (s->is_kept && k->residuals == 0)
            add_error(&errors, fmin(room, unseen_entries(k)),
                      spgemm_stratum_freedom(k));
        add_error(&errors, unseen_borrowed(s, like, room), LOSS_FREEDOM);
        add_error(&errors, nnz * hypot(strange, class_error(k, &all)),
                  spgemm_stratum_freedom(k));
        doubtful += nnz * partial_doubt(k);
        if (k->partial.is_instead && k->partial.count > 0)
            add_error(&errors, nnz * spgemm_stratum_instead_error(k, &all),
                      spgemm_stratum_instead_freedom(k));
        else
            add_error(&errors, nnz * spgemm_stratum_partial_error(k),
                      partial_freedom(k));
    }
    add_error(&errors, lossless, LOSS_FREEDOM);
    add_error(&errors, doubtful, LOSS_FREEDOM);
    add_error(&errors, guess * out->nnz, LOSS_FREEDOM);
    add_error(&errors, borrowed_error(borrowed, out->nnz), LOSS_FREEDOM);
    keep_bound(out, (double)counts->bound);
    const double freedom = errors.variance * errors.variance / errors.fourths;
    out->standard_error =
        errors.variance > 0
            ? BAR_FACTOR * sqrt(errors.variance) * student_factor(freedom)
            : unseen;
}
