/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B, of which all that was found of the patterns is kept: its schedule,
   and where in C each block and each product goes. */
#include "spgemm/plan.h"

#include "common/refusal.h"
#include "common/try.h"
#include "spgemm/pass_of_call.h"
#include "spgemm/plan_state.h"

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
    SPGEMM_TRY(spgemm_place_products(
        &plan->places, &in, is_narrowed(plan) ? &plan->narrow_C : &c->made,
        spgemm_call_team(c)));

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
    SPGEMM_TRY(spgemm_call_check_c(w->C, w->A, "B", w->B, &made->c.options));
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

void spgemm_plan_destroy(spgemm_plan *plan)
{
    if (!plan)
        return;
    clear_places(plan);
    plan->c.made = (spgemm_csr){0};
    spgemm_call_clear(&plan->c);
    release(plan);
}
