/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B again and again: all that was found of the patterns is kept, and each
   block of C is computed straight to the place that it has had before. */
#include "spgemm/plan.h"

#include "common/stream_copy.h"
#include "common/timer.h"
#include "common/try.h"
#include "semiring/semiring.h"
#include "spgemm/direct.h"

struct spgemm_plan {
    call c;          /* as it was when C was done: it does not move */
    int64_t *offset; /* [blocks + 1] entry of C at which a block begins */
    uint64_t sum; /* of the patterns of A, B, mask and D, as they were given */
};

/* ---- Patterns ------------------------------------------------------------- */

/* Whether the arrays are as long as they say: others must not be summed. */
static bool is_summable(const spgemm_csr *X)
{
    return spgemm_csr_check_header(X) == SPGEMM_SUCCESS &&
           spgemm_csr_has_structure(X) && X->rowptr[X->nrows] == X->nnz;
}

static uint64_t add_sum(uint64_t sum, const spgemm_csr *X, int nthreads)
{
    return X ? sum * 3 + spgemm_csr_checksum(X, nthreads) : sum;
}

static uint64_t sum_patterns(const spgemm_csr *A,
                             const spgemm_csr *B,
                             const spgemm_options *options)
{
    const int nthreads = options->nthreads;
    const uint64_t sum_A = spgemm_csr_checksum(A, nthreads);
    const uint64_t sum =
        sum_A + 5 * (A == B ? sum_A : spgemm_csr_checksum(B, nthreads));
    return add_sum(add_sum(sum, options->mask, nthreads), options->D, nthreads);
}

/* ---- Create --------------------------------------------------------------- */

/* What drops entries by value makes another pattern of C each time. */
static bool keeps_pattern(const spgemm_options *options)
{
    return !options || (!options->drop_zeros && options->drop_tolerance == 0 &&
                        options->keep_top == 0 &&
                        !(options->mask_mode & SPGEMM_MASK_VALUES));
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

/* What a repetition finds anew, since it depends on values, is given back. */
static void forget_values(call *c)
{
    spgemm_prepare_clear(&c->prepared, &c->m);
    spgemm_form_clear(&c->form, &c->m);
    c->ops.mask = NULL;
    c->ops.finish = NULL;
    c->options.progress = NULL;
    c->options.out = NULL;
    c->wanted = NULL;
}

/* The plan keeps all of the call but C. */
static void keep(spgemm_plan *plan, spgemm_csr *C)
{
    call *c = &plan->c;
    c->made.flags |= c->ops.sort_rows ? SPGEMM_SORTED_ROWS : 0u;
    spgemm_call_report(c, SPGEMM_SUCCESS);
    spgemm_call_deliver(c, C);
    forget_values(c);
}

spgemm_status spgemm_plan_create(spgemm_plan **plan,
                                 spgemm_csr *C,
                                 const spgemm_csr *A,
                                 const spgemm_csr *B,
                                 const spgemm_options *options,
                                 spgemm_report *report)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr none;
    memory m;
    if (!plan || !C || C == A || C == B)
        return SPGEMM_ERROR_INVALID;
    if (!keeps_pattern(options))
        return SPGEMM_ERROR_UNSUPPORTED;
    spgemm_memory_init(&m, NULL);
    spgemm_plan *made = spgemm_memory_allocate_zeroed(&m, 1, sizeof *made);
    if (!made)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    SPGEMM_TRY(spgemm_call_begin(&made->c, A, B, options, report, true));
    made->sum = sum_patterns(A, B, &made->c.options);
    SPGEMM_TRY(spgemm_call_count_products(&made->c));
    SPGEMM_TRY(spgemm_predicted_steps(&made->c, NULL));
    SPGEMM_TRY(place_blocks(made));
    keep(made, C);
    *plan = made;
    return SPGEMM_SUCCESS;

cleanup:
    status = spgemm_call_end(&made->c, &none, status);
    spgemm_memory_release(&m, made, 1, sizeof *made);
    return status;
}

/* ---- Repeat --------------------------------------------------------------- */

/* Whether values that the plan reads are there. */
static bool has_values(const call *c, const spgemm_csr *X, bool is_read)
{
    return !is_read || c->ops.value_size == 0 || X->nnz == 0 || X->values;
}

/* C is trusted to be what the plan made, where its shape says so. */
static bool is_of_plan(const spgemm_plan *plan, const spgemm_csr *C)
{
    const spgemm_csr *made = &plan->c.made;
    return C->nrows == made->nrows && C->ncols == made->ncols &&
           C->nnz == made->nnz && C->index_type == made->index_type &&
           C->value_type == made->value_type && C->rowptr &&
           C->rowptr[C->nrows] == C->nnz &&
           (C->nnz == 0 ||
            (C->colidx && (C->values || plan->c.ops.value_size == 0)));
}

