/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = sum over k of A(i,k) B(k,:) for the rows i of this rank: rows of B are
   gathered, what all ranks will hold is predicted and held against the limit,
   each rank multiplies, and C is made of the arrays that this filled. */
#include "product.h"

#include <string.h>

#include <spgemm/spgemm.h>

#include "assemble.h"
#include "events.h"
#include "forecast.h"
#include "refill.h"

/* Both parts of C, until there is trouble. */
static PetscErrorCode multiply_parts(const factors *f, spgemm_csr parts[],
                                     const settings *s, const size_t limit[],
                                     spgemm_report reports[], trouble *what)
{
    PetscFunctionBegin;
    for (int part = 0; part < f->nparts; part++) {
        const spgemm_options options = {
            .resources.nthreads = (int)s->nthreads,
            .resources.memory_limit_bytes = limit[part],
        };
        if (what->status == SPGEMM_SUCCESS)
            trouble_note(what, spgemm_predicted(&parts[part], &f->A[part],
                                                &f->B[part], &options,
                                                &reports[part]));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode predict(forecast *f, const settings *s, Mat A, Mat B,
                              const factors *x, trouble *what)
{
    PetscErrorCode failed = 0;

    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(events[EVENT_PREDICT], A, B, 0, 0));
    if (s->memory_limit > 0 || s->view)
        failed = forecast_make(f, PetscObjectComm((PetscObject)A), x, s, what);
    PetscCall(events_end(EVENT_PREDICT, A, B, failed));
    PetscFunctionReturn(0);
}

/* C of operands that are there. */
static PetscErrorCode multiply(product *p, Mat A, Mat B, const blocks *b,
                               factors *f, trouble *what, Mat *C)
{
    spgemm_csr parts[PART_COUNT] = {{0}};
    spgemm_report reports[PART_COUNT] = {{0}};
    forecast cast = {0};

    PetscFunctionBegin;
    PetscCall(predict(&cast, &p->options, A, B, f, what));

    PetscCall(PetscLogEventBegin(events[EVENT_MULTIPLY], A, B, 0, 0));
    PetscCall(
        multiply_parts(f, parts, &p->options, cast.limit_bytes, reports, what));
    p->products = (double)reports[0].products + (double)reports[1].products;
    PetscCall(PetscLogFlops(2.0 * p->products));
    PetscCall(PetscLogEventEnd(events[EVENT_MULTIPLY], A, B, 0, 0));

    PetscCall(PetscLogEventBegin(events[EVENT_ASSEMBLE], A, B, 0, 0));
    factors_destroy(f);
    PetscCall(events_end(EVENT_ASSEMBLE, A, B,
                         assemble(C, A, B, parts, &p->x, b->nparts, what)));
    PetscCall(MatGetNonzeroState(*C, &p->pattern));
    if (p->options.view)
        PetscCall(forecast_view(&cast, PetscObjectComm((PetscObject)A), reports,
                                b->nparts));
    PetscFunctionReturn(0);
}

/* Rows of B for the rows of A. */
static PetscErrorCode gather(operands *x, Mat A, Mat B, blocks *b, factors *f,
                             trouble *what)
{
    PetscFunctionBegin;
    PetscCall(operands_create(x, A, B, b, what));
    PetscCall(operands_factors(x, b, f, what));
    PetscFunctionReturn(0);
}

PetscErrorCode product_multiply(product *p, Mat A, Mat B, Mat *C)
{
    trouble what = {0};
    factors f = {0};
    blocks b;

    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(events[EVENT_GATHER], A, B, 0, 0));
    PetscCall(
        events_end(EVENT_GATHER, A, B, gather(&p->x, A, B, &b, &f, &what)));
    const PetscErrorCode failed = multiply(p, A, B, &b, &f, &what, C);
    factors_destroy(&f);
    PetscCall(failed);
    PetscFunctionReturn(0);
}

/* The values of C by a whole product: of matrices of which hardly a column has
   entries. */
static PetscErrorCode multiply_again(product *p, const blocks *b,
                                     const target *C, trouble *what)
{
    static const size_t no_limit[PART_COUNT] = {0};
    spgemm_csr parts[PART_COUNT] = {{0}};
    spgemm_report reports[PART_COUNT] = {{0}};
    factors f = {0};

    PetscFunctionBegin;
    PetscCall(operands_factors(&p->x, b, &f, what));
    PetscCall(multiply_parts(&f, parts, &p->options, no_limit, reports, what));
    for (int part = 0; part < b->nparts; part++) {
        if (what->status == SPGEMM_SUCCESS)
            memcpy(C->part[part].values, parts[part].values,
                   (size_t)parts[part].nnz * sizeof(PetscScalar));
        spgemm_csr_destroy(&parts[part]);
    }
    factors_destroy(&f);
    PetscFunctionReturn(0);
}

/* The values of C without a plan. */
static PetscErrorCode find_values(product *p, const blocks *b, const target *C,
                                  trouble *what)
{
    const double begin = MPI_Wtime();

    PetscFunctionBegin;
    if (refill_pays(C, &p->x, b))
        refill(C, &p->x, b, (int)p->options.nthreads, what);
    else
        PetscCall(multiply_again(p, b, C, what));
    planned_count(&p->again, MPI_Wtime() - begin);
    PetscFunctionReturn(0);
}

PetscErrorCode product_repeat(product *p, Mat A, Mat B, Mat C)
{
    trouble what = {0};
    target to = {0};
    blocks b;

    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(events[EVENT_GATHER], A, B, 0, 0));
    PetscCall(check_pattern(C, p->pattern, &what));
    PetscCall(events_end(EVENT_GATHER, A, B,
                         operands_refresh(&p->x, A, B, &b, &what)));

    PetscCall(PetscLogEventBegin(events[EVENT_MULTIPLY], A, B, 0, 0));
    PetscCall(borrow(C, &to));
    if (!planned_values(&p->again, &b, &to.part[OWN_COLUMNS], &p->options,
                        &what))
        PetscCall(find_values(p, &b, &to, &what));
    halo_forget_values(&p->x.halo);
    PetscCall(PetscLogFlops(2.0 * p->products));
    PetscCall(PetscLogEventEnd(events[EVENT_MULTIPLY], A, B, 0, 0));

    PetscCall(reassemble(C, &what));
    PetscFunctionReturn(0);
}

PetscErrorCode product_destroy(product *p)
{
    PetscFunctionBegin;
    PetscCall(operands_destroy(&p->x));
    planned_destroy(&p->again);
    PetscFunctionReturn(0);
}
