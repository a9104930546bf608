/* SPDX-License-Identifier: BSD-3-Clause */
/* B', some columns of B: rows of A B' cost a P-th of their products, so that P
   times as many can be counted.

   Columns lie on a line in order of the products that they have in those rows,
   each as long as its probability c sqrt(products), and are drawn at places one
   apart: of the great ones, on which most of the products fall, as of the small
   ones. A column that is drawn stands for one over its probability.

   Systematic sampling with unequal probabilities: W. G. Madow, Annals of
   Mathematical Statistics 20(3):333-354, 1949, doi:10.1214/aoms/1177729988. */
#ifndef SPGEMM_PREDICT_STRATIFIED_COLUMN_SAMPLE_H
#define SPGEMM_PREDICT_STRATIFIED_COLUMN_SAMPLE_H

#include "predict/stratified/strata.h"

/* So many numbers may be read from where a row of B' begins. */
#define COLUMN_SAMPLE_STEP 8

/* Where the numbers of a row of B' are. */
typedef struct column_sample_row {
    int64_t begin;
    int64_t end;
} column_sample_row;

typedef struct column_sample {
    const spgemm_csr *B;
    int64_t count;   /* columns drawn */
    int64_t *weight; /* [count] one over the probability, times COLUMN_WEIGHT */
    column_sample_row *rows; /* [rows of B] */
    /* [nnz(B) + COLUMN_SAMPLE_STEP] of the columns drawn, from 0 on */
    int32_t *numbers;
} column_sample;

/**
 * For `count` rows of A, of these weights, `share` of whose products B' has:
 * rows of B that they do not meet are empty in B'.
 * Release with spgemm_column_sample_clear(), on failure too.
 *
 * @note Time O(rows and columns of B, its rows that are met, twice);
 *       memory 12 bytes a column, 32 a row, 4 an entry of B, and up to 2 more
 *       an entry for many threads.
 */
spgemm_status spgemm_column_sample_make(column_sample *sample,
                                        const predict_input *in,
                                        const int64_t *rows,
                                        const stratum_sample *samples,
                                        int64_t count, double share);

/** Memory that it takes at most, in bytes. */
static inline double spgemm_column_sample_bytes(const spgemm_csr *B)
{
    return 8.0 * (double)B->nnz + 32.0 * (double)B->nrows +
           12.0 * (double)B->ncols;
}

void spgemm_column_sample_clear(column_sample *sample, memory *m);

#endif
