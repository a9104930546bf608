/* SPDX-License-Identifier: BSD-3-Clause */
/* The accumulators, in the order in which they are asked: the first that takes
   a row has it. The only place to look, or to add one. Not asked are rows of few
   products that esc sums several at a time (esc_rows.h), rows whose products do not
   meet (scale.h), and those of a full B (full.h).

   X(enumerator, name, rows of one pattern that it takes together, at most, of ops):
   name.h has

       bool name_takes(r, ops)
           whether row r suits it; looked at are neither predictions nor
           threads, so that the order of unsorted rows does not depend on them
       int64_t name_sum_rows(r, ops, rows, s, is_numeric, out)
           sums the products of r, or of each of `rows` rows of its columns;
           their entries go to `out` where is_numeric; their nnz, -1: no memory.
           Scratch s is clean before and after. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_TABLE_H
#define SPGEMM_KERNELS_ACCUMULATORS_TABLE_H

#if defined(UNIT)
#include "kernels/accumulators/dense.h"
#include "kernels/accumulators/esc.h"
#include "kernels/accumulators/hash.h"
#include "kernels/accumulators/largest.h"
#include "kernels/accumulators/merge.h"
#include "kernels/accumulators/supernode.h"
#endif

#define ACCUMULATORS(X)                                                        \
    X(SPGEMM_ACCUMULATOR_ESC, esc, 1)                                          \
    X(SPGEMM_ACCUMULATOR_MERGE, merge, 1)                                      \
    X(SPGEMM_ACCUMULATOR_SUPERNODE, supernode, supernode_most(ops))            \
    X(SPGEMM_ACCUMULATOR_LARGEST, largest, 1)                                  \
    X(SPGEMM_ACCUMULATOR_DENSE, dense, 1)                                      \
    X(SPGEMM_ACCUMULATOR_HASH, hash, 1)

/* Those that no table chooses: rows that a mask has, rows that repeat. */
#define OTHER_ACCUMULATORS(X)                                                  \
    X(SPGEMM_ACCUMULATOR_SHIFTED, shifted, 1)                                  \
    X(SPGEMM_ACCUMULATOR_MASKED, masked, 1)

#endif
