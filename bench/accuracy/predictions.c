/* SPDX-License-Identifier: BSD-3-Clause */
/* What the methods say of C = A*B: one CSV row a method, setting and seed. */
#include "predictions.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doubles.h"
#include "row_errors.h"
#include "settings.h"
#include "spgemm/predict.h"

enum { MOST_REPETITIONS = 1000 };

/* One row of the CSV. */
typedef struct trial {
    const pair_facts *pair;
    const crop *operands;
    const accuracy_options *o;
    const row_errors_exact *exact; /* of the rows; NULL: not wanted */
    spgemm_options options;
    char setting[SETTING_WORD_BYTES];
} trial;

/* The same prediction again and again, with the median of its times. */
static spgemm_status repeat(spgemm_prediction *p, const trial *t)
{
    double products[MOST_REPETITIONS];
    double method[MOST_REPETITIONS];
    const int calls = t->o->seeds > 1 ? 1 : t->o->repetitions;
    for (int k = 0; k < calls; k++) {
        const spgemm_status status = spgemm_predict(
            p, t->operands->A, t->operands->B, &t->options, NULL);
        if (status < 0)
            return status;
        products[k] = p->products_seconds;
        method[k] = p->predict_seconds;
    }
    p->products_seconds = doubles_median(products, (size_t)calls);
    p->predict_seconds = doubles_median(method, (size_t)calls);
    return SPGEMM_SUCCESS;
}

static double relative_error(const pair_facts *pair, double nnz)
{
    const double exact = (double)pair->nnz_exact;
    if (nnz == exact)
        return 0;
    return exact > 0 ? (nnz - exact) / exact : NAN;
}

static void write_trial(FILE *block, const trial *t, const spgemm_prediction *p)
{
    accuracy_csv_facts(block, t->pair);
    fprintf(block, ",%s,%s,%" PRIu64, spgemm_predictor_name(p->predictor),
            t->setting, t->options.predict.seed);
    accuracy_csv_number(block, p->nnz);
}

static void write_total(FILE *block, const trial *t, const spgemm_prediction *p)
{
    write_trial(block, t, p);
    accuracy_csv_number(block, relative_error(t->pair, p->nnz));
    accuracy_csv_number(block, p->standard_error);
    fprintf(block, ",%" PRId64 ",%" PRId64 ",%.9f,%.9f\n", p->rows_sampled,
            p->products_sampled, p->products_seconds, p->predict_seconds);
}

static spgemm_status try_total(FILE *block, const trial *t,
                               spgemm_prediction *p)
{
    const spgemm_status status = repeat(p, t);
    if (status == SPGEMM_SUCCESS)
        write_total(block, t, p);
    return status;
}

static spgemm_status try_rows(FILE *block, const trial *t, spgemm_prediction *p)
{
    row_errors errors;
    const spgemm_status status = row_errors_measure(
        &errors, p, t->exact, t->operands->A, t->operands->B, &t->options);
    if (status == SPGEMM_SUCCESS) {
        write_trial(block, t, p);
        row_errors_write(block, &errors);
    }
    return status;
}

/* Whether another seed is worth its time: a method that looks at all rows says
   much the same again. */
static bool samples(const trial *t, const spgemm_prediction *p)
{
    return p->rows_sampled > 0 && p->rows_sampled < t->pair->nrows;
}

/* All seeds of one setting; the time of the last of them. */
static double try_seeds(FILE *block, trial *t)
{
    spgemm_prediction p = {0};
    int seeds = t->o->seeds;
    for (int seed = 0; seed < seeds; seed++) {
        t->options.predict.seed = (uint64_t)seed;
        const spgemm_status status =
            t->exact ? try_rows(block, t, &p) : try_total(block, t, &p);
        if (status < 0) {
            accuracy_csv_skip(block, t->pair,
                              spgemm_predictor_name(t->options.predict.method),
                              spgemm_status_string(status));
            return 0;
        }
        if (seed == 0 && !t->o->is_every_seed && !samples(t, &p))
            seeds = 1;
    }
    return p.predict_seconds;
}

/* A parameter is no longer increased when a step takes too long. */
static void try_settings(FILE *block, trial *t, spgemm_predictor method)
{
    char slow[SETTING_WORD_BYTES] = "";
    const int last = t->o->mode == ACCURACY_SWEEP ? INT_MAX : 0;
    for (int k = 0; k <= last; k++) {
        t->options = (spgemm_options){.resources.nthreads = t->o->nthreads};
        if (!setting_apply(&t->options, t->setting, method, t->pair->products,
                           k))
            return;
        const size_t name = strcspn(t->setting, "=");
        if (strncmp(slow, t->setting, name + 1) == 0)
            continue;
        if (try_seeds(block, t) > t->o->seconds)
            strcpy(slow, t->setting);
    }
}

void predictions_write(FILE *block, const pair_facts *pair,
                       const crop *operands, const accuracy_options *o)
{
    row_errors_exact exact = {0};
    trial t = {.pair = pair, .operands = operands, .o = o};
    if (o->mode == ACCURACY_ROWS) {
        const spgemm_status status =
            row_errors_count(&exact, operands->A, operands->B, o->nthreads);
        t.exact = &exact;
        if (status < 0) {
            accuracy_csv_skip(block, pair, "all", spgemm_status_string(status));
            return;
        }
    }
    for (int k = 0; k < o->methods.count; k++)
        try_settings(block, &t, o->methods.list[k]);
    row_errors_clear(&exact);
}
