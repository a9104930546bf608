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
                             const spgemm_csr *B, int nrepetitions,
                             int nthreads);

/** Of the timed calls; the least is seconds[0]. */
double variant_median_seconds(const comparison *c, const variant *v);

/** The head of a table of variants, and the cells of one after its name. */
void comparison_head(table *t, const char *first);
void comparison_cells(table *t, const comparison *c, const variant *v);

#endif
