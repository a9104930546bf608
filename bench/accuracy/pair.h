/* SPDX-License-Identifier: BSD-3-Clause */
/* What is exactly so of C = A*B: products, nnz, and the time it takes. */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

#include "accuracy_csv.h"
#include "crop.h"

enum { PAIR_WHY_BYTES = 160 };

/**
 * Fill in the facts of A*B but its names: products, bound, nnz_exact, and the
 * time of spgemm_precise() if that is wanted and C fits into memory.
 *
 * @param[out] why       why the pair is to be left out, where false is returned
 * @param[out] why_time  why it is not timed though it should be; or empty
 */
bool pair_measure(pair_facts *pair, const crop *operands,
                  const accuracy_options *o, char why[PAIR_WHY_BYTES],
                  char why_time[PAIR_WHY_BYTES]);

#endif
