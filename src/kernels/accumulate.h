/* SPDX-License-Identifier: BSD-3-Clause */
/* One row of C, or some of one pattern, by the first accumulator of the table
   that takes it. */
#ifndef SPGEMM_KERNELS_ACCUMULATE_H
#define SPGEMM_KERNELS_ACCUMULATE_H

#include "kernels/accumulators/table.h"

static inline spgemm_accumulator choose_accumulator(const c_row *r,
                                                    const operands *ops)
{
#define TAKES(which, name, together)                                           \
    if (name##_takes(r, ops))                                                  \
        return which;
    ACCUMULATORS(TAKES)
#undef TAKES
    return SPGEMM_ACCUMULATOR_HASH;
}

/* Rows of one pattern that are taken together, at most. */
static inline int most_rows_together(const operands *ops,
                                     spgemm_accumulator chosen)
{
    switch (chosen) {
#define TOGETHER(which, name, together)                                        \
    case which:                                                                \
        return together;
        ACCUMULATORS(TOGETHER)
#undef TOGETHER
    default:
        return 1;
    }
}

/* nnz of a row that has products, or of each of `rows` rows of its columns,
   their entries to `out` when numeric; -1: no memory. */
static ALWAYS_INLINE int64_t accumulate_rows(const c_row *r,
                                             const operands *ops,
                                             spgemm_accumulator chosen,
                                             int rows, scratch *s,
                                             bool is_numeric, output *out)
{
    if (r->is_counted)
        s->rows_by_accumulator[chosen] += rows;
    switch (chosen) {
#define SUM(which, name, together)                                             \
    case which:                                                                \
        return name##_sum_rows(r, ops, rows, s, is_numeric, out);
        ACCUMULATORS(SUM)
#undef SUM
    default:
        SPGEMM_ASSERT(false);
        return -1;
    }
}

#endif
