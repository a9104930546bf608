/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = sum of min(A(i,k), B(k,j)): the overlap of histograms. */
#define SEMIRING     plus_min
#define SEMIRING_ADD plus
#define SEMIRING_MUL fmin
#include "kernels/semiring_unit.h"
