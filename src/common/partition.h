/* SPDX-License-Identifier: BSD-3-Clause */
/* [0, n) in `parts` pieces: piece t is [bound(t), bound(t + 1)), in integers,
   so that every item is in exactly one piece. */
#ifndef SPGEMM_COMMON_PARTITION_H
#define SPGEMM_COMMON_PARTITION_H

#include <stdint.h>

static inline int64_t partition_bound(int64_t n, int64_t parts, int64_t t)
{
    return (n / parts) * t + (n % parts) * t / parts;
}

/* The least i in [0, n] with prefix[i] >= target, for a non-decreasing
   prefix[0 .. n]. Cuts rows into pieces of equal entries. */
static inline int64_t partition_search(const int64_t *prefix, int64_t n,
                                       int64_t target)
{
    int64_t low = 0;
    int64_t high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (prefix[middle] < target)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first row of task t of `tasks`, which share the entries of rowptr[0 ..
   nrows]; empty rows at the end belong to the last. */
static inline int64_t partition_row(const int64_t *rowptr, int64_t nrows,
                                    int64_t tasks, int64_t t)
{
    return t == tasks
               ? nrows
               : partition_search(rowptr, nrows,
                                  partition_bound(rowptr[nrows], tasks, t));
}

#endif
