/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done with one matrix: check, transpose, sort, build, widen. */
#include <string.h>

#include "arena.h"
#include "build_csr.h"
#include "draw.h"
#include "reference_operand.h"
#include "reference_ring.h"
#include "run.h"
#include "scalars.h"

static size_t index_size(const spgemm_csr *X)
{
    return X->index_type == SPGEMM_I64 ? 8 : 4;
}

/* ---- Check --------------------------------------------------------------- */

static void run_check(crossing *x, const causes *c, tally *t)
{
    spgemm_fault fault;
    const before b = expect_begin(x);
    const spgemm_status status = spgemm_csr_check(x->A, &fault);
    tally_call(t, x, status, NULL);
    if (expect_status(x, c, status, &b) && status == SPGEMM_ERROR_STRUCTURE)
        expect_fault(x, &fault);
}

/* ---- Transpose, sort ----------------------------------------------------- */

/* The transpose, from the reference, as a matrix. */
static spgemm_csr transposed(const spgemm_csr *X)
{
    const size_t bytes = bytes_of_type(X->value_type);
    operand o = take_operand(X, SPGEMM_OP_TRANSPOSE);
    csr_builder b = build_begin(o.nrows, o.ncols);
    char *values = must_allocate(o.nnz, bytes);
    for (int64_t i = 0; i < o.nrows; i++) {
        for (int64_t p = o.rowptr[i]; p < o.rowptr[i + 1]; p++) {
            build_add(&b, o.columns[p], 0);
            if (X->values)
                memcpy(values + (size_t)p * bytes, o.values[p], bytes);
        }
        build_end_row(&b);
    }
    spgemm_csr T = build_finish(&b, X->index_type);
    drop_values(&T);
    T.value_type = X->value_type;
    T.values = values;
    if (!X->values)
        drop_values(&T);
    free_operand(&o);
    return T;
}

static void run_transpose(crossing *x, const causes *c, tally *t)
{
    spgemm_csr T;
    char text[200];
    if (!c->must && x->A->ncols > 1 << 20) /* T would fill the machine */
        return;
    const before b = expect_begin(x);
    const spgemm_status status = spgemm_csr_transpose(&T, x->A);
    tally_call(t, x, status, NULL);
    if (!expect_status(x, c, status, &b) || status < 0)
        return;
    spgemm_csr want = transposed(x->A);
    if (spgemm_csr_check(&T, NULL) != SPGEMM_SUCCESS)
        cross_fails(x, "transpose", "is malformed");
    else if (!typed_agree(&T, &want, text, sizeof text))
        cross_fails(x, "transpose", "%s", text);

    free_csr(&want);
    spgemm_csr_destroy(&T);
}

static void run_sort(crossing *x, const causes *c, tally *t)
{
    char text[200];
    spgemm_csr *A = &x->args->A;
    const size_t bytes = bytes_of_type(A->value_type);
    if (c->must)
        return;
    spgemm_csr want = copy_typed(A);
    sort_typed(&want);
    spgemm_csr mine = *A;
    mine.colidx = arena_take_output((size_t)A->nnz * index_size(A));
    if (A->nnz > 0)
        memcpy(mine.colidx, A->colidx, (size_t)A->nnz * index_size(A));
    if (A->values) {
        mine.values = arena_take_output((size_t)A->nnz * bytes);
        memcpy(mine.values, A->values, (size_t)A->nnz * bytes);
    }
    const before b = expect_begin(x);
    const spgemm_status status = spgemm_csr_sort_rows(&mine);
    tally_call(t, x, status, NULL);
    if (expect_status(x, c, status, &b)) {
        if (spgemm_csr_check(&mine, NULL) != SPGEMM_SUCCESS)
            cross_fails(x, "sort_rows", "leaves a malformed matrix");
        else if (!typed_agree(&mine, &want, text, sizeof text))
            cross_fails(x, "sort_rows", "%s", text);
    }
    free_csr(&want);
}

