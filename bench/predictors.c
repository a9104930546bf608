/* SPDX-License-Identifier: BSD-3-Clause */
/* What the prediction is worth to the multiply: C = A*B allocated from what
   each method predicts. C is the same whatever is predicted, which is verified
   first; time and memory are not. One CSV row a call; the methods take turns,
   so that noise of the machine falls on all alike. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_clock.h"
#include "heading.h"
#include "methods.h"
#include "steady.h"
#include "suite.h"

enum { MOST_REPETITIONS = 1000, MOST_THREADS = 4096 };

typedef struct comparison {
    suite suite;
    methods methods;
    int nthreads; /* 0: all */
    int repetitions;
    FILE *output;
    const char *path; /* of the output; NULL: standard output */
} comparison;

static const char help[] =
    "Usage: bench_predictors [options] SUITE.tsv|MATRIX.mtx...\n"
    "Multiply each product of a suite, or the square of a matrix, with C\n"
    "allocated from what each method predicts, and print one CSV row a "
    "call.\n\n"
    "  --methods NAME[,...]  only these (default: all)\n"
    "  --repetitions N       calls of each method, after one to verify C (5)\n"
    "  --threads N           (0: all cores)\n"
    "  --matrices DIR        of relative paths (default: the current one)\n"
    "  --output FILE         instead of standard output\n";

static const char columns[] =
    "matrix,nrows,products,nnz_c,method,threads,repetition,seconds,"
    "cpu_seconds,check_seconds,products_seconds,predict_seconds,allocate_"
    "seconds,"
    "multiply_seconds,compact_seconds,nnz_predicted,overflow_rows,"
    "overflow_entries,c_bytes,allocated_bytes,peak_bytes,upper_bound_bytes\n";

/* ---- Products ------------------------------------------------------------- */

static spgemm_status multiply(const comparison *c,
                              const suite_operands *ops,
                              spgemm_predictor method,
                              spgemm_csr *C,
                              spgemm_report *report)
{
    const spgemm_options options = {.predict.method = method,
                                    .resources.nthreads = c->nthreads};
    return spgemm_predicted(C, ops->A, ops->B, &options, report);
}

static void skip(const comparison *c,
                 const char *name,
                 spgemm_predictor method,
                 const char *why)
{
    const char *of = spgemm_predictor_name(method);
    fprintf(c->output, "# skipped: %s,%s: %s\n", name, of, why);
    fprintf(stderr, "bench_predictors: %s, %s: %s\n", name, of, why);
}

/* Those of `methods` that work and make the C of the reference. */
static methods verify(const comparison *c,
                      const char *name,
                      const suite_operands *ops,
                      const spgemm_csr *known)
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

static void write_call(const comparison *c,
                       const char *name,
                       int64_t nrows,
                       int repetition,
                       double cpu_seconds,
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

static void time_call(const comparison *c,
                      const char *name,
                      const suite_operands *ops,
                      spgemm_predictor method,
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
static void time_all(const comparison *c,
                     const char *name,
                     const suite_operands *ops,
                     const methods *right)
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

static bool refuse(const char *option, const char *text, const char *wants)
{
    fprintf(stderr, "bench_predictors: --%s: '%s' is not %s\n", option, text,
            wants);
    return false;
}

static bool read_count(
    int *count, const char *option, const char *text, int least, int most)
{
    char *end;
    const long number = strtol(text, &end, 10);
    if (end == text || *end || number < least || number > most)
        return refuse(option, text, "such a number");
    *count = (int)number;
    return true;
}

static bool read_option(comparison *c, int letter, char *text)
{
    const char *unknown;
    switch (letter) {
    case 'm':
        return methods_read(&c->methods, text, &unknown) ||
               refuse("methods", unknown, "a method");
    case 'r':
        return read_count(&c->repetitions, "repetitions", text, 1,
                          MOST_REPETITIONS);
    case 't':
        return read_count(&c->nthreads, "threads", text, 0, MOST_THREADS);
    case 'd':
        c->suite.folder = text;
        return true;
    case 'o':
        c->path = text;
        return true;
    case 'h':
        fputs(help, stdout);
        exit(0);
    default: /* getopt_long() has said what is wrong */
        return false;
    }
}

static bool add_operands(comparison *c, char **operands, int count)
{
    bool is_well = true;
    for (int k = 0; is_well && k < count; k++) {
        const char *suffix = strrchr(operands[k], '.');
        is_well = suffix && strcmp(suffix, ".tsv") == 0
                      ? suite_read(&c->suite, operands[k])
                      : suite_add_square(&c->suite, operands[k]);
    }
    if (is_well && c->suite.count == 0)
        fputs("bench_predictors: no suite and no matrix; see --help\n", stderr);
    else if (!is_well)
        fprintf(stderr, "bench_predictors: %s\n", c->suite.why);
    return is_well && c->suite.count > 0;
}

static bool read_words(comparison *c, int argc, char **argv)
{
    static const struct option names[] = {
        {"methods", required_argument, NULL, 'm'},
        {"repetitions", required_argument, NULL, 'r'},
        {"threads", required_argument, NULL, 't'},
        {"matrices", required_argument, NULL, 'd'},
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int letter;
    while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1)
        if (!read_option(c, letter, optarg))
            return false;
    return add_operands(c, argv + optind, argc - optind);
}

int main(int argc, char **argv)
{
    static comparison c = {.repetitions = 5};
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
