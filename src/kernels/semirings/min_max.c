/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = min of max(A(i,k), B(k,j)): paths of the least worst leg. */
#define SEMIRING     min_max
#define SEMIRING_ADD min
#define SEMIRING_MUL fmax
#include "kernels/semiring_unit.h"
