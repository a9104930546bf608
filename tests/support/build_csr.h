/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of the tests, made entry by entry, row after row.

   Their arrays come from malloc() and are exactly as long as they must be, so
   that a sanitizer sees the first byte read beyond them. To the library they
   are views: it never frees or counts them. */
#ifndef SPGEMM_TESTS_BUILD_CSR_H
#define SPGEMM_TESTS_BUILD_CSR_H

#include "spgemm/spgemm.h"

typedef struct csr_builder {
    int64_t nrows;
    int64_t ncols;
    int64_t row; /* rows ended so far */
    int64_t nnz;
    int64_t capacity;
    int64_t *rowptr;
    int64_t *colidx;
    double *values;
} csr_builder;

/* malloc() and realloc() that end the test when there is no memory. */
void *must_allocate(int64_t count, size_t size);
void *must_reallocate(void *block, int64_t count, size_t size);

csr_builder build_begin(int64_t nrows, int64_t ncols);
void build_add(csr_builder *b, int64_t j, double x);
void build_end_row(csr_builder *b);

/* The matrix; rows not ended are empty. The builder is empty afterwards. */
spgemm_csr build_finish(csr_builder *b, spgemm_index_type index_type);

/* Free what build_finish() or copy_csr() made. */
void free_csr(spgemm_csr *A);

/* The same matrix in arrays of its own. */
spgemm_csr copy_csr(const spgemm_csr *A);

/* Column of entry p. */
static inline int64_t column_of(const spgemm_csr *A, int64_t p)
{
    return A->index_type == SPGEMM_I64 ? ((const int64_t *)A->colidx)[p]
                                       : ((const int32_t *)A->colidx)[p];
}

/* Value of entry p. */
static inline double value_of(const spgemm_csr *A, int64_t p)
{
    return ((const double *)A->values)[p];
}

/* Overwrite the column of entry p, whatever it is. */
void set_column_of(spgemm_csr *A, int64_t p, int64_t j);

/* A with `by` empty columns before its first. */
void move_columns(spgemm_csr *A, int64_t by);

/* Put in order: several times as fast as qsort(). */
void sort_numbers(int64_t *numbers, int64_t count);

/* Order of two int64_t, for bsearch(). */
int by_number(const void *x, const void *y);

/* Products of row i of A*B. */
int64_t count_row_products(const spgemm_csr *A, const spgemm_csr *B, int64_t i);

/** Entries p and q of a row, exchanged; those of doubles. */
void swap_entries(spgemm_csr *A, int64_t p, int64_t q);

/** The last entry of each row comes first: what repeats, or is alike, still is. */
void turn_rows(spgemm_csr *A);

#endif
