/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B as the header promises it, slowly, sharing no code with src/. */
#ifndef SPGEMM_TESTS_REFERENCE_H
#define SPGEMM_TESTS_REFERENCE_H

#include "spgemm/spgemm.h"

/**
 * C(i,j) begins at +0 and adds its products in the order of A's row, then of
 * B's row where columns repeat. Rows sorted; what cancels stays. A and B must
 * be well formed. Free with free_csr().
 */
spgemm_csr reference_multiply(const spgemm_csr *A, const spgemm_csr *B);

/**
 * Whether two matrices have the same shape, types, rowptr and colidx, and
 * values bit for bit, all NaN being one. `text` [size] says where they differ
 * first.
 */
bool matrices_agree(const spgemm_csr *got, const spgemm_csr *want, char *text,
                    size_t size);

#endif
