/* SPDX-License-Identifier: BSD-3-Clause */
/* C has entries only where its mask says, on every accumulator. */
#include <math.h>

#include "every_form.h"

/* Semirings in turn: one after the other, of those that the type has. */
static spgemm_semiring next_semiring(spgemm_value_type type)
{
    static int next;
    do
        next = (next + 1) % SPGEMM_USER;
    while (!ring_exists((spgemm_semiring)next, type));
    return (spgemm_semiring)next;
}

static spgemm_value_type next_type(void)
{
    static int next;
    next = (next + 1) % SPGEMM_VALUE_TYPE_COUNT;
    return (spgemm_value_type)next;
}

/* The two kinds of shortcut, structure of masks and of A*B, meet every mode. */
static void expect_kind(trial t, maker *m, const spgemm_csr *whole, int kind)
{
    const value_kind values = m->values;
    m->values = VALUES_SPECIAL; /* of the mask: NaN, -0, other bytes than 1 */
    spgemm_csr mask = make_mask(m, whole, (mask_kind)kind, next_type());
    m->values = values;
    if (kind % 2 == 0 && kind != MASK_JUMBLED)
        mask.flags |= SPGEMM_SORTED_ROWS;
    for (unsigned mode = 0; mode < 4; mode++) {
        t.options.filter.mask = &mask;
        t.options.filter.mask_mode = mode;
        t.options.product.semiring = next_semiring(t.A->value_type);
        t.name = form_text(t.A, &t.options, mask_text((mask_kind)kind));
        expect_some_forms(&t, 2);
    }
    free_csr(&mask);
}

/* Doubles and 32-bit integers with narrow columns meet every kind of mask, the
   other types one of three. */
static void expect_shape(const form_shape *shape, const type_choice *choice)
{
    const int64_t number = shape - form_shapes;
    const bool is_common =
        choice->index_type == SPGEMM_I32 &&
        (choice->type == SPGEMM_FP64 || choice->type == SPGEMM_INT32);
    maker m = {{(uint64_t)number * 91 + choice->type + 1},
               choice->index_type,
               VALUES_ARBITRARY};
    spgemm_csr A;
    spgemm_csr B;
    make_form_shape(shape, &m, choice->type, &A, &B);
    trial t = {&A, &B, {.product.semiring = SPGEMM_ANY_PAIR}, NULL};
    spgemm_csr whole = reference_form(&A, &B, &t.options);
    for (int kind = 0; kind < MASK_KINDS; kind++)
        if (is_common || (kind + number + choice->type) % 3 == 0)
            expect_kind(t, &m, &whole, kind);
    free_csr(&whole);
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(masks, hold_on_every_accumulator)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, masks, hold_on_every_accumulator)
{
    for (int n = 0; n < form_shape_count; n++)
        if (!form_shapes[n].is_giant)
            expect_shape(&form_shapes[n], choice);
}

