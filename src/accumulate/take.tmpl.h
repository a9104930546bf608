/* SPDX-License-Identifier: BSD-3-Clause */
/* The taken ones of eight sums of a window, moved to C side by side.

   A window's sums begin at UNTOUCHED, -0: adding it changes no term, and +0 is
   added where a sum leaves, or to each term, so that the bits are those of a
   sum begun at +0. (Rounding is to nearest while a thread multiplies: x - x is
   +0.)

   Parameters: VAL, IDX, FN. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "take.tmpl.h: define VAL, IDX and FN first"
#endif

#define UNTOUCHED ((VAL)-0.0)

/* Doubles and 32-bit columns in AVX-512: the type and instruction set that the
   leaves of accumulators are written for, beside the portable ones. */
#if defined(PACK_AVX512) && defined(VALUE_IS_f64) && defined(INDEX_IS_i32)
#define LEAVES_AVX512
#elif defined(__AVX2__) && defined(VALUE_IS_f64)
#define LEAVES_AVX2
#include "accumulate/spread_avx2.h"
#endif

/* Moves the sums named by the bits of `taken`, columns from `column` on, and
   wipes them; returns their number. Eight places are written if is_roomy. Cj is
   left alone unless has_columns. */
static ALWAYS_INLINE int64_t FN(take_eight)(VAL *restrict sums,
                                            unsigned taken,
                                            int64_t column,
                                            bool has_columns,
                                            bool is_roomy,
                                            IDX *restrict Cj,
                                            VAL *restrict Cx)
{
#if defined(LEAVES_AVX512)
    const __m512d values =
        _mm512_add_pd(_mm512_loadu_pd(sums), _mm512_setzero_pd());
    const __m256i columns =
        _mm256_add_epi32(_mm256_set1_epi32((int)column),
                         _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    _mm512_storeu_pd(sums, _mm512_set1_pd(UNTOUCHED));
    return pack_entries(columns, values, taken, has_columns, is_roomy, Cj, Cx);
#else
    (void)is_roomy;
    const int n = __builtin_popcount(taken);
    for (int t = 0; t < n; t++, taken &= taken - 1) {
        const int u = __builtin_ctz(taken);
        if (has_columns)
            Cj[t] = (IDX)(column + u);
        Cx[t] = sums[u] + (VAL)0;
        sums[u] = UNTOUCHED;
    }
    return n;
#endif
}
