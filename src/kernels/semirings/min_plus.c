/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = min of A(i,k) + B(k,j): shortest paths of two legs. */
#define SEMIRING     min_plus
#define SEMIRING_ADD min
#define SEMIRING_MUL plus
#include "kernels/semiring_unit.h"
