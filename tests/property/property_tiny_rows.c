/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C of 0 to 70 products, of every make. */
#include "every_way.h"
#include "expect.h"

enum { MOST = 70 };

/* A and B row by row: each entry of A has a row of B of its own. */
typedef struct pair {
    maker m;
    csr_builder A;
    csr_builder B;
    int64_t first; /* columns are first .. first + MOST */
} pair;

static pair begin_pair(uint64_t seed, value_kind values, int64_t ncols)
{
    return (pair){.m = {{seed}, SPGEMM_I32, values},
                  .A = build_begin(1200, 40000),
                  .B = build_begin(40000, ncols),
                  .first = ncols > MOST ? ncols - MOST - 1 : 0};
}

static void add_product(pair *p, int64_t j)
{
    build_add(&p->B, p->first + j, make_value(&p->m));
}

/* The rows of B so far are the next entry of A. */
static void end_term(pair *p)
{
    build_end_row(&p->B);
    build_add(&p->A, p->B.row - 1, make_value(&p->m));
}

static void all_at_one_column(pair *p, int64_t n)
{
    for (int64_t t = 0; t < n; t++) {
        add_product(p, 0);
        end_term(p);
    }
}

static void all_apart(pair *p, int64_t n)
{
    for (int64_t t = 0; t < n; t++) {
        add_product(p, t);
        end_term(p);
    }
}

static void all_apart_reversed(pair *p, int64_t n)
{
    for (int64_t t = 0; t < n; t++) {
        add_product(p, n - 1 - t);
        end_term(p);
    }
}

static void one_row_of_b(pair *p, int64_t n)
{
    for (int64_t t = 0; t < n; t++)
        add_product(p, t);
    end_term(p);
}

static void two_equal_rows_of_b(pair *p, int64_t n)
{
    for (int64_t t = 0; t < n / 2; t++)
        add_product(p, 2 * t);
    end_term(p);
    for (int64_t t = 0; t < n - n / 2; t++)
        add_product(p, 2 * t);
    end_term(p);
}

/* Rows of B of 0 to 9 entries, whose columns meet. */
static void rows_of_b_with_gaps(pair *p, int64_t n)
{
    while (n > 0) {
        int64_t length = dice_below(&p->m.dice, 10);
        length = length < n ? length : n;
        const int64_t step = 1 + dice_below(&p->m.dice, 6);
        const int64_t first = dice_below(&p->m.dice, 5);
        for (int64_t t = 0; t < length; t++)
            add_product(p, first + step * t);
        end_term(p);
        n -= length;
    }
    end_term(p);
}

/* In no order and with duplicates. */
static void jumbled_rows_of_b(pair *p, int64_t n)
{
    while (n > 0) {
        int64_t length = 1 + dice_below(&p->m.dice, 30);
        length = length < n ? length : n;
        for (int64_t t = 0; t < length; t++)
            add_product(p, dice_below(&p->m.dice, 13));
        end_term(p);
        n -= length;
    }
}

typedef void make_row(pair *p, int64_t n);

static make_row *const sorted_rows[] = {
    all_at_one_column, all_apart,           all_apart_reversed,
    one_row_of_b,      two_equal_rows_of_b, rows_of_b_with_gaps};
enum { SORTED_MAKES = sizeof sorted_rows / sizeof sorted_rows[0] };
static make_row *const narrow_rows[] = {all_at_one_column};
static make_row *const unsorted_rows[] = {jumbled_rows_of_b};

/* Rows of 1 to `most` products or, where a row of B is only scaled, more. */
static int64_t count_tiny(const spgemm_csr *A, const spgemm_csr *B,
                          int64_t most, bool scales)
{
    int64_t count = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t products = count_row_products(A, B, i);
        const bool is_scaled = scales && A->rowptr[i + 1] - A->rowptr[i] == 1;
        count += products > 0 && (products <= most || is_scaled);
    }
    return count;
}