/* A giant row in parts, and whole, with a short, a long and an inverted mask. */
static void expect_giant(int number, mask_kind kind, unsigned mode)
{
    maker m = {{(uint64_t)number}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A;
    spgemm_csr B;
    make_form_shape(&form_shapes[number], &m, SPGEMM_FP64, &A, &B);
    trial t = {&A, &B, {.filter.mask_mode = mode}, NULL};
    spgemm_csr whole = reference_form(&A, &B, &t.options);
    spgemm_csr mask = make_mask(&m, &whole, kind, SPGEMM_INT32);
    t.options.filter.mask = &mask;
    t.name = form_text(&A, &t.options, form_shapes[number].name);
    expect_some_forms(&t, 5);
    free_csr(&mask);
    free_csr(&whole);
    free_csr(&A);
    free_csr(&B);
}

Test(masks, hold_for_giant_rows)
{
    for (int n = 0; n < form_shape_count; n++) {
        if (!form_shapes[n].is_giant)
            continue;
        expect_giant(n, MASK_FEW, SPGEMM_MASK_STRUCTURE);
        expect_giant(n, MASK_SOME, SPGEMM_MASK_COMPLEMENT);
        expect_giant(n, MASK_JUMBLED, SPGEMM_MASK_VALUES);
    }
}

/* Of one row all columns of a product, of the next none, one, every third. */
static spgemm_csr thin_by_rows(const spgemm_csr *C)
{
    csr_builder b = build_begin(C->nrows, C->ncols);
    for (int64_t i = 0; i < C->nrows; i++) {
        const int64_t n = C->rowptr[i + 1] - C->rowptr[i];
        const int64_t steps[] = {1, n + 1, n, 3};
        const int64_t step = steps[i / 2 % 4];
        for (int64_t t = step - 1; t < n; t += step)
            build_add(&b, column_of(C, C->rowptr[i] + t), 1.0);
        build_end_row(&b);
    }
    return build_finish(&b, C->index_type);
}

/* Rows that are alike, and summed together, of which masks want more and less. */
Test(masks, may_have_rows_of_any_length)
{
    for (int dofs = 1; dofs <= 8; dofs++) {
        maker m = {{(uint64_t)dofs}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A = make_fem(&m, 40, 3, dofs);
        trial t = {&A, &A, {.product.semiring = SPGEMM_ANY_PAIR}, NULL};
        spgemm_csr whole = reference_form(&A, &A, &t.options);
        spgemm_csr mask = thin_by_rows(&whole);
        t.options = (spgemm_options){.filter.mask = &mask};
        for (unsigned mode = 0; mode < 4; mode += SPGEMM_MASK_COMPLEMENT) {
            t.options.filter.mask_mode = mode;
            t.name = form_text(&A, &t.options, "of rows of any length");
            expect_some_forms(&t, 1);
        }
        free_csr(&mask);
        free_csr(&whole);
        free_csr(&A);
    }
}

/* Rows in turn of so many of the columns of C, spread over it. */
static spgemm_csr some_of_each(const spgemm_csr *C)
{
    static const int64_t counts[] = {1, 15, 16, 17, 3, 40};
    csr_builder b = build_begin(C->nrows, C->ncols);
    for (int64_t i = 0; i < C->nrows; i++) {
        const int64_t n = C->rowptr[i + 1] - C->rowptr[i];
        const int64_t count = counts[i % 6] < n ? counts[i % 6] : n;
        for (int64_t t = 0; t < count; t++)
            build_add(&b, column_of(C, C->rowptr[i] + t * n / count), 1.0);
        build_end_row(&b);
    }
    return build_finish(&b, C->index_type);
}

/* Rows of B that are shorter than those of the mask, and many times as long; and
   columns in and beyond the widest window. */
ParameterizedTestParameters(masks, may_have_few_columns_or_many)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, masks, may_have_few_columns_or_many)
{
    static const int64_t shapes[][2] = {
        {300, 12}, {4000, 700}, {(int64_t)3 << 20, 60}};
    for (int n = 0; n < 3; n++) {
        maker m = {{(uint64_t)n + 31}, choice->index_type, VALUES_ARBITRARY};
        spgemm_csr A = make_uniform(&m, 24, 60, 6);
        spgemm_csr B = make_uniform(&m, 60, shapes[n][0], shapes[n][1]);
        set_type(&m, &A, choice->type);
        set_type(&m, &B, choice->type);
        trial t = {&A, &B, {.product.semiring = SPGEMM_ANY_PAIR}, NULL};
        spgemm_csr whole = reference_form(&A, &B, &t.options);
        spgemm_csr mask = some_of_each(&whole);
        t.options.filter.mask = &mask;
        t.options.product.semiring = next_semiring(choice->type);
        t.name = form_text(&A, &t.options, "of few columns or many");
        expect_some_forms(&t, 3);
        free_csr(&mask);
        free_csr(&whole);
        free_csr(&A);
        free_csr(&B);
    }
}

/* Rows in turn of so many entries, their columns anywhere. */
static spgemm_csr make_lengths(maker *m, int64_t nrows, int64_t ncols,
                               const int64_t *lengths, int64_t count)
{
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        const int64_t length = lengths[i % count];
        const int64_t step = ncols / (length + 1);
        for (int64_t t = 0; t < length; t++)
            build_add(&b, t * step + dice_below(&m->dice, step), make_value(m));
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

/* Rows that are taken together, of up to eight columns and 64 products, and those between
   them that are not. */
ParameterizedTestParameters(masks, may_be_of_few_columns_in_a_row)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, masks, may_be_of_few_columns_in_a_row)
{
    static const int64_t of_a[] = {8, 3, 0, 1, 8, 9, 2, 8, 8};
    static const int64_t of_b[] = {8, 8, 8, 8, 8, 8, 8, 9};
    static const int64_t of_mask[] = {8, 1, 3, 0, 9, 8, 2, 8, 7, 17};
    maker m = {{41}, choice->index_type, VALUES_ARBITRARY};
    spgemm_csr A = make_lengths(&m, 90, 40, of_a, 9);
    spgemm_csr B = make_lengths(&m, 40, 90, of_b, 8);
    spgemm_csr mask = make_lengths(&m, 90, 90, of_mask, 10);
    set_type(&m, &A, choice->type);
    set_type(&m, &B, choice->type);
    trial t = {&A, &B, {.filter.mask = &mask}, NULL};
    for (int sr = 0; sr < SPGEMM_USER; sr++) {
        if (!ring_exists((spgemm_semiring)sr, choice->type))
            continue;
        t.options.product.semiring = (spgemm_semiring)sr;
        t.name = form_text(&A, &t.options, "of few columns in a row");
        expect_some_forms(&t, 3);
    }
    free_csr(&mask);
    free_csr(&A);
    free_csr(&B);
}

/* Blocks of all entries, their rows and columns spread over the matrix, so that none lie
   side by side. */
static spgemm_csr make_blocks(maker *m, int64_t blocks, int64_t size)
{
    csr_builder b = build_begin(blocks * size, blocks * size);
    for (int64_t i = 0; i < blocks * size; i++) {
        for (int64_t t = 0; t < size; t++)
            build_add(&b, t * blocks + i % blocks, make_value(m));
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

/* All products of a row, and of rows that are taken together; the largest blocks are
   fewer, whose products are most of all. */
ParameterizedTestParameters(masks, may_let_all_pass)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, masks, may_let_all_pass)
{
    static const int64_t sizes[] = {1, 5, 7, 8, 9, 16, 17, 40};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        maker m = {{(uint64_t)n + 11}, choice->index_type, VALUES_ARBITRARY};
        spgemm_csr A = make_blocks(&m, sizes[n] < 20 ? 90 : 33, sizes[n]);
        set_type(&m, &A, choice->type);
        trial t = {&A, &A, {.filter.mask = &A}, NULL};
        for (int op = 0; op < 2; op++) {
            t.options.product.op_b = (spgemm_operation)op;
            t.options.product.semiring = next_semiring(choice->type);
            t.name = form_text(&A, &t.options, "let all pass");
            expect_some_forms(&t, 3);
        }
        free_csr(&A);
    }
}

/* Rows of A and of B', whose columns are looked up in one another: of a few entries or
   many, close together, far apart and beyond the widest window, and as many times as
   long as each other. */
typedef struct dot_shape {
    int64_t inner; /* columns of A and of B' */
    int64_t of_a;  /* entries of a row */
    int64_t of_b;
    int64_t stride; /* from a column to the next there may be */
} dot_shape;

static const dot_shape dot_shapes[] = {
    {90, 3, 4, 1},           {90, 3, 40, 1},          {90, 40, 3, 1},
    {700, 17, 150, 5},       {700, 130, 9, 5},        {300, 1, 100, 1},
    {4000000, 30, 5, 40000}, {4000000, 4, 60, 40000}, {300, 8, 64, 1},
    {300, 8, 65, 1},         {300, 9, 64, 1},         {300, 3, 260, 1},
    {300, 10, 290, 1},       {4000000, 1, 90, 40000},
};

static spgemm_csr make_dot_operand(maker *m, const dot_shape *shape,
                                   int64_t nrows, int64_t per_row,
                                   spgemm_value_type type)
{
    spgemm_csr X = make_strided(m, nrows, shape->inner, per_row, shape->stride);
    set_type(m, &X, type);
    return X;
}

ParameterizedTestParameters(masks, may_be_of_columns_at_hand)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, masks, may_be_of_columns_at_hand)
{
    int far = 0;
    for (size_t n = 0; n < sizeof dot_shapes / sizeof dot_shapes[0]; n++) {
        const dot_shape *shape = &dot_shapes[n];
        /* One of these for each type: their row pointers are long. */
        if (shape->inner > 1000000 && ((int)choice->type + far++) % 3 != 0)
            continue;
        maker m = {{(uint64_t)n + 71}, choice->index_type, VALUES_ARBITRARY};
        spgemm_csr A =
            make_dot_operand(&m, shape, 25, shape->of_a, choice->type);
        spgemm_csr B =
            make_dot_operand(&m, shape, 50, shape->of_b, choice->type);
        spgemm_csr mask = make_uniform(&m, 25, 50, 4);
        trial t = {&A, &B, {.filter.mask = &mask}, NULL};
        for (int op = 1; op < 3; op++) {
            t.options.product.op_b = (spgemm_operation)op;
            t.options.product.semiring = next_semiring(choice->type);
            t.name = form_text(&A, &t.options, "of columns at hand");
            expect_some_forms(&t, 3);
        }
        free_csr(&mask);
        free_csr(&A);
        free_csr(&B);
    }
}

