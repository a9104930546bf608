/* SPDX-License-Identifier: BSD-3-Clause */
/* S_c^2 = (sum of (e_i - e_(i-1))^2 / 2 + p u_c S^2) / (n_c - 1 + p),

   e_i being what sample i of class c is off the ratio line over the mean of the
   samples, in the order of the rows: these are drawn evenly along them, so that
   only what neighbours differ by is left to chance (Cochran, 8.11). S is what
   all classes differ by and counts as much as p samples: a few that happen to
   agree do not prove that rows do not differ. u_c is the variance that a class
   has where others have 1: rows that have nearly all that they may have, or what
   is left of it at random, have little to differ by. */
#include "predict/stratified/strata.h"

/* u = min(1, loss / FULL_LOSS). Of 93 matrices squared, the deviation of classes
   over sqrt(u), by loss up to: 0.0005 0.15, 0.01 0.16, 0.03 0.15, 0.1 0.17,
   0.2 0.17, 0.3 0.19, 0.5 0.19, 1 0.15; of all of them 0.17. */
#define UNKNOWN_DEVIATION 0.17
#define FULL_LOSS         0.3
#define LEAST_LOSS        0.0004

/* p, and the samples that UNKNOWN_DEVIATION counts for where a class shows none. */
#define PRIOR_SAMPLES   2
#define UNKNOWN_SAMPLES 1

/* One over the variance of a power that is anywhere from 0 to 2, as it may be of rows
   that lose so much. */
#define POWER_PRECISION 3.0
#define LOSS_OF_POWER   0.1

/* Degrees of freedom of a deviation that is not seen but taken to be so. */
#define UNKNOWN_FREEDOM 8

static bool is_seen(const stratum *k)
{
    return k->samples > 1 && k->mean > 0;
}

/* Of rows that are kept in part nobody measured it. */
static double loss_of(const stratum *k, bool is_kept)
{
    if (is_kept)
        return 1.0;
    const double compressed = 1.0 - stratum_nnz(k) / (double)k->all.products;
    return fmin(fabs(1.0 - k->ratio), fmax(0.0, compressed)) + LEAST_LOSS;
}

/* The root of u. */
static double root_of_share(const stratum *k, bool is_kept)
{
    return sqrt(fmin(1.0, loss_of(k, is_kept) / FULL_LOSS));
}

/* Variance of how many entries of a row are kept, over their mean squared, if
   each is by chance. */
static double chance_of(const stratum *k, const strata_deviations *all)
{
    const double kept = stratum_nnz(k) / (double)k->all.rows;
    return all->has_chance && kept > 0 ? fmax(0.0, 1.0 - k->ratio) / kept : 0.0;
}

strata_deviations spgemm_strata_deviations(const strata *s)
{
    /* Means of roots: one class of great deviation says little of the others. */
    double deviation = 0.0;
    double share = 0.0;
    double freedom = 0.0;
    for (int t = 0; t < s->count; t++) {
        const stratum *k = &s->of[t];
        const double n = (double)(k->samples - 1);
        /* Pieces of a row do not differ as rows do. */
        if (!is_seen(k) || k->parts > 1)
            continue;
        deviation += sqrt(n * k->residuals) / k->mean;
        share += n * root_of_share(k, s->is_kept);
        freedom += n;
    }
    if (freedom == 0)
        return (strata_deviations){UNKNOWN_DEVIATION, UNKNOWN_DEVIATION,
                                   s->is_kept};
    const double unknown = UNKNOWN_SAMPLES * share / freedom;
    return (strata_deviations){
        .seen =
            hypot(deviation / share, UNKNOWN_DEVIATION / sqrt(freedom + 1.0)),
        .unseen = (deviation + unknown * UNKNOWN_DEVIATION) / (share + unknown),
        .has_chance = s->is_kept};
}

double spgemm_stratum_deviation(const stratum *k, const strata_deviations *all)
{
    const double root_u = root_of_share(k, all->has_chance);
    const double chance = chance_of(k, all);
    if (!is_seen(k))
        return sqrt(all->unseen * all->unseen * root_u * root_u + chance);
    const double own = k->residuals / (k->mean * k->mean);
    const double prior = all->seen * root_u;
    return sqrt((own + PRIOR_SAMPLES * (prior * prior + chance)) /
                (double)(k->samples - 1 + PRIOR_SAMPLES));
}

double spgemm_stratum_pessimistic_deviation(const stratum *k,
                                            const strata_deviations *all)
{
    return is_seen(k) ? spgemm_stratum_deviation(k, all)
                      : fmax(fmax(UNKNOWN_DEVIATION, all->seen),
                             sqrt(chance_of(k, all)));
}

double spgemm_stratum_strangeness(const stratum *k)
{
    return UNKNOWN_DEVIATION * root_of_share(k, false);
}

/* z grows as a power of g: of samples that show nothing about it, from 0 to 2, or
   near 1 where rows lose little; and they show it the better the more their g
   differ. */
double spgemm_stratum_unlike_error(const stratum *k,
                                   const strata_deviations *all)
{
    if (k->parts > 1 || k->has_column_sample || !(k->g > 0))
        return 0.0;
    const double part = fmin(1.0, loss_of(k, all->has_chance) / LOSS_OF_POWER);
    const double own = k->g * spgemm_stratum_deviation(k, all);
    const double off = k->expected / (double)k->all.rows / k->g - 1.0;
    return fabs(off) /
           sqrt(POWER_PRECISION / (part * part) + k->g_squares / (own * own));
}

double spgemm_stratum_instead_error(const stratum *k,
                                    const strata_deviations *all)
{
    const double n = (double)k->partial.count;
    /* One row shows nothing of what rows differ by. */
    const double prior = n > 1 ? spgemm_stratum_deviation(k, all)
                               : spgemm_stratum_pessimistic_deviation(k, all);
    const double seen = k->partial.squares / (k->ratio * k->ratio);
    return sqrt((seen + PRIOR_SAMPLES * prior * prior) /
                (n - 1.0 + PRIOR_SAMPLES) / n);
}

double spgemm_stratum_instead_freedom(const stratum *k)
{
    return (double)k->partial.count - 1.0 + PRIOR_SAMPLES;
}

double spgemm_stratum_freedom(const stratum *k)
{
    return is_seen(k) ? (double)(k->samples - 1 + PRIOR_SAMPLES)
                      : UNKNOWN_FREEDOM;
}

/* Neighbours may be alike where far ones are not. */
void spgemm_strata_row_deviations(double *deviation, const strata *s)
{
    const strata_deviations all = spgemm_strata_deviations(s);
    for (int t = 0; t < s->count; t++) {
        const stratum *k = &s->of[t];
        const double own = is_seen(k) ? k->squares / (k->mean * k->mean) /
                                            (double)(k->samples - 1)
                                      : 0.0;
        for (int c = k->first_class; c <= k->last_class; c++)
            deviation[c] =
                fmax(spgemm_stratum_pessimistic_deviation(k, &all), sqrt(own));
    }
}
