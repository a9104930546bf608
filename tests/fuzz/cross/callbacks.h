/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library calls back: predictions that lie, progress that cancels,
   semirings whose result tells the order of their operands. */
#ifndef SPGEMM_TESTS_CROSS_CALLBACKS_H
#define SPGEMM_TESTS_CROSS_CALLBACKS_H

#include "crossing.h"

enum { LIE_COUNT = 8 };

/** options.predict.row_nnz; the context is a mischief. */
double lying_row_nnz(void *context, int64_t row, int64_t products);

/** options.resources.progress; the context is a mischief. */
int watch_progress(void *context, double done);

/** A semiring over values of a type, in the arena. */
spgemm_user_semiring draw_user_semiring(dice *d, spgemm_value_type type);

#endif
