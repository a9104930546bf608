/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = 1 where there is some k: the pattern, as values. */
#define SEMIRING     any_pair
#define SEMIRING_ADD any
#define SEMIRING_MUL pair
#include "kernels/semiring_unit.h"
