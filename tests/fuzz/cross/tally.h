/* SPDX-License-Identifier: BSD-3-Clause */
/* What was run, and how it ended. */
#ifndef SPGEMM_TESTS_CROSS_TALLY_H
#define SPGEMM_TESTS_CROSS_TALLY_H

#include "crossing.h"

enum { TALLY_STATUSES = 16, TALLY_FINDINGS = 64 };

/** One way to be wrong. */
typedef struct finding {
    char check[64]; /* and of which entry point */
    char what[512]; /* the first time */
    uint64_t seed;
    long inputs_before; /* it was found */
    long count;
} finding;

typedef struct tally {
    long inputs;
    long by_status[ENTRY_COUNT][TALLY_STATUSES]; /* calls */
    long by_accumulator[SPGEMM_ACCUMULATOR_COUNT];
    long by_threads[4];     /* calls with a report, of 1, 2, 3 threads */
    double longest_seconds; /* of a call */
    uint64_t longest_seed;
    long windows;       /* calls of R A P with rows of A P in a window */
    long windows_moved; /* those where it went on */
    long failures;
    int nfindings;
    finding findings[TALLY_FINDINGS];
} tally;

const char *entry_text(entry_point entry);

/** Count a call. `report` may be NULL. */
void tally_call(tally *t, const crossing *x, spgemm_status status,
                const spgemm_report *report);

/** Note a failure of a seed. Returns whether it is of a new check. */
bool tally_failure(tally *t, uint64_t seed, entry_point entry,
                   const char *check, const char *what);

void tally_print(const tally *t, double seconds);

#endif
