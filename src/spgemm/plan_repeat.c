/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B anew, for other values: each block of C is computed straight to the
   place that it has had before. */
#include "common/refusal.h"
#include "common/stream_copy.h"
#include "common/timer.h"
#include "common/try.h"
#include "matrix/csr_narrow.h"
#include "semiring/semiring.h"
#include "spgemm/pass_of_call.h"
#include "spgemm/pipeline/out_overlap.h"
#include "spgemm/plan.h"
#include "spgemm/plan_state.h"

/* C anew. */
typedef struct repetition {
    const spgemm_plan *plan;
    spgemm_csr *C;
    const spgemm_csr *A;
    const spgemm_csr *B;
    int (*ask)(void *context, double done);
    void *context;
    spgemm_report *report;
} repetition;

/* Values that the plan reads are there. */
static spgemm_status check_values(const call *c, const spgemm_csr *X,
                                  const char *name, bool is_read)
{
    if (!is_read || c->ops.value_size == 0 || X->nnz == 0 || X->values)
        return SPGEMM_SUCCESS;
    return spgemm_refuse(SPGEMM_ERROR_INVALID, "%s.values is NULL", name);
}

static bool is_of_shape(const spgemm_csr *C, const spgemm_csr *X)
{
    return C->nrows == X->nrows && C->ncols == X->ncols && C->nnz == X->nnz &&
           C->index_type == X->index_type && C->value_type == X->value_type;
}

/* C is the planned one, every column of it: blocks are computed to their places
   there without a look at it. */
static spgemm_status check_c(const spgemm_plan *plan, const spgemm_csr *C)
{
    const call *c = &plan->c;
    if (!is_of_shape(C, &c->made) || !C->rowptr || (C->nnz > 0 && !C->colidx))
        return spgemm_refuse_pattern("C", "shape, types, nnz or arrays");
    if (C->nnz > 0 && !C->values && c->ops.value_size > 0)
        return spgemm_refuse(SPGEMM_ERROR_INVALID, "C.values is NULL");
    if (spgemm_csr_checksum(C, c->options.resources.nthreads) != plan->sum_C)
        return spgemm_refuse_pattern("C", "rowptr or colidx");
    return SPGEMM_SUCCESS;
}

static spgemm_status check(const spgemm_plan *plan, const spgemm_csr *C,
                           const spgemm_csr *A, const spgemm_csr *B)
{
    const call *c = &plan->c;
    const spgemm_semiring semiring = c->options.product.semiring;
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(spgemm_call_check_c(C, A, "B", B, &c->options));
    SPGEMM_REQUIRE(A && B, spgemm_refuse(SPGEMM_ERROR_INVALID, "%s is NULL",
                                         A ? "B" : "A"));
    SPGEMM_TRY(check_values(c, A, "A", spgemm_semiring_reads_a(semiring)));
    SPGEMM_TRY(check_values(c, B, "B", spgemm_semiring_reads_b(semiring)));
    SPGEMM_TRY(spgemm_patterns_check(&plan->sums, A, B, &c->options));
    SPGEMM_TRY(check_c(plan, C));
    SPGEMM_TRY(spgemm_values_check_overlap(&c->options, A, B, &c->names, C));

cleanup:
    return status;
}

/* A and B, narrowed as they were, transformed where that was asked for. Their
   patterns are known to be well formed. */
static spgemm_status prepare(call *c, const spgemm_plan *plan,
                             const spgemm_csr *A, const spgemm_csr *B)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_narrow_again(&c->narrow, &plan->c.narrow, &A, &B);
    spgemm_options trusted = c->options;
    trusted.resources.input_check = SPGEMM_CHECK_NONE;
    SPGEMM_TRY(spgemm_operands_make(&c->copies, A, B, &(operand_names){0},
                                    &trusted, (operand_needs){.values = true},
                                    &c->report.fault, &c->m));
    c->ops.A = c->copies.A;
    c->ops.B = c->copies.B;
    SPGEMM_TRY(spgemm_epilogue_make(&c->epilogue, &c->ops, NULL, &c->options,
                                    &c->m, &c->report.fault));

cleanup:
    c->report.operands_seconds = timer_lap(&c->lap_seconds);
    return status;
}

/* Every block to its place. Row pointers are counted aside: C's are right. Of
   patterns there is nothing to do. */
