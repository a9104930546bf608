/* SPDX-License-Identifier: BSD-3-Clause */
/* q_c = sum z / sum g of the rows counted whole
         + mean e of rows estimated from some of A's entries - mean e of those whole,

   e being what a row has over g less the median of the rows counted, where it is
   strange, and 0 elsewhere (strange.c). Where rows are alike q_c is what it was;
   of rows that compress unlike all others a few counted ones may miss all.

   Double sampling: W. G. Cochran, Sampling Techniques, 12.6. */
#include <math.h>

#include "common/checked.h"
#include "predict/stratified/strange.h"

/* x of rows counted may be off z by this, in logarithms, or by so many of its
   standard errors, and is believed of others. */
#define MOST_BIAS    0.32
#define NOISE_ERRORS 2.5

/* Where half of the entries say less by more than LEAST_TREND, the row's others add so
   many times the rest: few rows of 30,000 columns as likely as 1 / j^0.5 and 1 / j^0.9,
   of which 2 to 3 % was looked at, were 21 to 27 and 46 to 55 % too small, and are 14
   to 22 and 18 to 31. */
#define LEAST_TREND 0.05
#define TREND_AHEAD 3.0

/* Rows whose x differ by less than so many times its noise are alike. */
#define NOISE_TIMES 3.0

static void clear(stratum *k)
{
    k->samples = 0;
    k->residuals = 0.0;
    k->squares = 0.0;
    k->products = 0.0;
    k->lost = 0.0;
    k->last = NAN;
    k->mean = 0.0;
    k->slope = 0.0;
    k->g = 0.0;
    k->g_squares = 0.0;
    k->whole_g = 0.0;
    k->partial = (partial_sum){.products = k->partial.products,
                               .is_instead = k->partial.is_instead,
                               .take = k->partial.take};
}

/* Sums of z, of x and of g. */
static void add(const strata *s, stratum_sample *e)
{
    stratum *k = &s->of[e->stratum];
    if (!(e->g > 0) && !s->is_kept) /* a row may be kept nothing of */
        e->g = strata_random_sample(s, e);
    if (e->is_partial) {
        k->partial.count++;
        k->partial.slope += e->partial_nnz;
        k->partial.g += e->g;
        k->partial.trend += e->partial_nnz * e->partial_trend;
        k->partial.gap += e->partial_nnz * e->partial_gap;
        return;
    }
    k->samples++;
    k->products += e->products;
    k->lost += e->products - e->nnz;
    k->mean += e->nnz;
    k->slope += e->g;
    k->partial.whole_g += e->g;
    k->whole_g += strata_random_nnz((double)e->whole, s->ncols);
}

/* Pieces that have less than this share of the products that as many should have lie
   beside those that have them: they tell nothing. */
#define LEAST_MET 0.3

static bool has_missed(const stratum *k)
{
    const double each = (double)k->all.products / stratum_population(k);
    return k->parts > 1 && k->products < LEAST_MET * (double)k->samples * each;
}

/* Means of them. Where no row was counted whole, x is taken for z. */
static void divide(stratum *k)
{
    if (has_missed(k))
        k->samples = 0;
    partial_sum *p = &k->partial;
    k->g = k->slope / (double)max_i64(k->samples, 1);
    p->trend = p->slope > 0 ? p->trend / p->slope : 0.0;
    p->gap = p->slope > 0 ? p->gap / p->slope : 0.0;
    p->slope = p->g > 0 ? p->slope / p->g : 0.0;
    /* Parts of rows may all be empty. */
    k->slope = k->samples == 0 && p->count > 0 ? p->slope
               : k->slope > 0                  ? k->mean / k->slope
                                               : 1.0;
    k->ratio = k->has_column_sample && k->whole_g > 0 ? k->mean / k->whole_g
                                                      : k->slope;
    k->mean /= (double)max_i64(k->samples, 1);
}

/* What x is of rows too expensive to count more than one of a stratum. */
typedef struct evidence {
    double x; /* of rows counted, all strata together */
    double z;
    double noise; /* variance of x each time that a row was looked at */
    double looks;
    double rows;
} evidence;

static evidence gather(const strata *s, const stratum_sample *samples,
                       int64_t count)
{
    evidence all = {0};
    for (int64_t i = 0; i < count; i++) {
        const stratum_sample *e = &samples[i];
        if (!stratum_sample_is_whole(e) || !strata_has_partial(s, e) ||
            !s->of[e->stratum].partial.is_instead)
            continue;
        all.x += stratum_sample_partial(e);
        all.z += e->nnz / e->g;
        all.noise += e->partial_variance;
        all.looks += TIMES_OF_WHOLE;
        all.rows++;
    }
    all.noise /= fmax(1.0, all.rows);
    return all;
}

