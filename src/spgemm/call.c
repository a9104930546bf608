/* SPDX-License-Identifier: BSD-3-Clause */
/* What the three products and the prediction have in common. */
#include "spgemm/call.h"

#include "common/checked.h"
#include "common/team.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/count_rows.h"

#define TEAM_PRODUCTS 16384 /* least products that are worth a thread */

static bool is_valid(const spgemm_options *options)
{
    for (size_t t = 0;
         t < sizeof options->reserved / sizeof options->reserved[0]; t++)
        if (options->reserved[t] != 0)
            return false;
    const spgemm_allocator *a = options->allocator;
    const bool is_set = a && (a->allocate || a->release || a->reallocate);
    return (unsigned)options->predictor < SPGEMM_PREDICTOR_COUNT &&
           spgemm_predictor_accepts(options) &&
           (options->predictor != SPGEMM_PREDICTOR_CALLER ||
            options->row_nnz) &&
           (options->slack == 0 || options->slack >= 1) &&
           options->nthreads >= 0 &&
           (options->row_order == SPGEMM_ROWS_SORTED ||
            options->row_order == SPGEMM_ROWS_UNSORTED) &&
           (options->input_check == SPGEMM_CHECK_FULL ||
            options->input_check == SPGEMM_CHECK_NONE) &&
           (!is_set || (a->allocate && a->release));
}

/* What can be told of one operand in O(1). */
static spgemm_status check_kind(call *c, const spgemm_csr *X, bool needs_values)
{
    const spgemm_status status = spgemm_csr_check_header(X);
    if (status < 0)
        return status;
    if (!spgemm_csr_has_structure(X))
        return SPGEMM_ERROR_INVALID;
    if (X->nnz > 0 && needs_values && !X->values)
        return SPGEMM_ERROR_UNSUPPORTED;
    c->kernels =
        spgemm_kernels_select(X->value_type, X->index_type, spgemm_cpu_isa());
    return c->kernels ? SPGEMM_SUCCESS : SPGEMM_ERROR_UNSUPPORTED;
}

/* One operand: checked, surveyed; *is_sorted as far as it is known. */
static spgemm_status check_operand(
    call *c, const spgemm_csr *X, const char *name, survey *s, bool *is_sorted)
{
    *is_sorted = X->flags & SPGEMM_SORTED_ROWS;
    s->X = X;
    s->m = &c->m;
    s->kernels = c->kernels;
    spgemm_fault fault = {.operand = name};
    const spgemm_status found =
        spgemm_survey(s, c->options.input_check == SPGEMM_CHECK_NONE,
                      c->options.nthreads, is_sorted, &fault);
    if (found == SPGEMM_ERROR_STRUCTURE)
        c->report.fault = fault;
    return found;
}

static spgemm_status check_operands(call *c,
                                    const spgemm_csr *A,
                                    const spgemm_csr *B,
                                    bool needs_values)
{
    spgemm_status status = SPGEMM_SUCCESS;
    bool is_sorted;
    SPGEMM_TRY(check_kind(c, A, needs_values));
    SPGEMM_TRY(check_kind(c, B, needs_values));
    SPGEMM_REQUIRE(A->ncols == B->nrows, SPGEMM_ERROR_SHAPE);
    SPGEMM_REQUIRE(A->index_type == B->index_type &&
                       A->value_type == B->value_type,
                   SPGEMM_ERROR_UNSUPPORTED);
    const repetition repeats = spgemm_find_repetition(A, B);
    c->ops.repeats = repeats;
    c->of_A.wants_octets = A == B;
    c->of_A.period = repeats.period;
    c->of_A.shift = repeats.a_shift;
    c->of_B.wants_octets = true;
    c->of_B.period = repeats.a_shift;
    c->of_B.shift = repeats.b_shift;
    SPGEMM_TRY(check_operand(c, A, "A", &c->of_A, &is_sorted));
    if (A != B)
        SPGEMM_TRY(check_operand(c, B, "B", &c->of_B, &is_sorted));
    c->ops.b_is_sorted = is_sorted;

cleanup:
    return status;
}

