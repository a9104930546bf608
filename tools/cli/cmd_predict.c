/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm predict: the size of a product, by each method that is asked for, and
   whether C fits a limit of memory. */
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <string.h>

#include "amount.h"
#include "commands.h"
#include "json.h"
#include "message.h"
#include "parameters.h"
#include "product.h"
#include "progress.h"
#include "spgemm/predict.h"
#include "status.h"
#include "table.h"

/* What is between `least` and `most` with a probability of 95 %. */
typedef struct interval {
    double least;
    double most;
} interval;

/* An answer of a method, and what it means. */
typedef struct answer {
    spgemm_prediction found;
    interval nnz;
    interval bytes; /* of C's arrays */
} answer;

typedef struct findings {
    answer methods[SPGEMM_PREDICTOR_COUNT];
    int nmethods;
    bool has_exact;
    answer exact;
    double limit_bytes; /* 0: none */
} findings;

/* ---- Prediction ------------------------------------------------------------ */

/* Where nobody knows the error: up to the bound, and from nothing; of the method
   that the library refuses by, from the half by which it does. */
static interval interval_of(const spgemm_prediction *p)
{
    const double error = 1.96 * p->standard_error;
    const double bound = (double)p->bound;
    const bool is_own = p->predictor == SPGEMM_PREDICTOR_STRATIFIED;
    if (isnan(error))
        return (interval){is_own ? 0.5 * p->nnz : 0, fmax(bound, p->nnz)};
    return (interval){fmax(0, p->nnz - error),
                      fmax(p->nnz, fmin(bound, p->nnz + error))};
}

static spgemm_status predict(const product *p, const spgemm_options *options,
                             answer *a)
{
    progress_begin("predicting");
    const spgemm_status status =
        spgemm_predict(&a->found, p->A, p->B, options, NULL);
    progress_end();
    a->nnz = interval_of(&a->found);
    a->bytes = (interval){product_bytes(p, a->nnz.least),
                          product_bytes(p, a->nnz.most)};
    return status;
}

/* The methods that are asked for, and the parameters of each. */
typedef struct selection {
    spgemm_options methods[SPGEMM_PREDICTOR_COUNT];
    int nmethods;
} selection;

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
        options->predict.method = (spgemm_predictor)p;
        if (!parameters_set(options, args, wants_all))
            return false;
        s->nmethods++;
    }
    return true;
}

static spgemm_status find(findings *f, const product *p, const arguments *args,
                          const selection *s)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_options options = p->options;
    *f = (findings){.has_exact = arguments_has(args, "exact"),
                    .limit_bytes =
                        (double)arguments_integer(args, "memory-limit", 0)};
    for (int k = 0; k < s->nmethods && status == SPGEMM_SUCCESS; k++) {
        options.predict = s->methods[k].predict;
        options.predict.seed = p->options.predict.seed;
        status = predict(p, &options, &f->methods[f->nmethods++]);
    }
    if (status == SPGEMM_SUCCESS && f->has_exact) {
        options = p->options;
        options.predict.method = SPGEMM_PREDICTOR_PRECISE;
        status = predict(p, &options, &f->exact);
    }
    return status;
}

/* Of what a complement leaves out the library knows no count, but a bound. */
static int check_exact(const findings *f)
{
    return f->has_exact && f->exact.found.standard_error != 0
               ? message(TOOL_USAGE, "predict: --exact: what the complement "
                                     "of a mask leaves of C is not counted")
               : TOOL_OK;
}

/* ---- Does it fit? ---------------------------------------------------------- */

/* What a product in two passes, which needs least, holds beside C: operands that
   are transposed, or of which rows are chosen, counts of rows, the plan, and for
   each thread tables of a row. Found by measurement. */
#define ROW_BYTES         16.0
#define PLAN_BYTES        2e5
#define TABLE_COLUMN      160.0
#define LEAST_TABLE_BYTES 1e5
#define MOST_TABLE_BYTES  4e6

