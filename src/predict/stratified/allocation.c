/* SPDX-License-Identifier: BSD-3-Clause */
/* n_c proportional to N_c S_c / sqrt(f_c): least variance for a cost of
   sum n_c f_c, S_c being the deviation of z about the ratio line and f_c the mean
   products of a row. */
#include "predict/stratified/strata.h"

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

/* Where the best that rows can do has an error bar wider than this, columns are
   drawn as well: one in so many at most, and only where there are so many
   products for each entry of B, all of which are looked at, and no more columns
   than these, each of which takes memory. A few rows do not prove that. */
#define POOR_ERROR        0.036
#define MOST_COLUMN_PARTS 64.0
#define PRODUCTS_AN_ENTRY 16.0
#define ROWS_OF_EVIDENCE  32

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
    return (double)k->all.rows * sqrt(stratum_products(k)) * budget / price;
}

static bool is_cut(const stratum *k, const sample_budget *budget)
{
    return stratum_products(k) > WHOLE_SHARE * budget->most &&
           k->all.products >= PIECE_LENGTH * k->all.entries;
}

/* Parts that a row of the stratum is cut into; 1: it is counted whole. */
static int64_t parts_of(const stratum *k, const sample_budget *budget)
{
    if (!is_cut(k, budget))
        return 1;
    const int64_t rows = min_i64(k->all.rows, CLASS_PIECES);
    return checked_capacity(stratum_products(k) * CLASS_PIECES /
                                (PIECES_SHARE * budget->most),
                            2 * CLASS_PIECES / rows, MOST_PARTS);
}

/* Whether the stratum, the last so far, takes class `next` in. */
static bool takes_in(const stratum *k, const stratum *next, const strata *s,
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

spgemm_status spgemm_strata_begin(strata *s, const product_counts *counts,
                                  const sample_budget *budget, int64_t ncols,
                                  bool has_parts, memory *m)
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
    /* From the most expensive rows on. */
    for (int c = PREDICTION_CLASSES - 1; c >= 0; c--) {
        stratum next = {.first_class = c,
                        .last_class = c,
                        .all = counts->classes[c],
                        .expected = spgemm_strata_random_class(
                            &counts->classes[c], c, s->ncols),
                        .ratio = 1.0,
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
        const double mean = stratum_products(k);
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

/* Whether more rows of a stratum may be taken. */
static bool is_open(const stratum *k)
{
    return k->parts == 1 && k->samples > 0 && !stratum_is_exact(k);
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

bool spgemm_strata_allot_more(strata *s, const sample_budget *budget,
                              double spent)
{
    const strata_deviations all = spgemm_strata_deviations(s);
    const double price = price_of_open(s, &all);
    double nnz = 0.0;
    for (int t = 0; t < s->count; t++) {
        s->of[t].take = 0;
        nnz += stratum_nnz(&s->of[t]);
    }
    const double wanted = NORMAL_95 * price / (budget->error * nnz);
    const double bar = NORMAL_95 * price / (sqrt(budget->most) * nnz);
    const double cost = fmin(wanted * wanted, budget->most);
    if (!(cost > spent))
        return true;
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        if (!is_open(k))
            continue;
        k->take = best_rows(k, &all, cost / price);
        k->take =
            k->take == k->all.rows ? k->take : max_i64(0, k->take - k->rows);
    }
    return !(bar > POOR_ERROR);
}

static int64_t count_samples(const strata *s)
{
    int64_t samples = 0;
    for (int t = 0; t < s->count; t++)
        samples += s->of[t].samples;
    return samples;
}

int64_t spgemm_strata_allot_column_sample(strata *s,
                                          const sample_budget *budget,
                                          int64_t nnz_b)
{
    const double parts =
        fmin(floor(sqrt(s->total / budget->columns)), MOST_COLUMN_PARTS);
    if (parts < 2 || s->total < PRODUCTS_AN_ENTRY * (double)nnz_b ||
        s->ncols > (double)nnz_b || count_samples(s) < ROWS_OF_EVIDENCE)
        return 1;
    const strata_deviations all = spgemm_strata_deviations(s);
    const double price = price_of_open(s, &all);
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        k->take = is_open(k)
                      ? best_rows(k, &all, parts * budget->columns / price)
                      : 0;
    }
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
