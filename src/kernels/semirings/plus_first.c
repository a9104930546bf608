/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = sum of A(i,k) over the k for which B(k,j) is there. */
#define SEMIRING     plus_first
#define SEMIRING_ADD plus
#define SEMIRING_MUL first
#include "kernels/semiring_unit.h"
