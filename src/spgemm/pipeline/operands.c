/* SPDX-License-Identifier: BSD-3-Clause */
/* op(A)(rows, :) and op(B)(:, cols), by transposing and by selecting.

   Columns of B' are rows of B: these are selected first. Rows of A' are columns
   of A: to select them first one has to look at all entries, which pays when
   few are left to transpose. Measured, one thread of a Zen 4, ms for a tenth
   and for half of the columns, at random, selected first and last: 27-point
   60^3 21, 39 and 52, 43; Erdos-Renyi 3e5/4 9, 15 and 18, 17; 3e5/16 33, 76
   and 77, 81. */
#include "spgemm/pipeline/operands.h"

#include <inttypes.h>

#include "common/partition.h"
#include "common/refusal.h"
#include "common/sort_hashes.h"
#include "common/try.h"
#include "matrix/csr_select.h"
#include "values/traits.h"

/* Share of the rows of A' up to which they are selected first. */
#define SELECT_FIRST 0.4

/* What is made of one operand, and with what. */
typedef struct transformation {
    spgemm_csr X; /* a view */
    spgemm_operation op;
    csr_selection which; /* of op(X) */
    int nthreads;
    memory *m;
} transformation;

/* Whether all rows of the list are rows of op(A). */
static spgemm_status check_rows(const spgemm_options *options, const char *name,
                                int64_t nrows)
{
    for (int64_t t = 0; t < options->product.nrows; t++)
        if ((uint64_t)options->product.rows[t] >= (uint64_t)nrows)
            return spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "options.product.rows[%" PRId64 "] is %" PRId64
                                 ", and op(%s) has %" PRId64 " rows",
                                 t, options->product.rows[t], name, nrows);
    return SPGEMM_SUCCESS;
}

/* Whether the columns of the list are columns of op(B), and increase. */
static spgemm_status check_cols(const spgemm_options *options, const char *name,
                                int64_t ncols)
{
    const int64_t *cols = options->product.cols;
    for (int64_t t = 0; t < options->product.ncols; t++) {
        if ((uint64_t)cols[t] >= (uint64_t)ncols)
            return spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "options.product.cols[%" PRId64 "] is %" PRId64
                                 ", and op(%s) has %" PRId64 " columns",
                                 t, cols[t], name, ncols);
        if (t > 0 && cols[t] <= cols[t - 1])
            return spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "options.product.cols[%" PRId64 "] is %" PRId64
                                 " after %" PRId64 ": columns must increase",
                                 t, cols[t], cols[t - 1]);
    }
    return SPGEMM_SUCCESS;
}

/* The structure is read only when it is right. */
static spgemm_status check(transformation *t, const char *name,
                           const spgemm_options *options, spgemm_fault *fault)
{
    bool is_sorted = false;
    if (options->resources.input_check == SPGEMM_CHECK_NONE)
        return SPGEMM_SUCCESS;
    *fault = (spgemm_fault){.operand = name};
    const spgemm_status status =
        spgemm_csr_check_full(&t->X, t->nthreads, NULL, &is_sorted, fault);
    if (status != SPGEMM_ERROR_STRUCTURE)
        *fault = (spgemm_fault){0};
    if (is_sorted)
        t->X.flags |= SPGEMM_SORTED_ROWS;
    return status;
}

static spgemm_status transpose(spgemm_csr *out, const transformation *t,
                               const spgemm_csr *X)
{
    return spgemm_csr_transpose_into(
        out, X, t->op == SPGEMM_OP_CONJUGATE_TRANSPOSE, t->nthreads, t->m);
}

static spgemm_status select_of(spgemm_csr *out, const transformation *t,
                               const spgemm_csr *X, const csr_selection *which)
{
    return spgemm_csr_select(out, X, which, t->nthreads, t->m);
}

/* X(which)', by way of X(which). */
static spgemm_status select_and_transpose(spgemm_csr *out,
                                          const transformation *t,
                                          const csr_selection *of_X)
{
    spgemm_csr part = {0};
    spgemm_status status = select_of(&part, t, &t->X, of_X);
    if (status == SPGEMM_SUCCESS)
        status = transpose(out, t, &part);
    spgemm_csr_release(&part, t->m);
    return status;
}

/* X'(rows), by way of X'. */
static spgemm_status transpose_and_select(spgemm_csr *out,
                                          const transformation *t)
{
    spgemm_csr whole = {0};
    spgemm_status status = transpose(&whole, t, &t->X);
    if (status == SPGEMM_SUCCESS)
        status = select_of(out, t, &whole, &t->which);
    spgemm_csr_release(&whole, t->m);
    return status;
}

/* sorted[0 .. return) = the numbers in list[0 .. count), each once. */
static int64_t sort_distinct(int64_t *sorted, const int64_t *list,
                             int64_t count)
{
    int64_t used = 0;
    memcpy(sorted, list, (size_t)count * sizeof *sorted);
    spgemm_sort_hashes((uint64_t *)sorted, count);
    for (int64_t t = 0; t < count; t++)
        if (t == 0 || sorted[t] != sorted[t - 1])
            sorted[used++] = sorted[t];
    return used;
}

/* X'(rows) for rows in any order: the columns of X that are in the list, once
   each and in order, then their rows of the transpose as the list has them. */
