/* SPDX-License-Identifier: BSD-3-Clause */
/* Z = sum over c of G_c q_c from the samples taken, and its variance,

       V = sum over c of G_c^2 S_c^2 / n_c (1 - n_c / N_c) + V_columns. */
#include <stdlib.h>

#include "common/checked.h"
#include "predict/stratified/strata.h"

/* Levels apart from which one class says nothing of another. */
#define STRANGE_DISTANCE 6.0

double spgemm_strata_random_class(const row_class *k, int c, double ncols)
{
    if (k->rows == 0)
        return 0.0;
    const double rows = (double)k->rows;
    const double mean = (double)k->products / rows;
    const double least = ldexp(1.0, c / (CLASS_LENGTHS * CLASS_SKEWS));
    const double square =
        (double)k->squares / rows / (EXCESS_UNIT * EXCESS_UNIT);
    const double excess = mean / least - 1.0;
    const double variance = fmax(0.0, square - excess * excess) * least * least;
    return rows * (strata_random_nnz(mean, ncols) -
                   variance / (2.0 * ncols) * exp(-mean / ncols));
}

void spgemm_strata_measure(strata *s, const stratum_sample *samples,
                           int64_t count)
{
    for (int t = 0; t < s->count; t++) {
        s->of[t].samples = 0;
        s->of[t].residuals = 0.0;
        s->of[t].squares = 0.0;
        s->of[t].last = NAN;
        s->of[t].mean = 0.0;
        s->of[t].slope = 0.0;
        s->of[t].whole_g = 0.0;
    }
    /* Sums of z and of g, first of all. */
    for (int64_t e = 0; e < count; e++) {
        if (samples[e].stratum < 0)
            continue;
        stratum *k = &s->of[samples[e].stratum];
        k->samples++;
        k->mean += samples[e].nnz;
        k->slope += strata_random_sample(s, &samples[e]);
        k->whole_g += strata_random_nnz((double)samples[e].whole, s->ncols);
    }
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        /* Parts of rows may all be empty. */
        k->slope = k->slope > 0 ? k->mean / k->slope : 1.0;
        k->ratio = k->has_column_sample && k->whole_g > 0 ? k->mean / k->whole_g
                                                          : k->slope;
        k->mean /= (double)max_i64(k->samples, 1);
    }
    for (int64_t e = 0; e < count; e++) {
        if (samples[e].stratum < 0)
            continue;
        stratum *k = &s->of[samples[e].stratum];
        const double d =
            samples[e].nnz - k->slope * strata_random_sample(s, &samples[e]);
        if (!isnan(k->last))
            k->residuals += (d - k->last) * (d - k->last) / 2;
        k->last = d;
        k->squares += d * d;
    }
}

void spgemm_strata_measure_columns(strata *s, const int64_t *column_nnz,
                                   const int64_t *column_weight, int64_t count)
{
    const double unit = COLUMN_WEIGHT * COLUMN_WEIGHT;
    double squares = 0.0;
    double fourths = 0.0;
    double before = -1.0;
    for (int64_t j = 0; j < count; j++) {
        /* None, or one that was sure to be drawn. */
        if ((double)column_weight[j] <= COLUMN_WEIGHT)
            continue;
        const double nnz =
            (double)column_nnz[j] * (double)column_weight[j] / unit;
        const double d = before < 0 ? 0.0 : nnz - before;
        const double square =
            d * d / 2.0 * (1.0 - COLUMN_WEIGHT / (double)column_weight[j]);
        before = nnz;
        squares += square;
        fourths += square * square;
    }
    s->column_variance = squares;
    s->column_freedom = fourths > 0 ? squares * squares / fourths : 0.0;
}

