/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of B with its rows in order, where they are in none, once C is predicted: what
   rows have in common, and long rows that are met with little else, are of use in order
   alone. Sums stay in the order of A's row.

   Measured, one thread of a Zen 4, time without the copy over time with it, of A*B and
   B*B, the diagonal of B before the other entries of its row: pwtk-like 2.6, 2.2;
   pdb-actin-dimer 2.2, 2.4; majorbasis-like 2.9, 3.3; webbase-1M-like 1.9, 2.2;
   scircuit-like 1.13, 1.16; of 19 such matrices 1.52, 1.32. Rows shuffled: 2.7, 1.4;
   1.9, 1.3; 1.0, 1.0; 2.1, 1.9; 0.98, 0.96; 1.43, 1.11. */
#include <math.h>

#include "common/checked.h"
#include "common/timer.h"
#include "common/try.h"
#include "kernels/row/limits.h"
#include "spgemm/pipeline/call.h"

/* Of C, that a copy may be which is not small anyway. */
#define SHARE_OF_C 0.5

/* Products for each entry of B from which a copy pays: where rows of C repeat others,
   further to the right; and where rows with such a share of all products are merged into
   a long row of B. */
#define SHIFT_USES  6.0
#define MERGE_USES  8.0
#define MERGE_SHARE 0.25

/* Rows that tell of that share. */
#define LOOKED_ROWS 1024

static bool has_room(const call *c, const spgemm_csr *B)
{
    const double of_C = spgemm_call_bytes_of(c, c->prediction.nnz);
    const double bytes =
        (double)B->nnz *
        (double)(spgemm_index_size(B->index_type) + spgemm_csr_element_size(B));
    return bytes <= fmax(ANY_COPY_BYTES, SHARE_OF_C * of_C) &&
           2.0 * (bytes + of_C) <= spgemm_call_bytes_left(c);
}

/* Products of the longest row of B that row i meets. */
static int64_t longest_of_row(const operands *ops, int64_t i)
{
    const bool is_wide = ops->A->index_type == SPGEMM_I64;
    const int64_t *Bp = ops->B->rowptr;
    int64_t longest = 0;
    for (int64_t p = ops->A->rowptr[i]; p < ops->A->rowptr[i + 1]; p++) {
        const int64_t k = column_at(ops->A->colidx, is_wide, p);
        longest = max_i64(longest, Bp[k + 1] - Bp[k]);
    }
    return longest;
}

static bool are_merged(const operands *ops)
{
    const int64_t nrows = ops->A->nrows;
    const int64_t looked = min_i64(nrows, LOOKED_ROWS);
    double merged = 0.0;
    double all = 0.0;
    for (int64_t t = 0; t < looked; t++) {
        const int64_t i = nrows / looked * t;
        const int64_t products = ops->products[i];
        all += (double)products;
        if (!is_short(products, ops->B->ncols) &&
            is_merged(products, longest_of_row(ops, i)))
            merged += (double)products;
    }
    return merged > MERGE_SHARE * all;
}

/* Where rows of C may be in any order, it is one that does not depend on what is
   predicted, and so not on a copy. A plan has no copy of the values that it is given. */
static bool may_sort(const call *c)
{
    const operands *ops = &c->ops;
    return !ops->b_is_sorted && ops->sort_rows && !c->is_repeated &&
           !ops->mask && ops->A->nnz >= LOOKED_ENTRIES &&
           ops->B->nnz >= LOOKED_ENTRIES;
}

static bool pays(const call *c)
{
    const operands *ops = &c->ops;
    const spgemm_csr *B = ops->B;
    const analysis *of_B = ops->A == B ? &c->of_A : &c->of_B;
    const double uses = (double)c->counts.total / (double)B->nnz;
    if (uses < SHIFT_USES || !has_room(c, B))
        return false;
    return of_B->period > 0 || (uses >= MERGE_USES && are_merged(ops)) ||
           spgemm_takes_bitmaps(ops->A, B, c->kernels, false, false);
}

spgemm_status spgemm_call_sort_b(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr from = *c->ops.B;
    if (!may_sort(c) || !pays(c))
        return status;
    if (c->ops.value_size == 0)
        from.values = NULL;
    SPGEMM_TRY(spgemm_csr_copy_sorted(&c->sorted, &from,
                                      c->options.resources.nthreads, &c->m));
    c->report.operands_seconds += timer_lap(&c->lap_seconds);
    if (!(c->sorted.flags & SPGEMM_SORTED_ROWS)) { /* B has duplicates */
        spgemm_csr_copy_clear(&c->sorted, &c->m);
        return status;
    }
    c->ops.B = &c->sorted;
    SPGEMM_TRY(spgemm_call_analyze(c));

cleanup:
    return status;
}
