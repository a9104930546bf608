/* SPDX-License-Identifier: BSD-3-Clause */
/* What more to take, after the first stage: rows where they differ, as n_c is
   proportional to N_c S_c / sqrt(f_c); rows that are estimated, where what they say
   of the others is in doubt; or columns, where rows alone will not do. */
#include "common/checked.h"
#include "predict/stratified/strata.h"

/* The second stage has at least this share of the most to spend, and goes down to
   what is left by such steps. */
#define SECOND_SHARE 0.3
#define COST_STEP    0.9

/* Where the best that rows can do has an error bar wider than this, columns are
   drawn as well: one in so many at most, and only where there are so many
   products for each entry of B, all of which are looked at, and no more columns
   than these, each of which takes memory. A few rows do not prove that; and so many
   times the rows are to be had by it. */
#define POOR_ERROR        0.036
#define MOST_COLUMN_PARTS 64.0
#define PRODUCTS_AN_ENTRY 16.0
#define ROWS_OF_EVIDENCE  32
#define MORE_ROWS         3
#define LEAST_GAIN        2.0

/* Rows that are estimated may look at this share of the most to spend. */
#define MOST_PARTIAL_SHARE 1.1

void spgemm_strata_allot_partial(strata *s, const sample_budget *budget,
                                 double looked_at, double left)
{
    double nnz = 0.0;
    double variance = 0.0;
    for (int t = 0; t < s->count; t++) {
        const stratum *k = &s->of[t];
        const double error = stratum_nnz(k) * spgemm_stratum_partial_error(k);
        nnz += stratum_nnz(k);
        variance += k->partial.is_instead ? 0.0 : error * error;
    }
    const double bar = NORMAL_95 * sqrt(variance) / nnz;
    const double wanted = bar * bar / (budget->error * budget->error);
    const double most =
        fmin(MOST_PARTIAL_SHARE * budget->most - looked_at, left) / looked_at;
    const double times = fmin(wanted - 1.0, most);
    for (int t = 0; t < s->count; t++) {
        partial_sum *p = &s->of[t].partial;
        p->take = p->is_instead
                      ? 0
                      : checked_capacity((double)p->take * times, 0,
                                         s->of[t].all.rows - p->count);
    }
}

/* Whether more rows of a stratum may be taken. */
static bool is_open(const stratum *k)
{
    return k->parts == 1 && k->samples > 0 && !k->has_column_sample &&
           !stratum_is_exact(k);
}

/* Whether a class is to be looked at through some columns, one in P. What P times as
   many rows tell then has a variance of (S^2 + P / f) / P, f being the products of
   a row; whole ones have S^2. */
static bool gains_by_columns(const stratum *k, const strata_deviations *all)
{
    const double deviation = spgemm_stratum_pessimistic_deviation(k, all);
    return is_open(k) &&
           stratum_products(k) * deviation * deviation > LEAST_GAIN;
}

/* Its share in the price of a variance: that is price^2 / cost, if the cost is
   allotted so that it is least. */
static double price_of(const stratum *k, const strata_deviations *all)
{
    return stratum_nnz(k) * spgemm_stratum_pessimistic_deviation(k, all) *
           sqrt(stratum_products(k));
}

static double price_of_open(const strata *s, const strata_deviations *all)
{
    double price = 0.0;
    for (int t = 0; t < s->count; t++)
        if (is_open(&s->of[t]))
            price += price_of(&s->of[t], all);
    return price;
}

/* Rows that are best taken of a stratum, all in all, at this cost. */
static int64_t best_rows(const stratum *k, const strata_deviations *all,
                         double cost_a_price)
{
    const double n = price_of(k, all) / stratum_products(k) * cost_a_price;
    return checked_capacity(n, 0, k->all.rows);
}

/* Takes what is missing of the rows that are best at this cost; returns what they
   cost. */
static double take_missing(strata *s, const strata_deviations *all, double cost)
{
    const double cost_a_price = cost / price_of_open(s, all);
    double missing = 0.0;
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        const int64_t best = is_open(k) ? best_rows(k, all, cost_a_price) : 0;
        /* A class of which all are taken is counted anew. */
        k->take = best == k->all.rows ? best : max_i64(0, best - k->rows);
        missing += (double)k->take * stratum_products(k);
    }
    return missing;
}

bool spgemm_strata_allot_more(strata *s, const sample_budget *budget,
                              double spent, double left)
{
    const strata_deviations all = spgemm_strata_deviations(s);
    const double price = price_of_open(s, &all);
    /* Where the first stage met expensive rows, the others are not to suffer. */
    const double most =
        fmin(left, fmax(budget->most - spent, SECOND_SHARE * budget->most));
    double nnz = 0.0;
    for (int t = 0; t < s->count; t++)
        nnz += stratum_nnz(&s->of[t]);
    const double wanted = NORMAL_95 * price / (budget->error * nnz);
    const double bar = NORMAL_95 * price / (sqrt(budget->most) * nnz);
    double cost = fmin(wanted * wanted, budget->most);
    while (take_missing(s, &all, cost) > fmax(0.0, most))
        cost *= COST_STEP;
    return !(bar > POOR_ERROR);
}

static int64_t count_samples(const strata *s)
{
    int64_t samples = 0;
    for (int t = 0; t < s->count; t++)
        samples += s->of[t].samples;
    return samples;
}

int64_t spgemm_strata_allot_column_sample(strata *s, double budget,
                                          int64_t nnz_b)
{
    const double parts =
        fmin(floor(sqrt(s->total / budget)), MOST_COLUMN_PARTS);
    if (!(budget > 0) || parts < 2 ||
        s->total < PRODUCTS_AN_ENTRY * (double)nnz_b ||
        s->ncols > (double)nnz_b || count_samples(s) < ROWS_OF_EVIDENCE)
        return 1;
    const strata_deviations all = spgemm_strata_deviations(s);
    double price = 0.0;
    for (int t = 0; t < s->count; t++)
        price +=
            gains_by_columns(&s->of[t], &all) ? price_of(&s->of[t], &all) : 0.0;
    const double cost_a_price = parts * budget / price;
    int64_t take[PREDICTION_CLASSES];
    int64_t sum = 0;
    for (int t = 0; t < s->count; t++) {
        const stratum *k = &s->of[t];
        take[t] =
            gains_by_columns(k, &all) ? best_rows(k, &all, cost_a_price) : 0;
        sum += take[t];
    }
    if (sum < MORE_ROWS * count_samples(s))
        return 1;
    for (int t = 0; t < s->count; t++)
        s->of[t].take = take[t];
    return (int64_t)parts;
}

void spgemm_strata_begin_column_sample(strata *s)
{
    for (int t = 0; t < s->count; t++)
        if (s->of[t].take > 0) {
            s->of[t].has_column_sample = true;
            s->of[t].rows = 0;
        }
}
