/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = sum of B(k,j) over the k for which A(i,k) is there. */
#define SEMIRING     plus_second
#define SEMIRING_ADD plus
#define SEMIRING_MUL second
#include "kernels/semiring_unit.h"
