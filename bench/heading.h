/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of a CSV: what was measured, with what, on what. */
#ifndef BENCH_HEADING_H
#define BENCH_HEADING_H

#include <stdio.h>

/** Lines of a CSV header: program, revision, date, machine, compiler, memory. */
void heading_print(FILE *file, const char *program);

#endif
