/* SPDX-License-Identifier: BSD-3-Clause */
/* n_c proportional to N_c S_c / sqrt(f_c): least variance for a cost of
   sum n_c f_c, S_c being the spread of z about the ratio line and f_c the mean
   products of a row. */
#include "predict/strata.h"

#include <stdlib.h>

#include "common/checked.h"

/* Rows of a stratum that are taken first, where they cost at most this share
   of the first budget; and at most, before it is known that they differ. */
#define FIRST_ROWS      6
#define FIRST_SHARE     0.06
#define MOST_FIRST_ROWS 48

/* Classes are put together until they deserve so many rows of all that may be
   taken; but not with rows of less than half the products, which may compress
   otherwise, and not if they have such a share of all products. */
#define LEAST_ROWS  2.0
#define GREAT_SHARE 0.05

/* A row of more than this share of the most to spend is counted in pieces, so
   many of a stratum, which may cost this share of it. */
#define WHOLE_SHARE  1.0
#define PIECES_SHARE 0.1
#define MOST_PARTS   4096

/* A piece looks at all rows of B that its row meets: that pays where they are
   this long in the mean. One row is counted whole where they are shorter, if
   it costs no more than such shares of the most to spend: of a stratum of great
   and of little share of the products. If it does, the stratum is not
   sampled. */
#define PIECE_LENGTH 32
#define GREAT_COST   2.0
#define LITTLE_COST  0.2

/* Relative spread of a class of which nothing is known. */
#define UNKNOWN_SPREAD 0.1

/* Samples that what is known of all classes counts for in the spread of one. */
#define PRIOR_SAMPLES 2

/* Degrees of freedom of a spread that is not seen but taken to be so. */
#define UNKNOWN_FREEDOM 8

static double mean_products(const stratum *k)
{
    return (double)k->all.products / (double)k->all.rows;
}

/* nnz that f products had on n columns, were they at random. */
static double random_nnz(double f, double n)
{
    return n * -expm1(-f / n);
}

/* G of the rows of a class. */
static double random_class(const row_class *k, double ncols)
{
    const double rows = (double)k->rows;
    return rows > 0 ? rows * random_nnz((double)k->products / rows, ncols) : 0;
}

/* Predicted nnz of a stratum. */
static double predicted(const stratum *k)
{
    return k->expected * k->departure;
}

/* Rows, or parts of rows, that there are. */
static double population(const stratum *k)
{
    return (double)k->all.rows * (double)k->parts;
}

static bool is_exact(const stratum *k)
{
    return k->samples > 0 && (double)k->samples == population(k);
}

/* Cost of a row for each unit of what it adds to the variance, were z to differ
   by the same share of its mean everywhere: n_c = N_c sqrt(f_c) budget / price
   is best. */
static double price_of_all(const product_counts *counts)
{
    double price = 0.0;
    for (int c = 0; c < PREDICTION_CLASSES; c++) {
        const row_class *k = &counts->classes[c];
        if (k->rows > 0)
            price += (double)k->products *
                     sqrt((double)k->products / (double)k->rows);
    }
    return price;
}

static double rows_deserved(const stratum *k, double budget, double price)
{
    return (double)k->all.rows * sqrt(mean_products(k)) * budget / price;
}

static bool is_cut(const stratum *k, const sample_budget *budget)
{
    return mean_products(k) > WHOLE_SHARE * budget->most &&
           k->all.products >= PIECE_LENGTH * k->all.entries;
}

/* Parts that a row of the stratum is cut into; 1: it is counted whole. */
static int64_t parts_of(const stratum *k, const sample_budget *budget)
{
    if (!is_cut(k, budget))
        return 1;
    const int64_t rows = min_i64(k->all.rows, CLASS_PIECES);
    return checked_capacity(mean_products(k) * CLASS_PIECES /
                                (PIECES_SHARE * budget->most),
                            2 * CLASS_PIECES / rows, MOST_PARTS);
}

/* Whether the stratum, the last so far, takes class `next` in. */
static bool takes_in(const stratum *k,
                     const stratum *next,
                     const strata *s,
                     const sample_budget *budget)
{
    const int level = CLASS_LENGTHS * CLASS_SKEWS;
    return k->last_class / level - next->first_class / level <= 1 &&
           (double)k->all.products < GREAT_SHARE * s->total &&
           rows_deserved(k, budget->most, s->price) < LEAST_ROWS;
}

