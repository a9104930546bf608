/* SPDX-License-Identifier: BSD-3-Clause */
/* The taken ones of eight sums of a window, moved to C side by side.

   A window's sums are untouched_of() between rows, and leave it by leave(): so
   their bits are those of sums begun at zero_of(). (Rounding is to nearest while
   a thread multiplies: x - x is +0.) */
#ifndef SPGEMM_KERNELS_ROW_TAKE_H
#define SPGEMM_KERNELS_ROW_TAKE_H

#include "kernels/row/unit.h"

/* What sums are wiped with, and what is added to them as they leave: +0 to those
   of "+", elsewhere what changes nothing. */
typedef struct sum_rule {
    VAL untouched;
    VAL last;
} sum_rule;

static ALWAYS_INLINE sum_rule sum_rule_of(spgemm_semiring sr)
{
    sum_rule rule = {.untouched = untouched_of(sr)};
#if defined(VALUE_IS_REAL)
    rule.last = adds_by_plus(sr) ? (VAL)0 : (VAL)-0.0;
#endif
    return rule;
}

static ALWAYS_INLINE VAL leave(VAL sum, sum_rule rule)
{
#if defined(VALUE_IS_REAL)
    return sum + rule.last;
#else
    (void)rule;
    return sum;
#endif
}

#if defined(VALUE_IS_REAL)
/* Whether a sum is -0. */
static ALWAYS_INLINE bool is_untouched(VAL sum)
{
#if defined(VALUE_IS_f64)
    uint64_t bits;
    const uint64_t none = (uint64_t)1 << 63;
#else
    uint32_t bits;
    const uint32_t none = (uint32_t)1 << 31;
#endif
    memcpy(&bits, &sum, sizeof bits);
    return bits == none;
}
#endif

#if defined(LANES)
static ALWAYS_INLINE lanes leave_lanes(lanes sums, sum_rule rule)
{
#if defined(VALUE_IS_REAL)
    return lanes_plus(sums, lanes_set(rule.last));
#else
    (void)rule;
    return sums;
#endif
}
#endif

/* Value n of an array that is not there where there are no values. */
static inline VAL *values_at(VAL *values, int64_t n)
{
    return HAS_VALUES ? values + n : NULL;
}

/* Cx[p] = the sum of column Cj[p], which is wiped. */
static ALWAYS_INLINE void take_sums(VAL *sums, sum_rule rule, const IDX *Cj,
                                    int64_t n, int64_t first, VAL *Cx)
{
    for (int64_t p = 0; p < n; p++) {
        VAL *at = sums + ((int64_t)Cj[p] - first);
        Cx[p] = leave(*at, rule);
        *at = rule.untouched;
    }
}

#if defined(LINES_AVX2)
/* Which of eight sums have other bits than -0. */
static inline unsigned eight_touched(const VAL *sums)
{
    unsigned taken = 0;
    for (int t = 0; t < 8; t += REALS)
        taken |= reals_touched(reals_load(sums + t)) << t;
    return taken;
}

/* The columns column + first + t that `taken` names of t = 0 .. 3; four places
   are written. Vectors add: no row has a column past the last, but four places
   may. */
static inline void store_columns_avx2(IDX *Cj, int64_t column, int first,
                                      unsigned taken)
{
    const __m128i places =
        _mm_add_epi32(_mm_set1_epi32(first), places_of_four(taken));
    _mm_storeu_si128((__m128i *)(void *)Cj,
                     _mm_add_epi32(_mm_set1_epi32((int)column), places));
}

/* take_eight() where eight places may be written. */
static ALWAYS_INLINE void take_eight_avx2(VAL *restrict sums, sum_rule rule,
                                          unsigned taken, int64_t column,
                                          bool has_columns, IDX *restrict Cj,
                                          VAL *restrict Cx)
{
    const unsigned low = taken & 15;
    const unsigned high = taken >> 4;
    const int n = __builtin_popcount(low);
    const reals last = reals_set(rule.last);
    reals x[8 / REALS];
    for (int t = 0; t < 8 / REALS; t++) {
        x[t] = reals_plus(reals_load(sums + t * REALS), last);
        reals_store(sums + t * REALS, reals_set(rule.untouched));
    }
    reals_compress(Cx, x[0], taken & ((1u << REALS) - 1));
    if (REALS == 4)
        reals_compress(Cx + n, x[8 / REALS - 1], high);
    if (!has_columns)
        return;
    store_columns_avx2(Cj, column, 0, low);
    store_columns_avx2(Cj + n, column, 4, high);
}
#endif

/* Moves the sums named by the bits of `taken`, columns from `column` on, and
   wipes them; returns their number. Eight places are written if is_roomy. Cj is
   left alone unless has_columns. */
static ALWAYS_INLINE int64_t take_eight(VAL *restrict sums, sum_rule rule,
                                        unsigned taken, int64_t column,
                                        bool has_columns, bool is_roomy,
                                        IDX *restrict Cj, VAL *restrict Cx)
{
    const int n = __builtin_popcount(taken);
#if defined(LEAVES_AVX512) && (defined(LANES) || !HAS_VALUES)
    if (has_columns)
        pack_columns(eight_columns(column), taken, is_roomy, Cj);
#if HAS_VALUES
    const lanes values =
        lanes_compress(taken, leave_lanes(lanes_load(sums), rule));
    lanes_store(sums, lanes_set(rule.untouched));
    if (is_roomy)
        lanes_store(Cx, values);
    else
        lanes_store_some(Cx, (1u << n) - 1, values);
#else
    (void)sums;
    (void)rule;
    (void)Cx;
#endif
#else
#if defined(LINES_AVX2)
    if (is_roomy) {
        take_eight_avx2(sums, rule, taken, column, has_columns, Cj, Cx);
        return n;
    }
#endif
    (void)is_roomy;
    for (int t = 0; t < n; t++, taken &= taken - 1) {
        const int u = __builtin_ctz(taken);
        if (has_columns)
            Cj[t] = (IDX)(column + u);
        if (!HAS_VALUES)
            continue;
        Cx[t] = leave(sums[u], rule);
        sums[u] = rule.untouched;
    }
#endif
    return n;
}

#endif
