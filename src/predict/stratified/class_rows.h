/* SPDX-License-Identifier: BSD-3-Clause */
/* The r-th row of a class, found by way of the blocks of rows that products.h
   counts classes in: only blocks that hold one are looked through. */
#ifndef SPGEMM_PREDICT_STRATIFIED_CLASS_ROWS_H
#define SPGEMM_PREDICT_STRATIFIED_CLASS_ROWS_H

#include "predict/predictor.h"

/* Row `row` is the rank-th, from 0, of its class. */
typedef struct class_pick {
    int64_t rank; /* below the class's number of rows */
    int64_t row;  /* out */
    int class;
} class_pick;

/**
 * Finds the rows of `count` picks. Those of one class stand together, their
 * ranks strictly increasing.
 *
 * @note Time O(blocks * classes picked from + rows of blocks that hold one);
 *       memory 16 bytes a pick.
 */
spgemm_status spgemm_find_class_rows(class_pick *picks, int64_t count,
                                     const predict_input *in);

#endif
