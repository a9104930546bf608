/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a row of few, and their sums, as lanes of registers of AVX-512: doubles
   or floats. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_FEW_COLUMNS_AVX512_H
#define SPGEMM_KERNELS_ACCUMULATORS_FEW_COLUMNS_AVX512_H

#include "kernels/accumulators/esc_products.h"

/* Columns in the order in which they are met, and their sums. */
typedef struct few_columns {
    __m512i columns; /* -1: none */
    esc_terms sums[ESC_PARTS];
    unsigned n;
} few_columns;

/* Of row i. false: there are more. */
static ALWAYS_INLINE bool few_columns_sum(spgemm_semiring sr,
                                          const operands *ops, int64_t i,
                                          few_columns *row)
{
    const spgemm_csr *B = ops->B;
    const bool has_one_each = operands_b_has_one_each(ops);
    const IDX *Aj = ops->A->colidx;
    const IDX *Bj = B->colidx;
    const esc_value *Ax = ops->A->values;
    const esc_value *Bx = B->values;
    few_columns found = {.columns = _mm512_set1_epi32(-1)};
    (void)sr;
    for (int64_t p = ops->A->rowptr[i]; p < ops->A->rowptr[i + 1]; p++) {
        int64_t q;
        if (!few_columns_at(B, has_one_each, Aj[p], &q))
            continue;
        const __m512i column = _mm512_set1_epi32(Bj[q]);
        const esc_terms term = ESC_OP(set1)(Ax[p] * Bx[q]);
        __mmask16 here = _mm512_cmpeq_epi32_mask(found.columns, column);
        if (here == 0) {
            if (found.n == FEW_COLUMNS)
                return false;
            here = (__mmask16)(1u << found.n++);
            found.columns = _mm512_mask_mov_epi32(found.columns, here, column);
        }
        for (int w = 0; w < ESC_PARTS; w++)
            found.sums[w] = ESC_OP(mask_add)(found.sums[w],
                                             (esc_mask)(here >> ESC_WIDTH * w),
                                             found.sums[w], term);
    }
    *row = found;
    return true;
}

/* In the order of the columns. */
static ALWAYS_INLINE void few_columns_write(const few_columns *row, IDX *Cj,
                                            VAL *Cx)
{
    esc_value *values = (void *)Cx;
    const unsigned used = (1u << row->n) - 1;
    __m512i keys = row->columns;
    esc_number(&keys, 1, used);
    keys = sort16(keys);
    _mm512_mask_storeu_epi32(Cj, (__mmask16)used, esc_columns(keys, 1));
    for (int w = 0; w < ESC_PARTS; w++) {
        const esc_mask some = (esc_mask)(used >> ESC_WIDTH * w);
        ESC_OP(mask_storeu)
        (values + ESC_WIDTH * w, some, esc_pick(row->sums, 1, keys, w));
    }
}

#endif
