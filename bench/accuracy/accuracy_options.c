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
    .options =
        {&(option){.name = "pairs",
                   .kind = OPTION_CHOICE,
                   .metavar = "WHICH",
                   .help = "every A*B, or every A*A (default: all)",
                   .choice = pairs_choice},
         &(option){.name = "only-square", .help = "--pairs square"},
         &(option){.name = "methods",
                   .kind = OPTION_TEXT,
                   .metavar = "NAME[,...]",
                   .help = "(default: sampled_nnz,sampled_cr and the default "
                           "method)"},
         &(option){.name = "seeds",
                   .kind = OPTION_INTEGER,
                   .metavar = "N",
                   .help = "of methods that sample some rows: 0 to N-1 "
                           "(default: 1)",
                   .least = 1,
                   .most = 100000},
         &(option){.name = "every-seed",
                   .help = "of methods that look at all rows, too"},
         &(option){.name = "threads",
                   .kind = OPTION_INTEGER,
                   .metavar = "N",
                   .help = "(default: all cores)",
                   .most = 4096},
         &(option){.name = "repetitions",
                   .kind = OPTION_INTEGER,
                   .metavar = "N",
                   .help = "calls that are timed; their median counts "
                           "(default: 3). More than one seed: one call of each "
                           "prediction",
                   .least = 1,
                   .most = 1000},
         &(option){.name = "seconds",
                   .kind = OPTION_NUMBER,
                   .metavar = "S",
                   .help = "for the calls of spgemm_precise() on a pair, after "
                           "which it gets no more; one at least (default: 3)",
                   .most = 1000000},
         &(option){.name = "no-multiply",
                   .help = "count nnz(C), do not time spgemm_precise()"},
         &(option){.name = "limit-products",
                   .kind = OPTION_NUMBER,
                   .metavar = "X",
                   .help = "leave out pairs that have more products",
                   .most = (int64_t)1e18},
         &(option){.name = "memory-limit",
                   .kind = OPTION_BYTES,
                   .metavar = "BYTES",
                   .help = "for C (default: what is free); a pair that needs "
                           "more is counted, not multiplied",
                   .least = 1},
         &(option){.name = "keep",
                   .kind = OPTION_BYTES,
                   .metavar = "BYTES",
                   .help = "of matrices to keep in memory; the others are read "
                           "again for each pair (default: a quarter of what is "
                           "free)"},
         &(option){.name = "sweep",
                   .help = "each method with a range of sizes of its sample"},
         &(option){.name = "rows",
                   .help = "errors of the rows of C, not of its total"},
         &(option){.name = "output",
                   .kind = OPTION_FILE,
                   .metavar = "FILE",
                   .help = "instead of standard output. Where it is there, its "
                           "complete pairs are kept, the others done"}},
};

void accuracy_options_help(void)
{
    arguments_help(&program);
}

static accuracy_mode mode_of(const arguments *args)
{
    return arguments_has(args, "sweep")  ? ACCURACY_SWEEP
           : arguments_has(args, "rows") ? ACCURACY_ROWS
                                         : ACCURACY_TOTALS;
}

bool accuracy_options_read(accuracy_options *o, int argc, char **argv)
{
    arguments args;
    message_set_program(program.name);
    if (!arguments_parse(&args, &program, argc - 1, argv + 1))
        return false;
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
        .noperands = args.noperands,
        .wants_help = args.wants_help};
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
