/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = sum of A(i,k) B(k,j): the product of linear algebra. */
#define SEMIRING     plus_times
#define SEMIRING_ADD plus
#define SEMIRING_MUL times
#include "kernels/semiring_unit.h"