/* C = A*A where A has entries: the triangles of a graph. */
ParameterizedTestParameters(masks, may_be_an_operand)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, masks, may_be_an_operand)
{
    maker m = {{17}, choice->index_type, VALUES_INTEGER};
    spgemm_csr A = make_rmat(&m, 7, 700);
    set_type(&m, &A, choice->type);
    for (unsigned mode = 0; mode < 4; mode++)
        for (int op = 0; op < 3; op++) {
            trial t = {
                &A, &A, {.filter.mask = &A, .filter.mask_mode = mode}, NULL};
            t.options.product.op_b = (spgemm_operation)op;
            t.options.product.semiring = next_semiring(choice->type);
            t.name = form_text(&A, &t.options, "masked by A");
            expect_some_forms(&t, 4);
        }
    free_csr(&A);
}

ParameterizedTestParameters(masks, are_not_read_beyond_their_end)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, masks, are_not_read_beyond_their_end)
{
    for (int n = 0; n < form_shape_count; n += 3) {
        maker m = {{(uint64_t)n + 5}, choice->index_type, VALUES_ARBITRARY};
        spgemm_csr A;
        spgemm_csr B;
        if (form_shapes[n].is_giant)
            continue;
        make_form_shape(&form_shapes[n], &m, choice->type, &A, &B);
        trial t = {&A, &B, {.product = {0}}, NULL};
        spgemm_csr whole = reference_form(&A, &B, &t.options);
        spgemm_csr mask = make_mask(&m, &whole, MASK_SOME, SPGEMM_BOOL);
        t.options.filter.mask = &mask;
        t.options.filter.mask_mode = (unsigned)(n + (int)choice->type) % 4;
        t.name = form_text(&A, &t.options, form_shapes[n].name);
        expect_every_form(&t);
        free_csr(&mask);
        free_csr(&whole);
        free_csr(&A);
        free_csr(&B);
    }
}

