/* SPDX-License-Identifier: BSD-3-Clause */
/* The same as accumulators/esc_avx512.h, on any machine and for any type: by the
   ranks of the columns. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ESC_RANK_H
#define SPGEMM_KERNELS_ACCUMULATORS_ESC_RANK_H

#include "kernels/accumulators/ranked.h"
#include "kernels/row/row.h"
#include "kernels/simd/four.h"

_Static_assert(SHORT_PRODUCTS <= RANK_MOST && SHORT_COLUMNS <= INT32_MAX,
               "ranks are found of 32 bits");

/* Rows of up to so many products are ranked whatever their columns, longer ones
   if they have so many columns that their window leaves the nearest cache. Ranks
   cost the square of the products over RANK_LANES, half of that where columns are
   near. Measured, time in windows over time by ranks: in vectors of four, one thread of
   a Zen 3, rows of 33 products of meshes 1.27 to 1.31, of 36 in 32 columns 1.05 to
   1.09, of 49 in 44 0.93, of 64 in 120 1.00; in vectors of eight, min_plus, 1.46 to
   1.55, 1.45, 1.24 and 1.31. Of semirings that share a kernel, in vectors of sixteen
   of a Zen 4, none of them near, of 51 in 91 columns 0.79, of 47 in 61,808 1.15. */
#if RANK_LANES == 4
#define ESC_SURE 48
#elif RANK_LANES == 8 || defined(SEMIRING)
#define ESC_SURE SHORT_PRODUCTS
#else
#define ESC_SURE 32
#endif
#define ESC_COLUMNS ((int64_t)1 << 14)

/* a times four values of B. What is no vector of the compiler's goes out one by one:
   stored as one from memory it waits for its parts. */
static ALWAYS_INLINE void esc_multiply_four(spgemm_semiring sr, VAL a,
                                            const VAL *Bx, VAL *terms)
{
#if defined(FOUR_ARRAY)
    for (int t = 0; t < 4; t++)
        terms[t] = product(sr, a, Bx, t);
#else
    const four b = reads_b(sr) ? four_load(Bx) : four_of(0, 0, 0, 0);
    four_store(terms, four_product(sr, four_of(a, a, a, a), b));
#endif
}

/* Four entries of B as products with a, or the last of B, fewer. */
static ALWAYS_INLINE void esc_gather_four(spgemm_semiring sr, VAL a,
                                          const IDX *Bj, const VAL *Bx,
                                          int64_t left, bool is_numeric,
                                          int32_t *columns, VAL *terms)
{
    if (LIKELY(left >= 4)) {
        if (sizeof(IDX) == sizeof(int32_t))
            memcpy(columns, Bj, 4 * sizeof(int32_t));
        else
            for (int t = 0; t < 4; t++)
                columns[t] = (int32_t)Bj[t];
        if (is_numeric && HAS_VALUES)
            esc_multiply_four(sr, a, Bx, terms);
        return;
    }
    for (int64_t t = 0; t < left; t++) {
        columns[t] = (int32_t)Bj[t];
        if (is_numeric && HAS_VALUES)
            terms[t] = product(sr, a, Bx, t);
    }
}

/* The columns of all products of A's entries [begin, end), side by side, and
   their terms. Up to four more are written: no branch asks for rows of B that are
   empty, which among short ones is foreseen badly. */
static ALWAYS_INLINE void esc_gather(spgemm_semiring sr, const operands *ops,
                                     int64_t begin, int64_t end,
                                     bool is_numeric, int32_t *columns,
                                     VAL *terms)
{
    const spgemm_csr *B = ops->B;
    const int64_t *Bp = B->rowptr;
    const IDX *Bj = B->colidx;
    const VAL *Bx = B->values;
    const IDX *Aj = ops->A->colidx;
    const VAL *Ax = ops->A->values;
    for (int64_t p = begin; p < end; p++) {
        const int64_t q = Bp[Aj[p]];
        const int64_t length = Bp[Aj[p] + 1] - q;
        const VAL a = is_numeric ? value_a(sr, Ax, p) : (VAL)0;
        int64_t u = 0;
        do {
            esc_gather_four(sr, a, Bj + q + u, reads_b(sr) ? Bx + q + u : NULL,
                            B->nnz - q - u, is_numeric, columns + u,
                            HAS_VALUES ? terms + u : NULL);
            u += 4;
        } while (u < length);
        columns += length;
        if (HAS_VALUES && is_numeric)
            terms += length;
    }
}

/* Products of rows that may be ranked as one. */
#define ESC_JOINED RANK_FEW
_Static_assert(ESC_TOGETHER *SHORT_COLUMNS <= INT32_MAX, "keys have a sign");

typedef struct esc_sorted {
    const int32_t *columns;
    int64_t rows;
    int64_t products; /* of all rows */
    int32_t ranks[SHORT_PRODUCTS + RANK_LANES];
} esc_sorted;