/* Levels that two classes are apart. */
static int class_distance(int x, int y)
{
    const int levels = CLASS_LENGTHS * CLASS_SKEWS;
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
        if (other->samples == 0)
            continue;
        const int distance = class_distance(other->first_class, k->first_class);
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
   the middle; returns its relative standard error, of a uniform distribution. */
static double borrow_ratio(stratum *k, const stratum *like)
{
    const double distance = class_distance(like->first_class, k->first_class);
    const double part = (distance - 1.0) / STRANGE_DISTANCE;
    const double half = fmin(1.0, fmax(0.0, part)) / 2.0;
    const double off = half * (1.0 - like->ratio);
    k->ratio = like->ratio + off;
    return fabs(off) / (sqrt(3.0) * k->ratio);
}

/* Relative standard error of class k's nnz. */
static double class_error(const stratum *k, const strata_deviations *all)
{
    const double n = (double)k->samples;
    const double deviation = spgemm_stratum_deviation(k, all);
    return k->samples == 0
               ? deviation
               : deviation * sqrt((1.0 - n / stratum_population(k)) / n);
}

/* How much further 95 % reach with so many degrees of freedom than with
   infinitely many: Student's t over the normal, to a per cent or two. */
static double student_factor(double freedom)
{
    return 1.0 + 1.2 / freedom + 1.4 / (freedom * freedom) +
           1.9 / (freedom * freedom * freedom);
}

/* nnz that a class has at most, and at least. */
static double class_most(const row_class *class, double ncols)
{
    return fmin((double)class->products, (double)class->rows * ncols);
}

/* nnz of the classes of a stratum, of which no row has more than products or
   columns; their compressions to `out`. */
static double class_sums(prediction *out, const stratum *k,
                         const product_counts *counts, double ncols)
{
    double nnz = 0.0;
    for (int c = k->first_class; c <= k->last_class; c++) {
        const row_class *class = &counts->classes[c];
        if (class->rows == 0)
            continue;
        const double z =
            fmin(class_most(class, ncols),
                 fmax((double)class->rows,
                      k->ratio * spgemm_strata_random_class(class, c, ncols)));
        out->compression[c] = (double)class->products / z;
        nnz += z;
    }
    return nnz;
}

/* The same of a stratum of which every row was counted: its nnz is known. */
static double known_sums(prediction *out, const stratum *k, double estimated)
{
    const double nnz = round(k->mean * (double)k->samples);
    for (int c = k->first_class; c <= k->last_class; c++)
        out->compression[c] *= estimated / nnz;
    return nnz;
}

/* nnz of the classes of a stratum may be that much apart. */
static double room_of(const stratum *k, const product_counts *counts,
                      double ncols)
{
    double room = 0.0;
    for (int c = k->first_class; c <= k->last_class; c++)
        room += class_most(&counts->classes[c], ncols) -
                (double)counts->classes[c].rows;
    return room;
}

/* Entries that samples cannot tell of, whatever they show: one more or less in a
   row of as many as were seen and one. */
static double unseen_entries(const stratum *k)
{
    const double n = (double)k->samples;
    return fmax(stratum_population(k) - n, 0.0) / (n + 1.0);
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
    double variance = s->column_variance;
    double unseen = 0.0; /* the error, where no class shows any */
    /* Welch and Satterthwaite: sum of v_c^2 / (n_c - 1) */
    double freedom =
        s->column_freedom > 0 ? variance * variance / s->column_freedom : 0.0;
    const strata_deviations all = spgemm_strata_deviations(s);
    prediction_fill(out, 1.0);
    out->is_exact = true;
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        const stratum *like = k->samples == 0 ? most_alike(s, k) : NULL;
        const double strange = like ? borrow_ratio(k, like) : 0.0;
        const double room = room_of(k, counts, s->ncols);
        double nnz = class_sums(out, k, counts, s->ncols);
        double error = nnz * hypot(strange, class_error(k, &all));
        if (stratum_is_exact(k))
            nnz = known_sums(out, k, nnz);
        if (stratum_is_exact(k) || room == 0) {
            error = 0.0;
        } else {
            out->is_exact = false;
            unseen = hypot(unseen, fmin(room, unseen_entries(k)));
        }
        out->nnz += nnz;
        variance += error * error;
        freedom += error * error * error * error / spgemm_stratum_freedom(k);
        out->rows_sampled += k->rows;
    }
    keep_bound(out, (double)counts->bound);
    out->standard_error =
        variance > 0
            ? sqrt(variance) * student_factor(variance * variance / freedom)
            : unseen;
}
