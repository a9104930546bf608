/* SPDX-License-Identifier: BSD-3-Clause */
/* A call begins: options and types are checked, kernels chosen for them, and A and B
   taken (call_operands.c). */
#include "spgemm/pipeline/call.h"

#include <inttypes.h>

#include "common/refusal.h"
#include "common/timer.h"
#include "common/try.h"
#include "semiring/semiring.h"
#include "spgemm/pipeline/out_overlap.h"
#include "values/traits.h"

/* What can be told of one operand in O(1). */
static spgemm_status check_kind(const spgemm_csr *X, const char *name)
{
    const spgemm_status status = spgemm_csr_check_header(X, name);
    return status < 0 ? status : spgemm_csr_check_structure(X, name);
}

/* Whether values that are read are there: of both operands, or of neither. */
static spgemm_status find_values(const call *c, const spgemm_csr *A,
                                 const spgemm_csr *B, bool *has_values)
{
    const spgemm_options *options = &c->options;
    const char *name_a = name_of_left(&c->names);
    const char *name_b = name_of_right(&c->names);
    const bool reads_a = spgemm_semiring_reads_a(options->product.semiring);
    const bool reads_b = spgemm_semiring_reads_b(options->product.semiring);
    const bool lacks_a = reads_a && A->nnz > 0 && !A->values;
    const bool lacks_b = reads_b && B->nnz > 0 && !B->values;
    const bool has_a = reads_a && A->values;
    const bool has_b = reads_b && B->values;
    *has_values = !lacks_a && !lacks_b;
    if (!(lacks_a && has_b) && !(lacks_b && has_a))
        return SPGEMM_SUCCESS;
    return spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                         "%s.values is NULL, but %s.values is not, and "
                         "options.product.semiring, %s, reads both",
                         lacks_a ? name_a : name_b, lacks_a ? name_b : name_a,
                         spgemm_semiring_name(options->product.semiring));
}

static const char *value_name(spgemm_value_type type)
{
    const char *name = spgemm_value_type_name(type);
    return name ? name : "SPGEMM_ELEMENTS()";
}

static spgemm_status check_types(const operand_names *names,
                                 const spgemm_csr *A, const spgemm_csr *B)
{
    if (A->index_type != B->index_type)
        return spgemm_refuse(
            SPGEMM_ERROR_UNSUPPORTED,
            "%s.index_type is %s, and %s.index_type is %s", name_of_left(names),
            spgemm_index_type_name(A->index_type), name_of_right(names),
            spgemm_index_type_name(B->index_type));
    if (A->value_type != B->value_type)
        return spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                             "%s.value_type is %s, and %s.value_type is %s",
                             name_of_left(names), value_name(A->value_type),
                             name_of_right(names), value_name(B->value_type));
    return SPGEMM_SUCCESS;
}

/* C without values may go into an `out` without. */
static spgemm_status check_out(const spgemm_out *out, bool has_values)
{
    if (!has_values || !out || out->values || out->capacity == 0)
        return SPGEMM_SUCCESS;
    return spgemm_refuse(
        SPGEMM_ERROR_INVALID,
        "options.resources.out->values is NULL, but C has values");
}

static number_kind numbers_of(spgemm_value_type which)
{
    const value_traits *type = spgemm_value_traits(which);
    return type ? type->numbers : NUMBERS_WITHOUT_NAN;
}

/* Kernels for A and B, of one type, whose columns are narrowed or not. A prediction
   needs no values. */
static spgemm_status select_kernels(call *c, const spgemm_csr *A,
                                    const spgemm_csr *B, bool narrows,
                                    bool needs_values)
{
    const spgemm_index_type columns = narrows ? SPGEMM_I32 : A->index_type;
    bool has_values = false;
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(check_types(&c->names, A, B));
    if (needs_values)
        SPGEMM_TRY(find_values(c, A, B, &has_values));
    SPGEMM_REQUIRE(
        spgemm_kernels_select(&c->selected, A->value_type, columns,
                              c->options.product.semiring, has_values,
                              spgemm_cpu_isa()),
        spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                      "options.product.semiring, %s, is not built for "
                      "values of type %s",
                      spgemm_semiring_name(c->options.product.semiring),
                      value_name(A->value_type)));
    c->kernels = &c->selected;
    c->ops.index_type = A->index_type;
    c->ops.value_size = has_values ? spgemm_value_size(A->value_type) : 0;
    if (has_values && c->options.product.semiring != SPGEMM_USER)
        c->ops.numbers = numbers_of(A->value_type);
    SPGEMM_TRY(check_out(c->options.resources.out, has_values));

cleanup:
    return status;
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
    SPGEMM_TRY(select_kernels(c, A, B, narrows, needs_values));
    SPGEMM_TRY(spgemm_out_check_overlap(&c->options, A, B, &c->names,
                                        c->options.product.rows
                                            ? c->options.product.nrows
                                            : op_nrows(A, op_a)));

cleanup:
    return status;
}

spgemm_status spgemm_call_check_c(const spgemm_csr *C, const spgemm_csr *A,
                                  const spgemm_csr *B)
{
    if (!C)
        return spgemm_refuse(SPGEMM_ERROR_INVALID, "C is NULL");
    if (C == A || C == B)
        return spgemm_refuse(SPGEMM_ERROR_INVALID, "C is %s itself",
                             C == A ? "A" : "B");
    return SPGEMM_SUCCESS;
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

spgemm_status spgemm_call_begin(call *c, const entry_point *self,
                                const spgemm_csr *A, const spgemm_csr *B,
                                const spgemm_options *options,
                                spgemm_report *report)
{
    spgemm_status status = SPGEMM_SUCCESS;
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
    c->ops.semiring = c->options.product.semiring;
    c->ops.user = c->options.product.user;
    if (!self->b_is_to_come)
        spgemm_call_use_analyses(c);
    SPGEMM_TRY(spgemm_epilogue_make(&c->epilogue, &c->ops, &c->options, &c->m,
                                    &c->report.fault));

cleanup:
    c->report.check_seconds = timer_lap(&c->lap_seconds);
    return status;
}
