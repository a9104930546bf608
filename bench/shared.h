/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix in memory that two processes share. */
#ifndef BENCH_SHARED_H
#define BENCH_SHARED_H

#include <stddef.h>

#include "spgemm/spgemm.h"

/** A file in memory, without a name; -1: none could be made. */
int shared_file(void);

typedef struct shared_matrix {
    void *block; /* NULL: not mapped */
    size_t bytes;
    spgemm_csr matrix; /* a view of the block */
} shared_matrix;

/** Make room in the file for a matrix with 32-bit columns, and map it. */
bool shared_create(shared_matrix *m, int file, int64_t nrows, int64_t ncols,
                   int64_t nnz);

/** Map the matrix of a file. */
bool shared_open(shared_matrix *m, int file);

void shared_close(shared_matrix *m);

/** Give the memory of a file back. */
bool shared_clear(int file);

#endif
