/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix as bitmaps: of eight neighbouring columns, 8 o .. 8 o + 7, a bit for
   each that a row has. A row whose columns come in runs has few of them, and
   each is one vector of sums. */
#ifndef SPGEMM_MATRIX_BITMAP_ROWS_H
#define SPGEMM_MATRIX_BITMAP_ROWS_H

#include "matrix/csr.h"

/* Bytes [begin, begin + count) of the arrays. Rows of one pattern share
   theirs. */
typedef struct bitmap_row {
    int64_t begin;
    int64_t count;
} bitmap_row;

typedef struct bitmap_rows {
    bitmap_row *row; /* [nrows] */
    uint32_t *place; /* [total] o, increasing within a row */
    uint8_t *taken;  /* [total] which of its columns; never 0 */
    int64_t nrows;
    int64_t total;
} bitmap_rows;

/* Rows of B, as often as A meets them. */
typedef struct bitmap_sample {
    double fill;   /* mean entries a byte; 0: no entry was met */
    double length; /* mean entries a row */
} bitmap_sample;

/** Of B, whose rows are sorted, or would be: the rows that some entries spread over A
    name. O(entries of these rows). */
bitmap_sample spgemm_csr_bitmap_sample(const spgemm_csr *A, const spgemm_csr *B,
                                       bool b_is_sorted);

/** Memory for the rows of A's bitmaps; 16 bytes a row. */
spgemm_status spgemm_bitmap_rows_begin(bitmap_rows *o, const spgemm_csr *A,
                                       memory *m);

/** Counts the bytes of rows [begin, end). same[i]: row i has the columns of
    row i - 1; NULL: not known. By several threads, each row once. */
void spgemm_bitmap_rows_count(bitmap_rows *o, const spgemm_csr *A,
                              const uint8_t *same, int64_t begin, int64_t end);

/**
 * Writes them, when all rows are counted. A has sorted rows and less than 2^34
 * columns. O(nnz), 5 bytes a byte of them.
 */
spgemm_status spgemm_bitmap_rows_finish(bitmap_rows *o, const spgemm_csr *A,
                                        int nthreads, memory *m);

void spgemm_bitmap_rows_clear(bitmap_rows *o, memory *m);

#endif
