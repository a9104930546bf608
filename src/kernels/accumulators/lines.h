/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a window was touched: a byte for each line of eight columns and for
   each word of 64, listed and wiped. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_LINES_H
#define SPGEMM_KERNELS_ACCUMULATORS_LINES_H

#include <string.h>

#include "kernels/row/scratch.h"

/* Lists the n bytes that are not 0, and wipes them. Reads and writes up to 63
   more, which are 0. */
static inline int64_t list_bytes(uint8_t *bytes, int64_t n, uint32_t *list)
{
    int64_t count = 0;
    for (int64_t t = 0; t < n; t += 64) {
        count += pack_bits(nonzero_bytes(bytes + t), (uint32_t)t, list + count);
        memset(bytes + t, 0, 64);
    }
    return count;
}

static inline int64_t list_words(scratch *s, int64_t columns)
{
    return list_bytes(s->words, (columns + 63) / 64, s->word_list);
}

/* The bytes of the eight lines of a word, which are wiped. */
static inline uint64_t take_lines(scratch *s, int64_t word)
{
    uint8_t *lines = s->lines + 8 * word;
    const uint64_t eight = load_eight(lines);
    memset(lines, 0, 8);
    return eight;
}

/* Which of the 64 columns of a word have a mark, which are wiped. */
static inline uint64_t take_marks(scratch *s, int64_t word)
{
    uint8_t *marks = s->marks + 64 * word;
    const uint64_t taken = nonzero_bytes(marks);
    memset(marks, 0, 64);
    return taken;
}

/* Columns marked, which are wiped. */
static ALWAYS_INLINE int64_t dense_wipe(scratch *s, int64_t columns,
                                        bool has_words)
{
    const int64_t words =
        has_words ? list_words(s, columns) : (columns + 63) / 64;
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++)
        n += count_bits(take_marks(s, has_words ? s->word_list[t] : t));
    return n;
}

/* Columns taken of lines, which are wiped. */
static inline int64_t supernode_wipe(scratch *s, int64_t columns)
{
    const int64_t words = list_words(s, columns);
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++)
        n += count_bits(take_lines(s, s->word_list[t]));
    return n;
}

#endif
