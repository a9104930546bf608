/* SPDX-License-Identifier: BSD-3-Clause */
/* Zeros, small entries and all but the largest are dropped of C as the
   reference drops them. */
#include <math.h>

#include "every_form.h"

enum {
    DROP_ZEROS = 1,
    DROP_SMALL = 2, /* 2 or less: many of the integers that are drawn */
    KEEP_THREE = 4,
    KEEP_BY_VALUE = 8,
    DROPS = 12
};

static void ask_drops(spgemm_options *o, int drops, spgemm_value_type type)
{
    const bool is_truth = type == SPGEMM_BOOL;
    const bool by_value = (drops & KEEP_BY_VALUE) && !is_complex(type);
    o->filter.drop_zeros = drops & DROP_ZEROS;
    o->filter.drop_tolerance = (drops & DROP_SMALL) && !is_truth ? 2 : 0;
    o->filter.keep_top = (drops & KEEP_THREE) || by_value ? 3 : 0;
    o->filter.top_by = by_value ? SPGEMM_TOP_VALUE : SPGEMM_TOP_MAGNITUDE;
}

static bool has_drops(const spgemm_options *o)
{
    return o->filter.drop_zeros || o->filter.drop_tolerance > 0 ||
           o->filter.keep_top > 0;
}

static void expect_shape(const form_shape *shape, const type_choice *choice,
                         value_kind kind)
{
    maker m = {{(uint64_t)(shape - form_shapes) * 13 + kind + 1},
               choice->index_type,
               kind};
    spgemm_csr A;
    spgemm_csr B;
    make_form_shape(shape, &m, choice->type, &A, &B);
    for (int drops = 1; drops < DROPS; drops++) {
        trial t = {&A, &B, {.product = {0}}, NULL};
        spgemm_semiring semiring =
            (spgemm_semiring)((drops + (int)kind * 4) % SPGEMM_USER);
        if (!ring_exists(semiring, choice->type) || drops % 2)
            semiring = SPGEMM_PLUS_TIMES;
        t.options.product.semiring = semiring;
        ask_drops(&t.options, drops, choice->type);
        t.name = form_text(&A, &t.options, shape->name);
        if (has_drops(&t.options) && (!shape->is_giant || drops % 3 == 1))
            expect_some_forms(&t, 3);
    }
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(drops, hold_on_every_accumulator)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, drops, hold_on_every_accumulator)
{
    for (int n = 0; n < form_shape_count; n++) {
        const form_shape *shape = &form_shapes[n];
        const bool is_wide = choice->index_type == SPGEMM_I64;
        if (shape->is_giant && (is_wide || choice->type % 2))
            continue;
        expect_shape(shape, choice, VALUES_INTEGER);
        if (!shape->is_giant)
            expect_shape(shape, choice, VALUES_SPECIAL);
    }
}

/* After alpha, D and the mask. */
ParameterizedTestParameters(drops, come_last)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, drops, come_last)
{
    for (int n = 0; n < 60; n++) {
        maker m = {{(uint64_t)n + 1},
                   choice->index_type,
                   n % 4 ? VALUES_INTEGER : VALUES_SPECIAL};
        spgemm_csr A = make_jumbled(&m, 25, 20, 3);
        spgemm_csr B = make_jumbled(&m, 20, 30, 3);
        set_type(&m, &A, choice->type);
        set_type(&m, &B, choice->type);
        void *alpha = draw_values(&m.dice, choice->type, m.values, 1);
        trial t = {&A, &B, {.product.alpha = n % 3 ? alpha : NULL}, NULL};
        ask_drops(&t.options, 1 + n % (DROPS - 1), choice->type);
        if (t.options.filter.keep_top > 0)
            t.options.filter.keep_top = 1 + n % 5;
        const spgemm_options whole_options = {0};
        spgemm_csr whole = reference_form(&A, &B, &whole_options);
        spgemm_csr D = make_addend(&m, &whole, n % 2, choice->type);
        spgemm_csr mask = make_mask(&m, &whole, MASK_SOME, SPGEMM_BOOL);
        t.options.product.D = n % 5 < 3 ? &D : NULL;
        t.options.filter.mask = n % 7 < 3 ? &mask : NULL;
        t.options.filter.mask_mode =
            t.options.filter.mask ? (unsigned)n % 4 : 0;
        t.name = form_text(&A, &t.options, "with all else");
        if (has_drops(&t.options))
            expect_some_forms(&t, 4);
        free(alpha);
        free_csr(&D);
        free_csr(&mask);
        free_csr(&whole);
        free_csr(&A);
        free_csr(&B);
    }
}

