/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C of which only the n largest are wanted: those of a selection of the
   whole row, whatever was left out on the way. */
#include <math.h>

#include "every_form.h"

/* A product of which long rows have 128 products and more for each entry that is
   kept, at least 2048, and other rows less. */
typedef struct shape {
    const char *name;
    void (*make)(maker *m, spgemm_csr *A, spgemm_csr *B);
    bool is_taken; /* B is sorted, and narrow for its products */
} shape;

static void narrow(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 7, 60, 25);
    *B = make_uniform(m, 60, 700, 90);
}

/* Of five slices; rows of few products, and empty ones, are elsewhere. */
static void slices(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_mixed(m, 9, 60, 2, 20, 3);
    *B = make_uniform(m, 60, 17000, 300);
}

static void repeated_terms(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_jumbled(m, 5, 30, 25);
    *B = make_uniform(m, 30, 4097, 90);
}

static void hypersparse(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_hypersparse(m, 500, 40, 60);
    *B = make_uniform(m, 40, 4096, 1100);
}

static void repeated_columns(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 5, 30, 25);
    *B = make_jumbled(m, 30, 3000, 90);
}

static void wide(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 5, 30, 25);
    *B = make_uniform(m, 30, 200000, 90);
}

static const shape shapes[] = {
    {"narrow", narrow, true},
    {"slices", slices, true},
    {"repeated terms", repeated_terms, true},
    {"hypersparse", hypersparse, true},
    {"repeated columns", repeated_columns, false},
    {"wide", wide, false},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0], SIGNS = 3 };

/* No value is negative; or no product is positive, but for one in 37 of B. */
static void set_signs(spgemm_csr *A, bool is_left, int signs)
{
    for (int64_t p = 0; signs > 0 && p < A->nnz; p++) {
        scalar x = read_scalar(A->value_type, A->values, p);
        const bool is_negative = signs == 2 && !is_left && p % 37 != 0;
        x.re = is_negative ? -fabs(x.re) : fabs(x.re);
        write_scalar(A->value_type, A->values, p, x);
    }
}

static void ask(spgemm_options *o, int number)
{
    static const int64_t most[] = {1, 2, 7, 17};
    static const double tolerances[] = {0, 0, 2, 0.1, 1e-60, 1e300};
    o->filter.keep_top = most[number % 4];
    o->filter.top_by = number % 3 ? SPGEMM_TOP_VALUE : SPGEMM_TOP_MAGNITUDE;
    o->filter.drop_zeros = number / 2 % 2;
    o->filter.drop_tolerance = tolerances[number / 4 % 6];
}

static int64_t rows_with_products(const spgemm_csr *A, const spgemm_csr *B,
                                  int64_t least)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < A->nrows; i++)
        rows += count_row_products(A, B, i) >= least;
    return rows;
}

static void expect_taken(const trial *t, bool is_taken)
{
    const spgemm_options *o = &t->options;
    const int64_t least =
        o->filter.keep_top > 16 ? 128 * o->filter.keep_top : 2048;
    const int64_t want = is_taken ? rows_with_products(t->A, t->B, least) : 0;
    spgemm_csr C = {0};
    spgemm_report report;
    cr_assert_eq(spgemm_predicted(&C, t->A, t->B, o, &report), SPGEMM_SUCCESS,
                 "%s", t->name);
    cr_assert_eq(report.rows_by_accumulator[SPGEMM_ACCUMULATOR_LARGEST], want,
                 "%s: %d of %d rows were taken", t->name,
                 (int)report.rows_by_accumulator[SPGEMM_ACCUMULATOR_LARGEST],
                 (int)want);
    spgemm_csr_destroy(&C);
}