static int threads_of(const product *p)
{
    if (p->options.resources.nthreads > 0)
        return p->options.resources.nthreads;
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static double bytes_beside(const product *p)
{
    const double tables = fmin(
        MOST_TABLE_BYTES, LEAST_TABLE_BYTES + TABLE_COLUMN * (double)p->ncols);
    const spgemm_product_options *o = &p->options.product;
    const bool has_own_a = o->op_a != SPGEMM_OP_NONE || o->rows;
    const bool has_own_b = o->op_b != SPGEMM_OP_NONE;
    const double copies = (has_own_a ? (double)input_bytes(p->A) : 0) +
                          (has_own_b ? (double)input_bytes(p->B) : 0);
    return copies + PLAN_BYTES + ROW_BYTES * (double)p->nrows +
           threads_of(p) * tables;
}

/* The answer that is believed: what was counted, or the method that knows its
   error best. */
static const answer *believed(const findings *f)
{
    if (f->has_exact)
        return &f->exact;
    for (int k = 0; k < f->nmethods; k++)
        if (f->methods[k].found.predictor == SPGEMM_PREDICTOR_STRATIFIED)
            return &f->methods[k];
    return &f->methods[0];
}

/* How the command ends. */
static int judge(const findings *f, const product *p)
{
    const answer *a = believed(f);
    if (f->limit_bytes == 0)
        return TOOL_OK;
    if (a->bytes.least > f->limit_bytes)
        return TOOL_LIMIT;
    return a->bytes.most + bytes_beside(p) <= f->limit_bytes ? TOOL_OK
                                                             : TOOL_MAY_FIT;
}

static const char *verdict(int status)
{
    return status == TOOL_OK        ? "fits"
           : status == TOOL_MAY_FIT ? "may fit"
                                    : "does not fit";
}

/* ---- Output ---------------------------------------------------------------- */

static double error_percent(const findings *f, const answer *a)
{
    const double exact = f->exact.found.nnz;
    return a->found.nnz == exact ? 0 : 100 * (a->found.nnz - exact) / exact;
}

static double seconds_of(const answer *a)
{
    return a->found.products_seconds + a->found.predict_seconds;
}

static void print_method(json *j, const product *p, const findings *f,
                         const answer *a)
{
    json_begin_object(j, NULL);
    json_text(j, "name", spgemm_predictor_name(a->found.predictor));
    json_number(j, "nnz", a->found.nnz);
    json_number(j, "standard_error", a->found.standard_error);
    json_number(j, "c_bytes", product_bytes(p, a->found.nnz));
    json_number(j, "c_bytes_least", a->bytes.least);
    json_number(j, "c_bytes_most", a->bytes.most);
    json_number(j, "seconds", seconds_of(a));
    json_integer(j, "rows_sampled", a->found.rows_sampled);
    json_integer(j, "products_sampled", a->found.products_sampled);
    if (f->has_exact)
        json_number(j, "relative_error_percent", error_percent(f, a));
    json_end_object(j);
}

static void print_json(const product *p, const findings *f, int fit)
{
    json j;
    json_open(&j, stdout);
    product_print_json(&j, p);
    json_integer(&j, "products", f->methods[0].found.products);
    json_integer(&j, "bound", f->methods[0].found.bound);
    if (f->has_exact)
        json_number(&j, "nnz_exact", f->exact.found.nnz);
    if (f->limit_bytes > 0) {
        json_integer(&j, "memory_limit_bytes", (int64_t)f->limit_bytes);
        json_number(&j, "beside_c_bytes", bytes_beside(p));
        json_text(&j, "verdict", verdict(fit));
    }
    json_begin_array(&j, "methods");
    for (int k = 0; k < f->nmethods; k++)
        print_method(&j, p, f, &f->methods[k]);
    json_end_array(&j);
    json_close(&j);
}

static void print_table(const product *p, const findings *f)
{
    char text[AMOUNT_BYTES];
    table t = {0};
    table_begin_row(&t);
    table_cell(&t, "method");
    table_cell(&t, "nnz");
    table_cell(&t, "C");
    table_cell(&t, "+/- %%");
    table_cell(&t, "time");
    table_cell(&t, "sampled %%");
    if (f->has_exact)
        table_cell(&t, "error %%");
    for (int k = 0; k < f->nmethods; k++) {
        const answer *a = &f->methods[k];
        const double all = (double)a->found.products;
        table_begin_row(&t);
        table_cell(&t, "%s", spgemm_predictor_name(a->found.predictor));
        table_cell(&t, "%.0f", a->found.nnz);
        table_cell(&t, "%s",
                   amount_bytes(text, product_bytes(p, a->found.nnz)));
        if (isnan(a->found.standard_error))
            table_cell(&t, "-");
        else
            table_cell(&t, "%.2f",
                       a->found.nnz > 0
                           ? 196 * a->found.standard_error / a->found.nnz
                           : 0);
        table_cell(&t, "%s", amount_seconds(text, seconds_of(a)));
        table_cell(&t, "%.2f",
                   all > 0 ? 100 * (double)a->found.products_sampled / all : 0);
        if (f->has_exact)
            table_cell(&t, "%s", amount_percent(text, error_percent(f, a)));
    }
    putchar('\n');
    table_print(&t, stdout);
}

static void print_interval(const product *p, const findings *f)
{
    char text[3][AMOUNT_BYTES];
    const answer *a = believed(f);
    const double bytes = product_bytes(p, a->found.nnz);
    printf("products  %s\n", amount_count(text[0], a->found.products));
    printf("C         %s entries, %s",
           amount_count(text[0], (int64_t)llrint(a->found.nnz)),
           amount_bytes(text[1], bytes));
    if (a->found.standard_error == 0)
        puts(": counted");
    else if (isnan(a->found.standard_error))
        printf(": how far off is not known, %s at most\n",
               amount_bytes(text[2], a->bytes.most));
    else
        printf(": %s to %s with 95 %%\n", amount_bytes(text[0], a->bytes.least),
               amount_bytes(text[2], a->bytes.most));
}

static void print_words(const product *p, const findings *f, int fit)
{
    char text[3][AMOUNT_BYTES];
    print_interval(p, f);
    if (f->limit_bytes > 0)
        printf("limit     %s: C %s, with %s for the computation%s\n",
               amount_bytes(text[0], f->limit_bytes), verdict(fit),
               amount_bytes(text[1], bytes_beside(p)),
               fit == TOOL_MAY_FIT && !f->has_exact ? "; see --exact" : "");
    print_table(p, f);
}

int cmd_predict(const arguments *args)
{
    product p;
    findings f;
    selection s;
    if (!select_methods(&s, args))
        return TOOL_USAGE;
    int status = product_read(&p, args);
    if (status == TOOL_OK) {
        const spgemm_status found = find(&f, &p, args, &s);
        status =
            found < 0 ? product_failure("prediction", found) : check_exact(&f);
    }
    if (status == TOOL_OK) {
        status = judge(&f, &p);
        if (arguments_has(args, "json"))
            print_json(&p, &f, status);
        else
            print_words(&p, &f, status);
    }
    product_clear(&p);
    return status;
}
