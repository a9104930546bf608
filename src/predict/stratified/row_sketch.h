/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz of single rows, where rows of a class differ.

   Each row of B has ROW_SKETCH_BITS bits, of which each of its columns sets one at
   random; those of a row of C are the or of its rows of B's, and linear counting
   tells from them how many columns it has. That errs by a few per cent, of rows
   of up to two thousand; what the class says errs by as much as its rows differ.
   Both are weighted by one over their variances. Of 87 matrices squared, sum of
   |error| over nnz, in per cent, in the mean: classes alone 10.1, with 512 bits
   2.0, with 384 for all columns and 128 for one in 16 2.1, hyperloglog with its
   preset 6.9. */
#ifndef SPGEMM_PREDICT_STRATIFIED_ROW_SKETCH_H
#define SPGEMM_PREDICT_STRATIFIED_ROW_SKETCH_H

#include "predict/predictor.h"

enum { ROW_SKETCH_BITS = 512 };

/**
 * out->row_nnz, from out->compression and the deviation of rows about it, relative,
 * [PREDICTION_CLASSES]. NULL where no class has rows that differ.
 *
 * @note Time O(nnz(A) + nnz(B)); memory 8 bytes a row of C and, while it counts,
 *       64 a row of B. The same for any number of threads.
 */
spgemm_status spgemm_row_sketch_predict(prediction *out,
                                        const predict_input *in,
                                        const double *deviation);

/** Memory that it takes, in bytes. */
static inline double spgemm_row_sketch_bytes(const predict_input *in)
{
    return 8.0 * (double)in->A->nrows +
           ROW_SKETCH_BITS / 8.0 * (double)in->B->nrows;
}

#endif
