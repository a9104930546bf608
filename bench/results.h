/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSV: one row a repetition, comments for what there is no row of. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdbool.h>
#include <stdio.h>

#include "protocol.h"

/** What rows of a product have in common. */
typedef struct results_product {
    const char *name;
    int64_t nrows;
    int64_t products;
    int64_t nnz_c;
    double floor_seconds; /* at the number of threads of the row */
} results_product;

/** What a row is about. */
typedef struct results_row {
    const char *method;
    spgemm_row_order order;
    int nthreads;
    bool is_kept; /* memory: kept, or returned */
    int repetition;
} results_row;

/** Open a file to write, NULL for standard output. With is_resumed, blocks
    that a former run completed stay. NULL: it cannot be. */
FILE *results_open(const char *path, bool is_resumed);

/** Whether a former run completed this product. */
bool results_has(const char *path, const char *name);

const char *results_order(spgemm_row_order order);

/** The names of the columns, unless a former run wrote them. */
void results_columns(FILE *file);
void results_write(FILE *file, const results_product *product,
                   const results_row *row, const answer *a);
void results_skip(FILE *file, const results_product *product,
                  const results_row *row, const char *why);

/** The block of a product is complete. */
void results_done(FILE *file, const char *name);

#endif
