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
   otherwise, and not if they have such a share of all products, nor with others
   that have, and so many times theirs. */
#define LEAST_ROWS  2.0
#define GREAT_SHARE 0.05
#define MANY_TIMES  2.0

/* A row of more than this share of the most to spend is counted in pieces, so
   many of a stratum, which may cost this share of it; but a piece has so many
   products, or would not show that products gather in few columns. */
#define WHOLE_SHARE  1.0
#define PIECES_SHARE 0.1
#define MOST_PARTS   4096
#define LEAST_PIECE  (2.0 * FULL_PART)

/* A piece looks at all rows of B that its row meets, each for as long as so many
   products take: that pays where all pieces of a stratum cost no more than a share
   of its products so. Without that, of 64 rows of 24,000 products, prediction took
   three times as long as the product. One row is counted whole elsewhere, if it
   costs no more than such shares of the most to spend: of a stratum of great and
   of little share of the products. If it does, the stratum is not sampled. */
#define LOOK_PRODUCTS 8.0
#define LOOK_SHARE    0.1
#define GREAT_COST    2.0
#define LITTLE_COST   0.2

/* Of the cap, for the first stage. */
#define FIRST_CAP 0.97

/* Rows of which some of A's entries are looked at (partial_rows.h): they have so
   many, in the mean, and classes of no higher skew; where LEAST_WHOLE are counted,
   not fewer than LEAST_BESIDE. Of others, of which the most to spend would pay for
   fewer than FEW_ROWS, at most MOST_PARTIAL, with LEAST_PARTIAL products each. */
#define PARTIAL_LENGTH        8
#define PARTIAL_SKEW          1
#define LEAST_WHOLE           8
#define LEAST_BESIDE          32
#define LEAST_BESIDE_PRODUCTS 16.0
#define FEW_ROWS              8.0
#define MOST_PARTIAL          96
#define LEAST_PARTIAL         512.0
#define EXPENSIVE_SHARE       1.4

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
    const double looks =
        CLASS_PIECES * (double)k->all.entries / (double)k->all.rows;
    return stratum_products(k) > WHOLE_SHARE * budget->most &&
           looks * LOOK_PRODUCTS <= LOOK_SHARE * (double)k->all.products;
}

/* Parts that a row of the stratum is cut into; 1: it is counted whole. */
static int64_t parts_of(const stratum *k, const sample_budget *budget)
{
    if (!is_cut(k, budget))
        return 1;
    const int64_t rows = min_i64(k->all.rows, CLASS_PIECES);
    const double most = fmin(MOST_PARTS, stratum_products(k) / LEAST_PIECE);
    return checked_capacity(fmin(most, stratum_products(k) * CLASS_PIECES /
                                           (PIECES_SHARE * budget->most)),
                            2 * CLASS_PIECES / rows, MOST_PARTS);
}

/* Whether the stratum, the last so far, takes class `next` in: a few rows do not
   speak for many that may be unlike them. */
static bool takes_in(const stratum *k, const stratum *next, const strata *s,
                     const sample_budget *budget)
{
    const int level = CLASS_LENGTHS * CLASS_SKEWS;
    const double great = GREAT_SHARE * s->total;
    const double products = (double)k->all.products;
    return k->last_class / level - next->first_class / level <= 1 &&
           products < great &&
           (double)next->all.products < fmax(great, MANY_TIMES * products) &&
           rows_deserved(k, budget->most, s->price) < LEAST_ROWS;
}

