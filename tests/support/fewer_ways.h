/* SPDX-License-Identifier: BSD-3-Clause */
/* Of the ways to compute C, how many a run tries. Variants, orders, threads and
   predictors are the same on every instruction set, and 64-bit columns are computed with
   in 32 bits wherever these will do: where SPGEMM_ISA asks for a lesser instruction set,
   or columns are wide, each product is tried in some ways, not in all. So it is where
   sanitizers make each way take several times as long. */
#ifndef SPGEMM_TESTS_FEWER_WAYS_H
#define SPGEMM_TESTS_FEWER_WAYS_H

#include <stdlib.h>

#include "spgemm/spgemm.h"

static inline bool tries_fewer_ways(spgemm_index_type columns)
{
#ifdef __SANITIZE_ADDRESS__
    (void)columns;
    return true;
#else
    const char *isa = getenv("SPGEMM_ISA");
    return columns == SPGEMM_I64 || (isa && *isa);
#endif
}

/** Whether way `number` is one of those: each third is, which leads through all
    variants, orders and numbers of threads. */
static inline bool tries_way(spgemm_index_type columns, int64_t number)
{
    return !tries_fewer_ways(columns) || number % 3 == 0;
}

/** Of so many ways for a product: half of them. */
static inline int ways_of_some(spgemm_index_type columns, int count)
{
    return tries_fewer_ways(columns) ? (count + 1) / 2 : count;
}

#endif
