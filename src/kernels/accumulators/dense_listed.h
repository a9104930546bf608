/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, first + x) = sums[x] for each x of a list, of the columns in the order in which
   they are met: for scattered rows of wide windows, and those that need not be sorted.

   F. G. Gustavson, ACM TOMS 4(3):250-269, 1978. Each product writes its column behind the
   last that is listed, and the first of a column, whose sum was untouched, has it stay: no
   branch asks which it is. For real sums of "+", which tell by themselves. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_DENSE_LISTED_H
#define SPGEMM_KERNELS_ACCUMULATORS_DENSE_LISTED_H

#include "kernels/row/ahead.h"
#include "kernels/row/room.h"
#include "kernels/row/row.h"
#include "kernels/row/take.h"
#if defined(__AVX2__) && defined(VALUE_IS_REAL)
#define SORTS_LISTS 1
#include "kernels/simd/sort_network.h"
#else
#define SORTS_LISTS 0
#endif

/* A row is wide from this many columns a product on: then what was touched of
   its window is listed in two steps, by words and by lines. */
#define WIDE_COLUMNS 32

static inline bool is_wide(int64_t products, int64_t columns)
{
    return columns / WIDE_COLUMNS >= products;
}

/* Rows of a window have this many columns for each that is listed: so many lines has the
   window, and so long is the list. */
#define LISTED_COLUMNS_EACH 8

/* Rows that are not appended to are listed, and the list sorted, where they are wide and
   C's row has so many entries, or fewer if it is not. Measured, one thread of a Zen 4, time
   by lines over time listed, wide: gemsec-deezer-HU 1.19, in AVX2 1.18; offshore-like 1.12,
   1.2; cage12 1.12, 1.18; 256 products a row among 65,536 columns 1.4, 1.37; 1,600 among
   400,000 1.28, 3,200 1.1. Of 8 to 32 columns a product in AVX2 cage9 1.09 and cage10 1.10,
   but of longer rows memplus 0.88; in AVX-512 poisson3Da-like 0.8 to 0.96. */
#define LISTED_NNZ 4096
#if defined(LEAVES_AVX512)
#define LISTED_NARROW_NNZ 0
#else
#define LISTED_NARROW_NNZ 256
#endif

static inline bool is_listed(const c_row *r)
{
    const int64_t columns = row_width(r);
    return SORTS_LISTS && columns / LISTED_COLUMNS_EACH >= r->products &&
           columns <= INT32_MAX &&
           r->predicted <=
               (is_wide(r->products, columns) ? LISTED_NNZ : LISTED_NARROW_NNZ);
}

#if defined(VALUE_IS_REAL)
/* Adds the products of the entries [begin, stop) of A's row; the list has n columns
   before, and as many as is returned then. */
static ALWAYS_INLINE int64_t list_sum(spgemm_semiring sr, const c_row *r,
                                      int64_t begin, int64_t stop, scratch *s,
                                      int64_t n)
{
    const IDX *restrict Bj = r->Bj;
    const VAL *restrict Bx = r->Bx;
    VAL *restrict sums = s->sums;
    uint32_t *restrict list = s->line_list;
    const int64_t base = r->first;
    for (int64_t t = begin; t < stop; t++) {
        const VAL a = value_a(sr, r->Ax, t);
        int64_t q;
        int64_t end;
        b_range(r, r->Aj[t], &q, &end);
#pragma GCC unroll 2
        for (; q < end; q++) {
            const uint64_t x = (uint64_t)(Bj[q] - base);
            const VAL sum = sums[x];
            list[n] = (uint32_t)x;
            n += is_untouched(sum);
            sums[x] = semiring_add(sr, sum, product(sr, a, Bx, q) + (VAL)0);
        }
    }
    return n;
}

/* A row, sorted where is_sorted. Needs a window of last - first + 1 columns. */
static ROW_OF_SEMIRING int64_t listed_row(const c_row *r, scratch *s,
                                          bool is_sorted, output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    int64_t n = 0;
    for (int64_t t = 0, stop; t < r->length; t = stop) {
        stop = step_end(r, t);
        WITH_SEMIRING(r->semiring, sr, n = list_sum(sr, r, t, stop, s, n));
    }
    if (!make_room(out, n, true, &Cj, &Cx))
        return -1;
#if SORTS_LISTS
    if (is_sorted)
        sort_by_network(s->line_list, n);
#else
    (void)is_sorted;
#endif
    for (int64_t t = 0; t < n; t++)
        Cj[t] = (IDX)(r->first + s->line_list[t]);
    take_sums(s->sums, sum_rule_of(semiring_of_row(r)), Cj, n, r->first, Cx);
    output_take(out, n);
    return n;
}
#endif

#endif
