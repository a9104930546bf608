/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) of some dozens of products, on any machine and for any type: each product is
   added to the sum at its column's rank among all of them, and the sums that there are
   then move up. Nothing depends on which they are but what is written where: no branch
   asks. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_RANKED_H
#define SPGEMM_KERNELS_ACCUMULATORS_RANKED_H

#include "kernels/row/row.h"
#include "kernels/simd/rank.h"
#if defined(__AVX2__)
#include "kernels/simd/store_taken_avx2.h"
#endif

/* A row, and where its products belong. */
typedef struct ranked {
    const int32_t *columns;
    int64_t products; /* at most RANK_MOST */
    const int32_t *ranks;
} ranked;

/* No column and no sum at the first `places`. */
static ALWAYS_INLINE void ranked_clear(VAL zero, int places, int32_t *columns,
                                       VAL *sums)
{
    for (int t = 0; t < places; t++)
        columns[t] = -1;
    for (int t = 0; HAS_VALUES && t < places; t++)
        sums[t] = zero;
}

/* Each product's column to the place of its rank, where its term is added. How often is
   foreseen better where it is by RANK_STEP: the columns and terms that lie behind the
   last product go to places behind it, one each, where nothing stays. */
static ROW_OF_SEMIRING void
ranked_add(spgemm_semiring which, const int32_t *restrict ranks,
           const int32_t *restrict from, int64_t products,
           const VAL *restrict terms, int32_t *restrict columns,
           VAL *restrict sums)
{
    WITH_SEMIRING(which, sr, {
        for (int64_t t = 0; t < products; t += RANK_STEP)
            for (int u = 0; u < RANK_STEP; u++) {
                const uint32_t rank = (uint32_t)ranks[t + u];
                columns[rank] = from[t + u];
                if (HAS_VALUES)
                    sums[rank] = semiring_add(sr, sums[rank], terms[t + u]);
            }
    });
}

/* Where four sums can be moved at once. */
#if defined(__AVX2__) && !defined(VALUE_IS_c64) && !defined(VALUE_IS_bool)
#define RANKED_PACKS
#endif

/* The sums that are there of the first `products` ranks, side by side; returns
   their number. Places are written by RANKED_FOUR. Behind the last rank, up to a
   multiple of RANKED_FOUR, there is none. */
#define RANKED_FOUR 4
static inline int64_t ranked_move(const int32_t *columns, const VAL *sums,
                                  int64_t products, IDX *restrict Cj,
                                  VAL *restrict Cx)
{
    int64_t n = 0;
#if defined(RANKED_PACKS)
    for (int64_t t = 0; t < products; t += RANKED_FOUR) {
        const unsigned taken = four_not_negative(columns + t);
        store_taken(Cj + n, columns + t, sizeof *columns, taken);
        if (HAS_VALUES)
            store_taken(Cx + n, sums + t, sizeof *sums, taken);
        n += __builtin_popcount(taken);
    }
#else
    for (int64_t t = 0; t < products; t++) {
        Cj[n] = (IDX)columns[t];
        if (HAS_VALUES)
            Cx[n] = sums[t];
        n += columns[t] >= 0;
    }
#endif
    return n;
}

/* The entries of a row, of these terms in the order of arrival; as many places
   are written as it has products, and up to a multiple of RANKED_FOUR. Returns their
   number. */
static ALWAYS_INLINE int64_t ranked_write_all(spgemm_semiring sr,
                                              const ranked *row,
                                              const VAL *restrict terms,
                                              IDX *restrict Cj,
                                              VAL *restrict Cx)
{
    int32_t columns[RANK_MOST + 8];
    VAL sums[RANK_MOST + 8];
    const VAL zero = zero_of(sr);
    for (int64_t t = 0; t < row->products + RANK_STEP; t += 8)
        ranked_clear(zero, 8, columns + t, sums + t);
    ranked_add(sr, row->ranks, row->columns, row->products, terms, columns,
               sums);
    memset(columns + row->products, 0xff, RANK_STEP * sizeof *columns);
    return ranked_move(columns, sums, row->products, Cj, Cx);
}

/* The same, where up to `room` places may be written. */
static ALWAYS_INLINE int64_t ranked_write(spgemm_semiring sr, const ranked *row,
                                          const VAL *terms, int64_t room,
                                          IDX *Cj, VAL *Cx)
{
    if (LIKELY(row->products + RANKED_FOUR - 1 <= room))
        return ranked_write_all(sr, row, terms, Cj, Cx);
    IDX columns[RANK_MOST];
    VAL values[RANK_MOST];
    const int64_t n = ranked_write_all(sr, row, terms, columns, values);
    memcpy(Cj, columns, (size_t)n * sizeof *Cj);
    if (HAS_VALUES)
        memcpy(Cx, values, (size_t)n * sizeof *Cx);
    return n;
}

#endif
