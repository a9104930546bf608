/* SPDX-License-Identifier: BSD-3-Clause */
/* All semirings but plus_times, by kernels that share all but their innermost
   loops: those are there once for each. Compiled one by one, semirings took 2.3
   times as long to build, and were no faster. */
#include "kernels/refill.h"

const semiring_kernels UNIT_TABLE(semirings) = SEMIRING_KERNELS;