static void add_spread(strata *s, const stratum_sample *samples, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const stratum_sample *e = &samples[i];
        if (e->stratum < 0 || !e->is_partial || !strata_has_partial(s, e))
            continue;
        partial_sum *p = &s->of[e->stratum].partial;
        const double off = stratum_sample_partial(e) / p->slope - 1.0;
        p->spread += off * off;
    }
}

/* What is still to come of unequally likely columns, as far as chance does not make
   that trend. */
static double trend_factor(const stratum *k)
{
    const double n = (double)k->partial.count;
    const double chance = sqrt(k->partial.spread / (n * fmax(1.0, n - 1.0)));
    return 1.0 +
           TREND_AHEAD * fmax(0.0, k->partial.trend - LEAST_TREND - chance);
}

/* x is taken for z if it is so of rows counted, and left out otherwise; and where
   rows do not differ by more than x does when they are looked at again: then one
   that was counted tells more. */
static void judge(strata *s, const stratum_sample *samples, int64_t count)
{
    const evidence all = gather(s, samples, count);
    add_spread(s, samples, count);
    if (all.rows > 0)
        s->partial_is_wrong =
            fabs(log(all.x / all.z)) >
            fmax(MOST_BIAS, NOISE_ERRORS * sqrt(all.noise / all.looks));
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        if (all.rows > 0) /* they tell */
            k->partial.trend = k->partial.gap = 0.0;
        if (!k->partial.is_instead || k->partial.count == 0)
            continue;
        const bool are_alike =
            k->samples > 0 &&
            k->partial.spread < NOISE_TIMES * all.noise *
                                    fmax(1.0, (double)k->partial.count - 1.0);
        if (s->partial_is_wrong || are_alike)
            k->partial.count = 0;
        else
            k->ratio = k->slope = k->partial.slope * trend_factor(k);
    }
}

/* Sums of e of the rows of each stratum, of those counted and of the others, over
   those of g. */
static void add_excess(strata *s, const stratum_sample *samples, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const stratum_sample *e = &samples[i];
        if (e->stratum < 0)
            continue;
        partial_sum *p = &s->of[e->stratum].partial;
        const double sum = e->g * spgemm_strata_excess(s, e);
        *(e->is_partial ? &p->excess : &p->of_whole) += sum;
    }
    for (int t = 0; t < s->count; t++) {
        partial_sum *p = &s->of[t].partial;
        p->excess = p->g > 0 ? p->excess / p->g : 0.0;
        p->of_whole = p->whole_g > 0 ? p->of_whole / p->whole_g : 0.0;
    }
}

/* What the rows that are estimated only say differs: of e, or of x where that is
   taken for z. */
static void add_squares(strata *s, const stratum_sample *samples, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const stratum_sample *e = &samples[i];
        if (e->stratum < 0 || !e->is_partial || !strata_has_partial(s, e))
            continue;
        partial_sum *p = &s->of[e->stratum].partial;
        const double off = p->is_instead
                               ? stratum_sample_partial(e) - p->slope
                               : spgemm_strata_excess(s, e) - p->excess;
        const double d = off * e->g / p->g * (double)p->count;
        p->squares += d * d;
        p->fourths += d * d * d * d;
    }
}

/* What partial rows add to the ratio of their stratum. */
static void add_partial(strata *s, const stratum_sample *samples, int64_t count)
{
    judge(s, samples, count);
    spgemm_strata_find_strange(s, samples, count);
    add_excess(s, samples, count);
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        if (k->partial.count > 0 && !k->partial.is_instead)
            k->ratio = fmax(k->slope + k->partial.excess - k->partial.of_whole,
                            k->slope / (double)k->all.products);
    }
    add_squares(s, samples, count);
}

static void add_residual(strata *s, const stratum_sample *e)
{
    stratum *k = &s->of[e->stratum];
    const double g = e->g;
    const double d = e->nnz - g * (k->slope + spgemm_strata_excess(s, e) -
                                   k->partial.of_whole);
    if (!isnan(k->last))
        k->residuals += (d - k->last) * (d - k->last) / 2;
    k->last = d;
    k->g_squares += (g - k->g) * (g - k->g);
    k->squares += (e->nnz - k->slope * g) * (e->nnz - k->slope * g);
}

void spgemm_strata_measure(strata *s, stratum_sample *samples, int64_t count)
{
    for (int t = 0; t < s->count; t++)
        clear(&s->of[t]);
    for (int64_t e = 0; e < count; e++)
        if (samples[e].stratum >= 0)
            add(s, &samples[e]);
    for (int t = 0; t < s->count; t++)
        divide(&s->of[t]);
    add_partial(s, samples, count);
    for (int64_t e = 0; e < count; e++)
        if (stratum_sample_is_whole(&samples[e]))
            add_residual(s, &samples[e]);
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
