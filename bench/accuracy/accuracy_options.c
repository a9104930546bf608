/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of bench_accuracy. */
#include "accuracy_options.h"

#include <math.h>
#include <string.h>

#include "arguments.h"
#include "message.h"
#include "status.h"

static const char *pairs_choice(int k)
{
    static const char *const names[] = {"all", "square", NULL};
    return names[k];
}

static const option option_table[] = {
    {"pairs", OPTION_CHOICE, "WHICH", .choice = pairs_choice,
     .help = "every A*B, or every A*A (default: all)"},
    {"only-square", .help = "--pairs square"},
    {"methods", OPTION_TEXT, "NAME[,...]",
     .help = "(default: sampled_nnz,sampled_cr and the default "
             "method)"},
    {"seeds", OPTION_INTEGER, "N", .least = 1, .most = 100000,
     .help = "of methods that sample some rows: 0 to N-1 "
             "(default: 1)"},
    {"every-seed", .help = "of methods that look at all rows, too"},
    {"threads", OPTION_INTEGER, "N", .most = 4096,
     .help = "(default: all cores)"},
    {"repetitions", OPTION_INTEGER, "N", .least = 1, .most = 1000,
     .help = "calls that are timed; their median counts "
             "(default: 3). More than one seed: one call of each "
             "prediction"},
    {"seconds", OPTION_NUMBER, "S", .most = 1000000,
     .help = "for the calls of spgemm_precise() on a pair, after "
             "which it gets no more; one at least (default: 3)"},
    {"no-multiply", .help = "count nnz(C), do not time spgemm_precise()"},
    {"limit-products", OPTION_NUMBER, "X", .most = (int64_t)1e18,
     .help = "leave out pairs that have more products"},
    {"memory-limit", OPTION_BYTES, "BYTES", .least = 1,
     .help = "for C (default: what is free); a pair that needs "
             "more is counted, not multiplied"},
    {"keep", OPTION_BYTES, "BYTES",
     .help = "of matrices to keep in memory; the others are read "
             "again for each pair (default: a quarter of what is "
             "free)"},
    {"sweep", .help = "each method with a range of sizes of its sample"},
    {"rows", .help = "errors of the rows of C, not of its total"},
    {"output", OPTION_FILE, "FILE",
     .help = "instead of standard output. Where it is there, its "
             "complete pairs are kept, the others done"},
    {.name = NULL}};

static const command program = {
    .name = "bench_accuracy",
    .operands = "FOLDER|MATRIX.mtx|SUITE.tsv...",
    .least_operands = 1,
    .most_operands = MOST_OPERANDS,
    .description =
        "Multiply all matrices with each other, as the paper does, and print "
        "one CSV row a pair, method and seed: predicted and exact nnz(C), and "
        "times. Shapes that do not fit: the left columns of A, or the top rows "
        "of B. Of a suite: its products alone.",
    .options = option_table,
};

static accuracy_mode mode_of(const arguments *args)
{
    return arguments_has(args, "sweep")  ? ACCURACY_SWEEP
           : arguments_has(args, "rows") ? ACCURACY_ROWS
                                         : ACCURACY_TOTALS;
}

bool accuracy_options_read(accuracy_options *o, int argc, char **argv)
{
    arguments args;
    arguments_of_program(&args, &program, argc, argv);
    *o = (accuracy_options){
        .mode = mode_of(&args),
        .has_only_squares =
            arguments_has(&args, "only-square") ||
            strcmp(arguments_text(&args, "pairs", "all"), "square") == 0,
        .seeds = (int)arguments_integer(&args, "seeds", 1),
        .is_every_seed = arguments_has(&args, "every-seed"),
        .nthreads = (int)arguments_integer(&args, "threads", 0),
        .repetitions = (int)arguments_integer(&args, "repetitions", 3),
        .seconds = arguments_number(&args, "seconds", 3),
        .most_products = arguments_number(&args, "limit-products", INFINITY),
        .memory_bytes = (double)arguments_integer(&args, "memory-limit", 0),
        .keep_bytes = (double)arguments_integer(&args, "keep", -1),
        .output = arguments_text(&args, "output", NULL),
        .noperands = args.noperands};
    memcpy(o->operands, args.operands, sizeof o->operands);
    o->is_multiplied =
        o->mode == ACCURACY_TOTALS && !arguments_has(&args, "no-multiply");
    if (arguments_has(&args, "sweep") && arguments_has(&args, "rows")) {
        message(TOOL_USAGE, "--sweep and --rows are two runs");
        return false;
    }
    const char *names = arguments_text(&args, "methods", NULL);
    return !names || methods_read(&o->methods, names);
}
