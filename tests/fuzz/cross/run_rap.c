/* SPDX-License-Identifier: BSD-3-Clause */
/* C = R A P, against W = A P and then R W by the reference; what of the options is
   of which, and what each may be refused for. */
#include <stdlib.h>
#include <string.h>

#include "build_csr.h"
#include "draw.h"
#include "reference_form.h"
#include "run.h"

/* ---- What passes through a window ------------------------------------------ */

/* spgemm_rap() with a window of so many bytes at least: that of the library would
   be all of a small A P. */
spgemm_status spgemm_rap_within(spgemm_csr *C, const spgemm_csr *R,
                                const spgemm_csr *A, const spgemm_csr *P,
                                const spgemm_options *options,
                                spgemm_report *report, double least_window);

/* And one that the library chooses; -1: rows of A P are made where they are used. */
#define AS_IT_IS (-2)

typedef struct rap_window rap_window;

static long moves;

spgemm_status __real_spgemm_rap_window_move(rap_window *w, int64_t begin,
                                            int64_t end);
spgemm_status __wrap_spgemm_rap_window_move(rap_window *w, int64_t begin,
                                            int64_t end);

spgemm_status __wrap_spgemm_rap_window_move(rap_window *w, int64_t begin,
                                            int64_t end)
{
    moves++;
    return __real_spgemm_rap_window_move(w, begin, end);
}

spgemm_status multiply_three(crossing *x, spgemm_csr *C, spgemm_report *report)
{
    return x->least_window == AS_IT_IS
               ? spgemm_rap(C, x->R, x->A, x->B, options_of(x), report)
               : spgemm_rap_within(C, x->R, x->A, x->B, options_of(x), report,
                                   x->least_window);
}

/* ---- Two calls --------------------------------------------------------------- */

/* Options of the first, A P. */
static spgemm_options options_of_first(const spgemm_options *all)
{
    spgemm_options o = {.product.semiring = all->product.semiring,
                        .product.user = all->product.user,
                        .product.op_b = all->product.op_b,
                        .product.cols = all->product.cols,
                        .product.ncols = all->product.ncols,
                        .resources = all->resources};
    o.resources.out = NULL;
    return o;
}

static spgemm_options options_of_second(const crossing *x)
{
    spgemm_options o = x->args->options;
    o.product.op_b = SPGEMM_OP_NONE;
    o.product.cols = NULL;
    o.product.ncols = 0;
    if (!x->R && o.product.op_a == SPGEMM_OP_NONE)
        o.product.op_a = SPGEMM_OP_TRANSPOSE;
    return o;
}

/* W before it is made: of its entries there is one, if it may have any that have
   values, or lack them. */
static spgemm_csr outline_of(const crossing *first, const spgemm_csr *W)
{
    spgemm_csr outline = *W;
    outline.nnz = product_has_values(first)
                      ? first->A->nnz > 0 && first->B->nnz > 0
                      : W->nrows > 0 && W->ncols > 0;
    outline.flags = 0;
    outline.rowptr = must_allocate(W->nrows + 1, sizeof *outline.rowptr);
    outline.colidx = must_allocate(1, sizeof(int64_t));
    memset(outline.colidx, 0, sizeof(int64_t));
    outline.values = must_allocate(1, 4096);
    outline.rowptr[0] = 0;
    for (int64_t i = 1; i <= W->nrows; i++)
        outline.rowptr[i] = outline.nnz;
    if (!product_has_values(first)) {
        free(outline.values);
        outline.values = NULL;
    }
    return outline;
}

/* What is wrong with the second, beside what is with the first. */
static void add_second(crossing *x, crossing *second, causes *c)
{
    second->args->options = options_of_second(x);
    const causes more = causes_of(second);
    c->must |= more.must;
    c->may |= more.may;
}

/* ---- The call ---------------------------------------------------------------- */

/* The second product, of the first as it was found. */
static void run_second(crossing *x, causes *c, const spgemm_csr *W,
                       const crossing *first, tally *t)
{
    spgemm_csr outline = outline_of(first, W);
    spgemm_csr want = {0};
    arguments args = *x->args;
    crossing second = *x;
    causes found = *c;
    second.args = &args;
    second.A = x->R ? x->R : x->B;
    second.B = &outline;
    second.R = NULL;
    second.wrong_output = 0;
    second.factors[0] = x->A;
    second.factors[1] = x->B;
    add_second(x, &second, &found);
    if (!found.must) {
        want = reference_form(second.A, W, &args.options);
        x->second = &second;
    }
    draw_out(x, found.must ? 3 : want.nrows, found.must ? 3 : want.nnz,
             !found.must && product_has_values(x));
    found = *c;
    add_second(x, &second, &found);
    run_product(x, &found, &want, t);
    x->second = NULL;
    free_csr(&want);
    free_csr(&outline);
}

static void run_both(crossing *x, tally *t)
{
    arguments args = *x->args;
    crossing first = *x;
    first.args = &args;
    first.R = NULL;
    first.wrong_output = 0;
    args.options = options_of_first(&x->args->options);
    causes c = causes_of(&first);
    if (c.must) {
        run_product(x, &c, NULL, t);
        return;
    }
    if (x->wrong_output || (!x->R && args.options.product.op_b))
        c.must |= status_bit(SPGEMM_ERROR_INVALID);
    spgemm_csr W = reference_form(x->A, x->B, &args.options);
    run_second(x, &c, &W, &first, t);
    free_csr(&W);
}

void run_rap(crossing *x, tally *t)
{
    /* Rows of what one row of R needs; some more; as the library has it. */
    static const double windows[] = {0, 0, 0, -1, 100, 3000, AS_IT_IS};
    x->least_window = windows[dice_below(&x->dice, 7)];
    moves = 0;
    run_both(x, t);
    if (!x->wrong && one_in(&x->dice, 2))
        run_chain(x, t);
    t->windows += moves > 0;
    t->windows_moved += moves > 1;
}