static void join(stratum *k, const stratum *other)
{
    k->first_class = other->first_class;
    k->all.rows += other->all.rows;
    k->all.products += other->all.products;
    k->all.entries += other->all.entries;
    k->expected += other->expected;
}

spgemm_status spgemm_strata_begin(strata *s,
                                  const product_counts *counts,
                                  const sample_budget *budget,
                                  int64_t ncols,
                                  bool has_parts,
                                  memory *m)
{
    s->ncols = (double)ncols;
    s->room = 0;
    for (int c = 0; c < PREDICTION_CLASSES; c++)
        s->room += counts->classes[c].rows > 0;
    s->of = spgemm_memory_allocate(m, s->room, sizeof *s->of);
    if (!s->of)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    s->price = price_of_all(counts);
    s->total = (double)counts->total;
    bool was_cut = true;
    /* From the dearest rows on. */
    for (int c = PREDICTION_CLASSES - 1; c >= 0; c--) {
        stratum next = {.first_class = c,
                        .last_class = c,
                        .all = counts->classes[c],
                        .expected = random_class(&counts->classes[c], s->ncols),
                        .departure = 1.0,
                        .parts = 1};
        if (next.all.rows == 0)
            continue;
        const bool cut = has_parts && is_cut(&next, budget);
        if (!cut && !was_cut &&
            takes_in(&s->of[s->count - 1], &next, s, budget))
            join(&s->of[s->count - 1], &next);
        else
            s->of[s->count++] = next;
        was_cut = cut;
    }
    for (int t = 0; has_parts && t < s->count; t++)
        s->of[t].parts = parts_of(&s->of[t], budget);
    return SPGEMM_SUCCESS;
}

void spgemm_strata_clear(strata *s, memory *m)
{
    spgemm_memory_release(m, s->of, s->room, sizeof *s->of);
    *s = (strata){0};
}

void spgemm_strata_allot_first(strata *s, const sample_budget *budget)
{
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        const double mean = mean_products(k);
        if (k->parts > 1) {
            k->take = min_i64(k->all.rows, CLASS_PIECES);
            continue;
        }
        const double least =
            fmin(FIRST_ROWS, floor(FIRST_SHARE * budget->first / mean));
        const double best =
            fmin(rows_deserved(k, budget->first, s->price), MOST_FIRST_ROWS);
        k->take = checked_capacity(floor(fmax(best, least)), 0, k->all.rows);
        const bool is_great = (double)k->all.products >= GREAT_SHARE * s->total;
        if (k->take == 0 &&
            mean <= (is_great ? GREAT_COST : LITTLE_COST) * budget->most)
            k->take = 1;
    }
}

/* Relative variance of z about the ratio line, over all classes. */
static double pooled_variance(const strata *s)
{
    double squares = 0.0;
    double freedom = 0.0;
    for (int t = 0; t < s->count; t++) {
        const stratum *k = &s->of[t];
        if (k->samples < 2 || k->mean <= 0)
            continue;
        squares += k->residuals / (k->mean * k->mean);
        freedom += (double)(k->samples - 1);
    }
    return freedom > 0 ? squares / freedom : UNKNOWN_SPREAD * UNKNOWN_SPREAD;
}

/* S_c / mean of z, a little drawn to what all classes show: a few samples that
   happen to agree do not prove that rows do not differ. */
static double spread(const stratum *k, double pooled)
{
    const double n = (double)k->samples;
    if (k->samples < 2 || k->mean <= 0)
        return fmax(UNKNOWN_SPREAD, sqrt(pooled));
    const double own = k->residuals / (k->mean * k->mean);
    return sqrt((own + PRIOR_SAMPLES * pooled) / (n - 1 + PRIOR_SAMPLES));
}

