/* SPDX-License-Identifier: BSD-3-Clause */
/* Row k of W is made for the first row of R that has column k or a larger one,
   and needed to the last that has k or a smaller one. */
#include "spgemm/rap_plan.h"

#include "common/checked.h"
#include "matrix/csr.h"

/* The least column of row i, and the largest and one; nothing: INT64_MAX, 0. */
static void row_columns(const spgemm_csr *R, int64_t i, int64_t *first,
                        int64_t *end)
{
    const bool is_wide = R->index_type == SPGEMM_I64;
    const int64_t begin = R->rowptr[i];
    const int64_t length = R->rowptr[i + 1] - begin;
    const bool is_sorted = R->flags & SPGEMM_SORTED_ROWS;
    const int64_t step = is_sorted ? max_i64(1, length - 1) : 1;
    *first = INT64_MAX;
    *end = 0;
    for (int64_t t = 0; t < length; t += step) {
        const int64_t k = column_at(R->colidx, is_wide, begin + t);
        *first = min_i64(*first, k);
        *end = max_i64(*end, k + 1);
    }
}

static void find_least(rap_plan *p)
{
    const spgemm_csr *R = p->R;
    int64_t end;
    p->least[R->nrows] = R->ncols;
    for (int64_t i = R->nrows - 1; i >= 0; i--) {
        row_columns(R, i, &p->least[i], &end);
        p->least[i] = min_i64(p->least[i], p->least[i + 1]);
    }
}

static void find_widest(rap_plan *p)
{
    const spgemm_csr *R = p->R;
    const int64_t *products = p->of_W->row;
    int64_t begin = 0;
    int64_t end = 0;
    int64_t sum = 0;
    for (int64_t i = 0; i < R->nrows; i++) {
        int64_t first;
        int64_t row_end;
        row_columns(R, i, &first, &row_end);
        for (; end < row_end; end++)
            sum += products[end];
        for (; begin < p->least[i]; begin++)
            sum -= begin < end ? products[begin] : 0;
        end = max_i64(end, begin);
        p->widest = max_i64(p->widest, sum);
    }
}

spgemm_status spgemm_rap_plan_make(rap_plan *p, const spgemm_csr *R,
                                   const product_counts *of_W, memory *m)
{
    *p = (rap_plan){.R = R, .of_W = of_W};
    p->least = spgemm_memory_allocate(m, R->nrows + 1, sizeof *p->least);
    if (!p->least)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    find_least(p);
    find_widest(p);
    return SPGEMM_SUCCESS;
}

void spgemm_rap_plan_next(const rap_plan *p, rap_slab *s)
{
    const spgemm_csr *R = p->R;
    const int64_t *products = p->of_W->row;
    int64_t i = s->row_end;
    int64_t sum = 0;
    s->row_begin = i;
    s->begin = p->least[i];
    s->end = max_i64(s->begin, s->end);
    for (int64_t k = s->begin; k < s->end; k++)
        sum += products[k];
    for (; i < R->nrows; i++) {
        int64_t first;
        int64_t end;
        row_columns(R, i, &first, &end);
        for (int64_t k = s->end; k < end; k++)
            sum += products[k];
        if (i > s->row_begin && sum > p->most)
            break;
        s->end = max_i64(s->end, end);
    }
    s->row_end = i;
}

void spgemm_rap_plan_clear(rap_plan *p, memory *m)
{
    spgemm_memory_release(m, p->least, p->R ? p->R->nrows + 1 : 0,
                          sizeof *p->least);
}
