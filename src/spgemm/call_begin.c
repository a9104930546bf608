/* SPDX-License-Identifier: BSD-3-Clause */
/* A call begins: options, types and operands are checked, kernels chosen for
   them, A and B transformed where that is asked for. */
#include "spgemm/call.h"

#include "common/timer.h"
#include "common/try.h"
#include "semiring/semiring.h"

static bool is_user_valid(const spgemm_options *options)
{
    const spgemm_user_semiring *user = options->user;
    return options->semiring != SPGEMM_USER ||
           (user && user->zero && user->multiply && user->add);
}

static bool is_out_valid(const spgemm_out *out)
{
    return !out || (out->rowptr && out->capacity >= 0 &&
                    (out->capacity == 0 || out->colidx));
}

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
           (unsigned)options->semiring < SPGEMM_SEMIRING_COUNT &&
           is_user_valid(options) && is_out_valid(options->out) &&
           spgemm_form_is_valid(options) &&
           (options->input_check == SPGEMM_CHECK_FULL ||
            options->input_check == SPGEMM_CHECK_NONE) &&
           spgemm_prepare_accepts(options) &&
           (!is_set || (a->allocate && a->release));
}

/* What can be told of one operand in O(1). */
static spgemm_status check_kind(const spgemm_csr *X)
{
    const spgemm_status status = spgemm_csr_check_header(X);
    if (status < 0)
        return status;
    return spgemm_csr_has_structure(X) ? SPGEMM_SUCCESS : SPGEMM_ERROR_INVALID;
}

/* Whether values that are read are there: of both operands, or of neither. */
static spgemm_status find_values(const spgemm_options *options,
                                 const spgemm_csr *A,
                                 const spgemm_csr *B,
                                 bool *has_values)
{
    const bool reads_a = spgemm_semiring_reads_a(options->semiring);
    const bool reads_b = spgemm_semiring_reads_b(options->semiring);
    const bool lacks_a = reads_a && A->nnz > 0 && !A->values;
    const bool lacks_b = reads_b && B->nnz > 0 && !B->values;
    const bool has_a = reads_a && A->values;
    const bool has_b = reads_b && B->values;
    *has_values = !lacks_a && !lacks_b;
    return (lacks_a && has_b) || (lacks_b && has_a) ? SPGEMM_ERROR_UNSUPPORTED
                                                    : SPGEMM_SUCCESS;
}

/* Kernels for A and B, of one type. A prediction needs no values. */
static spgemm_status select_kernels(call *c,
                                    const spgemm_csr *A,
                                    const spgemm_csr *B,
                                    bool needs_values)
{
    bool has_values = false;
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_REQUIRE(A->index_type == B->index_type &&
                       A->value_type == B->value_type,
                   SPGEMM_ERROR_UNSUPPORTED);
    if (needs_values)
        SPGEMM_TRY(find_values(&c->options, A, B, &has_values));
    SPGEMM_REQUIRE(spgemm_kernels_select(&c->selected, A, c->options.semiring,
                                         has_values, spgemm_cpu_isa()),
                   SPGEMM_ERROR_UNSUPPORTED);
    c->kernels = &c->selected;
    c->ops.value_size = has_values ? spgemm_value_size(A->value_type) : 0;
    SPGEMM_REQUIRE(!has_values || !c->options.out || c->options.out->values ||
                       c->options.out->capacity == 0,
                   SPGEMM_ERROR_INVALID);

cleanup:
    return status;
}

/* What can be told of both, and the shapes of what is multiplied. */
static spgemm_status check_kinds(call *c,
                                 const spgemm_csr *A,
                                 const spgemm_csr *B,
                                 bool needs_values)
{
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(check_kind(A));
    SPGEMM_TRY(check_kind(B));
    SPGEMM_REQUIRE(op_ncols(A, c->options.op_a) == op_nrows(B, c->options.op_b),
                   SPGEMM_ERROR_SHAPE);
    SPGEMM_TRY(select_kernels(c, A, B, needs_values));

cleanup:
    return status;
}

/* One operand: checked, unless it was made, and surveyed; *is_sorted as far as
   it is known. */
static spgemm_status check_operand(call *c,
                                   const spgemm_csr *X,
                                   bool is_made,
                                   const char *name,
                                   survey *s,
                                   bool *is_sorted)
{
    *is_sorted = X->flags & SPGEMM_SORTED_ROWS;
    s->X = X;
    s->m = &c->m;
    s->kernels = c->kernels;
    spgemm_fault fault = {.operand = name};
    const spgemm_status found =
        spgemm_survey(s, is_made || c->options.input_check == SPGEMM_CHECK_NONE,
                      c->options.nthreads, is_sorted, &fault);
    if (found == SPGEMM_ERROR_STRUCTURE)
        c->report.fault = fault;
    return found;
}

static spgemm_status check_operands(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const prepared *made = &c->prepared;
    const spgemm_csr *A = made->A;
    const spgemm_csr *B = made->B;
    bool is_sorted;
    const repetition repeats = spgemm_find_repetition(A, B);
    c->ops.repeats = repeats;
    c->of_A.met_by = A == B ? A : NULL;
    c->of_A.period = repeats.period;
    c->of_A.shift = repeats.a_shift;
    c->of_B.met_by = A;
    c->of_B.period = repeats.a_shift;
    c->of_B.shift = repeats.b_shift;
    SPGEMM_TRY(
        check_operand(c, A, A == &made->made_A, "A", &c->of_A, &is_sorted));
    if (A != B)
        SPGEMM_TRY(
            check_operand(c, B, B == &made->made_B, "B", &c->of_B, &is_sorted));
    c->ops.b_is_sorted = is_sorted;

cleanup:
    return status;
}

static spgemm_status prepare_operands(call *c,
                                      const spgemm_csr *A,
                                      const spgemm_csr *B,
                                      bool needs_values)
{
    const spgemm_status status = spgemm_prepare(
        &c->prepared, A, B, &c->options, needs_values, &c->report.fault, &c->m);
    if (c->prepared.A != A || c->prepared.B != B)
        c->report.prepare_seconds = timer_lap(&c->lap_seconds);
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
    spgemm_memory_init_product(&c->m, is_usable ? c->options.allocator : NULL);
    spgemm_memory_limit(&c->m, c->options.memory_limit_bytes);
    spgemm_progress_init(&c->progress, &c->options);
    c->p.m = &c->m;
    SPGEMM_REQUIRE(is_usable && A && B, SPGEMM_ERROR_INVALID);
    SPGEMM_TRY(check_kinds(c, A, B, needs_values));
    SPGEMM_TRY(prepare_operands(c, A, B, needs_values));
    SPGEMM_TRY(check_operands(c));

    c->report.isa = spgemm_isa_name(spgemm_cpu_isa());
    c->report.memory = spgemm_memory_kind(&c->m);
    c->ops.A = c->prepared.A;
    c->ops.B = c->prepared.B;
    c->ops.sort_rows = c->options.row_order == SPGEMM_ROWS_SORTED;
    c->ops.prediction = &c->prediction;
    c->ops.user = c->options.user;
    use_surveys(c);
    SPGEMM_TRY(spgemm_form_prepare(&c->form, &c->ops, &c->options, &c->m,
                                   &c->report.fault));

cleanup:
    c->report.check_seconds = timer_lap(&c->lap_seconds);
    return status;
}
