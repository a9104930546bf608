/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = number of k for which both A(i,k) and B(k,j) are there. */
#define SEMIRING     plus_pair
#define SEMIRING_ADD plus
#define SEMIRING_MUL pair
#include "kernels/semiring_unit.h"
