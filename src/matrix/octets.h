/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix as octets: of eight neighbouring columns, 8 o .. 8 o + 7, a bit for
   each that a row has. A row whose columns come in runs has few of them, and
   each is one vector of sums. */
#ifndef SPGEMM_MATRIX_OCTETS_H
#define SPGEMM_MATRIX_OCTETS_H

#include "matrix/csr.h"

/* Octets [begin, begin + count) of the arrays. Rows of one pattern share
   theirs. */
typedef struct octet_row {
    int64_t begin;
    int64_t count;
} octet_row;

typedef struct octets {
    octet_row *row;  /* [nrows] */
    uint32_t *place; /* [total] o, increasing within a row */
    uint8_t *taken;  /* [total] which of its columns; never 0 */
    int64_t nrows;
    int64_t total;
} octets;

/** Mean entries an octet of B, which has sorted rows, as often as A meets them:
    from the rows of B that some entries spread over A name. O(entries of these
    rows). */
double spgemm_csr_octet_fill(const spgemm_csr *A, const spgemm_csr *B);

/** Memory for the rows of A's octets; 16 bytes a row. */
spgemm_status spgemm_octets_begin(octets *o, const spgemm_csr *A, memory *m);

/** Counts the octets of rows [begin, end). same[i]: row i has the columns of
    row i - 1; NULL: not known. By several threads, each row once. */
void spgemm_octets_count(octets *o,
                         const spgemm_csr *A,
                         const uint8_t *same,
                         int64_t begin,
                         int64_t end);

/**
 * Writes them, when all rows are counted. A has sorted rows and less than 2^34
 * columns. O(nnz), 5 bytes an octet.
 */
spgemm_status
spgemm_octets_finish(octets *o, const spgemm_csr *A, int nthreads, memory *m);

void spgemm_octets_clear(octets *o, memory *m);

#endif