/* Values of any type: which of them count. */
typedef struct mask_value {
    spgemm_value_type type;
    scalar value;
    bool counts;
} mask_value;

Test(masks, do_not_count_zeros_where_values_are_asked)
{
    static const mask_value all[] = {
        {SPGEMM_FP64, {.re = 0.0}, false},
        {SPGEMM_FP64, {.re = -0.0}, false},
        {SPGEMM_FP64, {.re = 0x1p-1074}, true},
        {SPGEMM_FP64, {.re = NAN}, true},
        {SPGEMM_FP32, {.re = -0.0}, false},
        {SPGEMM_FP32, {.re = NAN}, true},
        {SPGEMM_FP32, {.re = 0x1p-149}, true},
        {SPGEMM_CFP64, {.re = 0, .im = -0.0}, false},
        {SPGEMM_CFP64, {.re = 0, .im = 1}, true},
        {SPGEMM_CFP32, {.re = -0.0, .im = 0}, false},
        {SPGEMM_CFP32, {.re = 0, .im = -2}, true},
        {SPGEMM_CFP32, {.re = 3, .im = 0}, true},
        {SPGEMM_INT64, {.n = 0}, false},
        {SPGEMM_INT64, {.n = (int64_t)1 << 40}, true},
        {SPGEMM_INT32, {.n = 0}, false},
        {SPGEMM_INT32, {.n = INT32_MIN}, true},
        {SPGEMM_BOOL, {.n = 0}, false},
        {SPGEMM_BOOL, {.n = 1}, true},
    };
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++)
        for (unsigned mode = 0; mode < 4; mode++) {
            const bool by_value = mode & SPGEMM_MASK_VALUES;
            const bool counts = !by_value || all[n].counts;
            maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
            spgemm_csr A = make_identity(&m, 1);
            spgemm_csr mask = make_identity(&m, 1);
            set_type(&m, &mask, all[n].type);
            write_scalar(all[n].type, mask.values, 0, all[n].value);
            trial t = {&A,
                       &A,
                       {.filter.mask = &mask, .filter.mask_mode = mode},
                       "one value"};
            spgemm_csr want = reference_form(&A, &A, &t.options);
            cr_assert_eq(want.nnz, counts != (mode >= SPGEMM_MASK_COMPLEMENT),
                         "the reference, value %d, mode %u", (int)n, mode);
            expect_some_forms_of(&t, &want, 3);
            free_csr(&want);
            free_csr(&mask);
            free_csr(&A);
        }
}

/* Several entries at one place count if one of them is not zero. */
Test(masks, count_where_one_of_several_entries_does)
{
    const int64_t rowptr[] = {0, 3};
    const int32_t colidx[] = {1, 0, 1};
    const double values[] = {0, 0, 5};
    const spgemm_csr mask = spgemm_csr_view(1, 2, 3, rowptr, colidx, values,
                                            SPGEMM_I32, SPGEMM_FP64);
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_one_row(&m, 1, 1, 0, 1);
    spgemm_csr B = make_one_row(&m, 1, 2, 0, 2);
    for (unsigned mode = 0; mode < 4; mode++) {
        trial t = {&A,
                   &B,
                   {.filter.mask = &mask, .filter.mask_mode = mode},
                   "several"};
        expect_some_forms(&t, 6);
    }
    free_csr(&A);
    free_csr(&B);
}
