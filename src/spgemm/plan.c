/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B again and again: all that was found of the patterns is kept, and each
   block of C is computed straight to the place that it has had before. */
#include "spgemm/plan.h"

#include "common/refusal.h"
#include "common/stream_copy.h"
#include "common/timer.h"
#include "common/try.h"
#include "matrix/csr_narrow.h"
#include "semiring/semiring.h"
#include "spgemm/execute/placed.h"
#include "spgemm/pass_of_call.h"
#include "spgemm/plan_patterns.h"

struct spgemm_plan {
    call c;              /* as it was when C was done: it does not move */
    int64_t *offset;     /* [blocks + 1] entry of C at which a block begins */
    spgemm_csr narrow_C; /* columns of C, if read, and A's are narrowed */
    block_places places; /* of products in C */
    patterns sums;       /* as they were given */
    uint64_t sum_C;
};

/* ---- Create --------------------------------------------------------------- */

/* What drops entries by value makes another pattern of C each time. */
static spgemm_status check_drops(const spgemm_options *options)
{
    const char *name = options->filter.drop_zeros ? "filter.drop_zeros"
                       : options->filter.drop_tolerance > 0
                           ? "filter.drop_tolerance"
                       : options->filter.keep_top > 0 ? "filter.keep_top"
                       : options->filter.mask_mode & SPGEMM_MASK_VALUES
                           ? "filter.mask_mode, SPGEMM_MASK_VALUES,"
                           : NULL;
    return name ? spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                                "options.%s drops entries by value, and a plan "
                                "has one pattern",
                                name)
                : SPGEMM_SUCCESS;
}

/* Entries of a part of row i, from entry p on: they lie together. */
static int64_t end_of_part(const spgemm_csr *C, const row_range *r, int64_t p)
{
    const bool is_wide = C->index_type == SPGEMM_I64;
    while (p < C->rowptr[r->row_end]) {
        const int64_t j = column_at(C->colidx, is_wide, p);
        if (j < r->col_begin || j >= r->col_end)
            break;
        p++;
    }
    return p;
}

static spgemm_status place_blocks(spgemm_plan *plan)
{
    call *c = &plan->c;
    const spgemm_csr *C = &c->made;
    plan->offset =
        spgemm_memory_allocate(&c->m, c->p.count + 1, sizeof *plan->offset);
    if (!plan->offset)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    plan->offset[0] = 0;
    for (int64_t b = 0; b < c->p.count; b++) {
        const row_range *r = &c->p.blocks[b].range;
        plan->offset[b + 1] = r->parts > 0 && !r->is_last
                                  ? end_of_part(C, r, plan->offset[b])
                                  : C->rowptr[r->row_end];
    }
    return SPGEMM_SUCCESS;
}

static bool is_narrowed(const spgemm_plan *plan)
{
    const operands *ops = &plan->c.ops;
    return ops->B->index_type != ops->index_type;
}

/* Whether values will be made under columns that are there. */
static bool is_refillable(const pass_input *in)
{
    bool is_any = false;
    for (int64_t b = 0; b < in->schedule->count && !is_any; b++)
        is_any = spgemm_is_refillable(in, &in->schedule->blocks[b].range);
    return is_any;
}

static spgemm_status place_products(spgemm_plan *plan)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call *c = &plan->c;
    const pass_input in = pass_of_call(c);
    if (!is_refillable(&in))
        return status;
    if (is_narrowed(plan))
        SPGEMM_TRY(spgemm_csr_narrow(&plan->narrow_C, &c->made,
                                     c->options.resources.nthreads, &c->m));
    spgemm_place_products(&plan->places, &in,
                          is_narrowed(plan) ? &plan->narrow_C : &c->made,
                          spgemm_call_team(c));

cleanup:
    return status;
}

/* What a repetition finds anew, since it depends on values, is given back. */
static void forget_values(call *c)
{
    spgemm_operands_clear(&c->copies, &c->m);
    spgemm_epilogue_clear(&c->epilogue, &c->m);
    c->ops.mask = NULL;
    c->ops.epilogue = NULL;
    c->options.resources.progress = NULL;
    c->options.resources.out = NULL;
    c->wanted = NULL;
}

/* The plan keeps all of the call but C. */
static void keep(spgemm_plan *plan, spgemm_csr *C)
{
    call *c = &plan->c;
    c->made.flags |= c->ops.sort_rows ? SPGEMM_SORTED_ROWS : 0u;
    plan->sum_C = spgemm_csr_checksum(&c->made, c->options.resources.nthreads);
    spgemm_call_report(c, SPGEMM_SUCCESS);
    spgemm_call_deliver(c, C);
    forget_values(c);
}

static spgemm_status refuse_plan(spgemm_report *report)
{
    spgemm_refusal_begin();
    const spgemm_status status = spgemm_refusal_end(SPGEMM_ERROR_OUT_OF_MEMORY);
    if (report) {
        *report = (spgemm_report){0};
        spgemm_refusal_copy(report->refusal, status);
    }
    return status;
}

/* What is not of its call. */
static void clear_places(spgemm_plan *plan)
{
    call *c = &plan->c;
    spgemm_block_places_clear(&plan->places, &c->m);
    spgemm_csr_narrow_clear(&plan->narrow_C, &c->m);
    spgemm_memory_release(&c->m, plan->offset, c->p.count + 1,
                          sizeof *plan->offset);
}