static spgemm_status refill(call *c, const spgemm_plan *plan, spgemm_csr *C)
{
    spgemm_status status = SPGEMM_SUCCESS;
    c->made = *C;
    c->report.nthreads = 1;
    if (c->ops.value_size == 0)
        return status;
    placed_pass d = {
        .in = pass_of_call(c), .C = &c->made, .team = spgemm_call_team(c)};
    const spgemm_csr known =
        plan->narrow_C.colidx
            ? spgemm_csr_with_columns(C, plan->narrow_C.colidx)
            : *C;
    c->made.rowptr =
        spgemm_memory_allocate(&c->m, C->nrows + 1, sizeof *c->made.rowptr);
    SPGEMM_REQUIRE(c->made.rowptr, SPGEMM_ERROR_OUT_OF_MEMORY);
    d.block_nnz =
        spgemm_memory_allocate(&c->m, c->p.count, sizeof *d.block_nnz);
    SPGEMM_REQUIRE(d.block_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    d.offset = plan->offset;
    d.known = &known;
    d.placed = &plan->places;
    d.streams = (size_t)C->nnz * c->ops.value_size >= STREAM_BYTES;
    SPGEMM_TRY(spgemm_placed_numeric(&d, 0.0));

cleanup:
    spgemm_placed_report(&d, &c->report);
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);
    spgemm_memory_release(&c->m, d.block_nnz, c->p.count, sizeof *d.block_nnz);
    spgemm_memory_release(&c->m, c->made.rowptr, C->nrows + 1,
                          sizeof *c->made.rowptr);
    return status;
}

/* A call that goes on where that of the plan was when it had its schedule. */
static void resume(call *c, const spgemm_plan *plan, const repetition *w)
{
    const call *planned = &plan->c;
    *c = (call){.options = planned->options,
                .wanted = w->report,
                .start_seconds = timer_seconds(),
                .selected = planned->selected,
                .ops = planned->ops,
                .counts = planned->counts,
                .p = planned->p,
                .report = {.isa = planned->report.isa,
                           .memory = planned->report.memory,
                           .products = planned->report.products,
                           .nnz_predicted = planned->made.nnz}};
    c->lap_seconds = c->start_seconds;
    c->kernels = &c->selected;
    spgemm_memory_init_product(&c->m, planned->options.resources.allocator);
    spgemm_memory_limit(&c->m, planned->options.resources.memory_limit_bytes);
    c->options.resources.progress = w->ask;
    c->options.resources.progress_context = w->context;
    spgemm_progress_init(&c->progress, &c->options);
    spgemm_progress_pass(&c->progress, 0.0, 1.0, c->counts.total);
}

static spgemm_status check_and_refill(void *context)
{
    static const spgemm_plan none;
    const repetition *w = context;
    const spgemm_plan *plan = w->plan;
    spgemm_status status = SPGEMM_SUCCESS;
    call c;
    spgemm_refusal_begin();
    resume(&c, plan ? plan : &none, w);
    SPGEMM_REQUIRE(plan, spgemm_refuse(SPGEMM_ERROR_INVALID, "plan is NULL"));
    SPGEMM_TRY(check(plan, w->C, w->A, w->B));
    c.report.check_seconds = timer_lap(&c.lap_seconds);
    SPGEMM_TRY(prepare(&c, plan, w->A, w->B));
    SPGEMM_TRY(refill(&c, plan, w->C));
    c.report.nnz = w->C->nnz;

cleanup:
    spgemm_epilogue_clear(&c.epilogue, &c.m);
    spgemm_operands_clear(&c.copies, &c.m);
    status = spgemm_refusal_end(spgemm_call_explain(&c, status));
    spgemm_call_report(&c, status);
    return status;
}

spgemm_status spgemm_plan_repeat_watched(const spgemm_plan *plan, spgemm_csr *C,
                                         const spgemm_csr *A,
                                         const spgemm_csr *B,
                                         int (*ask)(void *context, double done),
                                         void *context, spgemm_report *report)
{
    repetition w = {plan, C, A, B, ask, context, report};
    return spgemm_call_with_team(plan ? spgemm_call_team(&plan->c) : 1,
                                 check_and_refill, &w);
}

spgemm_status spgemm_plan_repeat(const spgemm_plan *plan, spgemm_csr *C,
                                 const spgemm_csr *A, const spgemm_csr *B,
                                 spgemm_report *report)
{
    return spgemm_plan_repeat_watched(plan, C, A, B, NULL, NULL, report);
}
