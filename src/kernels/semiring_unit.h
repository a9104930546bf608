/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of one semiring, in a table of the semiring's name. The file that
   includes this has defined SEMIRING, SEMIRING_ADD and SEMIRING_MUL. */
#include "kernels/refill.h"
#include "kernels/rows.h"

const semiring_kernels UNIT_TABLE(SEMIRING) = {
    .numeric = numeric,
    .refill = refill,
#if defined(LANES)
    .has_shifted_rows = true,
#endif
};
