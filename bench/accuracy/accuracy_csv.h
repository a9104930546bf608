/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSV of bench_accuracy: a block of rows a pair, complete or absent. */
#ifndef BENCH_ACCURACY_CSV_H
#define BENCH_ACCURACY_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "accuracy_options.h"
#include "collection.h"

typedef struct accuracy_csv {
    FILE *file;
    const char *path; /* NULL: standard output */
    const collection *matrices;
    bool *is_done; /* [count * count]: by a former run */
    char *block;   /* of the pair that is being measured */
    size_t block_bytes;
    FILE *block_file;
} accuracy_csv;

/** What rows of a pair have in common. */
typedef struct pair_facts {
    const char *a;
    const char *b;
    const char *crop; /* crop.word */
    int64_t nrows;
    int64_t inner;
    int64_t ncols;
    int64_t nnz_a;
    int64_t nnz_b;
    int64_t products;
    int64_t bound;
    int64_t nnz_exact;
    double precise_seconds; /* median; NaN: not timed */
    int precise_calls;
    int nthreads;
} pair_facts;

/**
 * Open the file of the options and print what it begins with. A file that is
 * there keeps its complete pairs; what follows the last of them is cut off.
 *
 * false, after a message: it cannot be written, is another program's, was made
 * with other options or matrices, or is being written by another run. To be
 * closed whatever it returns.
 */
bool accuracy_csv_open(accuracy_csv *csv, const accuracy_options *o,
                       const collection *matrices);
bool accuracy_csv_close(accuracy_csv *csv);

/** Whether a former run completed A*B. */
bool accuracy_csv_has(const accuracy_csv *csv, int a, int b);

/** Begin the block of a pair; NULL: out of memory. */
FILE *accuracy_csv_begin(accuracy_csv *csv);

/** Write the block, and that the pair is done. false: it cannot be written. */
bool accuracy_csv_end(accuracy_csv *csv, int a, int b);

/** The columns that all rows of a pair begin with. */
void accuracy_csv_facts(FILE *block, const pair_facts *pair);

/** A comma, and the number if it is one. */
void accuracy_csv_number(FILE *block, double number);

/** `what` of a pair is not there: "all", "precise_seconds", or a method. */
void accuracy_csv_skip(FILE *block, const pair_facts *pair, const char *what,
                       const char *why);

#endif
