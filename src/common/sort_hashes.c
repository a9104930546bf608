/* SPDX-License-Identifier: BSD-3-Clause */
/* values[0 .. count), increasing, bit by bit from the highest.

   Radix exchange: P. Hildebrandt, H. Isbitz, Radix exchange - an internal
   sorting method for digital computers, J. ACM 6(2), 1959. Random bits part any range in equal halves, so
   that no pivot can be bad. Differs from it in: short ranges are inserted. */
#include "common/sort_hashes.h"

#define INSERT_MOST 24

static void insert(uint64_t *values, int64_t count)
{
    for (int64_t t = 1; t < count; t++) {
        const uint64_t value = values[t];
        int64_t at = t;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

/* Those without the bit before those with it; returns how many are without. */
static int64_t part(uint64_t *values, int64_t count, int bit)
{
    int64_t low = 0;
    int64_t high = count;
    while (low < high) {
        const uint64_t value = values[low];
        if (value >> bit & 1) {
            values[low] = values[--high];
            values[high] = value;
        } else {
            low++;
        }
    }
    return low;
}

/* The values agree in the bits above `bit`. */
static void sort_from(uint64_t *values, int64_t count, int bit)
{
    for (; count > INSERT_MOST && bit >= 0; bit--) {
        const int64_t low = part(values, count, bit);
        sort_from(values, low, bit - 1);
        values += low;
        count -= low;
    }
    insert(values, count);
}

void spgemm_sort_hashes(uint64_t *values, int64_t count)
{
    uint64_t differ = 0;
    for (int64_t t = 1; t < count; t++)
        differ |= values[t] ^ values[0];
    if (differ)
        sort_from(values, count, 63 - __builtin_clzll(differ));
}
