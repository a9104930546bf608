/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of bench_spgemm. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>

enum { BENCH_THREADS = 16, BENCH_OPERANDS = 256 };

typedef struct bench_options {
    int threads[BENCH_THREADS];
    int nthreads; /* numbers of threads */
    int repetitions;
    double seconds;
    double limit_seconds;
    const char *methods; /* by commas; NULL: all */
    unsigned orders;     /* bits of PEER_SORTED, PEER_UNSORTED */
    bool peers_huge_pages;
    bool is_resumed;
    const char *output;   /* NULL: standard output */
    const char *matrices; /* NULL: the current folder */
    const char *peers;    /* NULL: beside the program */
    const char *operands[BENCH_OPERANDS];
    int noperands;
} bench_options;

/** Read the command line; false, after a message, if it is wrong. Ends the
    program after its help. */
bool bench_options_read(bench_options *o, int argc, char **argv);

/** Whether a method is among those that were asked for. */
bool bench_options_has_method(const bench_options *o, const char *name);

#endif
