/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels want to know of an operand's pattern beyond that it is
   right: found while it is checked. */
#ifndef SPGEMM_SPGEMM_SURVEY_H
#define SPGEMM_SPGEMM_SURVEY_H

#include "spgemm/kernels.h"

typedef struct survey {
    const spgemm_csr *X;
    const kernels *kernels;
    memory *m;
    uint8_t *same; /* [nrows] row i has the columns of row i - 1 */
    uint8_t *next; /* [nrows] row i has those of row i - period, each plus
                      shift; NULL, both: few rows have */
    octets octets; /* row is NULL: X's columns are scattered */
    const spgemm_csr
        *met_by;    /* A, whose entries name X's rows; NULL: X's columns
                                 in octets are not asked for */
    int64_t period; /* of the rows to mark as next; 0: none */
    int64_t shift;
} survey;

/**
 * The full check of X, unless `is_trusted`, and the survey; the columns in
 * octets if met_by and X is sorted. *is_sorted must be set beforehand if
 * X is trusted. Errors as spgemm_csr_check_full(), and out of memory.
 */
spgemm_status spgemm_survey(survey *s,
                            bool is_trusted,
                            int nthreads,
                            bool *is_sorted,
                            spgemm_fault *fault);

void spgemm_survey_clear(survey *s);

#endif
