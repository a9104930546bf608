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

/* Rank t is the first of a column: it has a sum. */
static inline void ranked_place_columns(const ranked *row, int32_t *columns)
{
    for (int64_t t = 0; t < row->products; t += 8)
        for (int u = 0; u < 8; u++)
            columns[t + u] = -1;
    for (int64_t t = 0; t < row->products; t++)
        columns[row->ranks[t]] = row->columns[t];
}

static inline int64_t ranked_nnz(const ranked *row)
{
    int32_t columns[RANK_MOST];
    int64_t n = 0;
    ranked_place_columns(row, columns);
    for (int64_t t = 0; t < row->products; t++)
        n += columns[t] >= 0;
    return n;
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

/* Adds each term to the sum at its rank. */
static ROW_OF_SEMIRING void
ranked_add(spgemm_semiring which, const int32_t *restrict ranks,
           int64_t products, const VAL *restrict terms, VAL *restrict sums)
{
    WITH_SEMIRING(which, sr, {
        for (int64_t t = 0; t < products; t++) {
            VAL *sum = &sums[ranks[t]];
            *sum = semiring_add(sr, *sum, terms[t]);
        }
    });
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
    int32_t columns[RANK_MOST];
    VAL sums[RANK_MOST];
    ranked_place_columns(row, columns);
    const VAL zero = zero_of(sr);
    for (int64_t t = 0; HAS_VALUES && t < row->products; t += 8)
        for (int u = 0; u < 8; u++)
            sums[t + u] = zero;
    if (HAS_VALUES)
        ranked_add(sr, row->ranks, row->products, terms, sums);
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
