/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a row of C, in order: by a network where the processor has one and all
   are near one another, else by insertion if they are few, or by radix. */
#ifndef SPGEMM_KERNELS_ROW_SORT_COLUMNS_H
#define SPGEMM_KERNELS_ROW_SORT_COLUMNS_H

#include "kernels/row/unit.h"
#if defined(__AVX2__)
#include "kernels/simd/sort_network.h"
#endif

#if defined(__AVX2__)
#define MOST_BY_NETWORK 2048

/* Whether columns in [low, high] are few and near; they are sorted then. */
static inline bool sort_few(IDX *columns, int64_t n, IDX low, IDX high)
{
    uint32_t near[MOST_BY_NETWORK + VECTOR_COLUMNS];
    if (n > MOST_BY_NETWORK || high - low >= INT32_MAX)
        return false;
    for (int64_t t = 0; t < n; t++)
        near[t] = (uint32_t)(columns[t] - low);
    sort_by_network(near, n);
    for (int64_t t = 0; t < n; t++)
        columns[t] = low + (IDX)near[t];
    return true;
}
#else
#define MOST_BY_INSERTION 40

/* Whether columns are few; they are sorted then. */
static inline bool sort_few(IDX *columns, int64_t n, IDX low, IDX high)
{
    (void)low;
    (void)high;
    for (int64_t p = 1; n <= MOST_BY_INSERTION && p < n; p++) {
        const IDX moving = columns[p];
        int64_t q = p;
        for (; q > 0 && columns[q - 1] > moving; q--)
            columns[q] = columns[q - 1];
        columns[q] = moving;
    }
    return n <= MOST_BY_INSERTION;
}
#endif

/* Low byte first, of columns in [low, high]. */
static inline void sort_by_radix(IDX *restrict columns, IDX *restrict spare,
                                 int64_t n, IDX low, IDX high)
{
    const uint64_t range = (uint64_t)high - (uint64_t)low;
    IDX *from = columns;
    IDX *to = spare;
    for (int shift = 0; shift < 64 && range >> shift != 0; shift += 8) {
        int64_t start[257] = {0};
        for (int64_t p = 0; p < n; p++)
            start[((uint64_t)(from[p] - low) >> shift & 0xff) + 1]++;
        for (int d = 0; d < 256; d++)
            start[d + 1] += start[d];
        for (int64_t p = 0; p < n; p++)
            to[start[(uint64_t)(from[p] - low) >> shift & 0xff]++] = from[p];
        IDX *swap = from;
        from = to;
        to = swap;
    }
    if (from != columns)
        memcpy(columns, from, (size_t)n * sizeof *columns);
}

/* Sorts columns[0 .. n), none of them negative; spare has n. */
static NOINLINE void sort_columns(IDX *restrict columns, IDX *restrict spare,
                                  int64_t n)
{
    IDX low = n > 0 ? columns[0] : 0;
    IDX high = low;
    for (int64_t t = 1; t < n; t++) {
        low = columns[t] < low ? columns[t] : low;
        high = columns[t] > high ? columns[t] : high;
    }
    if (!sort_few(columns, n, low, high))
        sort_by_radix(columns, spare, n, low, high);
}

#endif
