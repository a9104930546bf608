/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrices to multiply, or the products of a suite, in memory as far as they
   fit. */
#ifndef BENCH_COLLECTION_H
#define BENCH_COLLECTION_H

#include <stdbool.h>

#include "suite.h"

enum { COLLECTION_NAME_BYTES = 128 };

typedef struct collected {
    char name[COLLECTION_NAME_BYTES]; /* of the file, without its suffixes */
    char *path;                       /* NULL: a product of the suite */
    int product;                      /* which one */
    int64_t nrows;
    int64_t ncols;
    int64_t nnz;
    spgemm_csr matrix; /* zeroed where it is not in memory */
    spgemm_csr right;  /* of a product, unless it is a square */
    bool is_kept;
    int users;
} collected;

typedef struct collection {
    collected *matrices; /* by name */
    int count;
    double keep_bytes; /* that are left for matrices to keep */
    int nthreads;
    suite suite;
} collection;

/**
 * Find the matrices of folders and files, and the products of a suite (.tsv), and read each of them once: what
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

/** What it is multiplied by, as a left operand: of a product its right one, and
    otherwise the matrix. Taken with it. */
const spgemm_csr *collection_right(const collection *c, int k);

static inline bool collected_is_product(const collected *m)
{
    return m->path == NULL;
}

#endif
