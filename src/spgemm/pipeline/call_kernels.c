/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels for A and B, of one type of values and of columns, by what their product
   has for values. */
#include "common/refusal.h"
#include "common/try.h"
#include "semiring/semiring.h"
#include "spgemm/pipeline/call.h"
#include "spgemm/pipeline/ones.h"
#include "values/traits.h"

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
    const bool has_a = reads_a && A->nnz > 0 && A->values;
    const bool has_b = reads_b && B->nnz > 0 && B->values;
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

bool spgemm_call_find_kernels(const call *c, kernels *k, spgemm_value_type type,
                              spgemm_index_type columns)
{
    product_values values = VALUES_NONE;
    if (c->ops.value_size > 0)
        values =
            spgemm_options_read_values(&c->options) ? VALUES_FORM : VALUES_SUMS;
    return spgemm_kernels_select(k, type, columns, c->ops.semiring, values,
                                 spgemm_cpu_isa());
}

spgemm_status spgemm_call_select_kernels(call *c, const spgemm_csr *A,
                                         const spgemm_csr *B, bool b_is_to_come,
                                         bool narrows, bool needs_values)
{
    const spgemm_index_type columns = narrows ? SPGEMM_I32 : A->index_type;
    bool has_values = false;
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(check_types(&c->names, A, B));
    if (needs_values)
        SPGEMM_TRY(find_values(c, A, B, &has_values));
    c->ops.index_type = A->index_type;
    c->ops.value_size = has_values ? spgemm_value_size(A->value_type) : 0;
    c->ops.semiring =
        A->value_type == SPGEMM_BOOL
            ? spgemm_semiring_of_truths(c->options.product.semiring)
            : c->options.product.semiring;
    if (has_values && !b_is_to_come && !c->is_repeated &&
        spgemm_sums_are_one(A, B, &c->options))
        c->ops.semiring = SPGEMM_ANY_PAIR;
    SPGEMM_REQUIRE(
        spgemm_call_find_kernels(c, &c->selected, A->value_type, columns),
        spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                      "options.product.semiring, %s, is not built for "
                      "values of type %s",
                      spgemm_semiring_name(c->options.product.semiring),
                      value_name(A->value_type)));
    c->kernels = &c->selected;
    if (has_values && c->options.product.semiring != SPGEMM_USER)
        c->ops.numbers = numbers_of(A->value_type);
    SPGEMM_TRY(check_out(c->options.resources.out, has_values));

cleanup:
    return status;
}
