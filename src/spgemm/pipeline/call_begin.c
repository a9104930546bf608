/* SPDX-License-Identifier: BSD-3-Clause */
/* A call begins: options and shapes are checked, kernels chosen (call_kernels.c), and
   A and B taken (call_operands.c). */
#include "spgemm/pipeline/call.h"

#include <inttypes.h>

#include "common/refusal.h"
#include "common/timer.h"
#include "common/try.h"
#include "spgemm/pipeline/out_overlap.h"

/* What can be told of one operand in O(1). */
static spgemm_status check_kind(const spgemm_csr *X, const char *name)
{
    const spgemm_status status = spgemm_csr_check_header(X, name);
    return status < 0 ? status : spgemm_csr_check_structure(X, name);
}

/* What can be told of both, and the shapes of what is multiplied. */
static spgemm_status check_kinds(call *c, const spgemm_csr *A,
                                 const spgemm_csr *B, bool b_is_to_come,
                                 bool narrows, bool needs_values)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const char *name_a = name_of_left(&c->names);
    const char *name_b = name_of_right(&c->names);
    SPGEMM_TRY(check_kind(A, name_a));
    if (!b_is_to_come)
        SPGEMM_TRY(check_kind(B, name_b));
    const spgemm_operation op_a = c->options.product.op_a;
    const spgemm_operation op_b = c->options.product.op_b;
    SPGEMM_REQUIRE(
        op_ncols(A, op_a) == op_nrows(B, op_b),
        spgemm_refuse(SPGEMM_ERROR_SHAPE,
                      "%s%s%s has %" PRId64 " columns, and %s%s%s has %" PRId64
                      " rows",
                      op_a == SPGEMM_OP_NONE ? "" : "op(", name_a,
                      op_a == SPGEMM_OP_NONE ? "" : ")", op_ncols(A, op_a),
                      op_b == SPGEMM_OP_NONE ? "" : "op(", name_b,
                      op_b == SPGEMM_OP_NONE ? "" : ")", op_nrows(B, op_b)));
    SPGEMM_TRY(spgemm_call_select_kernels(c, A, B, b_is_to_come, narrows,
                                          needs_values));
    SPGEMM_TRY(spgemm_out_check_overlap(&c->options, A, B, &c->names,
                                        c->options.product.rows
                                            ? c->options.product.nrows
                                            : op_nrows(A, op_a)));

cleanup:
    return status;
}

spgemm_status spgemm_call_check_c(const spgemm_csr *C, const spgemm_csr *A,
                                  const char *name_b, const spgemm_csr *B,
                                  const spgemm_options *options)
{
    const char *whose = C == A                      ? "A"
                        : C == B                    ? name_b
                        : C == options->product.D   ? "options.product.D"
                        : C == options->filter.mask ? "options.filter.mask"
                                                    : NULL;
    if (!C)
        return spgemm_refuse(SPGEMM_ERROR_INVALID, "C is NULL");
    return whose ? spgemm_refuse(SPGEMM_ERROR_INVALID, "C is %s itself", whose)
                 : SPGEMM_SUCCESS;
}

/* Whether C and all that it takes are sure to be less than the library leaves of a
   limited address space to others (ADDRESS_RESERVE): to ask for the limit takes as
   long as a tenth of such a product. */
static bool is_tiny(const spgemm_options *options, const spgemm_csr *A,
                    const spgemm_csr *B)
{
    int64_t products;
    return A && B && !options->product.rows && !options->product.cols &&
           !options->filter.mask && !options->product.D && A->nnz >= 0 &&
           B->nnz >= 0 && A->nrows <= FEW_PRODUCTS &&
           A->ncols <= FEW_PRODUCTS && B->ncols <= FEW_PRODUCTS &&
           !__builtin_mul_overflow(A->nnz, B->nnz, &products) &&
           products <= FEW_PRODUCTS;
}

static void init_memory(call *c, const entry_point *self, const spgemm_csr *A,
                        const spgemm_csr *B, const spgemm_allocator *hooks)
{
    if (!self->account && is_tiny(&c->options, A, B))
        spgemm_memory_init(&c->m, hooks);
    else
        spgemm_memory_init_product(&c->m, hooks);
    spgemm_memory_limit(&c->m, c->options.resources.memory_limit_bytes);
    spgemm_memory_join(&c->m, self->account);
}

/* Mask and D: A, which is checked, may be either of them. */
static spgemm_status make_epilogue(call *c)
{
    spgemm_csr checked = *c->ops.A;
    checked.flags = c->a_is_sorted ? SPGEMM_SORTED_ROWS : 0;
    return spgemm_epilogue_make(&c->epilogue, &c->ops, &checked, &c->options,
                                &c->m, &c->report.fault);
}

/* A, if B is a view of the same matrix: it is looked at once. */
static const spgemm_csr *right_of(const spgemm_csr *A, const spgemm_csr *B)
{
    const bool is_A = A && B && csr_share_pattern(A, B) &&
                      A->values == B->values &&
                      A->value_type == B->value_type &&
                      ((A->flags ^ B->flags) & SPGEMM_SORTED_ROWS) == 0;
    return is_A ? A : B;
}

spgemm_status spgemm_call_begin(call *c, const entry_point *self,
                                const spgemm_csr *A, const spgemm_csr *B,
                                const spgemm_options *options,
                                spgemm_report *report)
{
    spgemm_status status = SPGEMM_SUCCESS;
    B = right_of(A, B);
    spgemm_refusal_begin();
    /* A prediction tells its times itself. */
    const bool is_timed = report || !self->multiplies;
    *c = (call){.wanted = report,
                .start_seconds = is_timed ? timer_seconds() : TIMER_OFF,
                .names = self->names};
    c->lap_seconds = c->start_seconds;
    if (options)
        c->options = *options;
    c->computes = self->multiplies;
    c->is_repeated = self->is_repeated;
    status = spgemm_options_check(&c->options, self);
    init_memory(c, self, A, B,
                status < 0 ? NULL : c->options.resources.allocator);
    spgemm_progress_init(&c->progress, &c->options);
    c->p.m = &c->m;
    SPGEMM_TRY(status);
    const bool needs_values =
        self->multiplies || spgemm_options_read_values(&c->options);
    const bool is_narrow =
        !self->stays_wide &&
        spgemm_narrow_pays(A, B, &c->options, self->multiplies);
    c->narrows_later =
        is_narrow && spgemm_call_narrows_later(self, A, B, &c->options);
    const bool narrows = is_narrow && !c->narrows_later;
    SPGEMM_TRY(check_kinds(c, A, B, self->b_is_to_come, narrows, needs_values));
    SPGEMM_TRY(spgemm_call_take_operands(c, self, A, B, narrows, needs_values));

    c->report.isa = spgemm_isa_name(spgemm_cpu_isa());
    c->report.memory = spgemm_memory_kind(&c->m);
    c->ops.A = c->copies.A;
    c->ops.B = c->copies.B;
    c->ops.sort_rows = c->options.product.row_order == SPGEMM_ROWS_SORTED;
    c->ops.prediction = &c->prediction;
    c->ops.user = c->options.product.user;
    if (!self->b_is_to_come)
        spgemm_call_use_analyses(c);
    SPGEMM_TRY(make_epilogue(c));
    if (!self->b_is_to_come)
        SPGEMM_TRY(spgemm_call_take_columns(c));

cleanup:
    c->report.check_seconds += timer_lap(&c->lap_seconds);
    return status;
}
