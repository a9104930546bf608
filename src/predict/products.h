/* SPDX-License-Identifier: BSD-3-Clause */
/* products of each row of C = A*B, and how many rows of each class there are,
   in all and in each block of rows: where the r-th of a class is. */
#ifndef SPGEMM_PREDICT_PRODUCTS_H
#define SPGEMM_PREDICT_PRODUCTS_H

#include "alloc/memory.h"
#include "predict/prediction.h"
#include "spgemm/spgemm.h"

/* The rows of one class. A row has 2^c (1 + x / EXCESS_UNIT) products. */
typedef struct row_class {
    int64_t rows;
    int64_t products;
    int64_t entries; /* of A */
    int64_t squares; /* sum of x^2 */
    int64_t
        bound; /* of C that is masked or filtered: see spgemm_kept_bounds() */
} row_class;

#define EXCESS_BITS 12
#define EXCESS_UNIT (1 << EXCESS_BITS)

/* x, rounded down. */
static inline int64_t products_excess(int64_t products)
{
    const int c = floor_log2(products);
    const int64_t scaled = c > EXCESS_BITS ? products >> (c - EXCESS_BITS)
                                           : products << (EXCESS_BITS - c);
    return scaled - EXCESS_UNIT;
}

/* Rows of a class in a block of at most 2048. */
typedef struct block_classes {
    uint16_t rows[PREDICTION_CLASSES];
} block_classes;

typedef struct product_counts {
    int64_t nrows;
    int64_t *row;    /* [nrows] products of each row of C */
    int64_t total;   /* their sum */
    int64_t bound;   /* sum of min(products, ncols): nnz(C) is at most this */
    int64_t longest; /* most products of a row */

    /* Rows without products are counted in no class. */
    uint16_t *row_class; /* [nrows] */
    row_class *classes;  /* [PREDICTION_CLASSES]; NULL, blocks, too: where
                            nnz(C) is not sampled, and row_class is 0 */
    int64_t block_rows;  /* block b is rows [b, b + 1) * block_rows */
    int64_t nblocks;
    block_classes *blocks; /* [nblocks] */
} product_counts;

/** Threads that the count asks for. */
int spgemm_products_team(const spgemm_csr *A, int nthreads);

/**
 * counts->row[i] = sum over A(i,k) of nnz(B(k,:)), exactly.
 *
 * @retval SPGEMM_ERROR_OVERFLOW       the total does not fit int64_t
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Time O(nrows + nnz(A)): values are not read, nor are B's columns.
 *       Memory 11 bytes a row, and while it counts 4 bytes for each row of B.
 */
spgemm_status spgemm_products_count(product_counts *counts, const spgemm_csr *A,
                                    const spgemm_csr *B, int nthreads,
                                    memory *m);

/** Products, and entries of A, that are few: counting their classes, let alone
    a sample, would take longer than the product. */
#define FEW_PRODUCTS 32768

/**
 * The same without classes, where nnz(A) and nrows are few; *are_few tells
 * whether products are, and if not, nothing was counted.
 *
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 */
spgemm_status spgemm_products_count_few(product_counts *counts,
                                        const spgemm_csr *A,
                                        const spgemm_csr *B, memory *m,
                                        bool *are_few);

/**
 * The same without classes, of a C no two products of which meet. b_has_one_each:
 * row k of B is its entry k. Errors as spgemm_products_count(). Time O(nrows), and of
 * nnz(A) where rows of B have none or several.
 */
spgemm_status spgemm_products_count_scaled(product_counts *counts,
                                           const spgemm_csr *A,
                                           const spgemm_csr *B,
                                           bool b_has_one_each, int nthreads,
                                           memory *m);

/** Room for what is counted of each row. false: no memory. */
bool spgemm_products_make_rows(product_counts *counts, int64_t nrows,
                               memory *m);

/** What was counted of each class, to that of all; [PREDICTION_CLASSES]. */
void spgemm_classes_add(row_class *all, const row_class *mine);

void spgemm_products_clear(product_counts *counts, memory *m);

#endif
