/* SPDX-License-Identifier: BSD-3-Clause */
/* How rows of C repeat on a regular grid: row i of A has the columns of row
   i - period, each plus a_shift, and row k of B those of row k - a_shift, each
   plus b_shift. Then row i of C has those of row i - period, each plus b_shift.

   A stencil is (1, 1, 1); a stencil times a prolongation that aggregates three
   points of a line is (3, 3, 1), its transpose times that product (1, 3, 1). */
#ifndef SPGEMM_MATRIX_SHIFT_PATTERN_H
#define SPGEMM_MATRIX_SHIFT_PATTERN_H

#include <stdint.h>

#include "spgemm/spgemm.h"

/* Most rows that a program is written of at a time. */
#define MOST_PERIOD 4

typedef struct shift_pattern {
    int64_t period; /* 0: there is none, or too seldom */
    int64_t a_shift;
    int64_t b_shift;
} shift_pattern;

/**
 * The repetition of most rows of A and B, judged by some that are spread over
 * them. Neither needs to be checked yet: nothing is read beyond their arrays.
 * A and B have their structure. O(entries of the rows looked at).
 */
shift_pattern spgemm_find_shift_pattern(const spgemm_csr *A,
                                        const spgemm_csr *B);

#endif
