/* SPDX-License-Identifier: BSD-3-Clause */
/* The operands of a call: op(A)(rows, :) and op(B)(:, cols). */
#ifndef SPGEMM_SPGEMM_PIPELINE_OPERANDS_H
#define SPGEMM_SPGEMM_PIPELINE_OPERANDS_H

#include "matrix/csr.h"
#include "spgemm/pipeline/check_options.h"

/* It must not move: A and B may point into it. */
typedef struct operand_copies {
    const spgemm_csr *A; /* the caller's, or made */
    const spgemm_csr *B; /* likewise; the same as A where both are one */
    spgemm_csr made_A;
    spgemm_csr made_B;
    spgemm_csr
        by_columns; /* op(B)', its rows in order: B as it was given, a view. No
                              colidx: it is not at hand */
    bool b_is_counted; /* B has row pointers alone, so far */
} operand_copies;

/** Rows of op(X). */
static inline int64_t op_nrows(const spgemm_csr *X, spgemm_operation op)
{
    return op == SPGEMM_OP_NONE ? X->nrows : X->ncols;
}

/** Columns of op(X). */
static inline int64_t op_ncols(const spgemm_csr *X, spgemm_operation op)
{
    return op == SPGEMM_OP_NONE ? X->ncols : X->nrows;
}

/** What of the operands is needed. */
typedef struct operand_needs {
    bool values;       /* false: patterns will do */
    bool counts_alone; /* of op(B), if it is at hand by columns */
} operand_needs;

/**
 * What is not asked for costs nothing: p->A and p->B are A and B themselves.
 * What is transformed is checked first, unless the options say that it has
 * been; what comes of it need not be. A and B have passed
 * spgemm_csr_check_header() and have their structure.
 *
 * @param[out] fault  filled in on SPGEMM_ERROR_STRUCTURE
 * @retval SPGEMM_ERROR_INVALID   rows or columns out of range, or columns that
 *                                do not increase
 * @retval SPGEMM_ERROR_STRUCTURE, SPGEMM_ERROR_OVERFLOW,
 *         SPGEMM_ERROR_OUT_OF_MEMORY: p is to be cleared all the same
 * @note Time O(nrows + ncols + nnz) of what is transformed; memory the result,
 *       and on the way the whole of op(X) at most.
 */
spgemm_status spgemm_operands_make(operand_copies *p, const spgemm_csr *A,
                                   const spgemm_csr *B,
                                   const operand_names *names,
                                   const spgemm_options *options,
                                   operand_needs needs, spgemm_fault *fault,
                                   memory *m);

/** The entries of a B that is counted. SPGEMM_ERROR_OUT_OF_MEMORY. */
spgemm_status spgemm_operands_make_entries(operand_copies *p, int nthreads,
                                           memory *m);

/** Gives back what was made. Accepts a zeroed struct. */
void spgemm_operands_clear(operand_copies *p, memory *m);

#endif