/* Each count of products up to `longest`, each make, some rows without any in
   between. */
static void expect_rows(make_row *const *makes, int count, int64_t ncols,
                        int64_t longest, int64_t most, bool is_sorted)
{
    for (int values = VALUES_ARBITRARY; values <= VALUES_SPECIAL; values++) {
        char text[100];
        pair p = begin_pair((uint64_t)ncols, (value_kind)values, ncols);
        for (int64_t n = 0; n <= longest; n++)
            for (int make = 0; make < count; make++) {
                makes[make](&p, n);
                build_end_row(&p.A);
                if (n % 7 == make)
                    build_end_row(&p.A);
            }
        spgemm_csr A = build_finish(&p.A, SPGEMM_I32);
        spgemm_csr B = build_finish(&p.B, SPGEMM_I32);
        const int64_t tiny = count_tiny(&A, &B, most, is_sorted);
        const path rows = {SPGEMM_ACCUMULATOR_ESC, tiny, tiny, true};
        snprintf(text, sizeof text, "of %lld columns, values %d",
                 (long long)ncols, values);
        expect_every_way(&A, &B, &rows, 1, text);
        free_csr(&A);
        free_csr(&B);
    }
}

/* Rows of 0 to `longest` products, in no order of lengths and makes: some of them are
   sorted as one, whatever their columns. */
static void expect_mixed_rows(int64_t ncols, int64_t longest)
{
    enum { ROWS = 1100 };
    for (int values = VALUES_ARBITRARY; values <= VALUES_SPECIAL; values++) {
        char text[100];
        pair p =
            begin_pair((uint64_t)(ncols + longest), (value_kind)values, ncols);
        for (int i = 0; i < ROWS; i++) {
            const int64_t make = dice_below(&p.m.dice, SORTED_MAKES);
            sorted_rows[make](&p, dice_below(&p.m.dice, longest + 1));
            build_end_row(&p.A);
        }
        spgemm_csr A = build_finish(&p.A, SPGEMM_I32);
        spgemm_csr B = build_finish(&p.B, SPGEMM_I32);
        snprintf(text, sizeof text, "up to %lld products, %lld columns",
                 (long long)longest, (long long)ncols);
        expect_every_way(&A, &B, NULL, 0, text);
        free_csr(&A);
        free_csr(&B);
    }
}

static void expect_sorted_rows(int64_t ncols, int64_t most)
{
    expect_rows(sorted_rows, SORTED_MAKES, ncols, MOST, most, true);
}

Test(tiny_rows, of_64_products_are_sorted_in_registers)
{
    expect_sorted_rows(200, 64);
}

Test(tiny_rows, have_fewer_than_2_to_26_columns)
{
    const int64_t limit = (int64_t)1 << 26;
    expect_sorted_rows(limit - 1, 64);
    expect_sorted_rows(limit, 16);
    expect_sorted_rows(limit + 1, 16);
}

Test(tiny_rows, of_the_widest_matrix_are_short)
{
    expect_sorted_rows(INT32_MAX, 16);
    expect_sorted_rows(INT32_MAX - 1, 16);
}

Test(tiny_rows, of_different_lengths_follow_one_another)
{
    for (int64_t longest = 2; longest <= 20; longest += 3)
        expect_mixed_rows(200, longest);
    expect_mixed_rows(((int64_t)1 << 26) - 1, 5);
}

Test(tiny_rows, may_have_one_column)
{
    expect_rows(narrow_rows, 1, 1, MOST, 64, true);
}

Test(tiny_rows, of_unsorted_matrices_are_sorted_too)
{
    expect_rows(unsorted_rows, 1, 200, MOST, 64, false);
    /* Longer ones may be ranked: that depends on what is predicted. */
    expect_rows(unsorted_rows, 1, ((int64_t)1 << 26) - 1, 64, 64, false);
    expect_rows(unsorted_rows, 1, INT32_MAX, MOST, 16, false);
}
