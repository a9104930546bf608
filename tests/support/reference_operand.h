/* SPDX-License-Identifier: BSD-3-Clause */
/* op(A)(rows, :) and op(B)(:, cols), written down. */
#ifndef SPGEMM_TESTS_REFERENCE_OPERAND_H
#define SPGEMM_TESTS_REFERENCE_OPERAND_H

#include "scalars.h"

/** A matrix whose entry p has the value at values[p]: NULL, if it has none. */
typedef struct operand {
    int64_t nrows;
    int64_t ncols;
    int64_t nnz;
    int64_t *rowptr;
    int64_t *columns;
    const char **values;
    char *conjugates; /* what `values` point to, if not A's */
} operand;

/** Without entries. */
operand empty_operand(int64_t nrows, int64_t ncols);

/** op(A), whose values A keeps. Entries of a column of A follow one another as
    their rows do. */
operand take_operand(const spgemm_csr *A, spgemm_operation operation);
void free_operand(operand *o);

/** Rows of it, in this order; columns of it, which increase. */
void take_rows(operand *o, const int64_t *rows, int64_t nrows);
void take_columns(operand *o, const int64_t *cols, int64_t ncols);

#endif
