/* SPDX-License-Identifier: BSD-3-Clause */
/* Which entries of a row of C stay of those that are not dropped: the largest. */
#ifndef SPGEMM_KERNELS_ROW_KEEP_H
#define SPGEMM_KERNELS_ROW_KEEP_H

#include "kernels/row/drop.h"
#if HAS_VALUES
#include "kernels/simd/select_largest.h"
#endif

#if HAS_VALUES
static ALWAYS_INLINE uint64_t top_key(spgemm_top_order by, VAL x)
{
    return by == SPGEMM_TOP_VALUE ? op_order_key(x) : op_magnitude(x);
}

/* Of the first n entries the `most` largest, most <= n, to the front, in their
   order. Returns the least key among them. */
static ALWAYS_INLINE uint64_t keep_of_first(spgemm_top_order by, row_entries *e,
                                            int64_t n, int64_t most,
                                            uint64_t *keys)
{
    for (int64_t t = 0; t < n; t++)
        keys[t] = top_key(by, e->Cx[t]);
    int64_t equals;
    const uint64_t least = select_largest(keys, n, most, &equals);
    int64_t kept = 0;
    for (int64_t t = 0; t < n; t++) {
        const uint64_t key = top_key(by, e->Cx[t]);
        const bool is_kept = key > least || (key == least && equals-- > 0);
        move_entry(e, kept, t);
        kept += is_kept;
    }
    return least;
}
#endif

#endif
