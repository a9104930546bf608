/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether A(i,:) and A(i + 1,:) have columns near one another: what is read of B for
   one is then in a cache when the next wants it. */
#ifndef SPGEMM_PREDICT_NEAR_ROWS_H
#define SPGEMM_PREDICT_NEAR_ROWS_H

#include <stdlib.h>

#include "matrix/csr.h"

/* Rows of a block that tell whether neighbours' columns are near one another, and how
   near they are then: those that are need not be asked for. 5-point 1000^2, all of a
   prediction: 8.5 ms, and 10.6 with asking. */
#define NEAR_SAMPLES 8
#define NEAR_COLUMNS 4096

/* Whether row i begins and ends near where row i + 1 does. */
static inline bool is_near_next(const spgemm_csr *A, bool is_wide, int64_t i)
{
    const int64_t begin = A->rowptr[i];
    const int64_t middle = A->rowptr[i + 1];
    const int64_t end = A->rowptr[i + 2];
    if (begin == middle || middle == end)
        return false;
    const int64_t first = column_at(A->colidx, is_wide, middle) -
                          column_at(A->colidx, is_wide, begin);
    const int64_t last = column_at(A->colidx, is_wide, end - 1) -
                         column_at(A->colidx, is_wide, middle - 1);
    return llabs(first) < NEAR_COLUMNS && llabs(last) < NEAR_COLUMNS;
}

/* Whether most of some rows of [begin, end) are. */
static inline bool are_near_rows(const spgemm_csr *A, bool is_wide,
                                 int64_t begin, int64_t end)
{
    int near = 0;
    for (int64_t t = 0; t < NEAR_SAMPLES; t++) {
        const int64_t i = begin + t * (end - begin) / NEAR_SAMPLES;
        near += i + 1 < end && is_near_next(A, is_wide, i);
    }
    return 2 * near > NEAR_SAMPLES;
}

#endif
