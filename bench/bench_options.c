/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of bench_spgemm. */
#include "bench_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peers/peer.h"

enum { MOST_REPETITIONS = 1000, MOST_SECONDS = 100000 };

static const struct option names[] = {
    {"threads", required_argument, NULL, 't'},
    {"repetitions", required_argument, NULL, 'r'},
    {"seconds", required_argument, NULL, 's'},
    {"limit", required_argument, NULL, 'l'},
    {"methods", required_argument, NULL, 'm'},
    {"orders", required_argument, NULL, 'u'},
    {"huge-pages", required_argument, NULL, 'g'},
    {"output", required_argument, NULL, 'o'},
    {"matrices", required_argument, NULL, 'd'},
    {"peers", required_argument, NULL, 'p'},
    {"resume", no_argument, NULL, 'c'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: bench_spgemm [options] SUITE.tsv|MATRIX.mtx...\n"
    "Time this library and its peers on each product of a suite, or on the\n"
    "square of a matrix, and print one CSV row a repetition.\n\n"
    "  --threads N[,N...]    numbers of threads (default: 1 and all cores)\n"
    "  --repetitions N       calls with kept memory, of each method (9)\n"
    "  --seconds S           for these calls of a method, after which it gets\n"
    "                        no more than it must have (3)\n"
    "  --limit S             for one call, after which its method is out (60)\n"
    "  --methods NAME[,...]  only these (default: all)\n"
    "  --orders NAME[,...]   sorted, unsorted (default: both)\n"
    "  --huge-pages on|off   whether malloc of the peers asks for them (on)\n"
    "  --output FILE         instead of standard output\n"
    "  --resume              keep what FILE has of complete products\n"
    "  --matrices DIR        of relative paths (default: the current one)\n"
    "  --peers DIR           of the peers' modules (default: beside this)\n";

void bench_options_help(void)
{
    fputs(help, stdout);
}

static bool refuse(const char *option, const char *text, const char *wants)
{
    fprintf(stderr, "bench_spgemm: --%s: '%s' is not %s\n", option, text,
            wants);
    return false;
}

static bool read_number(const char *text, double least, double most, double *n)
{
    char *end;
    const double number = strtod(text, &end);
    if (end == text || *end || !(number >= least && number <= most))
        return false;
    *n = number;
    return true;
}

static bool read_threads(bench_options *o, char *text)
{
    char *rest;
    for (char *word = strtok_r(text, ",", &rest); word;
         word = strtok_r(NULL, ",", &rest)) {
        double number;
        if (o->nthreads == BENCH_THREADS ||
            !read_number(word, 1, 4096, &number))
            return refuse("threads", word, "a number of threads");
        o->threads[o->nthreads++] = (int)number;
    }
    return o->nthreads || refuse("threads", text, "a number of threads");
}

static bool read_orders(bench_options *o, char *text)
{
    char *rest;
    o->orders = 0;
    for (char *word = strtok_r(text, ",", &rest); word;
         word = strtok_r(NULL, ",", &rest)) {
        if (strcmp(word, "sorted") == 0)
            o->orders |= PEER_SORTED;
        else if (strcmp(word, "unsorted") == 0)
            o->orders |= PEER_UNSORTED;
        else
            return refuse("orders", word, "sorted or unsorted");
    }
    return o->orders || refuse("orders", text, "sorted or unsorted");
}

static bool read_switch(bool *is_on, const char *text)
{
    *is_on = strcmp(text, "on") == 0;
    return *is_on || strcmp(text, "off") == 0 ||
           refuse("huge-pages", text, "on or off");
}

static bool read_repetitions(bench_options *o, const char *text)
{
    double number;
    if (!read_number(text, 1, MOST_REPETITIONS, &number))
        return refuse("repetitions", text, "a number in 1..1000");
    o->repetitions = (int)number;
    return true;
}

static bool read_option(bench_options *o, int letter, char *text)
{
    switch (letter) {
    case 't':
        return read_threads(o, text);
    case 'r':
        return read_repetitions(o, text);
    case 's':
        return read_number(text, 0, MOST_SECONDS, &o->seconds) ||
               refuse("seconds", text, "a time");
    case 'l':
        return read_number(text, 0.01, MOST_SECONDS, &o->limit_seconds) ||
               refuse("limit", text, "a time");
    case 'u':
        return read_orders(o, text);
    case 'g':
        return read_switch(&o->peers_huge_pages, text);
    case 'm':
        o->methods = text;
        return true;
    case 'o':
        o->output = text;
        return true;
    case 'd':
        o->matrices = text;
        return true;
    case 'p':
        o->peers = text;
        return true;
    case 'c':
        o->is_resumed = true;
        return true;
    case 'h':
        o->wants_help = true;
        return true;
    default: /* getopt_long() has said what is wrong */
        return false;
    }
}

static bool read_operands(bench_options *o, int count, char **words)
{
    if (count == 0 && !o->wants_help) {
        fputs("bench_spgemm: no suite and no matrix; see --help\n", stderr);
        return false;
    }
    if (count > BENCH_OPERANDS) {
        fputs("bench_spgemm: too many files; write a suite\n", stderr);
        return false;
    }
    for (int k = 0; k < count; k++)
        o->operands[o->noperands++] = words[k];
    return true;
}

bool bench_options_read(bench_options *o, int argc, char **argv)
{
    int letter;
    *o = (bench_options){.repetitions = 9,
                         .seconds = 3,
                         .limit_seconds = 60,
                         .orders = PEER_SORTED | PEER_UNSORTED,
                         .peers_huge_pages = true};
    while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1)
        if (!read_option(o, letter, optarg))
            return false;
    if (o->is_resumed && !o->output) {
        fputs("bench_spgemm: --resume needs --output\n", stderr);
        return false;
    }
    if (o->nthreads == 0) {
        const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
        o->threads[o->nthreads++] = 1;
        if (cores > 1)
            o->threads[o->nthreads++] = cores;
    }
    return read_operands(o, argc - optind, argv + optind);
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
