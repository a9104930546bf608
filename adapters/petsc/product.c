/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = sum over k of A(i,k) B(k,:) for the rows i of this rank: rows of B are
   gathered, what all ranks will hold is predicted and held against the limit,
   each rank multiplies, and C is made of the arrays that this filled. */
#include "product.h"

#include "assemble.h"
#include "forecast.h"

static PetscLogEvent events[EVENT_COUNT];

PetscErrorCode product_register_events(void)
{
    static const char *const name[EVENT_COUNT] = {
        "SpgemmGather", "SpgemmPredict", "SpgemmMultiply", "SpgemmAssemble"};
    PetscClassId class;

    PetscFunctionBegin;
    PetscCall(PetscClassIdRegister("Spgemm", &class));
    for (int e = 0; e < EVENT_COUNT; e++)
        PetscCall(PetscLogEventRegister(name[e], class, &events[e]));
    PetscFunctionReturn(0);
}

static spgemm_options library_options(const settings *s, size_t limit)
{
    return (spgemm_options){
        .resources.nthreads = (int)s->nthreads,
        .resources.memory_limit_bytes = limit,
        /* PETSc vouches for its matrices. */
        .resources.input_check = SPGEMM_CHECK_NONE,
    };
}

static PetscErrorCode log_products(const spgemm_report report[], int nparts)
{
    PetscFunctionBegin;
    for (int part = 0; part < nparts; part++)
        PetscCall(PetscLogFlops(2.0 * (double)report[part].products));
    PetscFunctionReturn(0);
}

PetscErrorCode product_multiply(product *p, Mat A, Mat B, Mat *C)
{
    const MPI_Comm comm = PetscObjectComm((PetscObject)A);
    spgemm_csr parts[PART_COUNT] = {{0}};
    spgemm_report reports[PART_COUNT] = {{0}};
    forecast cast;
    trouble what = {0};
    operands *const x = &p->x;

    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(events[EVENT_GATHER], A, B, 0, 0));
    PetscCall(operands_create(x, A, B, &what));
    PetscCall(PetscLogEventEnd(events[EVENT_GATHER], A, B, 0, 0));

    PetscCall(PetscLogEventBegin(events[EVENT_PREDICT], A, B, 0, 0));
    PetscCall(forecast_make(&cast, comm, x, &p->options, &what));
    PetscCall(PetscLogEventEnd(events[EVENT_PREDICT], A, B, 0, 0));

    PetscCall(PetscLogEventBegin(events[EVENT_MULTIPLY], A, B, 0, 0));
    for (int part = 0; part < x->nparts; part++) {
        const spgemm_options options =
            library_options(&p->options, cast.limit_bytes[part]);
        if (what.status == SPGEMM_SUCCESS)
            trouble_note(&what, spgemm_plan_create(&p->plan[part], &parts[part],
                                                   &x->A, &x->B[part], &options,
                                                   &reports[part]));
    }
    PetscCall(log_products(reports, x->nparts));
    PetscCall(PetscLogEventEnd(events[EVENT_MULTIPLY], A, B, 0, 0));

    PetscCall(PetscLogEventBegin(events[EVENT_ASSEMBLE], A, B, 0, 0));
    operands_leave(x);
    PetscCall(assemble(C, A, B, parts, x, &what));
    PetscCall(PetscLogEventEnd(events[EVENT_ASSEMBLE], A, B, 0, 0));
    if (p->options.view)
        PetscCall(forecast_view(&cast, comm, reports, x->nparts));
    PetscFunctionReturn(0);
}

PetscErrorCode product_repeat(product *p, Mat A, Mat B, Mat C)
{
    spgemm_csr parts[PART_COUNT] = {{0}};
    spgemm_report reports[PART_COUNT] = {{0}};
    trouble what = {0};
    operands *const x = &p->x;

    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(events[EVENT_GATHER], A, B, 0, 0));
    PetscCall(operands_refresh(x, A, B, &what));
    PetscCall(disassemble(parts, C, x, &what));
    PetscCall(PetscLogEventEnd(events[EVENT_GATHER], A, B, 0, 0));

    PetscCall(PetscLogEventBegin(events[EVENT_MULTIPLY], A, B, 0, 0));
    for (int part = 0; part < x->nparts; part++)
        if (what.status == SPGEMM_SUCCESS)
            trouble_note(&what,
                         spgemm_plan_repeat(p->plan[part], &parts[part], &x->A,
                                            &x->B[part], &reports[part]));
    PetscCall(log_products(reports, x->nparts));
    PetscCall(PetscLogEventEnd(events[EVENT_MULTIPLY], A, B, 0, 0));

    PetscCall(PetscLogEventBegin(events[EVENT_ASSEMBLE], A, B, 0, 0));
    operands_leave(x);
    PetscCall(reassemble(C, parts, x));
    PetscCall(trouble_agree(PetscObjectComm((PetscObject)A), &what));
    PetscCall(PetscLogEventEnd(events[EVENT_ASSEMBLE], A, B, 0, 0));
    PetscFunctionReturn(0);
}

PetscErrorCode product_destroy(product *p)
{
    PetscFunctionBegin;
    for (int part = 0; part < PART_COUNT; part++)
        spgemm_plan_destroy(p->plan[part]);
    PetscCall(operands_destroy(&p->x));
    *p = (product){0};
    PetscFunctionReturn(0);
}