/* ---- Build --------------------------------------------------------------- */

/* Triplets of the entries of X, in an order of their own. */
typedef struct triplets {
    int64_t count;
    char *rows;
    char *cols;
    char *values;
} triplets;

static triplets draw_triplets(crossing *x, const spgemm_csr *X)
{
    const size_t index = index_size(X);
    const size_t bytes = bytes_of_type(X->value_type);
    const size_t count = (size_t)X->nnz;
    triplets made = {X->nnz, arena_take(count * index),
                     arena_take(count * index), NULL};
    spgemm_csr rows = {.colidx = made.rows, .index_type = X->index_type};
    spgemm_csr cols = {.colidx = made.cols, .index_type = X->index_type};
    if (X->values)
        made.values = arena_take(count * bytes);
    for (int64_t p = 0; p < X->nnz; p++) {
        set_column_of(&rows, p, dice_below(&x->dice, X->nrows));
        set_column_of(&cols, p, column_of(X, dice_below(&x->dice, X->nnz)));
    }
    if (X->values && X->nnz > 0)
        memcpy(made.values, X->values, count * bytes);
    return made;
}

/* The triplets as a matrix, summed where they meet. */
static spgemm_csr sum_triplets(const spgemm_csr *X, const triplets *all)
{
    const ring plus = {SPGEMM_PLUS_TIMES, X->value_type, NULL};
    const size_t bytes = bytes_of_type(X->value_type);
    const spgemm_csr rows = {.colidx = all->rows, .index_type = X->index_type};
    const spgemm_csr cols = {.colidx = all->cols, .index_type = X->index_type};
    csr_builder b = build_begin(X->nrows, X->ncols);
    char *values = must_allocate(all->count, bytes);
    for (int64_t i = 0; i < X->nrows; i++) {
        const int64_t begin = b.nnz;
        for (int64_t p = 0; p < all->count; p++) {
            int64_t at = begin;
            if (column_of(&rows, p) != i)
                continue;
            while (at < b.nnz && b.colidx[at] != column_of(&cols, p))
                at++;
            char *sum = values + (size_t)at * bytes;
            const char *term =
                all->values ? all->values + (size_t)p * bytes : sum;
            if (at == b.nnz) {
                build_add(&b, column_of(&cols, p), 0);
                memmove(sum, term, all->values ? bytes : 0);
                if (X->value_type == SPGEMM_BOOL && all->values)
                    *sum = *sum != 0;
            } else if (all->values) {
                ring_add(&plus, sum, term);
            }
        }
        build_end_row(&b);
    }
    spgemm_csr C = build_finish(&b, X->index_type);
    drop_values(&C);
    C.value_type = X->value_type;
    C.values = values;
    sort_typed(&C);
    if (!all->values)
        drop_values(&C);
    return C;
}

static bool meet(const triplets *all, const spgemm_csr *want)
{
    return want->nnz < all->count;
}

static void run_from_coo(crossing *x, const causes *c, tally *t)
{
    char text[200];
    const spgemm_csr *A = x->A;
    causes mine = {0};
    spgemm_csr C;
    if (c->must || (A->nnz > 0 && A->nrows == 0) || A->nnz > 200)
        return;
    const triplets all = draw_triplets(x, A);
    spgemm_csr want = sum_triplets(A, &all);
    if (A->value_type >= SPGEMM_ELEMENTS_BASE && all.values &&
        meet(&all, &want))
        mine.must = status_bit(SPGEMM_ERROR_UNSUPPORTED);
    memset(&C, 0x3c, sizeof C);
    const before b = expect_begin(x);
    const spgemm_status status = spgemm_csr_from_coo(
        &C, A->nrows, A->ncols, all.count, all.rows, all.cols, all.values,
        A->index_type, A->value_type, x->args->options.resources.allocator);
    tally_call(t, x, status, NULL);
    if (expect_status(x, &mine, status, &b) && status == SPGEMM_SUCCESS) {
        if (spgemm_csr_check(&C, NULL) != SPGEMM_SUCCESS)
            cross_fails(x, "from_coo", "is malformed");
        else if (!typed_agree(&C, &want, text, sizeof text))
            cross_fails(x, "from_coo", "%s", text);
        spgemm_csr_destroy(&C);
    }
    free_csr(&want);
}

