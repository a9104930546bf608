/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrices to multiply, in memory as far as they fit. */
#ifndef BENCH_COLLECTION_H
#define BENCH_COLLECTION_H

#include <stdbool.h>

#include "spgemm/spgemm.h"

enum { COLLECTION_NAME_BYTES = 128 };

typedef struct collected {
    char name[COLLECTION_NAME_BYTES]; /* of the file, without its suffixes */
    char *path;
    int64_t nrows;
    int64_t ncols;
    int64_t nnz;
    spgemm_csr matrix; /* zeroed where it is not in memory */
    bool is_kept;
    int users;
} collected;

typedef struct collection {
    collected *matrices; /* by name */
    int count;
    double keep_bytes; /* that are left for matrices to keep */
    int nthreads;
} collection;

/**
 * Find the matrices of folders and files and read each of them once: what
 * cannot be read is told now. Those that fit into keep_bytes are kept.
 *
 * false, after a message: there is none, two have one name, or one is wrong.
 * To be cleared whatever it returns.
 */
bool collection_open(collection *c, const char *const *operands, int noperands,
                     double keep_bytes, int nthreads);
void collection_clear(collection *c);

/** The matrix of this name, or -1. */
int collection_find(const collection *c, const char *name);

/** A matrix, read again unless it is in memory, until it is given back. NULL,
    after a message: it cannot be read. */
const spgemm_csr *collection_take(collection *c, int k);
void collection_give(collection *c, int k);

#endif