/* ---- One row, entry by entry --------------------------------------------- */

enum { ENTRIES = 6 };

/* C(0, :) = values; which of them stay. */
typedef struct row_case {
    spgemm_options options;
    scalar values[ENTRIES];
    bool stays[ENTRIES];
} row_case;

static void expect_row(spgemm_value_type type, const row_case *r)
{
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_one_row(&m, 1, 1, 0, 1);
    spgemm_csr B = make_one_row(&m, 1, ENTRIES, 0, ENTRIES);
    set_type(&m, &A, type);
    set_type(&m, &B, type);
    for (int64_t j = 0; j < ENTRIES; j++)
        write_scalar(type, B.values, j, r->values[j]);
    trial t = {&A, &B, r->options, NULL};
    t.options.product.semiring = SPGEMM_PLUS_SECOND;
    t.name = form_text(&A, &t.options, "one row");
    spgemm_csr want = reference_form(&A, &B, &t.options);
    int64_t p = 0;
    for (int64_t j = 0; j < ENTRIES; j++)
        if (r->stays[j]) {
            cr_assert(p < want.nnz && column_of(&want, p) == j,
                      "%s: the reference, column %d", t.name, (int)j);
            p++;
        }
    cr_assert_eq(p, want.nnz, "%s: the reference has more", t.name);
    expect_some_forms_of(&t, &want, 26);
    free_csr(&want);
    free_csr(&A);
    free_csr(&B);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define R(x)                                                                   \
    {                                                                          \
        .re = (x)                                                              \
    }
#define N(x)                                                                   \
    {                                                                          \
        .n = (x)                                                               \
    }

static void expect_real_rows(spgemm_value_type type)
{
    const double inf = INFINITY;
    const row_case rows[] = {
        {{.filter.drop_zeros = true},
         {R(0.0), R(-0.0), R(0x1p-149), R(NAN), R(inf), R(-1)},
         {0, 0, 1, 1, 1, 1}},
        {{.filter.drop_tolerance = 0.5},
         {R(0.5), R(-0.5), R(0.75), R(NAN), R(-inf), R(0)},
         {0, 0, 1, 1, 1, 0}},
        {{.filter.drop_tolerance = inf},
         {R(1), R(-inf), R(inf), R(NAN), R(0), R(2)},
         {0, 0, 0, 1, 0, 0}},
        {{.filter.keep_top = 2},
         {R(1), R(-3), R(3), R(2), R(3), R(0)},
         {0, 1, 1, 0, 0, 0}},
        {{.filter.keep_top = 3},
         {R(inf), R(-inf), R(5), R(NAN), R(6), R(NAN)},
         {1, 0, 0, 1, 0, 1}},
        {{.filter.keep_top = 1},
         {R(inf), R(1), R(NAN), R(NAN), R(6), R(0)},
         {0, 0, 1, 0, 0, 0}},
        {{.filter.keep_top = 4},
         {R(0), R(0), R(-0.0), R(0), R(0), R(-0.0)},
         {1, 1, 1, 1, 0, 0}},
        {{.filter.keep_top = 6}, {R(0), R(1)}, {1, 1, 1, 1, 1, 1}},
        {{.filter.keep_top = INT64_MAX}, {R(0), R(1)}, {1, 1, 1, 1, 1, 1}},
        {{.filter.keep_top = 4, .filter.drop_zeros = true},
         {R(0), R(0), R(1), R(0), R(-2), R(-0.0)},
         {0, 0, 1, 0, 1, 0}},
        {{.filter.keep_top = 2,
          .filter.drop_tolerance = 1,
          .filter.drop_zeros = true},
         {R(1), R(-2), R(-1), R(4), R(3), R(0)},
         {0, 0, 0, 1, 1, 0}},
    };
    for (size_t n = 0; n < COUNT(rows); n++)
        expect_row(type, &rows[n]);
}

Test(drops, are_by_magnitude)
{
    expect_real_rows(SPGEMM_FP64);
    expect_real_rows(SPGEMM_FP32);
}

/* The n largest values. */
#define TOP(n)                                                                 \
    {                                                                          \
        .filter.keep_top = (n), .filter.top_by = SPGEMM_TOP_VALUE              \
    }

static void expect_real_rows_by_value(spgemm_value_type type)
{
    const double inf = INFINITY;
    const row_case rows[] = {
        {TOP(2), {R(1), R(-3), R(3), R(2), R(3), R(0)}, {0, 0, 1, 0, 1, 0}},
        {TOP(2), {R(1), R(-3), R(-4), R(-2), R(-5), R(-6)}, {1, 0, 0, 1, 0, 0}},
        {TOP(1), {R(-3), R(-1), R(-2), R(-1), R(-inf)}, {0, 0, 0, 0, 0, 1}},
        {TOP(1),
         {R(-3), R(-1), R(-2), R(-1), R(-inf), R(-5)},
         {0, 1, 0, 0, 0, 0}},
        {TOP(3),
         {R(inf), R(-inf), R(5), R(NAN), R(6), R(-NAN)},
         {1, 0, 0, 1, 0, 1}},
        {TOP(5),
         {R(-inf), R(-1), R(5), R(NAN), R(-inf), R(inf)},
         {1, 1, 1, 1, 0, 1}},
        {TOP(3),
         {R(-1), R(-0.0), R(-0x1p-149), R(0), R(-0.0), R(0)},
         {0, 1, 0, 1, 1, 0}},
        {TOP(2),
         {R(0), R(0x1p-149), R(-0x1p-149), R(0x1p-148), R(-1), R(-0.0)},
         {0, 1, 0, 1, 0, 0}},
        {TOP(6), {R(0), R(-1)}, {1, 1, 1, 1, 1, 1}},
        {TOP(INT64_MAX), {R(0), R(-1)}, {1, 1, 1, 1, 1, 1}},
        {{.filter.keep_top = 2,
          .filter.top_by = SPGEMM_TOP_VALUE,
          .filter.drop_tolerance = 1,
          .filter.drop_zeros = true},
         {R(-5), R(0.5), R(2), R(-0.5), R(-3), R(0)},
         {0, 0, 1, 0, 1, 0}},
    };
    for (size_t n = 0; n < COUNT(rows); n++)
        expect_row(type, &rows[n]);
}

Test(drops, are_by_value)
{
    expect_real_rows_by_value(SPGEMM_FP64);
    expect_real_rows_by_value(SPGEMM_FP32);
}

/* 3 + 4i is as large as 5. */
static void expect_complex_rows(spgemm_value_type type)
{
    const row_case rows[] = {
        {{.filter.drop_zeros = true},
         {{0, -0.0, 0}, {0, 1, 0}, {-1, 0, 0}, {NAN, 0, 0}, {0, NAN, 0}},
         {0, 1, 1, 1, 1, 0}},
        {{.filter.drop_tolerance = 5},
         {{3, 4, 0}, {5, 0, 0}, {0, -5, 0}, {4, 4, 0}, {0, NAN, 0}, {-6, 0, 0}},
         {0, 0, 0, 1, 1, 1}},
        {{.filter.keep_top = 2},
         {{4, 0, 0}, {3, 4, 0}, {-5, 0, 0}, {0, 5, 0}, {4, 2, 0}, {1, 1, 0}},
         {0, 1, 1, 0, 0, 0}},
        {{.filter.keep_top = 3},
         {{4, 0, 0}, {3, NAN, 0}, {INFINITY, 0, 0}, {0, 5, 0}, {9, 9, 0}},
         {0, 1, 1, 0, 1, 0}},
    };
    for (size_t n = 0; n < COUNT(rows); n++)
        expect_row(type, &rows[n]);
}

Test(drops, of_complex_values_are_by_modulus)
{
    expect_complex_rows(SPGEMM_CFP64);
    expect_complex_rows(SPGEMM_CFP32);
}

Test(drops, of_integers_are_by_absolute_value)
{
    const int64_t top = INT64_MAX;
    const row_case rows[] = {
        {{.filter.drop_zeros = true},
         {N(0), N(1), N(0), N(-1)},
         {0, 1, 0, 1, 0, 0}},
        {{.filter.drop_tolerance = 2.5},
         {N(2), N(3), N(-2), N(-3), N(0), N(7)},
         {0, 1, 0, 1, 0, 1}},
        {{.filter.keep_top = 2},
         {N(INT32_MIN), N(INT32_MAX), N(-5), N(5), N(1), N(INT32_MIN)},
         {1, 0, 0, 0, 0, 1}},
    };
    /* As doubles the first three would be equal. */
    const row_case wide = {{.filter.keep_top = 2},
                           {N(top - 1), N(top), N(INT64_MIN), N(5)},
                           {0, 1, 1, 0, 0, 0}};
    for (size_t n = 0; n < COUNT(rows); n++) {
        expect_row(SPGEMM_INT64, &rows[n]);
        expect_row(SPGEMM_INT32, &rows[n]);
    }
    expect_row(SPGEMM_INT64, &wide);
}

Test(drops, of_integers_are_by_value)
{
    const int64_t top = INT64_MAX;
    const int64_t low = INT64_MIN;
    const row_case rows[] = {
        {TOP(2),
         {N(INT32_MIN), N(INT32_MAX), N(-5), N(5), N(1), N(INT32_MIN)},
         {0, 1, 0, 1, 0, 0}},
        {TOP(5),
         {N(INT32_MIN), N(INT32_MAX), N(-5), N(5), N(1), N(INT32_MIN)},
         {1, 1, 1, 1, 1, 0}},
        {TOP(1), {N(-7), N(-2), N(-3), N(-2), N(-9), N(-4)}, {0, 1}},
        {TOP(3), {N(-1), N(0), N(-1), N(0), N(-1), N(-2)}, {1, 1, 0, 1}},
        {TOP(INT64_MAX), {N(-1), N(1)}, {1, 1, 1, 1, 1, 1}},
    };
    /* As doubles they would be equal. */
    const row_case wide[] = {
        {TOP(1), {N(top - 1), N(top), N(low), N(top)}, {0, 1}},
        {TOP(2), {N(top - 2), N(5), N(top), N(top - 1)}, {0, 0, 1, 1}},
        {TOP(1),
         {N(low), N(low), N(low + 1), N(low), N(low), N(low + 1)},
         {0, 0, 1}},
    };
    for (size_t n = 0; n < COUNT(rows); n++) {
        expect_row(SPGEMM_INT64, &rows[n]);
        expect_row(SPGEMM_INT32, &rows[n]);
    }
    for (size_t n = 0; n < COUNT(wide); n++)
        expect_row(SPGEMM_INT64, &wide[n]);
}

Test(drops, of_truth_values_are_of_false)
{
    const row_case rows[] = {
        {{.filter.drop_zeros = true},
         {N(0), N(1), N(0), N(1)},
         {0, 1, 0, 1, 0, 0}},
        {{.filter.keep_top = 2}, {N(0), N(1), N(0), N(1)}, {0, 1, 0, 1, 0, 0}},
        {TOP(1), {N(0), N(1), N(0), N(1)}, {0, 1, 0, 0, 0, 0}},
        {TOP(3), {N(0), N(1), N(0), N(1)}, {1, 1, 0, 1, 0, 0}},
    };
    for (size_t n = 0; n < COUNT(rows); n++)
        expect_row(SPGEMM_BOOL, &rows[n]);
}

/* keep_top of a giant row is of the whole row, not of its parts. */
Test(drops, keep_the_largest_of_a_giant_row)
{
    for (int n = 0; n < form_shape_count; n++) {
        maker m = {{(uint64_t)n}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A;
        spgemm_csr B;
        if (!form_shapes[n].is_giant)
            continue;
        make_form_shape(&form_shapes[n], &m, SPGEMM_FP64, &A, &B);
        for (int64_t top = 1; top <= 10000; top *= 100) {
            trial t = {&A, &B, {.filter.keep_top = top}, form_shapes[n].name};
            expect_some_forms(&t, 8);
            t.options.filter.top_by = SPGEMM_TOP_VALUE;
            expect_some_forms(&t, 8);
        }
        free_csr(&A);
        free_csr(&B);
    }
}

/* Candidates are chosen among again and again on the way along a row. */
ParameterizedTestParameters(drops, of_a_long_row)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, drops, of_a_long_row)
{
    for (int n = 0; n < 28; n++) {
        const value_kind kind = n % 2 ? VALUES_INTEGER : VALUES_SPECIAL;
        maker m = {{(uint64_t)n}, choice->index_type, kind};
        spgemm_csr A = make_one_row(&m, 1, 1, 0, 1);
        spgemm_csr B = make_one_row(&m, 1, 300, 0, 300);
        trial t = {&A, &B, {.product.semiring = SPGEMM_PLUS_SECOND}, NULL};
        t.name = "a long row";
        set_type(&m, &A, choice->type);
        set_type(&m, &B, choice->type);
        ask_drops(&t.options, n % 4 < 2 ? KEEP_THREE : KEEP_BY_VALUE,
                  choice->type);
        t.options.filter.keep_top = 1 + 11 * n;
        expect_some_forms(&t, 3);
        free_csr(&A);
        free_csr(&B);
    }
}

/* ---- Few entries among many, or most of them ------------------------------- */

/* B's values: 0 in one column of `share`, in all others larger than what is dropped. */
static void set_shares(spgemm_csr *B, int64_t share)
{
    const bool is_truth = B->value_type == SPGEMM_BOOL;
    for (int64_t p = 0; p < B->nnz; p++) {
        const int64_t j = column_of(B, p);
        const bool is_small = j * 7 % share == 0;
        const scalar large =
            is_truth ? (scalar){.n = 1}
                     : (scalar){.re = 3 + (double)(j % 5), .n = 3 + j % 5};
        write_scalar(B->value_type, B->values, p,
                     is_small ? (scalar){0} : large);
    }
}

/* Rows of many products and of few, of whose entries one in `share` is dropped: as
   a zero, or within a tolerance; scaled before that, or not. */
static void expect_share(const type_choice *choice, int64_t share, int length)
{
    maker m = {{(uint64_t)share}, choice->index_type, VALUES_INTEGER};
    const int64_t rows = length > 5 ? 150 : 3000;
    spgemm_csr A = make_uniform(&m, rows, 200, length);
    spgemm_csr B = make_uniform(&m, 200, 300, length);
    set_type(&m, &A, choice->type);
    set_type(&m, &B, choice->type);
    set_shares(&B, share);
    const spgemm_options plain = {.product.semiring = SPGEMM_PLUS_SECOND};
    spgemm_csr all = reference_form(&A, &B, &plain);
    _Alignas(16) char alpha[16];
    write_scalar(choice->type, alpha, 0, (scalar){.re = 1, .n = 1});
    for (int n = 0; n < 4; n++) {
        trial t = {&A, &B, plain, NULL};
        t.options.product.alpha = n % 2 ? alpha : NULL;
        ask_drops(&t.options, n < 2 ? DROP_ZEROS : DROP_SMALL, choice->type);
        t.name = form_text(&A, &t.options, length > 5 ? "long" : "short");
        if (!has_drops(&t.options))
            continue;
        spgemm_csr want = reference_form(&A, &B, &t.options);
        cr_assert(want.nnz > 0 && want.nnz < all.nnz,
                  "%s: none dropped, or all", t.name);
        expect_some_forms_of(&t, &want, 7);
        free_csr(&want);
    }
    free_csr(&all);
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(drops, of_any_share)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, drops, of_any_share)
{
    static const int64_t shares[] = {2, 9, 100};
    for (size_t n = 0; n < COUNT(shares); n++) {
        expect_share(choice, shares[n], 3);
        expect_share(choice, shares[n], 40);
    }
}
