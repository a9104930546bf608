/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = max of A(i,k) + B(k,j): longest paths, schedules. */
#define SEMIRING     max_plus
#define SEMIRING_ADD max
#define SEMIRING_MUL plus
#include "kernels/semiring_unit.h"
