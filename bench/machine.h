/* SPDX-License-Identifier: BSD-3-Clause */
/* What the machine is, and what it could do at best. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdint.h>
#include <stdio.h>

/** Bytes a second that some threads move; best of some trials. */
typedef struct bandwidth {
    double copy; /* read and written */
    double read;
} bandwidth;

bandwidth machine_bandwidth(int nthreads);

/** Cycles a second, from a chain of instructions of one cycle each. */
double machine_clock(void);

/** Memory that processes can take without swapping. */
double machine_free_bytes(void);

/** Lines of a CSV header: system, processor, caches, memory, huge pages. */
void machine_print(FILE *file);

#endif