static spgemm_status select_in_order(spgemm_csr *out, const transformation *t)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t count = t->which.nrows;
    spgemm_csr turned = {0};
    int64_t *places = NULL;
    int64_t *distinct = spgemm_memory_allocate(t->m, count, sizeof *distinct);
    SPGEMM_REQUIRE(distinct, SPGEMM_ERROR_OUT_OF_MEMORY);
    places = spgemm_memory_allocate(t->m, count, sizeof *places);
    SPGEMM_REQUIRE(places, SPGEMM_ERROR_OUT_OF_MEMORY);

    const int64_t ndistinct = sort_distinct(distinct, t->which.rows, count);
    for (int64_t r = 0; r < count; r++)
        places[r] = partition_search(distinct, ndistinct, t->which.rows[r]);
    const csr_selection of_X = {.cols = distinct, .ncols = ndistinct};
    const csr_selection of_turned = {.rows = places, .nrows = count};
    SPGEMM_TRY(select_and_transpose(&turned, t, &of_X));
    SPGEMM_TRY(select_of(out, t, &turned, &of_turned));

cleanup:
    spgemm_memory_release(t->m, distinct, count, sizeof *distinct);
    spgemm_memory_release(t->m, places, count, sizeof *places);
    spgemm_csr_release(&turned, t->m);
    return status;
}

/* op(X)(which), where this is not X. */
static spgemm_status make(spgemm_csr *out, const transformation *t)
{
    const csr_selection *which = &t->which;
    if (t->op == SPGEMM_OP_NONE)
        return select_of(out, t, &t->X, which);
    if (which->cols)
        return select_and_transpose(
            out, t,
            &(csr_selection){.rows = which->cols, .nrows = which->ncols});
    if (!which->rows)
        return transpose(out, t, &t->X);
    if ((double)which->nrows > SELECT_FIRST * (double)t->X.ncols)
        return transpose_and_select(out, t);
    if (increases(which->rows, which->nrows))
        return select_and_transpose(
            out, t,
            &(csr_selection){.cols = which->rows, .ncols = which->nrows});
    return select_in_order(out, t);
}

static bool is_asked_for(const transformation *t)
{
    return t->op != SPGEMM_OP_NONE || t->which.rows || t->which.cols;
}

/* Whether rows of X are those of op(X)', in order. */
static bool is_by_columns(const transformation *t)
{
    return (t->op == SPGEMM_OP_TRANSPOSE ||
            (t->op == SPGEMM_OP_CONJUGATE_TRANSPOSE &&
             !spgemm_value_is_complex(t->X.value_type))) &&
           !t->which.rows && !t->which.cols &&
           (t->X.flags & SPGEMM_SORTED_ROWS) &&
           spgemm_index_holds(t->X.index_type, t->X.nrows);
}

/* op(B), or its row pointers alone. */
static spgemm_status make_right(operand_copies *p, const transformation *t,
                                bool counts_alone)
{
    spgemm_status status = SPGEMM_SUCCESS;
    if (is_by_columns(t))
        p->by_columns = t->X;
    if (!counts_alone || !p->by_columns.colidx)
        return make(&p->made_B, t);
    SPGEMM_TRY(
        spgemm_csr_transpose_counts(&p->made_B, &t->X, t->nthreads, t->m));
    p->made_B.flags |= SPGEMM_SORTED_ROWS;
    p->b_is_counted = true;

cleanup:
    return status;
}

spgemm_status spgemm_operands_make_entries(operand_copies *p, int nthreads,
                                           memory *m)
{
    spgemm_csr_release(&p->made_B, m);
    p->b_is_counted = false;
    return spgemm_csr_transpose_into(&p->made_B, &p->by_columns, false,
                                     nthreads, m);
}

/* Real values are their own conjugates. */
static bool are_the_same(spgemm_operation op, spgemm_operation other,
                         spgemm_value_type which)
{
    return op == other || (!spgemm_value_is_complex(which) &&
                           op != SPGEMM_OP_NONE && other != SPGEMM_OP_NONE);
}

static transformation begin(const spgemm_csr *X, spgemm_operation op,
                            const spgemm_options *options, bool needs_values,
                            memory *m)
{
    transformation t = {
        .X = *X, .op = op, .nthreads = options->resources.nthreads, .m = m};
    if (!needs_values)
        t.X.values = NULL;
    return t;
}

spgemm_status spgemm_operands_make(operand_copies *p, const spgemm_csr *A,
                                   const spgemm_csr *B,
                                   const operand_names *names,
                                   const spgemm_options *options,
                                   operand_needs needs, spgemm_fault *fault,
                                   memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    transformation of_A =
        begin(A, options->product.op_a, options, needs.values, m);
    transformation of_B =
        begin(B, options->product.op_b, options, needs.values, m);
    of_A.which.rows = options->product.rows;
    of_A.which.nrows = options->product.nrows;
    of_B.which.cols = options->product.cols;
    of_B.which.ncols = options->product.ncols;
    *p = (operand_copies){.A = A, .B = B};

    SPGEMM_TRY(check_rows(options, name_of_left(names),
                          op_nrows(A, options->product.op_a)));
    SPGEMM_TRY(check_cols(options, name_of_right(names),
                          op_ncols(B, options->product.op_b)));
    if (is_asked_for(&of_A)) {
        SPGEMM_TRY(check(&of_A, name_of_left(names), options, fault));
        SPGEMM_TRY(make(&p->made_A, &of_A));
        p->A = &p->made_A;
    }
    if (A == B && !options->product.rows && !options->product.cols &&
        are_the_same(options->product.op_a, options->product.op_b,
                     A->value_type)) {
        p->B = p->A;
        if (is_by_columns(&of_A))
            p->by_columns = of_A.X;
    } else if (is_asked_for(&of_B)) {
        SPGEMM_TRY(check(&of_B, name_of_right(names), options, fault));
        SPGEMM_TRY(make_right(p, &of_B, needs.counts_alone));
        p->B = &p->made_B;
    }

cleanup:
    return status;
}

void spgemm_operands_clear(operand_copies *p, memory *m)
{
    spgemm_csr_release(&p->made_A, m);
    spgemm_csr_release(&p->made_B, m);
    *p = (operand_copies){0};
}
