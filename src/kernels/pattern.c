/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that read no values: patterns and counts, and semirings of the
   caller, whose elements are bytes. */
#define SEMIRING SPGEMM_ANY_PAIR
#include "kernels/accumulators/shifted_program.h"
#include "kernels/ones.h"
#include "kernels/place_products.h"
#include "kernels/rows.h"
#include "kernels/user_semiring.h"

static void mark_next(const spgemm_csr *X, int64_t begin, int64_t end,
                      int64_t period, int64_t shift, uint8_t *next)
{
    shifted_mark(X->rowptr, X->colidx, begin, end, period, shift, next);
}

const pattern_kernels UNIT_TABLE(pattern) = {
    .numeric = numeric,
    .ones = ones,
    .refill_ones = refill_ones,
    .symbolic = symbolic,
    .user = user_numeric,
    .mark_next = mark_next,
    .place = place_products,
    .bitmap_fill_alone = BITMAP_FILL_ALONE,
    .sorted_products = ESC_SURE,
};
