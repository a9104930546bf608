/* SPDX-License-Identifier: BSD-3-Clause */
/* C = alpha op(A)(rows, :) op(B)(:, cols) + beta D is the reference. */
#include <stdlib.h>

#include "every_form.h"

/* What is asked for: bits. */
enum {
    ASK_ALPHA = 1,
    ASK_D = 2,
    ASK_BETA = 4, /* with D */
    ASK_ROWS = 8,
    ASK_COLS = 16,
    ASK_MASK = 32,
    ASKED = 64
};

/* A form, and what it points to. */
typedef struct whole_form {
    trial t;
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr D;
    spgemm_csr mask;
    void *alpha;
    void *beta;
    int64_t *rows;
    int64_t *cols;
} whole_form;

/* Some rows, some of them several times, in no order. */
static void ask_rows(whole_form *f, maker *m, int64_t nrows)
{
    const int64_t count = 1 + dice_below(&m->dice, nrows + 4);
    f->rows = must_allocate(count, sizeof *f->rows);
    for (int64_t i = 0; i < count; i++)
        f->rows[i] = dice_below(&m->dice, nrows);
    f->t.options.product.rows = f->rows;
    f->t.options.product.nrows = count;
}

/* About two of three columns; of a very wide matrix, those with entries. */
static void ask_cols(whole_form *f, maker *m, int64_t ncols)
{
    const int64_t step = ncols > 20000 ? 1 + ncols / 20000 : 1;
    int64_t count = 0;
    f->cols = must_allocate(ncols / step + 1, sizeof *f->cols);
    for (int64_t j = 0; j < ncols; j += step)
        if (j == 0 || dice_below(&m->dice, 3) > 0)
            f->cols[count++] = j;
    f->t.options.product.cols = f->cols;
    f->t.options.product.ncols = count;
}

/* D of any_pair is 1: "any" of other values has no definite result. */
static void ask_matrix(whole_form *f, maker *m, const spgemm_csr *whole)
{
    const spgemm_value_type type = f->A.value_type;
    f->D = make_addend(m, whole, dice_below(&m->dice, 2), type);
    if (f->t.options.product.semiring == SPGEMM_ANY_PAIR)
        for (int64_t p = 0; p < f->D.nnz; p++)
            write_scalar(type, f->D.values, p, scalar_of(type, 1));
    f->t.options.product.D = &f->D;
}

static void ask(whole_form *f, maker *m, int asked)
{
    const spgemm_value_type type = f->A.value_type;
    spgemm_options *o = &f->t.options;
    if (asked & ASK_ROWS)
        ask_rows(f, m, o->product.op_a ? f->A.ncols : f->A.nrows);
    if (asked & ASK_COLS)
        ask_cols(f, m, o->product.op_b ? f->B.nrows : f->B.ncols);
    spgemm_csr whole = reference_form(&f->A, &f->B, o);
    if (asked & ASK_D)
        ask_matrix(f, m, &whole);
    if (asked & ASK_ALPHA)
        o->product.alpha = f->alpha = draw_values(&m->dice, type, m->values, 1);
    if ((asked & ASK_BETA) && (asked & ASK_D))
        o->product.beta = f->beta = draw_values(&m->dice, type, m->values, 1);
    if (asked & ASK_MASK) {
        f->mask =
            make_mask(m, &whole, (mask_kind)dice_below(&m->dice, MASK_KINDS),
                      SPGEMM_INT32);
        o->filter.mask = &f->mask;
        o->filter.mask_mode = (unsigned)dice_below(&m->dice, 4);
    }
    free_csr(&whole);
}

/* Frees A and B, too. */
static void expect_asked(whole_form *f, const char *name, int count)
{
    f->t.A = &f->A;
    f->t.B = &f->B;
    f->t.name = form_text(&f->A, &f->t.options, name);
    expect_some_forms(&f->t, count);
    free_csr(&f->A);
    free_csr(&f->B);
    free_csr(&f->D);
    free_csr(&f->mask);
    free(f->alpha);
    free(f->beta);
    free(f->rows);
    free(f->cols);
}

