/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of bench_spgemm. */
#include "bench_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "message.h"
#include "peers/peer.h"
#include "status.h"

static const char *orders_choice(int k)
{
    static const char *const names[] = {"sorted", "unsorted", "both", NULL};
    return names[k];
}

static const char *switch_choice(int k)
{
    static const char *const names[] = {"on", "off", NULL};
    return names[k];
}

static const option option_table[] = {
    {"threads", OPTION_TEXT, "N[,N...]",
     .help = "numbers of threads (default: 1 and all cores)"},
    {"repetitions", OPTION_INTEGER, "N", .least = 1, .most = 1000,
     .help = "calls with kept memory, of each method (default: 9)"},
    {"seconds", OPTION_NUMBER, "S", .most = 100000,
     .help = "for these calls of a method, after which it gets no "
             "more than it must have (default: 3)"},
    {"limit", OPTION_NUMBER, "S", .most = 100000,
     .help = "for one call, after which its method is out "
             "(default: 60)"},
    {"methods", OPTION_TEXT, "NAME[,...]", .help = "only these (default: all)"},
    {"orders", OPTION_CHOICE, "ORDER", .choice = orders_choice,
     .help = "of the columns in a row of C (default: both)"},
    {"huge-pages", OPTION_CHOICE, "SWITCH", .choice = switch_choice,
     .help = "whether malloc of the peers asks for them "
             "(default: on)"},
    {"output", OPTION_FILE, "FILE", .help = "instead of standard output"},
    {"resume", .help = "keep what FILE has of complete products"},
    {"matrices", OPTION_FILE, "DIR",
     .help = "of relative paths (default: the current one)"},
    {"peers", OPTION_FILE, "DIR",
     .help = "of the peers' modules (default: beside this)"},
    {.name = NULL}};

static const command program = {
    .name = "bench_spgemm",
    .operands = "SUITE.tsv|MATRIX.mtx...",
    .least_operands = 1,
    .most_operands = BENCH_OPERANDS,
    .description =
        "Time this library and its peers on each product of a suite, or on the "
        "square of a matrix, and print one CSV row a repetition.",
    .options = option_table,
};

static bool read_threads(bench_options *o, const char *text)
{
    while (*text) {
        char *end;
        const long number = strtol(text, &end, 10);
        if (end == text || (*end && *end != ',') || number < 1 ||
            number > 4096 || o->nthreads == BENCH_THREADS) {
            message(TOOL_USAGE, "--threads: '%s' is not a number of threads",
                    text);
            return false;
        }
        o->threads[o->nthreads++] = (int)number;
        text = end + (*end == ',');
    }
    return true;
}

static void choose_threads(bench_options *o)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    o->threads[o->nthreads++] = 1;
    if (cores > 1)
        o->threads[o->nthreads++] = cores;
}

static unsigned orders_of(const char *name)
{
    return strcmp(name, "sorted") == 0     ? PEER_SORTED
           : strcmp(name, "unsorted") == 0 ? PEER_UNSORTED
                                           : PEER_SORTED | PEER_UNSORTED;
}

bool bench_options_read(bench_options *o, int argc, char **argv)
{
    arguments args;
    arguments_of_program(&args, &program, argc, argv);
    *o = (bench_options){
        .repetitions = (int)arguments_integer(&args, "repetitions", 9),
        .seconds = arguments_number(&args, "seconds", 3),
        .limit_seconds = arguments_number(&args, "limit", 60),
        .methods = arguments_text(&args, "methods", NULL),
        .orders = orders_of(arguments_text(&args, "orders", "both")),
        .peers_huge_pages =
            strcmp(arguments_text(&args, "huge-pages", "on"), "on") == 0,
        .is_resumed = arguments_has(&args, "resume"),
        .output = arguments_text(&args, "output", NULL),
        .matrices = arguments_text(&args, "matrices", NULL),
        .peers = arguments_text(&args, "peers", NULL),
        .noperands = args.noperands};
    memcpy(o->operands, args.operands, sizeof o->operands);
    if (!read_threads(o, arguments_text(&args, "threads", "")))
        return false;
    if (o->nthreads == 0)
        choose_threads(o);
    if (o->is_resumed && !o->output)
        message(TOOL_USAGE, "--resume needs --output");
    return !o->is_resumed || o->output;
}

bool bench_options_has_method(const bench_options *o, const char *name)
{
    const size_t length = strlen(name);
    const char *word = o->methods;
    while (word) {
        if (strncmp(word, name, length) == 0 &&
            (word[length] == '\0' || word[length] == ','))
            return true;
        word = strchr(word, ',');
        word += word != NULL;
    }
    return !o->methods;
}
