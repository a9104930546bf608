/* SPDX-License-Identifier: BSD-3-Clause */
/* What the methods say of C = A*B: one CSV row a method, setting and seed. */
#ifndef BENCH_PREDICTIONS_H
#define BENCH_PREDICTIONS_H

#include "accuracy_csv.h"
#include "crop.h"

/** Rows of all methods of the options into the block of the pair. */
void predictions_write(FILE *block, const pair_facts *pair,
                       const crop *operands, const accuracy_options *o);

#endif
