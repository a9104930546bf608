/* SPDX-License-Identifier: BSD-3-Clause */
/* One product computed in three ways, over and over. */
#ifndef TOOLS_COMPARISON_H
#define TOOLS_COMPARISON_H

#include "spgemm/spgemm.h"
#include "table.h"

enum { VARIANT_COUNT = 3, MOST_REPETITIONS = 1000 };

/* Repetitions unless told otherwise: the first pays for fresh pages, and the
   median is still of calls that do not. */
enum { COMPARISON_REPEAT = 5 };

typedef struct variant {
    const char *name;
    double seconds[MOST_REPETITIONS]; /* of each call; sorted in the end */
    double ratios[MOST_REPETITIONS];  /* to the predicted one of the same turn;
                                         likewise */
    spgemm_report report;             /* of the last call */
    uint64_t checksum;                /* likewise */
} variant;

typedef struct comparison {
    int nrepetitions;
    bool is_identical;
    variant variants[VARIANT_COUNT]; /* predicted, precise, upper_bound */
} comparison;

/** Compare, for A*B. */
spgemm_status comparison_run(comparison *c, const spgemm_csr *A,
                             const spgemm_csr *B, const spgemm_options *options,
                             int nrepetitions);

/** The middle of sorted seconds or ratios, of as many as there are
    repetitions. */
double comparison_median(const comparison *c, const double *sorted);

/** The variants as a table: names of the columns, and a row for each. */
void comparison_fill(table *t, const comparison *c);

/** That table, and what tells the variants apart. */
void comparison_print(const comparison *c);

/** "1.38 times as fast as precise (1.30 to 1.45)", from the least ratio to the
    most. */
enum { COMPARISON_WORDS_BYTES = 128 };
char *comparison_words(char text[COMPARISON_WORDS_BYTES], const comparison *c,
                       const variant *v);

#endif
