/* SPDX-License-Identifier: BSD-3-Clause */
/* e = y / g - median of z / g over the rows counted, where y / g is below a fifth or
   above five times that, and x / g was below a fifth or above five times its own
   median; else 0.

   x is what a first look at some of A's entries says of a row (partial_rows.h), y what
   is known of it at last: z, where it was counted, and where it was looked at again
   what that says. The extrapolation may be far off, as where a row meets many rows
   of B that are one: some strange rows are counted, and the others have what these
   have in the mean, or as many times what was said. */
#include "predict/stratified/strange.h"

#include <stdlib.h>

/* Below the median over this, or above the median times this, rows are unlike. */
#define UNLIKE      5.0
#define MANY_UNLIKE 2.9 /* one in so many */

/* Rows counted whose medians are taken, at most. */
#define MOST_MEDIAN 1024

/* Relative variance of strange rows, as if of one more that was counted. */
#define PRIOR_VARIANCE 0.03

/* ---- Medians ------------------------------------------------------------- */

static int by_size(const void *x, const void *y)
{
    const double left = *(const double *)x;
    const double right = *(const double *)y;
    return (left > right) - (left < right);
}

/* Whether y is unlike numbers from low to high. */
static bool is_unlike(double y, double low, double high)
{
    return y * UNLIKE < low || y > high * UNLIKE;
}

/* Of some numbers; 0 where many of them are unlike it. */
static double median_of(double *y, int n)
{
    int unlike = 0;
    qsort(y, (size_t)n, sizeof *y, by_size);
    for (int i = 0; i < n; i++)
        unlike += is_unlike(y[i], y[n / 2], y[n / 2]);
    return unlike * MANY_UNLIKE >= n ? 0.0 : y[n / 2];
}

/* x / g and z / g of a row that was counted. */
typedef struct counted_row {
    int stratum;
    double x;
    double z;
} counted_row;

/* Medians of both over the rows of stratum t; 0 where many rows are unlike: then
   those counted tell of the others, too. */
static void find_median(strata *s, int t, const counted_row *rows, int count)
{
    double x[MOST_MEDIAN];
    double z[MOST_MEDIAN];
    int n = 0;
    for (int i = 0; i < count; i++)
        if (rows[i].stratum == t) {
            x[n] = rows[i].x;
            z[n++] = rows[i].z;
        }
    s->of[t].partial.median = n > 0 ? median_of(x, n) : 0.0;
    s->of[t].partial.median_z = n > 0 ? median_of(z, n) : 0.0;
}

static void find_medians(strata *s, const stratum_sample *samples,
                         int64_t count)
{
    counted_row rows[MOST_MEDIAN];
    int n = 0;
    for (int64_t i = 0; n < MOST_MEDIAN && i < count; i++)
        if (stratum_sample_is_whole(&samples[i]) &&
            strata_has_partial(s, &samples[i]))
            rows[n++] = (counted_row){samples[i].stratum,
                                      stratum_sample_partial(&samples[i]),
                                      samples[i].nnz / samples[i].g};
    for (int t = 0; t < s->count; t++)
        if (s->of[t].partial.count > 0 && !s->of[t].partial.is_instead)
            find_median(s, t, rows, n);
}

/* ---- What strange rows have ---------------------------------------------- */

/* Whether y, of a row, is unlike the others. The more of a row is looked at, the
   nearer x comes to z: between their medians nothing is strange. */
static bool is_strange(const partial_sum *p, double y)
{
    return p->median > 0 && p->median_z > 0 &&
           is_unlike(y, fmin(p->median, p->median_z),
                     fmax(p->median, p->median_z));
}

/* Whether a first look at the row says so: of those counted, too. */
static bool seems_strange(const strata *s, const stratum_sample *e)
{
    return strata_has_partial(s, e) &&
           (e->was_strange ||
            is_strange(&s->of[e->stratum].partial, stratum_sample_partial(e)));
}

