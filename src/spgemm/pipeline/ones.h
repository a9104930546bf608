/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of truths every sum of which is true. */
#ifndef SPGEMM_SPGEMM_PIPELINE_ONES_H
#define SPGEMM_SPGEMM_PIPELINE_ONES_H

#include <stdbool.h>

#include "spgemm/spgemm.h"

/** Whether that is known, with nothing else asked for: where all of A and B are true,
    by any semiring; then any_pair gives the same. O(nnz(A) + nnz(B)). */
bool spgemm_sums_are_one(const spgemm_csr *A, const spgemm_csr *B,
                         const spgemm_options *options);

#endif