/* Ranks the columns of a group of at most RANK_FEW products. */
static ALWAYS_INLINE void esc_sort_few(const int32_t *columns,
                                       const int64_t *products,
                                       const esc_group *group, esc_sorted *row)
{
    int32_t keys[RANK_FEW + RANK_LANES];
    for (int v = 0; v < RANK_FEW; v += RANK_LANES) {
        rank_vector number = {0};
        int64_t begin = 0;
        for (int64_t t = 0; t + 1 < group->rows; t++) {
            begin += products[t];
            number -= rank_lanes(v) >= (int32_t)begin;
        }
        /* Any bits may lie behind the group: they do not add up. */
        rank_store(keys + v,
                   rank_load(columns + v, true) |
                       number * (int32_t)SHORT_COLUMNS,
                   true);
    }
    rank_few(keys, group->products, row->ranks);
}

typedef struct esc_sorted_groups {
    esc_sorted group[ESC_ABREAST];
} esc_sorted_groups;

/* Ranks the columns, of B's `last` at most, of groups of 1 to 64 each; whole vectors of
   them are read. */
static ALWAYS_INLINE void esc_sort(const int32_t *columns,
                                   const int64_t *products,
                                   const esc_group *groups, int64_t count,
                                   int32_t last, esc_sorted_groups *sorted)
{
    for (int64_t g = 0; g < count; g++) {
        esc_sorted *row = &sorted->group[g];
        row->columns = columns;
        row->rows = groups[g].rows;
        row->products = groups[g].products;
        if (groups[g].products <= RANK_FEW)
            esc_sort_few(columns, products, &groups[g], row);
        else
            rank_keys(columns, groups[g].products, last, row->ranks);
        columns += groups[g].products;
        products += groups[g].rows;
    }
}

/* Of one row. */
static ALWAYS_INLINE int64_t esc_sorted_nnz(const esc_sorted *row)
{
    uint64_t taken = 0;
    for (int64_t t = 0; t < row->products; t++)
        taken |= (uint64_t)1 << row->ranks[t];
    return __builtin_popcountll(taken);
}

/* Which of RANK_FEW columns there are: not those that are -1. */
static ALWAYS_INLINE unsigned esc_taken(const int32_t *columns)
{
    unsigned taken = 0;
#if defined(RANKED_PACKS)
    for (unsigned t = 0; t < RANK_FEW; t += RANKED_FOUR)
        taken |= four_not_negative(columns + t) << t;
#else
    for (unsigned t = 0; t < RANK_FEW; t++)
        taken |= (unsigned)(columns[t] >= 0) << t;
#endif
    return taken;
}

/* esc_write() of at most RANK_FEW products, whose RANK_FEW places may be written. */
static ALWAYS_INLINE int64_t esc_write_few(spgemm_semiring sr,
                                           const esc_sorted *row,
                                           const int64_t *products,
                                           const VAL *terms, IDX *Cj, VAL *Cx,
                                           int64_t *nnz)
{
    int32_t there[RANK_FEW + RANK_LANES];
    int32_t columns[RANK_FEW];
    VAL sums[RANK_FEW];
    for (int t = 0; t < RANK_FEW; t += RANK_LANES)
        rank_store(there + t,
                   rank_load(row->columns + t, true) |
                       (rank_lanes(t) >= (int32_t)row->products),
                   true);
    ranked_clear(zero_of(sr), RANK_FEW, columns, sums);
    ranked_add(sr, row->ranks, there, row->products, terms, columns, sums);
    const int64_t n = ranked_move(columns, sums, RANK_FEW, Cj, Cx);
    if (row->rows > 1)
        esc_count_rows(esc_taken(columns), products, row->rows, nnz);
    else
        *nnz = n;
    return n;
}

/* The entries of ranked rows, of these terms in the order of arrival, and the nnz of
   each. Returns the sum; up to `room` places may be written. */
static ALWAYS_INLINE int64_t esc_write(spgemm_semiring sr,
                                       const esc_sorted *row,
                                       const int64_t *products,
                                       const VAL *terms, int64_t room, IDX *Cj,
                                       VAL *Cx, int64_t *nnz)
{
    if (row->products > RANK_FEW)
        return *nnz = ranked_write(
                   sr, &(ranked){row->columns, row->products, row->ranks},
                   terms, room, Cj, Cx);
    if (LIKELY(room >= RANK_FEW))
        return esc_write_few(sr, row, products, terms, Cj, Cx, nnz);
    IDX columns[RANK_FEW + RANKED_FOUR];
    VAL values[RANK_FEW + RANKED_FOUR];
    const int64_t n =
        esc_write_few(sr, row, products, terms, columns, values, nnz);
    memcpy(Cj, columns, (size_t)n * sizeof *Cj);
    if (HAS_VALUES)
        memcpy(Cx, values, (size_t)n * sizeof *Cx);
    return n;
}

#endif
