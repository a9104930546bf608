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

static ALWAYS_INLINE void few_columns_begin(few_columns *row)
{
    row->columns = _mm512_set1_epi32(-1);
    for (int w = 0; w < ESC_PARTS; w++)
        row->sums[w] = ESC_OP(setzero)();
    row->n = 0;
}

/* Adds a term of column j. false: that would be one more. */
static ALWAYS_INLINE bool few_columns_add(spgemm_semiring sr, few_columns *row,
                                          IDX j, VAL value)
{
    const __m512i column = _mm512_set1_epi32(j);
    const esc_terms term = ESC_OP(set1)(value);
    __mmask16 here = _mm512_cmpeq_epi32_mask(row->columns, column);
    (void)sr;
    if (here == 0) {
        if (row->n == FEW_COLUMNS)
            return false;
        here = (__mmask16)(1u << row->n++);
        row->columns = _mm512_mask_mov_epi32(row->columns, here, column);
    }
    for (int w = 0; w < ESC_PARTS; w++)
        row->sums[w] =
            ESC_OP(mask_add)(row->sums[w], (esc_mask)(here >> ESC_WIDTH * w),
                             row->sums[w], term);
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
