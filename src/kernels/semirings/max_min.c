/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = max of min(A(i,k), B(k,j)): paths of the widest narrowest leg. */
#define SEMIRING     max_min
#define SEMIRING_ADD max
#define SEMIRING_MUL fmin
#include "kernels/semiring_unit.h"
