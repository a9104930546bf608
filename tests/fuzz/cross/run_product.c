/* SPDX-License-Identifier: BSD-3-Clause */
/* The products, once as drawn and, after a failure, again. */
#include <string.h>

#include "run.h"

typedef spgemm_status multiply(spgemm_csr *C, const spgemm_csr *A,
                               const spgemm_csr *B,
                               const spgemm_options *options,
                               spgemm_report *report);

static bool is_untouched(const spgemm_csr *C)
{
    spgemm_csr as_it_was;
    memset(&as_it_was, 0x3c, sizeof as_it_was);
    return memcmp(C, &as_it_was, sizeof as_it_was) == 0;
}

/* Unsorted rows may come sorted; both C and its report say so. */
static void expect_order(crossing *x, const spgemm_csr *C,
                         spgemm_row_order told)
{
    const bool is_sorted = told == SPGEMM_ROWS_SORTED;
    const bool is_asked_for =
        x->args->options.product.row_order == SPGEMM_ROWS_SORTED;
    if (is_sorted != ((C->flags & SPGEMM_SORTED_ROWS) != 0) ||
        (is_asked_for && !is_sorted))
        cross_fails(x, "row_order", "%d, flags %u", (int)told, C->flags);
}

static spgemm_status call_library(crossing *x, spgemm_csr *C,
                                  spgemm_report *report)
{
    static multiply *const multiplies[] = {spgemm_predicted, spgemm_precise,
                                           spgemm_upper_bound};
    return x->entry == ENTRY_RAP
               ? multiply_three(x, C, report)
               : multiplies[x->entry](C, x->A, x->B, options_of(x), report);
}

static spgemm_status run_once(crossing *x, const causes *c,
                              const spgemm_csr *want, tally *t)
{
    spgemm_csr C;
    spgemm_report report;
    memset(&C, 0x3c, sizeof C);
    const before b = expect_begin(x);
    const spgemm_status status =
        call_library(x, output_of(x, &C), x->has_report ? &report : NULL);
    tally_call(t, x, status, x->has_report ? &report : NULL);
    if (!expect_status(x, c, status, &b))
        return status;
    if (status < 0 && !is_untouched(&C))
        cross_fails(x, "C", "was written to, status %d", (int)status);
    if (status == SPGEMM_SUCCESS)
        expect_product(x, &C, want);
    if (status == SPGEMM_SUCCESS && x->has_report)
        expect_order(x, &C, report.row_order);
    if (!x->wrong)
        expect_report(x, &report, status, want, &b);
    if (status == SPGEMM_SUCCESS)
        spgemm_csr_destroy(&C);
    return status;
}

void run_product(crossing *x, const causes *c, const spgemm_csr *want, tally *t)
{
    const spgemm_status status = run_once(x, c, want, t);
    if (x->wrong || c->must || c->may)
        return;
    if (status == SPGEMM_SUCCESS && !x->context)
        return;
    expect_disarm(x);
    run_once(x, c, want, t);
    if (x->context && !x->wrong && one_in(&x->dice, 2)) {
        spgemm_context_trim(x->context);
        if (spgemm_context_bytes(x->context) != 0)
            cross_fails(x, "context", "keeps memory that was trimmed");
        run_once(x, c, want, t);
    }
}
