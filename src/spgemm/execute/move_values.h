/* SPDX-License-Identifier: BSD-3-Clause */
/* Values on their way into C: every NaN becomes the one of positive sign and no
   payload. */
#ifndef SPGEMM_SPGEMM_EXECUTE_MOVE_VALUES_H
#define SPGEMM_SPGEMM_EXECUTE_MOVE_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/number_kind.h"

/** to[0 .. bytes) = from[0 .. bytes), whole numbers, aligned as they are; past
    the caches if `streams`. Returns whether a number may be zero: true of what
    are no floating-point numbers. */
bool spgemm_move_values(char *to, const char *from, size_t bytes,
                        number_kind kind, bool streams);

/** The same of values that are where they belong. */
bool spgemm_make_one_nan(char *values, size_t bytes, number_kind kind);

#endif
