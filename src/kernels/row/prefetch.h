/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of a row of B, asked for before it is read. */
#ifndef SPGEMM_KERNELS_ROW_PREFETCH_H
#define SPGEMM_KERNELS_ROW_PREFETCH_H

#include <stdbool.h>

#include "common/compiler.h"

/* Rows of B are read at random: their pointers are asked for this many entries
   of A ahead, and the rows themselves half as many. */
#define AHEAD_ROWS     48
#define AHEAD_POINTERS (2 * AHEAD_ROWS)

/* Asks for the lines of [from, to), two or four of them: no loop, whose end
   would be foreseen as badly as the lengths of B's rows. */
static ALWAYS_INLINE void prefetch_ends(const char *from, const char *to,
                                        bool has_middle)
{
    const char *last = to - 1;
    PREFETCH(from);
    PREFETCH(last);
    if (has_middle) {
        PREFETCH(from + 64 < last ? from + 64 : last);
        PREFETCH(from + 128 < last ? from + 128 : last);
    }
}

#endif
