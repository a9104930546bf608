/* SPDX-License-Identifier: BSD-3-Clause */
/* The prediction: what of it is exact must be, the rest within its bounds. */
#include <math.h>
#include <string.h>

#include "arena.h"
#include "build_csr.h"
#include "reference_form.h"
#include "run.h"

/* The pattern of op(A)(rows, :) op(B)(:, cols), as counts of products, where a
   mask lets it pass. */
static spgemm_csr count_products(const crossing *x,
                                 const spgemm_filter_options *filter)
{
    const spgemm_options *o = &x->args->options;
    const spgemm_options counting = {.product.semiring = SPGEMM_PLUS_PAIR,
                                     .product.op_a = o->product.op_a,
                                     .product.op_b = o->product.op_b,
                                     .product.rows = o->product.rows,
                                     .product.nrows = o->product.nrows,
                                     .product.cols = o->product.cols,
                                     .product.ncols = o->product.ncols,
                                     .filter.mask = filter->mask,
                                     .filter.mask_mode = filter->mask_mode};
    spgemm_csr A = *x->A;
    spgemm_csr B = *x->B;
    A.value_type = B.value_type = SPGEMM_FP64;
    A.values = B.values = NULL;
    return reference_form(&A, &B, &counting);
}

static bool is_dropping(const spgemm_options *o)
{
    return o->filter.drop_zeros || o->filter.drop_tolerance != 0 ||
           o->filter.keep_top != 0;
}

/* nnz of C as it will be. */
static int64_t count_kept(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    spgemm_csr C = is_dropping(o) ? reference_form(x->A, x->B, o)
                                  : count_products(x, &o->filter);
    const int64_t nnz = C.rowptr[C.nrows];
    free_csr(&C);
    return nnz;
}

/* What is known of a row, and of all. */
typedef struct truth {
    double products;
    double bound;
} truth;

static truth truth_of_row(const spgemm_csr *counts, int64_t i)
{
    truth row = {0};
    for (int64_t p = counts->rowptr[i]; p < counts->rowptr[i + 1]; p++)
        row.products += value_of(counts, p);
    row.bound = fmin(row.products, (double)counts->ncols);
    return row;
}

static bool are_right_rows(crossing *x, const spgemm_csr *counts,
                           const double *row_nnz)
{
    const int64_t top = x->args->options.filter.keep_top;
    for (int64_t i = 0; i < counts->nrows; i++) {
        truth row = truth_of_row(counts, i);
        if (top > 0)
            row.bound = fmin(row.bound, (double)top);
        if (!(row_nnz[i] >= 0 && row_nnz[i] <= row.bound))
            return cross_fails(x, "row_nnz", "%g of row %lld, bound %g",
                               row_nnz[i], (long long)i, row.bound);
    }
    return true;
}

static bool is_right(crossing *x, const spgemm_csr *counts,
                     const spgemm_prediction *p, const double *row_nnz)
{
    const spgemm_options *o = &x->args->options;
    const int64_t nnz = count_kept(x);
    truth all = {0};
    for (int64_t i = 0; i < counts->nrows; i++) {
        const truth row = truth_of_row(counts, i);
        all.products += row.products;
        all.bound += row.bound;
    }
    if ((double)p->products != all.products)
        return cross_fails(x, "products", "%lld, not %g",
                           (long long)p->products, all.products);
    if (o->filter.mask || is_dropping(o)
            ? (double)p->bound > all.bound || p->bound < nnz
            : (double)p->bound != all.bound)
        return cross_fails(x, "bound", "%lld, not %g", (long long)p->bound,
                           all.bound);
    if (!(p->nnz >= 0 && p->nnz <= (double)p->bound))
        return cross_fails(x, "nnz predicted", "%g, bound %g, by %d", p->nnz,
                           (double)p->bound, (int)p->predictor);
    if (p->predictor == SPGEMM_PREDICTOR_PRECISE && p->standard_error != 0)
        return cross_fails(x, "standard error", "%g of what was counted",
                           p->standard_error);
    if (p->standard_error == 0 && p->nnz != (double)nnz)
        return cross_fails(x, "standard error", "0, %g predicted, %lld, by %d",
                           p->nnz, (long long)nnz, (int)p->predictor);
    if (p->standard_error < 0)
        return cross_fails(x, "standard error", "%g", p->standard_error);
    return !row_nnz || are_right_rows(x, counts, row_nnz);
}

void run_predict(crossing *x, const causes *c, const spgemm_csr *want, tally *t)
{
    spgemm_prediction prediction;
    double *row_nnz = NULL;
    (void)want;
    memset(&prediction, 0x3c, sizeof prediction);
    if (!c->must && one_in(&x->dice, 2))
        row_nnz = arena_take_output((size_t)product_nrows(x) * sizeof *row_nnz);
    const before b = expect_begin(x);
    const spgemm_status status =
        spgemm_predict(x->wrong_output == 1 ? NULL : &prediction, x->A, x->B,
                       options_of(x), row_nnz);
    tally_call(t, x, status, NULL);
    if (!expect_status(x, c, status, &b))
        return;
    if (x->wrong_output != 1)
        expect_reason(x, status, prediction.refusal);
    if (x->wrong || status < 0)
        return;
    if (x->heap->live != b.live)
        cross_fails(x, "leak", "%ld blocks", x->heap->live - b.live);
    spgemm_csr counts = count_products(x, &(spgemm_filter_options){0});
    is_right(x, &counts, &prediction, row_nnz);
    free_csr(&counts);
}
