/* SPDX-License-Identifier: BSD-3-Clause */
/* All semirings but plus_times, by kernels that share all but their innermost
   loops: those are there once for each. Compiled one by one, a library took
   2.4 times as long to build. */
#include "kernels/refill.h"

const semiring_kernels UNIT_TABLE(semirings) = {
    .numeric = numeric,
    .refill = refill,
    .bitmap_fill_alone = BITMAP_FILL_ALONE,
    .sorted_products = ESC_SURE};
