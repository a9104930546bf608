/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of bench_accuracy. */
#include "accuracy_options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEEDS = 100000, MOST_THREADS = 4096, MOST_REPETITIONS = 1000 };

static const struct option names[] = {
    {"pairs", required_argument, NULL, 'p'},
    {"only-square", no_argument, NULL, 'q'},
    {"methods", required_argument, NULL, 'm'},
    {"seeds", required_argument, NULL, 's'},
    {"every-seed", no_argument, NULL, 'e'},
    {"threads", required_argument, NULL, 't'},
    {"repetitions", required_argument, NULL, 'r'},
    {"seconds", required_argument, NULL, 'u'},
    {"no-multiply", no_argument, NULL, 'n'},
    {"limit-products", required_argument, NULL, 'l'},
    {"memory-limit", required_argument, NULL, 'b'},
    {"keep", required_argument, NULL, 'k'},
    {"sweep", no_argument, NULL, 'w'},
    {"rows", no_argument, NULL, 'o'},
    {"output", required_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: bench_accuracy [options] FOLDER|MATRIX.mtx...\n"
    "Multiply all matrices with each other, as the paper does, and print one\n"
    "CSV row a pair, method and seed: predicted and exact nnz(C), and times.\n"
    "Shapes that do not fit: the left columns of A, or the top rows of B.\n\n"
    "  --pairs all|square    every A*B, or every A*A (all)\n"
    "  --only-square         --pairs square\n"
    "  --methods NAME[,...]  (sampled_nnz,sampled_cr and the default method)\n"
    "  --seeds N             of methods that sample some rows: 0 to N-1 (1)\n"
    "  --every-seed          of methods that look at all rows, too\n"
    "  --threads N           (0: all cores)\n"
    "  --repetitions N       calls that are timed; their median counts (3).\n"
    "                        More than one seed: one call of each prediction\n"
    "  --seconds S           for the calls of spgemm_precise() on a pair, "
    "after\n"
    "                        which it gets no more; one at least (3)\n"
    "  --no-multiply         count nnz(C), do not time spgemm_precise()\n"
    "  --limit-products X    leave out pairs that have more products\n"
    "  --memory-limit BYTES  for C, with K, M, G (default: what is free); a "
    "pair\n"
    "                        that needs more is counted, not multiplied\n"
    "  --keep BYTES          of matrices to keep in memory; the others are "
    "read\n"
    "                        again for each pair (a quarter of what is free)\n"
    "  --sweep               each method with a range of sizes of its sample\n"
    "  --rows                errors of the rows of C, not of its total\n"
    "  --output FILE         instead of standard output. Where it is there,\n"
    "                        its complete pairs are kept, the others done\n";

void accuracy_options_help(void)
{
    fputs(help, stdout);
}

static bool refuse(const char *option, const char *text, const char *wants)
{
    fprintf(stderr, "bench_accuracy: --%s: '%s' is not %s\n", option, text,
            wants);
    return false;
}

static bool
read_number(const char *text, double least, double most, double *number)
{
    char *end;
    const double n = strtod(text, &end);
    if (end == text || *end || !(n >= least && n <= most))
        return false;
    *number = n;
    return true;
}

static bool read_count(
    int *count, const char *option, const char *text, int least, int most)
{
    double number;
    char wants[48];
    snprintf(wants, sizeof wants, "a number in %d..%d", least, most);
    if (!read_number(text, least, most, &number) || number != floor(number))
        return refuse(option, text, wants);
    *count = (int)number;
    return true;
}

/* 8e9, 500M, 16G: powers of 1024. */
static bool read_bytes(double *bytes, const char *option, const char *text)
{
    static const char units[] = "KMG";
    char *end;
    const double number = strtod(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    const char *rest = unit ? end + 1 : end;
    if (end == text || *rest || !(number >= 0 && number < 1e18))
        return refuse(option, text, "a number of bytes");
    *bytes = unit ? ldexp(number, 10 * (int)(unit - units + 1)) : number;
    return true;
}

/* ---- Methods -------------------------------------------------------------- */

static bool read_methods(accuracy_options *o, char *text)
{
    const methods all = methods_all();
    const char *unknown;
    if (methods_read(&o->methods, text, &unknown))
        return true;
    refuse("methods", unknown, "a method");
    fputs("Methods:", stderr);
    for (int k = 0; k < all.count; k++)
        fprintf(stderr, " %s", spgemm_predictor_name(all.list[k]));
    fputc('\n', stderr);
    return false;
}

/* ---- The whole ------------------------------------------------------------ */

static bool read_pairs(accuracy_options *o, const char *text)
{
    o->has_only_squares = strcmp(text, "square") == 0;
    return o->has_only_squares || strcmp(text, "all") == 0 ||
           refuse("pairs", text, "all or square");
}

static bool set_mode(accuracy_options *o, accuracy_mode mode)
{
    if (o->mode != ACCURACY_TOTALS && o->mode != mode) {
        fputs("bench_accuracy: --sweep and --rows are two runs\n", stderr);
        return false;
    }
    o->mode = mode;
    return true;
}

static bool read_limit(accuracy_options *o, int letter, char *text)
{
    switch (letter) {
    case 'u':
        return read_number(text, 0, 1e6, &o->seconds) ||
               refuse("seconds", text, "a time");
    case 'l':
        return read_number(text, 0, 1e18, &o->most_products) ||
               refuse("limit-products", text, "a number of products");
    case 'b':
        return read_bytes(&o->memory_bytes, "memory-limit", text) &&
               (o->memory_bytes > 0 ||
                refuse("memory-limit", text, "a number of bytes"));
    case 'k':
        return read_bytes(&o->keep_bytes, "keep", text);
    default: /* getopt_long() has said what is wrong */
        return false;
    }
}

static bool read_option(accuracy_options *o, int letter, char *text)
{
    switch (letter) {
    case 'p':
        return read_pairs(o, text);
    case 'q':
        return read_pairs(o, "square");
    case 'm':
        return read_methods(o, text);
    case 's':
        return read_count(&o->seeds, "seeds", text, 1, MOST_SEEDS);
    case 'e':
        o->is_every_seed = true;
        return true;
    case 't':
        return read_count(&o->nthreads, "threads", text, 0, MOST_THREADS);
    case 'r':
        return read_count(&o->repetitions, "repetitions", text, 1,
                          MOST_REPETITIONS);
    case 'n':
        o->is_multiplied = false;
        return true;
    case 'w':
        return set_mode(o, ACCURACY_SWEEP);
    case 'o':
        return set_mode(o, ACCURACY_ROWS);
    case 'f':
        o->output = text;
        return true;
    case 'h':
        o->wants_help = true;
        return true;
    default:
        return read_limit(o, letter, text);
    }
}

bool accuracy_options_read(accuracy_options *o, int argc, char **argv)
{
    int letter;
    *o = (accuracy_options){.seeds = 1,
                            .repetitions = 3,
                            .seconds = 3,
                            .is_multiplied = true,
                            .most_products = INFINITY,
                            .keep_bytes = -1};
    while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1)
        if (!read_option(o, letter, optarg))
            return false;
    if (o->mode != ACCURACY_TOTALS)
        o->is_multiplied = false;
    o->operands = argv + optind;
    o->noperands = argc - optind;
    if (o->noperands > 0 || o->wants_help)
        return true;
    fputs("bench_accuracy: no folder of matrices; see --help\n", stderr);
    return false;
}
