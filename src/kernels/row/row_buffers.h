/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a thread keeps rows of C while they are finished. */
#ifndef SPGEMM_KERNELS_ROW_ROW_BUFFERS_H
#define SPGEMM_KERNELS_ROW_ROW_BUFFERS_H

#include "kernels/row/output.h"

#define BUFFER_ROWS 64

/* Sums of so many products at most, but for a single row, stay in the first
   cache. */
#define BUFFER_PRODUCTS 2048

typedef struct row_buffers {
    chunk_store store;
    output sums;    /* of the products */
    output merged;  /* with another matrix */
    uint64_t *keys; /* [nkeys] */
    int64_t nkeys;
    int64_t nnz[BUFFER_ROWS]; /* of the sums of each row */
} row_buffers;

/** Empty ones. false: no memory. */
bool spgemm_row_buffers_open(row_buffers *b, memory *m, size_t index_size,
                             size_t value_size);

void spgemm_row_buffers_close(row_buffers *b);

/** Empties a buffer, which then has room for n entries. false: no memory. */
bool spgemm_row_buffer_empty(output *row, int64_t n);

/** Puts a row that went on in further chunks into one. false: no memory. */
bool spgemm_row_buffer_join(output *row);

/** Room for n keys. false: no memory. */
bool spgemm_row_buffers_make_keys(row_buffers *b, int64_t n);

#endif
