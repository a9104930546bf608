/* SPDX-License-Identifier: BSD-3-Clause */
/* Operands whose columns have 64 bits, as those of fewer than 2^31 rows and
   columns are multiplied: with columns of 32. */
#ifndef SPGEMM_SPGEMM_PIPELINE_NARROW_H
#define SPGEMM_SPGEMM_PIPELINE_NARROW_H

#include "matrix/csr.h"

/* Zeroed: they are as they were given. It must not move. */
typedef struct narrow_operands {
    spgemm_csr A;
    spgemm_csr B;   /* empty where B is A, or still to come */
    bool is_shared; /* B's columns are A's */
} narrow_operands;

/** Whether op(A)(rows, :) and op(B) are to be multiplied, or C only predicted, with
    columns of 32 bits in the place of 64. Nothing is checked yet. */
bool spgemm_narrow_pays(const spgemm_csr *A, const spgemm_csr *B,
                        const spgemm_options *options, bool multiplies);

/** Bytes of memory that the columns take. */
double spgemm_narrow_bytes(const spgemm_csr *A, const spgemm_csr *B);

/** *A and *B, narrowed, in their place; B is left as it is if b_is_to_come. To be
    cleared on failure too. SPGEMM_ERROR_OUT_OF_MEMORY. O(nnz(A) + nnz(B)). */
spgemm_status spgemm_narrow_make(narrow_operands *n, const spgemm_csr **A,
                                 const spgemm_csr **B, bool b_is_to_come,
                                 int nthreads, memory *m);

/** The same for operands of the patterns that `known` was made of, by its
    columns: not to be cleared. */
void spgemm_narrow_again(narrow_operands *n, const narrow_operands *known,
                         const spgemm_csr **A, const spgemm_csr **B);

void spgemm_narrow_clear(narrow_operands *n, memory *m);

#endif
