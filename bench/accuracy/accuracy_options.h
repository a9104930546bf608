/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of bench_accuracy. */
#ifndef BENCH_ACCURACY_OPTIONS_H
#define BENCH_ACCURACY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "arguments.h"
#include "methods.h"

typedef enum accuracy_mode {
    ACCURACY_TOTALS, /* nnz(C) by each method */
    ACCURACY_SWEEP,  /* the same with each setting of a method */
    ACCURACY_ROWS    /* nnz of the rows of C */
} accuracy_mode;

typedef struct accuracy_options {
    accuracy_mode mode;
    bool has_only_squares; /* A*A, not every A*B */
    methods methods;
    spgemm_predictor standard; /* the library's default method */
    int seeds;                 /* 0 ... seeds - 1 */
    bool is_every_seed;        /* of methods that do not sample as well */
    int nthreads;              /* 0: all */
    int repetitions;
    double seconds;       /* for the repeated calls of spgemm_precise() */
    bool is_multiplied;   /* false: nnz(C) is counted, and nothing timed */
    double most_products; /* pairs with more are left out */
    double memory_bytes;  /* for C; 0: what is free */
    double keep_bytes;    /* of matrices kept in memory; < 0: a quarter */
    const char *output;   /* NULL: standard output */
    const char *operands[MOST_OPERANDS];
    int noperands;
} accuracy_options;

/** Read the command line; false, after a message, if it is wrong. Ends the
    program after its help. */
bool accuracy_options_read(accuracy_options *o, int argc, char **argv);

#endif