static void expect_largest(const shape *s, const type_choice *choice,
                           value_kind kind, int signs)
{
    maker m = {{(uint64_t)(s - shapes) * 31 + kind * 7 + (uint64_t)signs + 1},
               choice->index_type,
               kind};
    spgemm_csr A;
    spgemm_csr B;
    s->make(&m, &A, &B);
    set_type(&m, &A, choice->type);
    set_type(&m, &B, choice->type);
    set_signs(&A, true, signs);
    set_signs(&B, false, signs);
    /* A third of 24 for each kind and sign, all of them for each of either. */
    const int first = ((int)kind + signs) % 3 * 8;
    for (int n = first; n < first + 8; n++) {
        trial t = {&A, &B, {.product = {0}}, NULL};
        ask(&t.options, 5 * n % 24);
        t.name = form_text(&A, &t.options, s->name);
        expect_taken(&t, s->is_taken);
        expect_some_forms(&t, 3);
    }
    free_csr(&A);
    free_csr(&B);
}

static struct criterion_test_params choose_real(void)
{
    const size_t types = index_type_count();
    const size_t count = 2 * types;
    type_choice *choices = cr_malloc(count * sizeof *choices);
    for (size_t t = 0; t < count; t++)
        choices[t] = (type_choice){t / types ? SPGEMM_FP32 : SPGEMM_FP64,
                                   index_types[t % types]};
    return cr_make_param_array(type_choice, choices, count, free_choices);
}

ParameterizedTestParameters(largest_rows, are_those_of_whole_rows)
{
    return choose_real();
}

ParameterizedTest(type_choice *choice, largest_rows, are_those_of_whole_rows)
{
    for (int n = 0; n < SHAPES; n++)
        for (int kind = 0; kind < VALUE_KINDS; kind++)
            for (int signs = 0; signs < SIGNS; signs++)
                expect_largest(&shapes[n], choice, (value_kind)kind, signs);
}

/* What follows the sums may make others the largest, or add entries. */
Test(largest_rows, are_of_sums_alone)
{
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A;
    spgemm_csr B;
    const double alpha = -1;
    narrow(&m, &A, &B);
    const spgemm_options whole = {0};
    spgemm_csr all = reference_form(&A, &B, &whole);
    spgemm_csr D = make_addend(&m, &all, false, SPGEMM_FP64);
    spgemm_csr mask = make_mask(&m, &all, MASK_SOME, SPGEMM_BOOL);
    for (int n = 0; n < 5; n++) {
        trial t = {&A, &B, {.product = {0}}, NULL};
        ask(&t.options, 5);
        t.options.product.alpha = n == 0 ? &alpha : NULL;
        t.options.product.D = n == 1 ? &D : NULL;
        t.options.filter.mask = n == 2 || n == 3 ? &mask : NULL;
        t.options.filter.mask_mode = n == 3 ? SPGEMM_MASK_COMPLEMENT : 0;
        t.options.product.semiring =
            n == 4 ? SPGEMM_MAX_PLUS : SPGEMM_PLUS_TIMES;
        t.name = form_text(&A, &t.options, "with something else");
        expect_taken(&t, false);
        expect_every_form(&t);
    }
    free_csr(&all);
    free_csr(&D);
    free_csr(&mask);
    free_csr(&A);
    free_csr(&B);
}

/* Entries grow from column to column, mostly. */
Test(largest_rows, may_come_last)
{
    maker m = {{9}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_one_row(&m, 1, 2, 0, 2);
    spgemm_csr B = make_uniform(&m, 2, 40000, 9000);
    double *Ax = A.values;
    double *Bx = B.values;
    Ax[0] = 0.5;
    Ax[1] = 0.25;
    for (int64_t p = 0; p < B.nnz; p++)
        Bx[p] = (double)(p % 9000 / 3) - 600;
    for (int number = 0; number < 24; number++) {
        trial t = {&A, &B, {.product = {0}}, NULL};
        ask(&t.options, number);
        t.name = form_text(&A, &t.options, "rising");
        expect_taken(&t, true);
        expect_every_form(&t);
    }
    free_csr(&A);
    free_csr(&B);
}
