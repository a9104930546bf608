/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of fewer than 2^31 rows and columns, its columns in 32 bits. */
#ifndef SPGEMM_MATRIX_CSR_NARROW_H
#define SPGEMM_MATRIX_CSR_NARROW_H

#include "matrix/csr.h"

/** Whether 32 bits hold the columns of X and of its transpose. */
bool spgemm_csr_is_narrow(const spgemm_csr *X);

/**
 * *out = X, a view of its row pointers and values, with columns of 32 bits, which
 * are of m. A column that 32 bits do not hold becomes a negative one: out is
 * right where X is, and sorted where X is.
 *
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY  *out is untouched
 * @note Time O(nnz), memory 4 bytes an entry. X has columns of 64 bits.
 */
spgemm_status spgemm_csr_narrow(spgemm_csr *out, const spgemm_csr *X,
                                int nthreads, memory *m);

/** X with such columns: a view. */
spgemm_csr spgemm_csr_with_columns(const spgemm_csr *X, void *colidx);

/** Gives the columns back. Accepts a zeroed struct. */
void spgemm_csr_narrow_clear(spgemm_csr *out, memory *m);

#endif
