/* SPDX-License-Identifier: BSD-3-Clause */
/* C = alpha A B + beta D, masked, and less what is dropped: what the options say
   of C beside A*B, made ready for the kernels. */
#ifndef SPGEMM_SPGEMM_PIPELINE_EPILOGUE_H
#define SPGEMM_SPGEMM_PIPELINE_EPILOGUE_H

#include "kernels/row/kernels.h"

/* The form, and the copies that it needed. */
typedef struct epilogue_copies {
    epilogue applied;
    spgemm_csr mask; /* empty: the caller's is in order as it is */
    spgemm_csr D;
    spgemm_csr narrow_mask; /* those of 32 bits; empty: as they were given */
    spgemm_csr narrow_D;
} epilogue_copies;

/**
 * Check mask and D against the shape of C and the types of A, and put their
 * rows in order in copies where they are not; set mask and finish of `ops`.
 *
 * @param[in,out] ops  A, B, index_type, value_size and sort_rows are set
 * @param[in]  checked  NULL, or a matrix that is well formed, flagged as it is sorted:
 *                      mask and D of its arrays are not checked again
 * @param[out] fault   on SPGEMM_ERROR_STRUCTURE
 * @retval SPGEMM_ERROR_INVALID, SHAPE, STRUCTURE, UNSUPPORTED, OUT_OF_MEMORY
 * @note Time O(nnz(mask) + nnz(D)).
 */
spgemm_status spgemm_epilogue_make(epilogue_copies *p, operands *ops,
                                   const spgemm_csr *checked,
                                   const spgemm_options *options, memory *m,
                                   spgemm_fault *fault);

/** Mask and epilogue of `ops`, whose b_bitmaps may have changed since: rows summed by
    them are masked last. */
void spgemm_epilogue_apply(epilogue_copies *p, operands *ops,
                           const spgemm_options *options);

void spgemm_epilogue_clear(epilogue_copies *p, memory *m);

#endif
