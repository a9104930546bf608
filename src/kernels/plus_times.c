/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = sum of A(i,k) B(k,j): the product of linear algebra, by kernels in
   which the semiring is a constant. */
#define SEMIRING SPGEMM_PLUS_TIMES
#define PLUS_TIMES
#include "kernels/chained_rows.h"
#include "kernels/refill.h"

const semiring_kernels UNIT_TABLE(plus_times) = {
    .numeric = numeric,
    .refill = refill,
    .chained = chained,
    .bitmap_fill_alone = BITMAP_FILL_ALONE,
    .sorted_products = ESC_SURE};