static spgemm_status check(const spgemm_plan *plan,
                           const spgemm_csr *C,
                           const spgemm_csr *A,
                           const spgemm_csr *B)
{
    const call *c = &plan->c;
    const spgemm_options *options = &c->options;
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_REQUIRE(
        has_values(c, A, spgemm_semiring_reads_a(options->semiring)) &&
            has_values(c, B, spgemm_semiring_reads_b(options->semiring)),
        SPGEMM_ERROR_INVALID);
    SPGEMM_REQUIRE(is_of_plan(plan, C) && is_summable(A) && is_summable(B) &&
                       (!options->mask || is_summable(options->mask)) &&
                       (!options->D || is_summable(options->D)) &&
                       sum_patterns(A, B, options) == plan->sum,
                   SPGEMM_ERROR_PATTERN);

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
    spgemm_memory_init_product(&c->m, planned->options.allocator);
    spgemm_memory_limit(&c->m, planned->options.memory_limit_bytes);
    spgemm_progress_init(&c->progress, &planned->options);
    spgemm_progress_pass(&c->progress, 0.0, 1.0, c->counts.total);
}

/* A and B, transformed where that was asked for. Their patterns are known to be
   well formed. */
static spgemm_status prepare(call *c, const spgemm_csr *A, const spgemm_csr *B)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_options trusted = c->options;
    trusted.input_check = SPGEMM_CHECK_NONE;
    SPGEMM_TRY(spgemm_prepare(&c->prepared, A, B, &trusted, true,
                              &c->report.fault, &c->m));
    c->ops.A = c->prepared.A;
    c->ops.B = c->prepared.B;
    SPGEMM_TRY(spgemm_form_prepare(&c->form, &c->ops, &c->options, &c->m,
                                   &c->report.fault));

cleanup:
    c->report.prepare_seconds = timer_lap(&c->lap_seconds);
    return status;
}

/* Every block to its place. Row pointers are counted aside: C's are right. */
static spgemm_status refill(call *c, const spgemm_plan *plan, spgemm_csr *C)
{
    spgemm_status status = SPGEMM_SUCCESS;
    direct d = {.c = c, .team = spgemm_call_team(c)};
    c->made = *C;
    c->made.rowptr =
        spgemm_memory_allocate(&c->m, C->nrows + 1, sizeof *c->made.rowptr);
    SPGEMM_REQUIRE(c->made.rowptr, SPGEMM_ERROR_OUT_OF_MEMORY);
    d.block_nnz =
        spgemm_memory_allocate(&c->m, c->p.count, sizeof *d.block_nnz);
    SPGEMM_REQUIRE(d.block_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    d.offset = plan->offset;
    d.known = C;
    d.streams = (size_t)C->nnz * c->ops.value_size >= STREAM_BYTES;
    SPGEMM_TRY(spgemm_direct_numeric(&d, 0.0));

cleanup:
    c->report.nthreads = d.threads_used;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        c->report.rows_by_accumulator[a] = d.rows_by_accumulator[a];
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);
    spgemm_memory_release(&c->m, d.block_nnz, c->p.count, sizeof *d.block_nnz);
    spgemm_memory_release(&c->m, c->made.rowptr, C->nrows + 1,
                          sizeof *c->made.rowptr);
    return status;
}

spgemm_status spgemm_plan_repeat(const spgemm_plan *plan,
                                 spgemm_csr *C,
                                 const spgemm_csr *A,
                                 const spgemm_csr *B,
                                 spgemm_report *report)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call c;
    if (!plan || !C || !A || !B || C == A || C == B)
        return SPGEMM_ERROR_INVALID;
    resume(&c, plan, report);
    SPGEMM_TRY(check(plan, C, A, B));
    c.report.check_seconds = timer_lap(&c.lap_seconds);
    SPGEMM_TRY(prepare(&c, A, B));
    SPGEMM_TRY(refill(&c, plan, C));
    c.report.nnz = C->nnz;

cleanup:
    spgemm_form_clear(&c.form, &c.m);
    spgemm_prepare_clear(&c.prepared, &c.m);
    spgemm_call_report(&c, status);
    return status;
}

void spgemm_plan_destroy(spgemm_plan *plan)
{
    spgemm_csr none;
    memory m;
    if (!plan)
        return;
    call *c = &plan->c;
    spgemm_memory_release(&c->m, plan->offset, c->p.count + 1,
                          sizeof *plan->offset);
    c->made = (spgemm_csr){0};
    (void)spgemm_call_end(c, &none, SPGEMM_ERROR_CANCELLED);
    spgemm_memory_init(&m, NULL);
    spgemm_memory_release(&m, plan, 0, sizeof *plan);
}
