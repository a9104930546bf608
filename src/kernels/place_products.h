/* SPDX-License-Identifier: BSD-3-Clause */
/* For each product A(i,k) B(k,j) the entry of C(i,:) that is C(i,j): where it
   will be added, if the patterns stay. */
#ifndef SPGEMM_KERNELS_PLACE_PRODUCTS_H
#define SPGEMM_KERNELS_PLACE_PRODUCTS_H

#include "kernels/row/row_extent.h"
#include "matrix/csr.h"

/* The places of the products of row i, of so many bytes each, to `to`; those of
   the row's columns are in the window, column `first` in its beginning. Returns
   their end. */
static ALWAYS_INLINE uint8_t *place_row(const operands *ops, int64_t i,
                                        size_t width, const uint16_t *window,
                                        int64_t first, uint8_t *to)
{
    const IDX *Aj = ops->A->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const IDX *Bj = ops->B->colidx;
    prefetch_row(ops, i, false);
    for (int64_t p = ops->A->rowptr[i]; p < ops->A->rowptr[i + 1]; p++)
        for (int64_t q = Bp[Aj[p]]; q < Bp[Aj[p] + 1]; q++) {
            const uint16_t place = window[(int64_t)Bj[q] - first];
            if (width == 1)
                *to = (uint8_t)place;
            else
                memcpy(to, &place, sizeof place);
            to += width;
        }
    return to;
}

static void place_products(const operands *ops, const row_range *range,
                           const spgemm_csr *C, const product_places *to,
                           uint16_t *window)
{
    uint8_t *places = to->places;
    for (int64_t i = range->row_begin; i < range->row_end; i++) {
        const size_t width = to->width[i - range->row_begin];
        const int64_t n = C->rowptr[i + 1] - C->rowptr[i];
        const IDX *Cj = (const IDX *)C->colidx + C->rowptr[i];
        int64_t first = n > 0 ? Cj[0] : 0;
        if (width == 0)
            continue;
        for (int64_t t = 1; !ops->sort_rows && t < n; t++)
            first = min_i64(first, Cj[t]);
        for (int64_t t = 0; t < n; t++)
            window[(int64_t)Cj[t] - first] = (uint16_t)t;
        places = width == 1 ? place_row(ops, i, 1, window, first, places)
                            : place_row(ops, i, 2, window, first, places);
    }
}

#endif
