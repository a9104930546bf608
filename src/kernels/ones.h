/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = 1 wherever products meet: C's pattern, by kernels that read no values,
   and ones of its type. */
#ifndef SPGEMM_KERNELS_ONES_H
#define SPGEMM_KERNELS_ONES_H

#include "kernels/rows.h"
#include "values/traits.h"

static bool ones(const operands *ops, const row_range *range, scratch *s,
                 output *out)
{
    const chunk *last = out->last;
    const int64_t used = out->used;
    if (!numeric(ops, range, s, out))
        return false;
    spgemm_output_fill(out, last, used,
                       spgemm_value_traits(ops->A->value_type)->one,
                       ops->value_size);
    return true;
}

static bool refill_ones(const operands *ops, const row_range *range, scratch *s,
                        const spgemm_csr *C, const product_places *placed,
                        void *values, int64_t *row_nnz)
{
    const int64_t *Cp = C->rowptr;
    (void)s;
    (void)placed;
    (void)row_nnz;
    spgemm_fill_values(values, 0, Cp[range->row_end] - Cp[range->row_begin],
                       spgemm_value_traits(ops->A->value_type)->one,
                       ops->value_size);
    return true;
}

#endif