static void join(stratum *k, const stratum *other)
{
    k->first_class = other->first_class;
    k->all.rows += other->all.rows;
    k->all.products += other->all.products;
    k->all.entries += other->all.entries;
    k->all.bound += other->all.bound;
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
        if (counts->classes[c].rows == 0)
            continue;
        const stratum next = {
            .first_class = c,
            .last_class = c,
            .all = counts->classes[c],
            .expected = spgemm_strata_random_class(s, &counts->classes[c], c),
            .ratio = 1.0,
            .parts = 1};
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

/* Whether some of A's entries tell of the rows: there are many, and no row of B
   that they may miss has most of the products. */
static bool may_be_partial(const stratum *k)
{
    for (int c = k->first_class; c <= k->last_class; c++)
        if (c % CLASS_SKEWS > PARTIAL_SKEW)
            return false;
    return k->parts == 1 && k->all.entries >= PARTIAL_LENGTH * k->all.rows;
}

/* Rows of which the most to spend pays for a few at most. */
static bool is_expensive(const stratum *k, const sample_budget *budget)
{
    return stratum_products(k) * FEW_ROWS > budget->most &&
           (double)k->all.products > budget->most;
}

static void allot_whole(stratum *k, const strata *s,
                        const sample_budget *budget)
{
    const double mean = stratum_products(k);
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

/* Rows too expensive to count but for one or two: some products of some. */
static void allot_expensive(stratum *k, const strata *s,
                            const sample_budget *budget)
{
    const double most =
        EXPENSIVE_SHARE * budget->most * (double)k->all.products / s->total;
    k->partial.take =
        checked_capacity(floor(most / LEAST_PARTIAL), min_i64(2, k->all.rows),
                         min_i64(k->all.rows, MOST_PARTIAL));
    k->partial.products = most / (double)k->partial.take;
    k->partial.is_instead = true;
}

/* A few products of many rows, beside some that are counted. */
static void allot_beside(stratum *k, const strata *s,
                         const sample_budget *budget)
{
    const double length = (double)k->all.entries / (double)k->all.rows;
    const double each = stratum_products(k) / length;
    const double products = each * fmax(fmax(2.0, length / 64.0),
                                        ceil(LEAST_BESIDE_PRODUCTS / each));
    const double most = budget->partial * (double)k->all.products / s->total;
    const int64_t take =
        checked_capacity(floor(most / products), 0, k->all.rows);
    if (take < LEAST_BESIDE)
        return;
    k->partial.take = take;
    k->partial.products = products;
}

int64_t spgemm_stratum_partial_entries(const stratum *k, int64_t length,
                                       int64_t products)
{
    return checked_capacity((double)length * k->partial.products /
                                (double)products,
                            min_i64(2, length), length);
}

double spgemm_stratum_cost(const stratum *k)
{
    return k->parts > 1 ? CLASS_PIECES * stratum_products(k) / (double)k->parts
                        : (double)k->take * stratum_products(k);
}

/* Takes single rows back, from the most expensive on: of strata of little share, or
   of great. Returns what is left of the cost. */
static double take_back(strata *s, bool of_great, double cost, double most)
{
    for (int t = 0; cost > most && t < s->count; t++) {
        stratum *k = &s->of[t];
        const bool is_great = (double)k->all.products >= GREAT_SHARE * s->total;
        if (k->take == 1 && k->parts == 1 && is_great == of_great) {
            cost -= stratum_products(k);
            k->take = 0;
        }
    }
    return cost;
}

/* Takes rows back until they cost no more than `most`. */
static void trim(strata *s, double most)
{
    double cost = 0.0;
    for (int t = 0; t < s->count; t++)
        cost += spgemm_stratum_cost(&s->of[t]);
    cost = take_back(s, false, cost, most);
    cost = take_back(s, true, cost, most);
    for (int t = 0; cost > most && t < s->count; t++)
        if (s->of[t].parts == 1)
            s->of[t].take =
                (int64_t)((double)s->of[t].take * fmax(0.0, most / cost));
}

/* Where nothing is sampled yet: a row of the stratum of most products whose rows
   are not too expensive for that. */
static void take_any(strata *s, double most)
{
    stratum *best = NULL;
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        if (k->take > 0 || k->partial.take > 0)
            return;
        if (stratum_products(k) <= most &&
            (!best || k->all.products > best->all.products))
            best = k;
    }
    if (best)
        best->take = 1;
}

void spgemm_strata_allot_first(strata *s, const sample_budget *budget)
{
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        if (k->parts > 1)
            k->take = min_i64(k->all.rows, CLASS_PIECES);
        else
            allot_whole(k, s, budget);
    }
    trim(s, FIRST_CAP * budget->cap);
    for (int t = 0; t < s->count; t++) {
        stratum *k = &s->of[t];
        if (s->is_kept || !may_be_partial(k) || k->take == k->all.rows)
            continue;
        if (is_expensive(k, budget))
            allot_expensive(k, s, budget);
        else if (k->take >= LEAST_WHOLE)
            allot_beside(k, s, budget);
    }
    take_any(s, budget->least);
}
