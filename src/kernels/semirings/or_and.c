/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = 1 if A(i,k) and B(k,j) are not zero for some k: reachability. */
#define SEMIRING     or_and
#define SEMIRING_ADD or
#define SEMIRING_MUL and
#include "kernels/semiring_unit.h"
