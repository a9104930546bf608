/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row of C is known by before it is multiplied, B being sorted. */
#ifndef SPGEMM_KERNELS_ROW_ROW_COLUMNS_H
#define SPGEMM_KERNELS_ROW_ROW_COLUMNS_H

#include "kernels/row/kernels.h"

/** The columns [*first, *last] that row i may have; false: none. */
bool spgemm_row_columns(const operands *ops, int64_t i, int64_t *first,
                        int64_t *last);

/** The end of the rows from `begin` on, up to `end`, that have `most` products
    together: of one row at least. */
int64_t spgemm_rows_of_products(const int64_t *products, int64_t begin,
                                int64_t end, int64_t most);

/** Products of row i in the columns [begin, end). */
int64_t spgemm_row_products_within(const operands *ops, int64_t i,
                                   int64_t begin, int64_t end);

#endif
