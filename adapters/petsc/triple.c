/* SPDX-License-Identifier: BSD-3-Clause */
/* C = L W, W = A B, by one call, which holds a part of W at a time. */
#include "triple.h"

#include <string.h>

#include <spgemm/rap.h>

#include "assemble.h"
#include "events.h"
#include "forecast.h"
#include "refill_ptap.h"

/* spgemm_rap() on matrices of PETSc; C is to be destroyed. */
static PetscErrorCode multiply(const settings *s, Mat L, Mat A, Mat B,
                               spgemm_csr *C, spgemm_report *report,
                               trouble *what)
{
    const spgemm_options options = settings_options(s);
    spgemm_csr views[3] = {{0}};
    const Mat mats[3] = {L, A, B};

    PetscFunctionBegin;
    for (int m = 0; m < 3; m++)
        if (mats[m] != NULL)
            PetscCall(seqaij_view(mats[m], &views[m], what));
    if (what->status == SPGEMM_SUCCESS)
        trouble_note(what, spgemm_rap(C, L == NULL ? NULL : &views[0],
                                      &views[1], &views[2], &options, report));
    for (int m = 0; m < 3; m++)
        spgemm_csr_destroy(&views[m]);
    PetscFunctionReturn(0);
}

/* What the library predicted, as a forecast of all ranks: there is one. */
static forecast forecast_of(const spgemm_report *report)
{
    return (forecast){.products = (double)report->products,
                      .nnz = (double)report->nnz_predicted,
                      .standard_error = report->nnz_standard_error};
}

PetscErrorCode triple_multiply(triple *t, const settings *s, Mat L, Mat A,
                               Mat B, Mat *C)
{
    spgemm_csr parts[PART_COUNT] = {{0}};
    spgemm_report reports[PART_COUNT] = {{0}};
    trouble what = {0};
    blocks b;

    PetscFunctionBegin;
    PetscCall(operands_create(&t->inner, A, B, &b, &what));
    if (L != NULL)
        PetscCall(operands_create(&t->outer, L, A, &b, &what));
    PetscCall(PetscLogEventBegin(events[EVENT_MULTIPLY], A, B, 0, 0));
    PetscCall(multiply(s, L, A, B, &parts[0], &reports[0], &what));
    t->products = (double)reports[0].products;
    PetscCall(PetscLogFlops(2.0 * t->products));
    PetscCall(PetscLogEventEnd(events[EVENT_MULTIPLY], A, B, 0, 0));

    PetscCall(PetscLogEventBegin(events[EVENT_ASSEMBLE], A, B, 0, 0));
    PetscCall(events_end(EVENT_ASSEMBLE, A, B,
                         assemble(C, L, B, parts, &t->inner, 1, &what)));
    PetscCall(MatGetNonzeroState(*C, &t->pattern));
    const forecast cast = forecast_of(&reports[0]);
    if (s->view)
        PetscCall(
            forecast_view(&cast, PetscObjectComm((PetscObject)A), reports, 1));
    PetscFunctionReturn(0);
}

/* The values of C by a whole product. */
static PetscErrorCode multiply_again(const settings *s, Mat L, Mat A, Mat B,
                                     const aij *C, trouble *what)
{
    spgemm_csr made = {0};
    spgemm_report report;

    PetscFunctionBegin;
    PetscCall(multiply(s, L, A, B, &made, &report, what));
    if (what->status == SPGEMM_SUCCESS)
        memcpy(C->values, made.values, (size_t)made.nnz * sizeof(PetscScalar));
    spgemm_csr_destroy(&made);
    PetscFunctionReturn(0);
}

PetscErrorCode triple_repeat(triple *t, const settings *s, Mat L, Mat A, Mat B,
                             Mat C)
{
    trouble what = {0};
    target to = {0};
    blocks outer;
    blocks b;

    PetscFunctionBegin;
    PetscCall(check_pattern(C, t->pattern, &what));
    PetscCall(operands_refresh(&t->inner, A, B, &b, &what));
    if (L != NULL)
        PetscCall(operands_refresh(&t->outer, L, A, &outer, &what));

    PetscCall(PetscLogEventBegin(events[EVENT_MULTIPLY], A, B, 0, 0));
    PetscCall(borrow(C, &to));
    const aij *const own = &to.part[OWN_COLUMNS];
    if (L == NULL && refill_ptap_pays(&b.B.own))
        refill_ptap(own, &b.A[OWN_COLUMNS], &b.B.own, (int)s->nthreads, &what);
    else
        PetscCall(multiply_again(s, L, A, B, own, &what));
    PetscCall(PetscLogFlops(2.0 * t->products));
    PetscCall(PetscLogEventEnd(events[EVENT_MULTIPLY], A, B, 0, 0));

    PetscCall(reassemble(C, &what));
    PetscFunctionReturn(0);
}

PetscErrorCode triple_destroy(triple *t)
{
    PetscFunctionBegin;
    PetscCall(operands_destroy(&t->inner));
    PetscCall(operands_destroy(&t->outer));
    PetscFunctionReturn(0);
}
