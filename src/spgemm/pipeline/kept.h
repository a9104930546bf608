/* SPDX-License-Identifier: BSD-3-Clause */
/* C as it is kept: masked, and less what is dropped. How many entries each row
   has at most. */
#ifndef SPGEMM_SPGEMM_PIPELINE_KEPT_H
#define SPGEMM_SPGEMM_PIPELINE_KEPT_H

#include "kernels/row/kernels.h"
#include "predict/predictor.h"

/** Whether some entries of A*B are left out, and none are added: that is how C
    can be sampled. */
bool spgemm_is_kept_in_part(const operands *ops);

/**
 * counts->bound becomes that of C, and each class is told its own. Where all
 * rows go by a mask, classes are made anew, by products and bound: nobody asks
 * for what was masked.
 *
 * @note Time O(nrows).
 */
void spgemm_kept_bounds(product_counts *counts, const operands *ops,
                        int nthreads);

/** Bound of a row of C. context: a count_context. */
row_bound spgemm_kept_row_bound;

#endif
