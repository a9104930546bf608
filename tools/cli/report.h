/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's report, in figures that people compare. */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include "json.h"
#include "spgemm/spgemm.h"

/** products / nnz; 0 without entries. */
double report_compression(const spgemm_report *r);

/** Error of the prediction, of the entries of C; NaN where there are none. */
double report_error_percent(const spgemm_report *r);

/** 2 * products / seconds / 1e9. */
double report_gflops(const spgemm_report *r, double seconds);

enum { REPORT_MEMORY_BYTES = 32 };

/** The memory's name as far as people read it: no hash of its revision. */
char *report_memory(char text[REPORT_MEMORY_BYTES], const spgemm_report *r);

/** All of the report, as members of an object that is open. */
void report_print_json(json *j, const spgemm_report *r);

#endif
