/* SPDX-License-Identifier: BSD-3-Clause */
/* How often each row of B is used: entries of each column of A. */
#ifndef SPGEMM_PREDICT_PUBLISHED_COLUMN_USES_H
#define SPGEMM_PREDICT_PUBLISHED_COLUMN_USES_H

#include "common/hash.h"
#include "spgemm/spgemm.h"

/**
 * uses[k], zeroed before, of [A->ncols] = entries of column k of A in the rows
 * that `rows` draws. Returns how many rows these are.
 */
int64_t spgemm_column_uses(int64_t *uses, const spgemm_csr *A,
                           const hash_sampler *rows, int nthreads);

#endif
