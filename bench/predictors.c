/* SPDX-License-Identifier: BSD-3-Clause */
/* What the prediction is worth to the multiply: C = A*B allocated from what
   each method predicts. C is the same whatever is predicted, which is verified
   first; time and memory are not. One CSV row a call; the methods take turns,
   so that noise of the machine falls on all alike. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "clocks.h"
#include "heading.h"
#include "message.h"
#include "methods.h"
#include "status.h"
#include "steady.h"
#include "suite.h"

typedef struct comparison {
    suite suite;
    methods methods;
    int nthreads; /* 0: all */
    int repetitions;
    FILE *output;
    const char *path; /* of the output; NULL: standard output */
} comparison;

static const option option_table[] = {
    {"methods", OPTION_TEXT, "NAME[,...]", .help = "only these (default: all)"},
    {"repetitions", OPTION_INTEGER, "N", .least = 1, .most = 1000,
     .help = "calls of each method, after one to verify C "
             "(default: 5)"},
    {"threads", OPTION_INTEGER, "N", .most = 4096,
     .help = "(default: all cores)"},
    {"matrices", OPTION_FILE, "DIR",
     .help = "of relative paths (default: the current one)"},
    {"output", OPTION_FILE, "FILE", .help = "instead of standard output"},
    {.name = NULL}};

static const command program = {
    .name = "bench_predictors",
    .operands = "SUITE.tsv|MATRIX.mtx...",
    .least_operands = 1,
    .most_operands = MOST_OPERANDS,
    .description =
        "Multiply each product of a suite, or the square of a matrix, with C "
        "allocated from what each method predicts, and print one CSV row a "
        "call.",
    .options = option_table,
};

static const char columns[] =
    "matrix,nrows,products,nnz_c,method,threads,repetition,seconds,"
    "cpu_seconds,check_seconds,products_seconds,predict_seconds,allocate_"
    "seconds,"
    "multiply_seconds,compact_seconds,nnz_predicted,overflow_rows,"
    "overflow_entries,c_bytes,allocated_bytes,peak_bytes,upper_bound_bytes\n";

/* ---- Products ------------------------------------------------------------- */

static spgemm_status multiply(const comparison *c, const suite_operands *ops,
                              spgemm_predictor method, spgemm_csr *C,
                              spgemm_report *report)
{
    const spgemm_options options = {.predict.method = method,
                                    .resources.nthreads = c->nthreads};
    return spgemm_predicted(C, ops->A, ops->B, &options, report);
}

static void skip(const comparison *c, const char *name, spgemm_predictor method,
                 const char *why)
{
    const char *of = spgemm_predictor_name(method);
    fprintf(c->output, "# skipped: %s,%s: %s\n", name, of, why);
    fprintf(stderr, "bench_predictors: %s, %s: %s\n", name, of, why);
}

/* Those of `methods` that work and make the C of the reference. */
static methods verify(const comparison *c, const char *name,
                      const suite_operands *ops, const spgemm_csr *known)
{
    methods right = {.count = 0};
    for (int k = 0; k < c->methods.count; k++) {
        const spgemm_predictor method = c->methods.list[k];
        spgemm_csr C = {0};
        spgemm_report report;
        const spgemm_status status = multiply(c, ops, method, &C, &report);
        if (status < 0)
            skip(c, name, method, spgemm_status_string(status));
        else if (!spgemm_csr_equal(&C, known))
            skip(c, name, method, "WRONG: C is another");
        else
            methods_add(&right, method);
        spgemm_csr_destroy(&C);
    }
    return right;
}

static void write_call(const comparison *c, const char *name, int64_t nrows,
                       int repetition, double cpu_seconds,
                       const spgemm_report *r)
{
    fprintf(c->output, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%d,%d", name,
            nrows, r->products, r->nnz, spgemm_predictor_name(r->predictor),
            r->nthreads, repetition);
    fprintf(c->output, ",%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f",
            r->total_seconds, cpu_seconds, r->check_seconds,
            r->products_seconds, r->predict_seconds, r->allocate_seconds,
            r->multiply_seconds, r->compact_seconds);
    fprintf(c->output, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%zu,%zu,%zu,%zu\n",
            r->nnz_predicted, r->overflow_rows, r->overflow_entries, r->c_bytes,
            r->allocated_bytes, r->peak_bytes, r->upper_bound_bytes);
}