static void release(spgemm_plan *plan)
{
    memory m;
    spgemm_memory_init(&m, NULL);
    spgemm_memory_release(&m, plan, 1, sizeof *plan);
}

static const entry_point self = {.name = "spgemm_plan_create",
                                 .predicts = true,
                                 .multiplies = true,
                                 .makes_c = true,
                                 .is_repeated = true};

/* A plan, and nothing of it is checked. */
typedef struct unchecked_plan {
    spgemm_plan **plan;
    spgemm_csr *C;
    const spgemm_csr *A;
    const spgemm_csr *B;
    const spgemm_options *options;
    spgemm_report *report;
    spgemm_plan *made;
} unchecked_plan;

static spgemm_status check_and_plan(void *context)
{
    const unchecked_plan *w = context;
    spgemm_plan *made = w->made;
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr none;
    SPGEMM_TRY(
        spgemm_call_begin(&made->c, &self, w->A, w->B, w->options, w->report));
    SPGEMM_REQUIRE(w->plan,
                   spgemm_refuse(SPGEMM_ERROR_INVALID, "plan is NULL"));
    SPGEMM_TRY(spgemm_call_check_c(w->C, w->A, w->B));
    SPGEMM_TRY(check_drops(&made->c.options));
    made->sums = spgemm_patterns_of(w->A, w->B, &made->c.options);
    SPGEMM_TRY(spgemm_call_count_products(&made->c));
    SPGEMM_TRY(spgemm_predicted_steps(&made->c, NULL));
    SPGEMM_TRY(place_blocks(made));
    SPGEMM_TRY(place_products(made));
    keep(made, w->C);
    *w->plan = made;
    return spgemm_refusal_end(status);

cleanup:
    clear_places(made);
    status = spgemm_call_end(&made->c, &none, status);
    release(made);
    return status;
}

spgemm_status spgemm_plan_create(spgemm_plan **plan, spgemm_csr *C,
                                 const spgemm_csr *A, const spgemm_csr *B,
                                 const spgemm_options *options,
                                 spgemm_report *report)
{
    memory m;
    spgemm_memory_init(&m, NULL);
    spgemm_plan *made = spgemm_memory_allocate_zeroed(&m, 1, sizeof *made);
    if (!made)
        return refuse_plan(report);
    unchecked_plan w = {plan, C, A, B, options, report, made};
    return spgemm_call_with_team(spgemm_call_team_of_unchecked(A, B, options),
                                 check_and_plan, &w);
}

/* ---- Repeat --------------------------------------------------------------- */

/* Values that the plan reads are there. */
static spgemm_status check_values(const call *c, const spgemm_csr *X,
                                  const char *name, bool is_read)
{
    if (!is_read || c->ops.value_size == 0 || X->nnz == 0 || X->values)
        return SPGEMM_SUCCESS;
    return spgemm_refuse(SPGEMM_ERROR_INVALID, "%s.values is NULL", name);
}

static bool is_of_shape(const spgemm_csr *C, const spgemm_csr *made)
{
    return C->nrows == made->nrows && C->ncols == made->ncols &&
           C->nnz == made->nnz && C->index_type == made->index_type &&
           C->value_type == made->value_type;
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
    SPGEMM_TRY(spgemm_call_check_c(C, A, B));
    SPGEMM_REQUIRE(A && B, spgemm_refuse(SPGEMM_ERROR_INVALID, "%s is NULL",
                                         A ? "B" : "A"));
    SPGEMM_TRY(check_values(c, A, "A", spgemm_semiring_reads_a(semiring)));
    SPGEMM_TRY(check_values(c, B, "B", spgemm_semiring_reads_b(semiring)));
    SPGEMM_TRY(spgemm_patterns_check(&plan->sums, A, B, &c->options));
    SPGEMM_TRY(check_c(plan, C));

cleanup:
    return status;
}

/* A call that goes on where that of the plan was when it had its schedule. */
static void resume(call *c, const spgemm_plan *plan, spgemm_report *report)
{
    const call *planned = &plan->c;
    *c = (call){.options = planned->options,
                .wanted = report,
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
    spgemm_progress_init(&c->progress, &planned->options);
    spgemm_progress_pass(&c->progress, 0.0, 1.0, c->counts.total);
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

/* C anew, and nothing of it is checked. */
typedef struct unchecked_repeat {
    const spgemm_plan *plan;
    spgemm_csr *C;
    const spgemm_csr *A;
    const spgemm_csr *B;
    spgemm_report *report;
} unchecked_repeat;

static spgemm_status check_and_refill(void *context)
{
    static const spgemm_plan none;
    const unchecked_repeat *w = context;
    const spgemm_plan *plan = w->plan;
    spgemm_status status = SPGEMM_SUCCESS;
    call c;
    spgemm_refusal_begin();
    resume(&c, plan ? plan : &none, w->report);
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

spgemm_status spgemm_plan_repeat(const spgemm_plan *plan, spgemm_csr *C,
                                 const spgemm_csr *A, const spgemm_csr *B,
                                 spgemm_report *report)
{
    unchecked_repeat w = {plan, C, A, B, report};
    return spgemm_call_with_team(plan ? spgemm_call_team(&plan->c) : 1,
                                 check_and_refill, &w);
}

void spgemm_plan_destroy(spgemm_plan *plan)
{
    if (!plan)
        return;
    clear_places(plan);
    plan->c.made = (spgemm_csr){0};
    spgemm_call_clear(&plan->c);
    release(plan);
}
