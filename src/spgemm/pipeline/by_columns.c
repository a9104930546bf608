/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the rows of a C that is masked are dot products, C(i,j) = A(i,:) B(:,j), and B
   by columns for them: op(B)' as it was given, where op(B) then needs no entries, or a
   copy that is transposed.

   A product that the mask lets not pass is summed by nobody then; for each entry of the
   mask a column of B is looked up in A's row, or A's row in the column. Which of both is
   more work some rows tell. */
#include <math.h>

#include "common/checked.h"
#include "common/timer.h"
#include "common/try.h"
#include "kernels/row/limits.h"
#include "semiring/semiring.h"
#include "spgemm/pipeline/call.h"

/* Entries of A and of the mask that tell what all cost, about, no more than one of so
   many rows, and no fewer rows than these. */
#define LOOKED     32768
#define LEAST_STEP 8
#define LEAST_ROWS 16

/* Costs, in units of a product that is looked up in the mask: of one where B is taken as
   bitmap rows, and of a row then, which is finished in a buffer; of an entry of A; of a
   dot product's entry that is looked up, of the product itself, and of an entry of A made
   ready for a row's; of an entry transposed. Measured, one thread of a Zen 3, C<A> = A*A
   by plus_pair and C<M> = A*A' of a mask at random, 28 graphs and meshes: a unit is some
   3 ns. */
#define BITMAP_COST     0.25
#define BITMAP_ROW_COST 10.0
#define ENTRY_COST      2.0
#define LOOKUP_COST     0.5
#define DOT_COST        6.0
#define READY_COST      1.0
#define TRANSPOSE_COST  4.0

/* The functions of a semiring of the caller add products as they come. */
static bool may_be_dots(const call *c)
{
    return call_is_masked(c) && !c->is_repeated &&
           c->options.product.semiring != SPGEMM_USER;
}

/* Predictors that read of B the rows that are met; others read all. */
bool spgemm_call_reads_met_rows(const call *c)
{
    const spgemm_predictor method = c->options.predict.method;
    return method == SPGEMM_PREDICTOR_AUTO ||
           method == SPGEMM_PREDICTOR_STRATIFIED ||
           method == SPGEMM_PREDICTOR_PRECISE ||
           method == SPGEMM_PREDICTOR_UPPER_BOUND;
}

bool spgemm_call_may_count_b(const call *c, const entry_point *self)
{
    return may_be_dots(c) && !c->options.product.D &&
           spgemm_call_reads_met_rows(c) && !self->b_is_to_come;
}

/* Entries that are read of two rows of these lengths, where the longer may be searched. */
static double met(int64_t looked_up, int64_t among)
{
    return (double)min_i64(looked_up, MASK_SEARCH * among);
}

/* Whether the columns of row i of A and those of row j of by_columns, neither empty, are
   apart. */
static bool are_apart(const operands *ops, const spgemm_csr *by_columns,
                      int64_t i, int64_t j)
{
    const spgemm_csr *A = ops->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    if (!by_columns || !by_columns->colidx)
        return false;
    const int64_t begin = by_columns->rowptr[j];
    const int64_t end = by_columns->rowptr[j + 1];
    return column_at(by_columns->colidx, is_wide, begin) >
               column_at(A->colidx, is_wide, A->rowptr[i + 1] - 1) ||
           column_at(by_columns->colidx, is_wide, end - 1) <
               column_at(A->colidx, is_wide, A->rowptr[i]);
}

/* Entries of column j of B, of which no more than their mean may be known. */
static int64_t column_nnz(const operands *ops, const spgemm_csr *by_columns,
                          int64_t j)
{
    return by_columns ? by_columns->rowptr[j + 1] - by_columns->rowptr[j]
                      : ops->B->nnz / ops->B->ncols;
}

/* The cost of row i of C, where neither A nor the mask is empty. by_columns: NULL, or its
   row pointers, or all of it. */
typedef double row_cost(const operands *ops, const spgemm_csr *by_columns,
                        int64_t i);

/* Products of row i: all, and those that are looked at one by one. */
typedef struct row_products {
    int64_t all;
    double met;
} row_products;