static void time_call(const comparison *c, const char *name,
                      const suite_operands *ops, spgemm_predictor method,
                      int repetition)
{
    spgemm_csr C = {0};
    spgemm_report report;
    const double start = cpu_clock();
    const spgemm_status status = multiply(c, ops, method, &C, &report);
    const double end = cpu_clock();
    spgemm_csr_destroy(&C);
    if (status < 0)
        skip(c, name, method, spgemm_status_string(status));
    else
        write_call(c, name, ops->A->nrows, repetition, end - start, &report);
}

/* Each repetition begins with another method. */
static void time_all(const comparison *c, const char *name,
                     const suite_operands *ops, const methods *right)
{
    for (int repetition = 0; repetition < c->repetitions; repetition++)
        for (int k = 0; k < right->count; k++)
            time_call(c, name, ops,
                      right->list[(k + repetition) % right->count], repetition);
}

static bool compare(comparison *c, int which)
{
    const char *name = c->suite.products[which].name;
    const spgemm_options options = {.resources.nthreads = c->nthreads};
    suite_operands ops;
    spgemm_csr known = {0};
    fprintf(stderr, "%d/%d %s\n", which + 1, c->suite.count, name);
    bool is_well = suite_load(&c->suite, which, &ops);
    if (!is_well)
        fprintf(stderr, "bench_predictors: %s\n", c->suite.why);
    else if (spgemm_precise(&known, ops.A, ops.B, &options, NULL) < 0) {
        fprintf(stderr, "bench_predictors: %s: cannot be multiplied\n", name);
        is_well = false;
    }
    if (is_well) {
        const methods right = verify(c, name, &ops, &known);
        spgemm_csr_destroy(&known);
        is_well = right.count == c->methods.count;
        time_all(c, name, &ops, &right);
    }
    suite_clear(&ops);
    return is_well && fflush(c->output) == 0;
}

/* ---- The command line ----------------------------------------------------- */

static bool add_operands(comparison *c, const arguments *args)
{
    bool is_well = true;
    for (int k = 0; is_well && k < args->noperands; k++)
        is_well = suite_add(&c->suite, args->operands[k]);
    if (!is_well)
        message(TOOL_USAGE, "%s", c->suite.why);
    return is_well;
}

static bool read_words(comparison *c, int argc, char **argv)
{
    arguments args;
    arguments_of_program(&args, &program, argc, argv);
    const char *names = arguments_text(&args, "methods", NULL);
    c->repetitions = (int)arguments_integer(&args, "repetitions", 5);
    c->nthreads = (int)arguments_integer(&args, "threads", 0);
    c->suite.folder = arguments_text(&args, "matrices", NULL);
    c->path = arguments_text(&args, "output", NULL);
    return (!names || methods_read(&c->methods, names)) &&
           add_operands(c, &args);
}

int main(int argc, char **argv)
{
    static comparison c;
    bool is_well = true;
    steady_restart(argv);
    c.methods = methods_all();
    if (!read_words(&c, argc, argv))
        return 2;
    c.output = c.path ? fopen(c.path, "w") : stdout;
    if (!c.output) {
        fprintf(stderr, "bench_predictors: %s: cannot be written\n", c.path);
        return 2;
    }
    heading_print(c.output, "bench_predictors");
    fprintf(c.output, "# default method: %s\n",
            spgemm_predictor_name(methods_default()));
    fputs(columns, c.output);
    for (int k = 0; k < c.suite.count; k++)
        is_well &= compare(&c, k);
    return is_well && fflush(c.output) == 0 ? 0 : 1;
}
