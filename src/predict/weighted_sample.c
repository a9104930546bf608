/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum over rows of known weights, from some of them. */
#include "predict/weighted_sample.h"

#include <math.h>

#include "common/checked.h"
#include "common/rng.h"

/* Powers of 2 that a weight may be. */
enum { MAGNITUDES = 64 };

/* What n rows that agree cannot exclude: another that is off by such a share of
   the mean. */
#define UNSEEN_DEVIATION 0.3

/* < 0: no weight. */
static int magnitude_of(double weight)
{
    return weight > 0 ? (int)min_i64(ilogb(fmax(weight, 1)), MAGNITUDES - 1)
                      : -1;
}

static void order_by_weight(weighted_sample *s)
{
    int64_t next[MAGNITUDES + 1] = {0};
    for (int64_t i = 0; i < s->nrows; i++)
        next[magnitude_of(s->weight[i]) + 1]++;
    int64_t begin = 0;
    for (int c = 0; c <= MAGNITUDES; c++) {
        const int64_t rows = next[c];
        next[c] = begin;
        begin += rows;
    }
    for (int64_t i = 0; i < s->nrows; i++) {
        s->order[next[magnitude_of(s->weight[i]) + 1]++] = i;
        s->total += s->weight[i];
    }
}

bool spgemm_weighted_sample_begin(weighted_sample *s, const double *weight,
                                  int64_t nrows, memory *m)
{
    *s = (weighted_sample){.m = m, .weight = weight, .nrows = nrows};
    s->order = spgemm_memory_allocate(m, nrows, sizeof *s->order);
    if (!s->order)
        return false;
    order_by_weight(s);
    return true;
}

static void release_rows(weighted_sample *s)
{
    spgemm_memory_release(s->m, s->rows, s->nrows, sizeof *s->rows);
    spgemm_memory_release(s->m, s->times, s->nrows, sizeof *s->times);
    s->rows = s->times = NULL;
    s->count = 0;
}

bool spgemm_weighted_sample_draw(weighted_sample *s, int64_t n, uint64_t seed)
{
    const double part = n > 0 ? s->total / (double)n : 0;
    double passed = 0;
    int64_t t = 0;
    release_rows(s);
    s->rows = spgemm_memory_allocate(s->m, s->nrows, sizeof *s->rows);
    s->times = spgemm_memory_allocate(s->m, s->nrows, sizeof *s->times);
    if (!s->rows || !s->times)
        return false;
    for (int64_t e = 0; e < s->nrows; e++) {
        const int64_t i = s->order[e];
        int64_t times = n == 0 && s->weight[i] > 0;
        passed += s->weight[i];
        while (t < n &&
               ((double)t + rng_unit(seed, (uint64_t)t)) * part < passed) {
            times++;
            t++;
        }
        if (times > 0) {
            s->times[s->count] = times;
            s->rows[s->count++] = i;
        }
    }
    s->draws = t;
    return true;
}

/* Differences of y / w between the draws of each two parts beside one another,
   squared; the last part of an odd number is compared with the one before. */
static double squared_differences(const weighted_sample *s, const double *y)
{
    double squares = 0;
    double before = 0;
    int64_t t = 0;
    for (int64_t e = 0; e < s->count; e++) {
        const double ratio = y[e] / s->weight[s->rows[e]];
        for (int64_t k = 0; k < s->times[e]; k++, t++) {
            const double off = ratio - before;
            if (t % 2 == 1 || (t > 0 && t == s->draws - 1))
                squares += off * off;
            before = ratio;
        }
    }
    return squares;
}

static double sum_of_all(const weighted_sample *s, const double *y)
{
    double sum = 0;
    for (int64_t e = 0; e < s->count; e++)
        sum += y[e];
    return sum;
}

spgemm_estimate spgemm_weighted_sample_sum(const weighted_sample *s,
                                           const double *y)
{
    const double n = (double)s->draws;
    double ratios = 0;
    if (s->draws == 0 || s->total == 0)
        return (spgemm_estimate){.value = sum_of_all(s, y)};
    for (int64_t e = 0; e < s->count; e++)
        ratios += (double)s->times[e] * y[e] / s->weight[s->rows[e]];
    const double sum = s->total * ratios / n;
    const double unseen = UNSEEN_DEVIATION * sum / n;
    const double squares = squared_differences(s, y);
    return (spgemm_estimate){
        .value = sum,
        .standard_error = s->draws == 1
                              ? NAN
                              : sqrt(squares * (s->total / n) * (s->total / n) +
                                     unseen * unseen)};
}

void spgemm_weighted_sample_end(weighted_sample *s)
{
    if (!s->m)
        return;
    release_rows(s);
    spgemm_memory_release(s->m, s->order, s->nrows, sizeof *s->order);
    s->order = NULL;
}
