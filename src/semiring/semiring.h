/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of semirings, as far as it matters before a kernel is chosen. */
#ifndef SPGEMM_SEMIRING_SEMIRING_H
#define SPGEMM_SEMIRING_SEMIRING_H

#include <stdbool.h>

#include "spgemm/semiring.h"

/** Whether the values of A, of B, are read. */
bool spgemm_semiring_reads_a(spgemm_semiring semiring);
bool spgemm_semiring_reads_b(spgemm_semiring semiring);

/** The semiring of the same operators, of truths, that has kernels for these. */
spgemm_semiring spgemm_semiring_of_truths(spgemm_semiring semiring);

/** Whether it needs an order: no complex number has one. */
bool spgemm_semiring_needs_order(spgemm_semiring semiring);

#endif
