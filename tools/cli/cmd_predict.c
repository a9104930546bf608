/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm predict: the size of a product, by each method that is asked for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "input.h"
#include "json.h"
#include "message.h"
#include "parameters.h"
#include "progress.h"
#include "spgemm/predict.h"
#include "status.h"
#include "table.h"

typedef struct findings {
    spgemm_prediction methods[SPGEMM_PREDICTOR_COUNT];
    int nmethods;
    bool has_exact;
    double nnz_exact;
} findings;

static double error_percent(const findings *f, const spgemm_prediction *method)
{
    if (method->nnz == f->nnz_exact)
        return 0;
    return 100 * (method->nnz - f->nnz_exact) / f->nnz_exact;
}

static double seconds_of(const spgemm_prediction *method)
{
    return method->products_seconds + method->predict_seconds;
}

static spgemm_status predict(const input_pair *pair,
                             const spgemm_options *options,
                             spgemm_prediction *method)
{
    progress_begin("predicting");
    const spgemm_status status =
        spgemm_predict(method, pair->A, pair->B, options, NULL);
    progress_end();
    return status;
}

/* The methods that are asked for, and the options of each. */
typedef struct selection {
    spgemm_options methods[SPGEMM_PREDICTOR_COUNT];
    int nmethods;
} selection;

static spgemm_options base_options(const arguments *args)
{
    return (spgemm_options){
        .predict.seed = (uint64_t)arguments_integer(args, "seed", 0),
        .resources.nthreads = (int)arguments_integer(args, "threads", 0)};
}

/* false, after a message: a method does not take a parameter. */
static bool select_methods(selection *s, const arguments *args)
{
    const bool wants_all =
        strcmp(arguments_text(args, "method", ""), "all") == 0;
    const int wanted = arguments_predictor(args, "method");
    const int one =
        wanted == SPGEMM_PREDICTOR_AUTO ? SPGEMM_PREDICTOR_STRATIFIED : wanted;
    *s = (selection){0};
    for (int p = SPGEMM_PREDICTOR_UPPER_BOUND; p < SPGEMM_PREDICTOR_CALLER;
         p++) {
        spgemm_options *options = &s->methods[s->nmethods];
        if (!wants_all && p != one)
            continue;
        *options = base_options(args);
        options->predict.method = (spgemm_predictor)p;
        if (!parameters_set(options, args, wants_all))
            return false;
        s->nmethods++;
    }
    return true;
}

static spgemm_status find(findings *f, const input_pair *pair,
                          const arguments *args, const selection *s)
{
    spgemm_status status = SPGEMM_SUCCESS;
    *f = (findings){.has_exact = arguments_has(args, "exact")};
    for (int k = 0; k < s->nmethods && status == SPGEMM_SUCCESS; k++)
        status = predict(pair, &s->methods[k], &f->methods[f->nmethods++]);
    if (status == SPGEMM_SUCCESS && f->has_exact) {
        spgemm_prediction exact;
        spgemm_options options = base_options(args);
        options.predict.method = SPGEMM_PREDICTOR_PRECISE;
        status = predict(pair, &options, &exact);
        f->nnz_exact = exact.nnz;
    }
    return status;
}

static void print_json(const input_pair *pair, const findings *f)
{
    json j;
    json_open(&j, stdout);
    json_integer(&j, "rows", pair->A->nrows);
    json_integer(&j, "cols", pair->B->ncols);
    json_integer(&j, "nnz_a", pair->A->nnz);
    json_integer(&j, "nnz_b", pair->B->nnz);
    json_integer(&j, "products", f->methods[0].products);
    json_integer(&j, "bound", f->methods[0].bound);
    if (f->has_exact)
        json_number(&j, "nnz_exact", f->nnz_exact);
    json_begin_array(&j, "methods");
    for (int k = 0; k < f->nmethods; k++) {
        const spgemm_prediction *method = &f->methods[k];
        json_begin_object(&j, NULL);
        json_text(&j, "name", spgemm_predictor_name(method->predictor));
        json_number(&j, "nnz", method->nnz);
        json_number(&j, "standard_error", method->standard_error);
        json_number(&j, "seconds", seconds_of(method));
        json_integer(&j, "rows_sampled", method->rows_sampled);
        json_integer(&j, "products_sampled", method->products_sampled);
        if (f->has_exact)
            json_number(&j, "relative_error_percent", error_percent(f, method));
        json_end_object(&j);
    }
    json_end_array(&j);
    json_close(&j);
}

static void print_table(const findings *f)
{
    table t = {0};
    table_begin_row(&t);
    table_cell(&t, "method");
    table_cell(&t, "nnz");
    table_cell(&t, "std. error");
    table_cell(&t, "seconds");
    table_cell(&t, "rows sampled");
    table_cell(&t, "products sampled");
    if (f->has_exact)
        table_cell(&t, "error %%");
    for (int k = 0; k < f->nmethods; k++) {
        const spgemm_prediction *method = &f->methods[k];
        table_begin_row(&t);
        table_cell(&t, "%s", spgemm_predictor_name(method->predictor));
        table_cell(&t, "%.0f", method->nnz);
        if (isnan(method->standard_error))
            table_cell(&t, "-");
        else
            table_cell(&t, "%.0f", method->standard_error);
        table_cell(&t, "%.4f", seconds_of(method));
        table_count(&t, method->rows_sampled);
        table_count(&t, method->products_sampled);
        if (f->has_exact)
            table_cell(&t, "%+.3f", error_percent(f, method));
    }
    printf("products %lld\n", (long long)f->methods[0].products);
    if (f->has_exact)
        printf("nnz      %.0f, counted\n", f->nnz_exact);
    putchar('\n');
    table_print(&t, stdout);
}

int cmd_predict(const arguments *args)
{
    input_pair pair;
    findings f;
    selection s;
    if (!select_methods(&s, args))
        return TOOL_USAGE;
    int status = input_read_pair(&pair, args);
    if (status == TOOL_OK) {
        const spgemm_status found = find(&f, &pair, args, &s);
        if (found < 0)
            status = message_failure("prediction", found);
        else if (arguments_has(args, "json"))
            print_json(&pair, &f);
        else
            print_table(&f);
    }
    input_clear_pair(&pair);
    return status;
}