/* ---- Create, view -------------------------------------------------------- */

static void run_create(crossing *x, const causes *c, tally *t)
{
    const spgemm_csr *A = x->A;
    spgemm_csr C;
    if (c->must)
        return;
    const before b = expect_begin(x);
    const spgemm_status status =
        spgemm_csr_create(&C, A->nrows, A->ncols, A->nnz, A->index_type,
                          A->value_type, x->args->options.resources.allocator);
    tally_call(t, x, status, NULL);
    if (!expect_status(x, c, status, &b) || status < 0)
        return;
    for (int64_t i = 0; i <= C.nrows; i++)
        if (C.rowptr[i] != 0)
            cross_fails(x, "create", "rowptr is not zeroed");
    spgemm_csr_destroy(&C);
}

static void run_view32(crossing *x, const causes *c, tally *t)
{
    char text[200];
    const spgemm_csr *A = x->A;
    causes mine = {0};
    spgemm_csr V;
    if (c->must || A->index_type != SPGEMM_I32)
        return;
    int32_t *rowptr = arena_take(((size_t)A->nrows + 1) * sizeof *rowptr);
    for (int64_t i = 0; i <= A->nrows; i++)
        rowptr[i] = (int32_t)A->rowptr[i];
    if (one_in(&x->dice, 8)) {
        rowptr[dice_below(&x->dice, A->nrows + 1)] = -1;
        mine.must = status_bit(SPGEMM_ERROR_INVALID);
    }
    const before b = expect_begin(x);
    const spgemm_status status =
        spgemm_csr_view32(&V, A->nrows, A->ncols, rowptr, A->colidx, A->values,
                          A->value_type, x->args->options.resources.allocator);
    tally_call(t, x, status, NULL);
    if (!expect_status(x, &mine, status, &b) || status < 0)
        return;
    if (!typed_agree(&V, A, text, sizeof text))
        cross_fails(x, "view32", "%s", text);
    spgemm_csr_destroy(&V);
}

/* ---- Equal --------------------------------------------------------------- */

static void run_equal(crossing *x, const causes *c, tally *t)
{
    if (c->must)
        return;
    spgemm_csr copy = copy_typed(x->A);
    (void)expect_begin(x);
    bool is_right = spgemm_csr_equal(x->A, &copy);
    if (draw_another_pattern(&x->dice, &copy))
        is_right &= !spgemm_csr_equal(x->A, &copy);
    tally_call(t, x, SPGEMM_SUCCESS, NULL);
    if (!is_right)
        cross_fails(x, "equal", "says the contrary");
    free_csr(&copy);
}

/* ---- All of it ----------------------------------------------------------- */

void run_matrix(crossing *x, tally *t)
{
    const causes c = {.must = causes_of_matrix(x->A)};
    const int64_t which = dice_below(&x->dice, 7);
    const spgemm_allocator *hooks = x->args->options.resources.allocator;
    x->args->options.resources.memory_limit_bytes = 0;
    if (!x->A || (hooks && (!hooks->allocate || !hooks->release)))
        return;
    if (which == 0)
        run_check(x, &c, t);
    else if (which == 1)
        run_transpose(x, &c, t);
    else if (which == 2)
        run_sort(x, &c, t);
    else if (which == 3)
        run_from_coo(x, &c, t);
    else if (which == 4)
        run_create(x, &c, t);
    else if (which == 5)
        run_equal(x, &c, t);
    else
        run_view32(x, &c, t);
}
