/* SPDX-License-Identifier: BSD-3-Clause */
/* C = R (A P) where hardly a row of A P is needed by rows of R that differ, as where
   the columns of P are aggregates: each is made where it is used. */
#include <math.h>

#include "common/checked.h"
#include "common/timer.h"
#include "common/try.h"
#include "kernels/row/together.h"
#include "matrix/csr.h"
#include "spgemm/execute/ordered.h"
#include "spgemm/one_pass.h"
#include "spgemm/pass_of_call.h"
#include "spgemm/rap_steps.h"

/* Products of A P that are made again, over all of them, at most. */
#define MOST_AGAIN 0.125

/* Products of a row of A P, in the mean, from which on it pays: below, rows of A
   that are read out of order cost what is saved. */
#define LEAST_PRODUCTS 16

/* Entries of a row of P, in the mean, from which on rows of P that have the same
   columns are taken at once: time of two calls over that, 6 entries 1.3 instead of
   0.9, 3 entries as before. */
#define LEAST_ENTRIES 4

/* Columns of C that each thread has a place for, 4 MB. */
#define MOST_COLUMNS (4 * WINDOW_COLUMNS)

/* Whether all of R is taken with little of A P made twice: once for rows of R that
   are taken together. */
static bool makes_few_again(const spgemm_csr *R, const product_counts *of_W)
{
    const bool is_wide = R->index_type == SPGEMM_I64;
    const size_t index_size = spgemm_index_size(R->index_type);
    const double most = (1.0 + MOST_AGAIN) * (double)of_W->total;
    double sum = 0;
    for (int64_t i = 0; i < R->nrows && sum <= most;
         i += rows_together(R, index_size, i, R->nrows)) {
        for (int64_t t = R->rowptr[i]; t < R->rowptr[i + 1]; t++)
            sum += (double)of_W->row[column_at(R->colidx, is_wide, t)];
    }
    return sum <= most;
}

bool spgemm_rap_chains(const rap *p)
{
    const call *c = &p->of_C;
    const product_counts *of_W = &p->of_W.counts;
    const bool is_forced = p->least_window < 0;
    if (!c->kernels->chained || c->ops.value_size == 0 || c->ops.mask ||
        c->ops.epilogue || c->ops.kept || !c->ops.sort_rows ||
        p->least_window == 0 || p->W.ncols > MOST_COLUMNS || p->R.nnz == 0 ||
        of_W->total == 0)
        return false;
    return is_forced || (of_W->total / LEAST_PRODUCTS >= of_W->nrows &&
                         makes_few_again(&p->R, of_W));
}

/* Rows of A P as long as they have products: those of R are counted by them. */
static spgemm_status count_products(rap *p)
{
    const product_counts *of_W = &p->of_W.counts;
    call *c = &p->of_C;
    spgemm_csr W = p->W;
    spgemm_status status = SPGEMM_SUCCESS;
    W.rowptr = spgemm_memory_allocate(&c->m, W.nrows + 1, sizeof *W.rowptr);
    SPGEMM_REQUIRE(W.rowptr, SPGEMM_ERROR_OUT_OF_MEMORY);
    W.rowptr[0] = 0;
    for (int64_t k = 0; k < W.nrows; k++)
        W.rowptr[k + 1] = W.rowptr[k] + of_W->row[k];
    W.nnz = W.rowptr[W.nrows];
    c->ops.A = &p->R;
    c->ops.B = &W;
    status = spgemm_call_count_products(c);
    c->report.products = 0;

cleanup:
    c->ops.B = &p->W;
    spgemm_memory_release(&c->m, W.rowptr, W.nrows + 1, sizeof *W.rowptr);
    return status;
}

/* C is predicted, and there is room for it. */
static spgemm_status begin(rap *p, growable *entries)
{
    call *c = &p->of_C;
    spgemm_status status = SPGEMM_SUCCESS;
    slab all;
    SPGEMM_TRY(spgemm_rap_predict(p));
    c->prediction.nnz = fmin(c->prediction.nnz, (double)c->counts.bound);
    prediction_fill(
        &c->prediction,
        fmax(1.0, (double)c->counts.total / fmax(1.0, c->prediction.nnz)));
    spgemm_call_report_prediction(c);
    c->report.predict_seconds += timer_lap(&c->lap_seconds);
    SPGEMM_TRY(spgemm_one_pass_check(c));
    all = spgemm_slab_of_all(&c->counts);
    all.keeps_together = true;
    SPGEMM_TRY(spgemm_call_plan(c, &all, false));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));
    SPGEMM_REQUIRE(spgemm_one_pass_begin(entries, c),
                   SPGEMM_ERROR_OUT_OF_MEMORY);

cleanup:
    return status;
}

/* Whether it pays to look for rows of P that have the same columns. */
static bool has_long_rows(const spgemm_csr *P)
{
    return P->nnz / LEAST_ENTRIES >= P->nrows;
}

/* The kernels are those of three operands, and they are there. */
static void point_to(rap *p, kernels *chained)
{
    call *c = &p->of_C;
    *chained = *c->kernels;
    chained->numeric = chained->chained;
    c->ops.B = p->of_W.ops.B;
    c->ops.middle = p->of_W.ops.A;
    c->ops.b_is_single = p->of_W.ops.b_is_single;
    c->ops.b_same_as_previous =
        has_long_rows(c->ops.B) ? p->of_W.ops.b_same_as_previous : NULL;
}

spgemm_status spgemm_rap_multiply_chained(rap *p)
{
    call *c = &p->of_C;
    kernels chained;
    growable entries = {0};
    ordered_pass pass = {0};
    pass_input in;
    spgemm_status status = SPGEMM_SUCCESS;
    c->lap_seconds = p->of_W.lap_seconds;
    SPGEMM_TRY(count_products(p));
    SPGEMM_TRY(begin(p, &entries));
    point_to(p, &chained);
    in = pass_of_call(c);
    in.kernels = &chained;
    in.progress = &p->of_W.progress;
    p->shares[0].end = 1.0;
    spgemm_progress_pass(in.progress, 0.0, 1.0, c->counts.total);
    SPGEMM_TRY(spgemm_ordered_begin(&pass, &in, context_of_call(c),
                                    spgemm_call_team(c)));
    c->report.allocate_seconds += timer_lap(&c->lap_seconds);
    status = spgemm_ordered_run(&pass, &entries, c->made.rowptr, 0);
    c->report.multiply_seconds += timer_lap(&c->lap_seconds);
    SPGEMM_TRY(status);
    spgemm_ordered_report(&pass, &c->report);
    SPGEMM_TRY(spgemm_one_pass_finish(c, &entries));
    p->is_done = true;

cleanup:
    if (status < 0) { /* C may be made another way */
        spgemm_call_drop_c(c);
        spgemm_products_clear(&c->counts, &c->m);
    }
    c->ops.B = &p->W;
    c->ops.middle = NULL;
    c->ops.b_same_as_previous = NULL;
    c->context_bytes = spgemm_ordered_end(&pass);
    spgemm_growable_clear(&entries);
    c->report.compact_seconds += timer_lap(&c->lap_seconds);
    return status;
}