/* What was found of the operands, as far as the kernels can use it. */
static void use_surveys(call *c)
{
    const survey *of_B = c->ops.A == c->ops.B ? &c->of_A : &c->of_B;
    if (!c->ops.b_is_sorted)
        return;
    if (of_B->octets.row) {
        c->ops.b_octets = &of_B->octets;
        c->ops.a_same = c->of_A.same;
        c->ops.b_same = of_B->same;
    }
    /* Rows that may be repeated are sorted, wanted or not, and on any CPU. */
    c->ops.sort_rows |= c->ops.repeats.period > 0;
    if (c->of_A.next && of_B->next) {
        c->ops.a_next = c->of_A.next;
        c->ops.b_next = of_B->next;
    }
}

spgemm_status spgemm_call_begin(call *c,
                                const spgemm_csr *A,
                                const spgemm_csr *B,
                                const spgemm_options *options,
                                spgemm_report *report,
                                bool needs_values)
{
    spgemm_status status = SPGEMM_SUCCESS;
    *c = (call){.wanted = report, .start_seconds = timer_seconds()};
    c->lap_seconds = c->start_seconds;
    if (options)
        c->options = *options;
    const bool is_usable = is_valid(&c->options);
    spgemm_memory_init(&c->m, is_usable ? c->options.allocator : NULL);
    spgemm_memory_limit(&c->m, c->options.memory_limit_bytes);
    c->p.m = &c->m;
    SPGEMM_REQUIRE(is_usable && A && B, SPGEMM_ERROR_INVALID);
    SPGEMM_TRY(check_operands(c, A, B, needs_values));

    c->report.isa = spgemm_isa_name(spgemm_cpu_isa());
    c->report.memory = spgemm_memory_kind(&c->m);
    c->ops.A = A;
    c->ops.B = B;
    c->ops.sort_rows = c->options.row_order == SPGEMM_ROWS_SORTED;
    c->ops.prediction = &c->prediction;
    use_surveys(c);

cleanup:
    c->report.check_seconds = timer_lap(&c->lap_seconds);
    return status;
}

spgemm_status spgemm_call_count_products(call *c)
{
    const spgemm_status status = spgemm_products_count(
        &c->counts, c->ops.A, c->ops.B, c->options.nthreads, &c->m);
    c->ops.products = c->counts.row;
    c->ops.row_class = c->counts.row_class;
    c->report.products = c->counts.total;
    c->report.products_seconds = timer_lap(&c->lap_seconds);
    return status;
}

int spgemm_call_team(const call *c)
{
    return spgemm_team_size(c->options.nthreads, c->counts.total,
                            TEAM_PRODUCTS);
}

spgemm_status spgemm_call_predict(call *c, spgemm_predictor method)
{
    const count_context counter = {c->kernels, &c->ops, spgemm_call_team(c),
                                   &c->m};
    const predict_input in = {
        .A = c->ops.A,
        .B = c->ops.B,
        .counts = &c->counts,
        .options = &c->options,
        .count_rows = spgemm_count_rows,
        .count_parts = c->ops.b_is_sorted ? spgemm_count_parts : NULL,
        .count_context = (void *)(uintptr_t)&counter,
        .m = &c->m,
    };
    c->report.predictor = spgemm_predictor_resolve(method);
    const spgemm_status status =
        spgemm_predictors[c->report.predictor].predict(&c->prediction, &in);
    c->report.nnz_predicted = checked_capacity(c->prediction.nnz, 0, INT64_MAX);
    c->report.nnz_standard_error = c->prediction.standard_error;
    c->report.rows_sampled = c->prediction.rows_sampled;
    c->report.products_sampled = c->prediction.products_sampled;
    c->report.predict_seconds = timer_lap(&c->lap_seconds);
    return status;
}

spgemm_status spgemm_call_plan(call *c, bool splits_rows)
{
    return spgemm_plan_make(&c->p, &c->ops, &c->counts,
                            splits_rows && c->ops.b_is_sorted,
                            spgemm_call_team(c), &c->m);
}

