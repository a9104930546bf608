/* SPDX-License-Identifier: BSD-3-Clause */
/* Triplets, in one array or in many, to rows. */
#ifndef SPGEMM_MATRIX_CSR_FROM_COO_H
#define SPGEMM_MATRIX_CSR_FROM_COO_H

#include "matrix/csr.h"

/** Some triplets: A(rows[t], cols[t]) += values[t]. */
typedef struct coo_piece {
    int64_t ntriplets;
    void *rows;   /* [ntriplets] of the matrix's index type, in range */
    void *cols;   /* [ntriplets] likewise */
    void *values; /* [ntriplets] of its value type; NULL: none, or each is 1 */
} coo_piece;

/** All triplets, in order. */
typedef struct coo_triplets {
    const coo_piece *pieces; /* [npieces] */
    int64_t npieces;
    bool is_pattern; /* A has no values; else pieces without are of ones, and A
                        of SPGEMM_FP64 */
    double
        mirror; /* 0, or of triplets off the diagonal: A(col, row) += mirror * value, of SPGEMM_FP64 */
    int nthreads; /* 0: the default */
} coo_triplets;

/**
 * The arrays of A, whose shape and types are set, with each row's triplets in
 * the order given. A is untouched on failure.
 */
spgemm_status spgemm_csr_place_coo(spgemm_csr *A, memory *m,
                                   const coo_triplets *triplets);

/**
 * Sort A's rows and sum what stands at one place, in the order it has, by the
 * "plus" of its type.
 *
 * @retval SPGEMM_ERROR_UNSUPPORTED  duplicates of SPGEMM_ELEMENTS()
 */
spgemm_status spgemm_csr_sum_duplicates(spgemm_csr *A, memory *m, int nthreads);

#endif