bool spgemm_strata_allot_more(strata *s,
                              const sample_budget *budget,
                              double spent)
{
    const double pooled = pooled_variance(s);
    double price = 0.0;
    double nnz = 0.0;
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        const double z = predicted(k);
        k->take = 0;
        nnz += z;
        if (k->parts == 1 && k->samples > 0 && !is_exact(k))
            price += z * spread(k, pooled) * sqrt(mean_products(k));
    }
    /* The variance at a cost of b, allotted like that, is price^2 / b. */
    const double wanted = NORMAL_95 * price / (budget->error * nnz);
    const double cost = fmin(wanted * wanted, budget->most);
    if (!(cost > spent))
        return false;
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        if (k->parts > 1 || k->samples == 0 || is_exact(k))
            continue;
        const double z = predicted(k);
        const double n =
            z * spread(k, pooled) / sqrt(mean_products(k)) * cost / price;
        k->take = checked_capacity(n, 0, k->all.rows);
        k->take =
            k->take == k->all.rows ? k->take : max_i64(0, k->take - k->rows);
    }
    return true;
}

/* g of a sample. */
static double random_sample(const strata *s, const stratum_sample *sample)
{
    const stratum *k = &s->of[sample->stratum];
    return random_nnz((double)sample->products, s->ncols / (double)k->parts);
}

void spgemm_strata_measure(strata *s,
                           const stratum_sample *samples,
                           int64_t count)
{
    for (int t = 0; t < s->count; t++) {
        s->of[t].samples = 0;
        s->of[t].residuals = 0.0;
        s->of[t].mean = 0.0;
        s->of[t].departure = 0.0;
    }
    /* Sums of z and of g, first of all. */
    for (int64_t e = 0; e < count; e++) {
        if (samples[e].stratum < 0)
            continue;
        stratum *k = &s->of[samples[e].stratum];
        k->samples++;
        k->mean += (double)samples[e].nnz;
        k->departure += random_sample(s, &samples[e]);
    }
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        /* Parts of rows may all be empty. */
        k->departure = k->departure > 0 ? k->mean / k->departure : 1.0;
        k->mean /= (double)max_i64(k->samples, 1);
    }
    for (int64_t e = 0; e < count; e++) {
        if (samples[e].stratum < 0)
            continue;
        stratum *k = &s->of[samples[e].stratum];
        const double d = (double)samples[e].nnz -
                         k->departure * random_sample(s, &samples[e]);
        k->residuals += d * d;
    }
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

/* Relative standard error of class k's nnz. */
static double class_error(const stratum *k, double pooled)
{
    const double n = (double)max_i64(k->samples, 1);
    if (is_exact(k))
        return 0.0;
    return spread(k, pooled) * sqrt((1.0 - n / population(k)) / n);
}

/* How much further 95 % reach with so many degrees of freedom than with
   infinitely many: Student's t over the normal, to a per cent or two. */
static double student_factor(double freedom)
{
    return 1.0 + 1.2 / freedom + 1.4 / (freedom * freedom) +
           1.9 / (freedom * freedom * freedom);
}

/* nnz of the classes of a stratum, of which no row has more than products or
   columns; their compressions to `out`. */
static double class_sums(prediction *out,
                         const stratum *k,
                         const product_counts *counts,
                         double ncols)
{
    double nnz = 0.0;
    for (int c = k->first_class; c <= k->last_class; c++) {
        const row_class *class = &counts->classes[c];
        if (class->rows == 0)
            continue;
        const double most =
            fmin((double)class->products, (double)class->rows * ncols);
        const double least = (double)class->rows;
        const double z =
            fmin(most, fmax(least, k->departure * random_class(class, ncols)));
        out->compression[c] = (double)class->products / z;
        nnz += z;
    }
    return nnz;
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
    const double pooled = pooled_variance(s);
    double variance = 0.0;
    double freedom =
        0.0; /* Welch and Satterthwaite: sum of v_c^2 / (n_c - 1) */
    prediction_fill(out, 1.0);
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        const stratum *like = k->samples == 0 ? most_alike(s, k) : NULL;
        if (like)
            k->departure = like->departure;
        const double nnz = class_sums(out, k, counts, s->ncols);
        const double error = nnz * class_error(k, pooled);
        out->nnz += nnz;
        variance += error * error;
        freedom += error * error * error * error /
                   (double)(k->samples > 1 ? k->samples - 1 : UNKNOWN_FREEDOM);
        out->rows_sampled += k->rows;
    }
    keep_bound(out, (double)counts->bound);
    out->standard_error =
        variance > 0
            ? sqrt(variance) * student_factor(variance * variance / freedom)
            : 0.0;
}