spgemm_status spgemm_call_make_rowptr(call *c)
{
    const spgemm_csr *A = c->ops.A;
    c->made = (spgemm_csr){.nrows = A->nrows,
                           .ncols = c->ops.B->ncols,
                           .index_type = A->index_type,
                           .value_type = A->value_type,
                           .flags = SPGEMM_OWNS_ARRAYS,
                           .allocator = spgemm_memory_hooks(&c->m)};
    c->made.rowptr =
        spgemm_memory_allocate(&c->m, A->nrows + 1, sizeof *c->made.rowptr);
    if (!c->made.rowptr)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    c->made.rowptr[0] = 0;
    return SPGEMM_SUCCESS;
}

size_t spgemm_call_c_bytes(const call *c, int64_t nnz)
{
    const size_t entry = spgemm_index_size(c->made.index_type) +
                         spgemm_value_size(c->made.value_type);
    const size_t rows = ((size_t)c->made.nrows + 1) * sizeof(int64_t);
    size_t bytes;
    if (__builtin_mul_overflow((size_t)nnz, entry, &bytes) ||
        __builtin_add_overflow(bytes, rows, &bytes))
        return SIZE_MAX;
    return bytes;
}

spgemm_status spgemm_call_allocate_entries(call *c, int64_t nnz)
{
    c->made.nnz = nnz;
    c->made.colidx = spgemm_memory_allocate(
        &c->m, nnz, spgemm_index_size(c->made.index_type));
    c->made.values = spgemm_memory_allocate(
        &c->m, nnz, spgemm_value_size(c->made.value_type));
    c->report.allocated_bytes = spgemm_call_c_bytes(c, nnz);
    c->report.allocate_seconds = timer_lap(&c->lap_seconds);
    return c->made.colidx && c->made.values ? SPGEMM_SUCCESS
                                            : SPGEMM_ERROR_OUT_OF_MEMORY;
}

static void write_report(call *c, spgemm_status status)
{
    if (status == SPGEMM_SUCCESS) {
        c->report.nnz = c->made.nnz;
        c->report.c_bytes = spgemm_call_c_bytes(c, c->made.nnz);
        c->report.upper_bound_bytes = spgemm_call_c_bytes(c, c->counts.bound);
    }
    c->report.peak_bytes = atomic_load(&c->m.peak_bytes);
    c->report.total_seconds = timer_seconds() - c->start_seconds;
    if (c->wanted)
        *c->wanted = c->report;
}

spgemm_status spgemm_call_end(call *c, spgemm_csr *C, spgemm_status status)
{
    SPGEMM_ASSERT_EXPENSIVE(status < 0 || !c->made.rowptr ||
                            spgemm_csr_check(&c->made, NULL) == SPGEMM_SUCCESS);
    if (status == SPGEMM_ERROR_OUT_OF_MEMORY && atomic_load(&c->m.is_at_limit))
        status = SPGEMM_ERROR_MEMORY_LIMIT;
    write_report(c, status);
    spgemm_plan_clear(&c->p);
    spgemm_survey_clear(&c->of_A);
    spgemm_survey_clear(&c->of_B);
    spgemm_memory_release(&c->m, c->prediction.row_nnz, c->counts.nrows,
                          sizeof *c->prediction.row_nnz);
    spgemm_products_clear(&c->counts, &c->m);
    if (status == SPGEMM_SUCCESS)
        *C = c->made;
    else
        spgemm_csr_destroy(&c->made);
    return status;
}

spgemm_status spgemm_call_product(spgemm_csr *C,
                                  const spgemm_csr *A,
                                  const spgemm_csr *B,
                                  const spgemm_options *options,
                                  spgemm_report *report,
                                  product_steps *steps)
{
    spgemm_status status = SPGEMM_SUCCESS;
    call c;
    if (!C || C == A || C == B)
        return SPGEMM_ERROR_INVALID;
    SPGEMM_TRY(spgemm_call_begin(&c, A, B, options, report, true));
    SPGEMM_TRY(spgemm_call_count_products(&c));
    SPGEMM_TRY(steps(&c));
    c.made.flags |= c.ops.sort_rows ? SPGEMM_SORTED_ROWS : 0u;

cleanup:
    return spgemm_call_end(&c, C, status);
}