static row_products products_of_row(const operands *ops, int64_t i)
{
    const bool is_wide = ops->A->index_type == SPGEMM_I64;
    const int64_t *Bp = ops->B->rowptr;
    const int64_t wanted = ops->mask->rowptr[i + 1] - ops->mask->rowptr[i];
    row_products products = {0, 0.0};
    for (int64_t p = ops->A->rowptr[i]; p < ops->A->rowptr[i + 1]; p++) {
        const int64_t k = column_at(ops->A->colidx, is_wide, p);
        products.all += Bp[k + 1] - Bp[k];
        products.met += met(Bp[k + 1] - Bp[k], wanted);
    }
    return products;
}

static double cost_by_rows(const operands *ops, const spgemm_csr *by_columns,
                           int64_t i)
{
    const int64_t length = ops->A->rowptr[i + 1] - ops->A->rowptr[i];
    (void)by_columns;
    return products_of_row(ops, i).met + ENTRY_COST * (double)length;
}

static double cost_by_bitmaps(const operands *ops, const spgemm_csr *by_columns,
                              int64_t i)
{
    const int64_t length = ops->A->rowptr[i + 1] - ops->A->rowptr[i];
    const int64_t wanted = ops->mask->rowptr[i + 1] - ops->mask->rowptr[i];
    const int64_t products = products_of_row(ops, i).all;
    return BITMAP_ROW_COST + (row_is_thin(wanted, length, products)
                                  ? cost_by_rows(ops, by_columns, i)
                                  : BITMAP_COST * (double)products);
}

static double cost_by_dots(const operands *ops, const spgemm_csr *by_columns,
                           int64_t i)
{
    const bool is_wide = ops->A->index_type == SPGEMM_I64;
    const int64_t *Mp = ops->mask->rowptr;
    const int64_t length = ops->A->rowptr[i + 1] - ops->A->rowptr[i];
    double cost =
        READY_COST * (double)length + DOT_COST * (double)(Mp[i + 1] - Mp[i]);
    for (int64_t p = Mp[i]; p < Mp[i + 1]; p++) {
        const int64_t j = column_at(ops->mask->colidx, is_wide, p);
        const int64_t nnz = column_nnz(ops, by_columns, j);
        if (nnz > 0 && !are_apart(ops, by_columns, i, j))
            cost += LOOKUP_COST * met(nnz, length);
    }
    return cost;
}

/* Of all rows, from as many as have LOOKED entries. */
static double estimate(row_cost *cost, const operands *ops,
                       const spgemm_csr *by_columns)
{
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *Mp = ops->mask->rowptr;
    const int64_t nrows = ops->A->nrows;
    const int64_t entries = ops->A->nnz + ops->mask->nnz;
    const int64_t step = min_i64(max_i64(LEAST_STEP, entries / LOOKED),
                                 max_i64(1, nrows / LEAST_ROWS));
    double sum = 0.0;
    int64_t rows = 0;
    for (int64_t i = step / 2; i < nrows; i += step, rows++)
        if (Ap[i] < Ap[i + 1] && Mp[i] < Mp[i + 1])
            sum += cost(ops, by_columns, i);
    return sum * (double)nrows / (double)max_i64(1, rows);
}

/* Whether values of B are multiplied. */
static bool reads_values(const call *c)
{
    return c->ops.value_size > 0 && spgemm_semiring_reads_b(c->ops.semiring);
}

/* Whether a transposed copy of B is small, or no larger than C if the mask lets it have
   all entries. */
static bool has_room(const call *c)
{
    const spgemm_csr *B = c->ops.B;
    const size_t entry_bytes = spgemm_index_size(B->index_type) +
                               (reads_values(c) ? c->ops.value_size : 0);
    const double bytes =
        (double)entry_bytes * (double)B->nnz + 8.0 * (double)B->ncols;
    const double on_the_way = 8.0 * (double)B->nnz; /* of slabs, at most */
    const double of_C = spgemm_call_bytes_of(c, (double)c->ops.mask->nnz);
    return bytes <= fmax(ANY_COPY_BYTES, of_C) &&
           2.0 * (bytes + of_C) + on_the_way <= spgemm_call_bytes_left(c);
}

