/* SPDX-License-Identifier: BSD-3-Clause */
/* What reading a file may take. */
#ifndef TOOLS_BUDGET_H
#define TOOLS_BUDGET_H

#include <stdint.h>

/** Of memory, and of unpacked bytes, for each byte of a file. */
enum { BUDGET_RATIO = 128 };

/** Bytes. */
typedef struct budget {
    int64_t room;       /* that the system has */
    int64_t memory;     /* for what a file claims, besides BUDGET_RATIO */
    int64_t empty_rows; /* row pointers of rows that no entry can fill */
    int64_t unpacked;   /* of a packed file, besides BUDGET_RATIO */
} budget;

/** memory_limit: what the user allows; 0: nothing was said. */
budget budget_make(int64_t memory_limit);

/** What a file of so many bytes may take, at least 1; < 0: of a length that is
    unknown. */
int64_t budget_of_file(const budget *b, int64_t file_bytes);

#endif
