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
   cost the square of the products over RANK_LANES. Measured in vectors of four,
   one thread of a Zen 4, ms without, with 24 and 32: delaunay 300k 70.0, 69.7,
   71.8; scircuit-like 47.4, 48.1, 50.0; mario002-like 166, 97, 96; with 2000
   columns mac_econ_fwd500-like 40.9 for 42.7, scircuit-like 50.0 for 48.1. In
   vectors of eight all rows are: mac_econ_fwd500-like 40.4, 38.3. */
#define ESC_SURE    (RANK_LANES == 4 ? 24 : SHORT_PRODUCTS)
#define ESC_COLUMNS ((int64_t)1 << 14)

/* Entries [u, u + 4) of B as products with a, of which those behind the last of
   B are left out. */
static ALWAYS_INLINE void esc_gather_four(spgemm_semiring sr,
                                          const spgemm_csr *B, int64_t u, VAL a,
                                          bool is_numeric, int32_t *columns,
                                          VAL *terms)
{
    const IDX *Bj = (const IDX *)B->colidx + u;
    const VAL *Bx = reads_b(sr) ? (const VAL *)B->values + u : NULL;
    if (LIKELY(u + 4 <= B->nnz)) {
        for (int t = 0; t < 4; t++)
            columns[t] = (int32_t)Bj[t];
        if (is_numeric && HAS_VALUES) {
            const four b = reads_b(sr) ? four_load(Bx) : four_of(0, 0, 0, 0);
            four_store(terms, four_product(sr, four_of(a, a, a, a), b));
        }
        return;
    }
    for (int64_t t = 0; t < B->nnz - u; t++) {
        columns[t] = (int32_t)Bj[t];
        if (is_numeric && HAS_VALUES)
            terms[t] = product(sr, a, Bx, t);
    }
}

/* The columns of all products of A's entries [begin, end), side by side, and
   their terms. Up to three more are written. */
static ALWAYS_INLINE void esc_gather(spgemm_semiring sr, const operands *ops,
                                     int64_t begin, int64_t end,
                                     bool is_numeric, int32_t *columns,
                                     VAL *terms)
{
    const spgemm_csr *B = ops->B;
    const IDX *Aj = ops->A->colidx;
    const VAL *Ax = ops->A->values;
    int64_t n = 0;
    for (int64_t p = begin; p < end; p++) {
        const int64_t q = B->rowptr[Aj[p]];
        const int64_t length = B->rowptr[Aj[p] + 1] - q;
        const VAL a = is_numeric ? value_a(sr, Ax, p) : (VAL)0;
        for (int64_t u = 0; u < length; u += 4)
            esc_gather_four(sr, B, q + u, a, is_numeric, columns + n + u,
                            HAS_VALUES ? terms + n + u : NULL);
        n += length;
    }
}

typedef struct esc_sorted {
    const int32_t *columns;
    int64_t products;
    int32_t ranks[SHORT_PRODUCTS];
} esc_sorted;

/* Ranks the columns of a row, 1 to 64; whole vectors of them are read. */
static ALWAYS_INLINE void esc_sort(const int32_t *columns, int64_t products,
                                   esc_sorted *row)
{
    row->columns = columns;
    row->products = products;
    rank_keys(columns, products, row->ranks);
}

static ALWAYS_INLINE int64_t esc_sorted_nnz(const esc_sorted *row)
{
    return ranked_nnz(&(ranked){row->columns, row->products, row->ranks});
}

static ALWAYS_INLINE int64_t esc_write(spgemm_semiring sr,
                                       const esc_sorted *row, const VAL *terms,
                                       int64_t room, IDX *Cj, VAL *Cx)
{
    return ranked_write(sr, &(ranked){row->columns, row->products, row->ranks},
                        terms, room, Cj, Cx);
}

#endif
