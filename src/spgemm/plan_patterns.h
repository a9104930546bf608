/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether A, B, mask, D and the lists of a plan are those that it was made of, but
   for values. */
#ifndef SPGEMM_SPGEMM_PLAN_PATTERNS_H
#define SPGEMM_SPGEMM_PLAN_PATTERNS_H

#include "matrix/csr.h"

/* The patterns that a product is made of: of each, 64 bits. */
typedef struct patterns {
    uint64_t A;
    uint64_t B;
    uint64_t mask;
    uint64_t D;
    uint64_t rows;
    uint64_t cols;
} patterns;

/** Those of A, B and what the options name. Their arrays are as long as they say. */
patterns spgemm_patterns_of(const spgemm_csr *A, const spgemm_csr *B,
                            const spgemm_options *options);

/** SPGEMM_ERROR_PATTERN, and which, if one is not as it was then. */
spgemm_status spgemm_patterns_check(const patterns *then, const spgemm_csr *A,
                                    const spgemm_csr *B,
                                    const spgemm_options *options);

/** SPGEMM_ERROR_PATTERN: `what` of `name` is another. */
spgemm_status spgemm_refuse_pattern(const char *name, const char *what);

#endif