static spgemm_csr make_operand(maker *m, spgemm_operation operation,
                               int64_t nrows, int64_t ncols,
                               spgemm_value_type type)
{
    const bool is_transposed = operation != SPGEMM_OP_NONE;
    spgemm_csr A = make_jumbled(m, is_transposed ? ncols : nrows,
                                is_transposed ? nrows : ncols, 3);
    set_type(m, &A, type);
    return A;
}

static void expect_small(const type_choice *choice, spgemm_semiring semiring,
                         int asked)
{
    const int op = (asked + (int)semiring * 5) % 9;
    maker m = {{(uint64_t)(asked * SPGEMM_USER + (int)semiring) * 31 + 3},
               choice->index_type,
               (value_kind)((asked + (int)semiring) % VALUE_KINDS)};
    whole_form f = {.t.options = {.product.semiring = semiring,
                                  .product.op_a = (spgemm_operation)(op / 3),
                                  .product.op_b = (spgemm_operation)(op % 3)}};
    f.A = make_operand(&m, f.t.options.product.op_a, 17, 12, choice->type);
    f.B = make_operand(&m, f.t.options.product.op_b, 12, 19, choice->type);
    ask(&f, &m, asked);
    expect_asked(&f, "small", 4);
}

ParameterizedTestParameters(forms, hold_for_every_type_and_semiring)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, forms, hold_for_every_type_and_semiring)
{
    for (int s = 0; s < SPGEMM_USER; s++)
        for (int asked = 0; asked < ASKED; asked++)
            if (ring_exists((spgemm_semiring)s, choice->type))
                expect_small(choice, (spgemm_semiring)s, asked);
}

/* A or B transposed, and op() that undoes it, or neither. */
static void transpose_some(whole_form *f, maker *m)
{
    for (int n = 0; n < 2; n++) {
        spgemm_csr *X = n == 0 ? &f->A : &f->B;
        spgemm_operation *op =
            n == 0 ? &f->t.options.product.op_a : &f->t.options.product.op_b;
        spgemm_csr T = {0};
        if (X->ncols > 1000000 || dice_below(&m->dice, 2) == 0)
            continue;
        cr_assert_eq(spgemm_csr_transpose(&T, X), SPGEMM_SUCCESS);
        free_csr(X);
        *X = copy_typed(&T);
        spgemm_csr_destroy(&T);
        *op = (spgemm_operation)(1 + dice_below(&m->dice, 2));
    }
}

static void expect_shape(const form_shape *shape, const type_choice *choice)
{
    static const int asked[] = {0,
                                ASK_ALPHA,
                                ASK_D,
                                ASK_D | ASK_BETA | ASK_ALPHA,
                                ASK_ROWS,
                                ASK_COLS,
                                ASK_ROWS | ASK_COLS | ASK_D,
                                ASK_D | ASK_MASK,
                                ASKED - 1};
    for (int n = 0; n < (int)(sizeof asked / sizeof asked[0]); n++) {
        const int64_t number = shape - form_shapes;
        maker m = {{(uint64_t)(number * 20 + n) * 7 + choice->type + 1},
                   choice->index_type,
                   n % 2 ? VALUES_ARBITRARY : VALUES_INTEGER};
        whole_form f = {0};
        spgemm_semiring semiring =
            (spgemm_semiring)((number + n + (int)choice->type) % SPGEMM_USER);
        if (!ring_exists(semiring, choice->type))
            semiring = SPGEMM_PLUS_TIMES;
        if (shape->is_giant && n % 3 != 0)
            continue;
        f.t.options.product.semiring = semiring;
        make_form_shape(shape, &m, choice->type, &f.A, &f.B);
        transpose_some(&f, &m);
        ask(&f, &m, asked[n]);
        expect_asked(&f, shape->name, 4);
    }
}

ParameterizedTestParameters(forms, hold_on_every_accumulator)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, forms, hold_on_every_accumulator)
{
    for (int n = 0; n < form_shape_count; n++)
        if (!form_shapes[n].is_giant ||
            (choice->index_type == SPGEMM_I32 && choice->type % 3 == 0))
            expect_shape(&form_shapes[n], choice);
}

