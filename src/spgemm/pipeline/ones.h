/* SPDX-License-Identifier: BSD-3-Clause */
/* Products every sum of which is 1. */
#ifndef SPGEMM_SPGEMM_PIPELINE_ONES_H
#define SPGEMM_SPGEMM_PIPELINE_ONES_H

#include <stdbool.h>

#include "spgemm/spgemm.h"

/** Whether that is known, with nothing else asked for: of any_pair, and of truths all
    of which are true, by any semiring. O(1), or O(nnz(A) + nnz(B)). */
bool spgemm_sums_are_one(const spgemm_csr *A, const spgemm_csr *B,
                         const spgemm_options *options);

#endif
