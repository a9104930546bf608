/* SPDX-License-Identifier: BSD-3-Clause */
/* The taken ones of eight sums of a window, moved to C side by side.

   A window's sums are UNTOUCHED between rows, and leave it by LEAVE: so their
   bits are those of sums begun at ZERO. (Rounding is to nearest while a thread
   multiplies: x - x is +0.) */
#ifndef SPGEMM_KERNELS_ROW_TAKE_H
#define SPGEMM_KERNELS_ROW_TAKE_H

#include "kernels/row/unit.h"

/* Value n of an array that is not there where there are no values. */
static ALWAYS_INLINE VAL *values_at(VAL *values, int64_t n)
{
    return HAS_VALUES ? values + n : NULL;
}

/* Moves the sums named by the bits of `taken`, columns from `column` on, and
   wipes them; returns their number. Eight places are written if is_roomy. Cj is
   left alone unless has_columns. */
static ALWAYS_INLINE int64_t take_eight(VAL *restrict sums,
                                        unsigned taken,
                                        int64_t column,
                                        bool has_columns,
                                        bool is_roomy,
                                        IDX *restrict Cj,
                                        VAL *restrict Cx)
{
    const int n = __builtin_popcount(taken);
#if defined(LEAVES_AVX512) && (defined(LANES) || !HAS_VALUES)
    if (has_columns)
        pack_columns(eight_columns(column), taken, is_roomy, Cj);
#if HAS_VALUES
    const lanes values = lanes_compress(taken, LEAVE_LANES(lanes_load(sums)));
    lanes_store(sums, lanes_set(UNTOUCHED));
    if (is_roomy)
        lanes_store(Cx, values);
    else
        lanes_store_some(Cx, (1u << n) - 1, values);
#else
    (void)sums;
    (void)Cx;
#endif
#else
    (void)is_roomy;
    for (int t = 0; t < n; t++, taken &= taken - 1) {
        const int u = __builtin_ctz(taken);
        if (has_columns)
            Cj[t] = (IDX)(column + u);
        if (!HAS_VALUES)
            continue;
        Cx[t] = LEAVE(sums[u]);
        sums[u] = UNTOUCHED;
    }
#endif
    return n;
}

#endif