ParameterizedTestParameters(forms, end_with_their_last_value)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, forms, end_with_their_last_value)
{
    for (int asked = 1; asked < ASKED; asked += 9) {
        maker m = {{(uint64_t)asked}, choice->index_type, VALUES_ARBITRARY};
        whole_form f = {0};
        f.t.options.product.op_a = (spgemm_operation)(asked % 3);
        f.A = make_operand(&m, f.t.options.product.op_a, 60, 40, choice->type);
        f.B = make_operand(&m, SPGEMM_OP_NONE, 40, 50, choice->type);
        ask(&f, &m, asked);
        f.t.A = &f.A;
        f.t.B = &f.B;
        f.t.name = form_text(&f.A, &f.t.options, "guarded");
        expect_every_form(&f.t);
        expect_asked(&f, "guarded", 0);
    }
}

/* ---- What is easily forgotten -------------------------------------------- */

static void expect_plain(const spgemm_csr *A, const spgemm_csr *B,
                         spgemm_options options, const char *name)
{
    const trial t = {A, B, options, name};
    expect_every_form(&t);
}

/* A'A and AA' of one matrix, by one pointer. */
Test(forms, may_be_of_one_matrix_and_its_transpose)
{
    for (int type = 0; type < SPGEMM_VALUE_TYPE_COUNT; type++) {
        maker m = {{(uint64_t)type + 1}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A = make_jumbled(&m, 40, 25, 4);
        set_type(&m, &A, (spgemm_value_type)type);
        for (int op = 1; op < 3; op++) {
            const spgemm_operation operation = (spgemm_operation)op;
            expect_plain(&A, &A, (spgemm_options){.product.op_a = operation},
                         "A'A");
            expect_plain(&A, &A, (spgemm_options){.product.op_b = operation},
                         "AA'");
        }
        free_csr(&A);
    }
}

Test(forms, may_add_a_matrix_to_nothing)
{
    maker m = {{4}, SPGEMM_I32, VALUES_ARBITRARY};
    const double beta = -0.5;
    spgemm_csr A = make_empty(&m, 30, 20);
    spgemm_csr B = make_uniform(&m, 20, 40, 3);
    spgemm_csr D = make_jumbled(&m, 30, 40, 5);
    for (int s = 0; s < SPGEMM_ANY_PAIR; s++) {
        const spgemm_semiring semiring = (spgemm_semiring)s;
        expect_plain(
            &A, &B,
            (spgemm_options){.product.semiring = semiring, .product.D = &D},
            "D alone");
        expect_plain(&A, &B,
                     (spgemm_options){.product.semiring = semiring,
                                      .product.D = &D,
                                      .product.beta = &beta},
                     "beta D alone");
    }
    free_csr(&A);
    free_csr(&B);
    free_csr(&D);
}

Test(forms, may_add_an_operand)
{
    maker m = {{9}, SPGEMM_I64, VALUES_ARBITRARY};
    const double alpha = 3;
    spgemm_csr A = make_rmat(&m, 6, 300);
    expect_plain(&A, &A,
                 (spgemm_options){.product.D = &A, .product.alpha = &alpha},
                 "AA + A");
    expect_plain(
        &A, &A,
        (spgemm_options){.product.D = &A, .filter.mask = &A, .product.op_b = 1},
        "AA' + A where A is");
    free_csr(&A);
}

Test(forms, may_add_an_empty_matrix)
{
    maker m = {{10}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_fem(&m, 20, 2, 3);
    spgemm_csr D = make_empty(&m, 60, 60);
    expect_plain(&A, &A, (spgemm_options){.product.D = &D}, "an empty D");
    free_csr(&A);
    free_csr(&D);
}

/* The order of a sum shows in its bits: D comes after the products. */
Test(forms, add_a_matrix_after_the_products)
{
    const int64_t rowptr[] = {0, 3};
    const int32_t colidx[] = {0, 0, 0};
    const double values[] = {-0x1p60, 1, 0x1p60};
    const spgemm_csr D = spgemm_csr_view(1, 1, 3, rowptr, colidx, values,
                                         SPGEMM_I32, SPGEMM_FP64);
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_identity(&m, 1);
    trial t = {&A, &A, {.product.D = &D}, "1 - 2^60 + 1 + 2^60"};
    spgemm_csr want = reference_form(&A, &A, &t.options);
    cr_assert_eq(value_of(&want, 0), 0, "the reference: %a",
                 value_of(&want, 0));
    expect_some_forms_of(&t, &want, 26);
    free_csr(&want);
    free_csr(&A);
}

Test(forms, may_choose_one_row_or_column)
{
    const int64_t first[] = {0};
    const int64_t last[] = {39};
    maker m = {{11}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_uniform(&m, 30, 20, 4);
    spgemm_csr B = make_uniform(&m, 20, 40, 6);
    expect_plain(&A, &B,
                 (spgemm_options){.product.rows = first, .product.nrows = 1},
                 "one row");
    expect_plain(&A, &B,
                 (spgemm_options){.product.cols = first, .product.ncols = 1},
                 "the first column");
    expect_plain(&A, &B,
                 (spgemm_options){.product.cols = last, .product.ncols = 1},
                 "the last column");
    expect_plain(&A, &B,
                 (spgemm_options){.product.rows = first,
                                  .product.nrows = 1,
                                  .product.cols = last,
                                  .product.ncols = 1},
                 "one entry");
    free_csr(&A);
    free_csr(&B);
}

Test(forms, may_choose_all_rows_and_columns_reversed)
{
    int64_t rows[60];
    int64_t cols[60];
    for (int64_t i = 0; i < 60; i++) {
        rows[i] = 59 - i;
        cols[i] = i;
    }
    maker m = {{12}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_fem(&m, 20, 2, 3);
    expect_plain(&A, &A,
                 (spgemm_options){.product.rows = rows,
                                  .product.nrows = 60,
                                  .product.cols = cols,
                                  .product.ncols = 60},
                 "reversed");
    expect_plain(&A, &A,
                 (spgemm_options){.product.rows = rows,
                                  .product.nrows = 60,
                                  .product.cols = cols,
                                  .product.ncols = 60,
                                  .product.op_a = SPGEMM_OP_TRANSPOSE,
                                  .product.op_b = SPGEMM_OP_TRANSPOSE,
                                  .product.D = &A},
                 "transposed and reversed");
    free_csr(&A);
}

/* Columns beyond 2^31, of which C keeps four. */
Test(forms, may_choose_columns_of_the_widest_matrices)
{
    const int64_t cols[] = {0, 5, INT64_MAX - 6, INT64_MAX - 1};
    maker m = {{13}, SPGEMM_I64, VALUES_ARBITRARY};
    csr_builder b = build_begin(20, INT64_MAX);
    for (int64_t k = 0; k < 20; k++) {
        build_add(&b, k % 7, make_value(&m));
        build_add(&b, INT64_MAX - 1 - k % 8, make_value(&m));
        build_end_row(&b);
    }
    spgemm_csr B = build_finish(&b, SPGEMM_I64);
    spgemm_csr A = make_uniform(&m, 15, 20, 6);
    expect_plain(&A, &B,
                 (spgemm_options){.product.cols = cols, .product.ncols = 4},
                 "widest");
    free_csr(&A);
    free_csr(&B);
}

Test(forms, of_empty_matrices_are_empty)
{
    static const int64_t sizes[] = {0, 5};
    const double alpha = 2;
    for (int n = 0; n < 8; n++) {
        maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
        const int64_t rows = sizes[n % 2];
        const int64_t inner = sizes[n / 2 % 2];
        const int64_t columns = sizes[n / 4];
        spgemm_csr A = make_empty(&m, rows, inner);
        spgemm_csr B = make_empty(&m, inner, columns);
        spgemm_csr At = make_empty(&m, inner, rows);
        spgemm_csr D = make_empty(&m, rows, columns);
        expect_plain(&A, &B, (spgemm_options){.product.alpha = &alpha},
                     "empty");
        expect_plain(&At, &B,
                     (spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE,
                                      .product.D = &D,
                                      .filter.mask = &D},
                     "empty, transposed");
        free_csr(&A);
        free_csr(&B);
        free_csr(&At);
        free_csr(&D);
    }
}