/* y / g. */
static double known_of(const partial_sum *p, const stratum_sample *e)
{
    if (!e->is_partial || e->was_counted)
        return e->nnz / e->g;
    return e->was_strange ? p->level + p->factor * stratum_sample_partial(e)
                          : stratum_sample_partial(e);
}

double spgemm_strata_excess(const strata *s, const stratum_sample *e)
{
    const partial_sum *p = &s->of[e->stratum].partial;
    if (!seems_strange(s, e))
        return 0.0;
    /* Of one that there was no second look at: what the others have. */
    if (e->is_partial && !e->was_strange && p->strange_g > 0)
        return p->strange;
    const double y = known_of(p, e);
    return is_strange(p, y) ? y - p->median_z : 0.0;
}

bool spgemm_strata_is_strange(const strata *s, const stratum_sample *sample)
{
    return sample->stratum >= 0 && sample->is_partial && !sample->was_strange &&
           !s->of[sample->stratum].partial.is_instead &&
           seems_strange(s, sample);
}

bool spgemm_strata_stays_strange(const strata *s, const stratum_sample *sample)
{
    return sample->stratum >= 0 && sample->was_strange &&
           !sample->was_counted && spgemm_strata_excess(s, sample) != 0;
}

/* Sums over strange rows that were counted, of x / g and z / g, and their products. */
typedef struct strange_sums {
    double n;
    double x;
    double z;
    double xx;
    double xz;
    double zz;
} strange_sums;

static strange_sums sum_of(const stratum_sample *const *counted, int count,
                           int t)
{
    strange_sums sum = {0};
    for (int i = 0; i < count; i++) {
        if (counted[i]->stratum != t)
            continue;
        const double x = stratum_sample_partial(counted[i]);
        const double z = counted[i]->nnz / counted[i]->g;
        sum.n++;
        sum.x += x;
        sum.z += z;
        sum.xx += x * x;
        sum.xz += x * z;
        sum.zz += z * z;
    }
    return sum;
}

/* The mean of z, or z / x, whichever these rows are nearer to. */
static void learn(partial_sum *p, const strange_sums *sum)
{
    p->factor = 1.0;
    if (sum->n == 0)
        return;
    const double factor = sum->z / sum->x;
    const double off_mean = sum->zz - sum->z * sum->z / sum->n;
    const double off_factor =
        sum->zz - 2 * factor * sum->xz + factor * factor * sum->xx;
    const double mean = sum->z / sum->n;
    const double squares = fmax(0.0, fmin(off_mean, off_factor));
    p->factor = off_factor <= off_mean ? factor : 0.0;
    p->level = off_factor <= off_mean ? 0.0 : mean;
    p->strange_variance =
        (squares / (mean * mean) + PRIOR_VARIANCE) / (sum->n * sum->n);
}

static void learn_of_counted(strata *s, const stratum_sample *samples,
                             int64_t count)
{
    const stratum_sample *counted[MOST_STRANGE];
    int n = 0;
    for (int64_t i = 0; n < MOST_STRANGE && i < count; i++)
        if (samples[i].stratum >= 0 && samples[i].was_counted)
            counted[n++] = &samples[i];
    for (int t = 0; t < s->count; t++) {
        const strange_sums sum = sum_of(counted, n, t);
        learn(&s->of[t].partial, &sum);
    }
}

/* Mean e of strange rows that were looked at again. */
static void add_strange(strata *s, const stratum_sample *samples, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const stratum_sample *e = &samples[i];
        if (e->stratum < 0 || !e->was_strange)
            continue;
        partial_sum *p = &s->of[e->stratum].partial;
        const double sum =
            p->strange * p->strange_g + e->g * spgemm_strata_excess(s, e);
        p->strange_g += e->g;
        p->strange = sum / p->strange_g;
    }
}

void spgemm_strata_find_strange(strata *s, const stratum_sample *samples,
                                int64_t count)
{
    find_medians(s, samples, count);
    learn_of_counted(s, samples, count);
    add_strange(s, samples, count);
}
