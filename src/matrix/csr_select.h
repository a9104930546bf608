/* SPDX-License-Identifier: BSD-3-Clause */
/* Some rows and columns of a matrix. */
#ifndef SPGEMM_MATRIX_CSR_SELECT_H
#define SPGEMM_MATRIX_CSR_SELECT_H

#include "matrix/csr.h"

/** Which: NULL for all of a kind. */
typedef struct csr_selection {
    const int64_t *rows; /* [nrows] in any order, again and again if need be */
    int64_t nrows;
    const int64_t *cols; /* [ncols], strictly increasing */
    int64_t ncols;
} csr_selection;

/** Whether list[0 .. count) strictly increases. */
static inline bool increases(const int64_t *list, int64_t count)
{
    bool increase = true;
    for (int64_t t = 1; t < count; t++)
        increase &= list[t - 1] < list[t];
    return increase;
}

/**
 * S = A(rows, cols): row t of S is row rows[t] of A, its column u is cols[u].
 * Rows keep their order of entries, and SPGEMM_SORTED_ROWS. A is well formed.
 * S is untouched on failure.
 *
 * @retval SPGEMM_ERROR_INVALID   out of range, or columns do not increase
 * @retval SPGEMM_ERROR_OVERFLOW  nnz(S) does not fit
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Time O(nrows + ncols + entries of the rows), and the logarithm of ncols
 *       an entry where A is much wider than it has entries; memory S and, where
 *       columns are chosen, 4 bytes an entry of A at most.
 */
spgemm_status spgemm_csr_select(spgemm_csr *S, const spgemm_csr *A,
                                const csr_selection *which, int nthreads,
                                memory *m);

#endif