/* Whether B would be taken as bitmap rows, as that by columns tells. */
static bool has_bitmaps(const call *c, const spgemm_csr *by_columns)
{
    const operands *ops = &c->ops;
    return c->copies.b_is_counted && !mask_is_thin(ops->mask, ops->B) &&
           ops->A->nnz >= LOOKED_ENTRIES && ops->B->nnz >= LOOKED_ENTRIES &&
           spgemm_takes_bitmaps(ops->A, by_columns, c->kernels, true, false);
}

/* Whether B by columns, which is at hand, costs less than its rows do, which are
   perhaps still to be made. */
static bool takes_given(const call *c)
{
    const spgemm_csr *by_columns = &c->copies.by_columns;
    if (!by_columns->colidx)
        return false;
    row_cost *by_rows = c->ops.b_bitmaps || has_bitmaps(c, by_columns)
                            ? cost_by_bitmaps
                            : cost_by_rows;
    const double making =
        c->copies.b_is_counted ? TRANSPOSE_COST * (double)c->ops.B->nnz : 0.0;
    return estimate(cost_by_dots, &c->ops, by_columns) <
           estimate(by_rows, &c->ops, by_columns) + making;
}

/* Transposes B, if that pays: columns of the mean length, which are sooner looked at, are
   less work than those that are met, mostly. */
static spgemm_status transpose_b(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const operands *ops = &c->ops;
    const int nthreads = c->options.resources.nthreads;
    const double most =
        estimate(ops->b_bitmaps ? cost_by_bitmaps : cost_by_rows, ops, NULL) -
        TRANSPOSE_COST * (double)ops->B->nnz;
    spgemm_csr counts = {0};
    spgemm_csr from = *ops->B;
    if (!reads_values(c))
        from.values = NULL;
    if (estimate(cost_by_dots, ops, NULL) >= most)
        return status;
    SPGEMM_TRY(spgemm_csr_transpose_counts(&counts, ops->B, nthreads, &c->m));
    const bool pays = estimate(cost_by_dots, ops, &counts) < most;
    spgemm_csr_release(&counts, &c->m);
    if (pays)
        SPGEMM_TRY(spgemm_csr_transpose_into(&c->transposed, &from, false,
                                             nthreads, &c->m));

cleanup:
    return status;
}

/* Whether that may be, as far as is known without the columns of B. */
static bool may_transpose(const call *c)
{
    const operands *ops = &c->ops;
    return c->computes && !c->b_is_met_alone && ops->B->nnz >= LOOKED_ENTRIES &&
           ops->A->nnz >= LOOKED_ENTRIES &&
           spgemm_index_holds(ops->B->index_type, ops->B->nrows) && has_room(c);
}

/* The entries of op(B) that were left out, and what of them the kernels can use. */
static spgemm_status complete_b(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *mask = c->ops.mask;
    SPGEMM_TRY(spgemm_operands_make_entries(
        &c->copies, c->options.resources.nthreads, &c->m));
    c->report.operands_seconds += timer_lap(&c->lap_seconds);
    c->ops.mask = NULL; /* how it is applied is yet to be decided */
    status = spgemm_call_analyze(c);
    c->ops.mask = mask;
    spgemm_epilogue_apply(&c->epilogue, &c->ops, &c->options);

cleanup:
    return status;
}

/* Bitmap rows are no rows of dot products. */
static void leave_bitmaps(call *c)
{
    if (!c->ops.by_columns || !c->ops.b_bitmaps)
        return;
    c->ops.b_bitmaps = NULL;
    spgemm_epilogue_apply(&c->epilogue, &c->ops, &c->options);
}

spgemm_status spgemm_call_take_columns(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const bool may_be = may_be_dots(c) && c->a_is_sorted;
    if (!may_be && !c->copies.b_is_counted)
        return status;
    c->report.check_seconds += timer_lap(&c->lap_seconds);
    if (may_be && takes_given(c)) {
        c->ops.by_columns = &c->copies.by_columns;
    } else if (c->copies.b_is_counted) {
        SPGEMM_TRY(complete_b(c));
    } else if (may_be && may_transpose(c)) {
        SPGEMM_TRY(transpose_b(c));
        if (c->transposed.flags & SPGEMM_SORTED_ROWS)
            c->ops.by_columns = &c->transposed;
    }

cleanup:
    leave_bitmaps(c);
    if (c->ops.by_columns)
        c->report.operands_seconds += timer_lap(&c->lap_seconds);
    return status;
}
