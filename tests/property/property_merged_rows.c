/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that are a long row of B and some other products. */
#include "every_way.h"
#include "expect.h"

enum { SHARE = 4 };

/* A and B row by row: each entry of A has a row of B of its own. */
typedef struct pair {
    maker m;
    csr_builder A;
    csr_builder B;
    int64_t first; /* where the long rows begin */
} pair;

static pair begin_pair(value_kind values, int64_t ncols)
{
    return (pair){.m = {{(uint64_t)ncols}, SPGEMM_I32, values},
                  .A = build_begin(400, 40000),
                  .B = build_begin(40000, ncols),
                  .first = ncols - 2000};
}

static void end_term(pair *p)
{
    build_end_row(&p->B);
    build_add(&p->A, p->B.row - 1, make_value(&p->m));
}

/* Every third column. */
static void add_long(pair *p, int64_t length)
{
    for (int64_t t = 0; t < length; t++)
        build_add(&p->B, p->first + 3 * t, make_value(&p->m));
    end_term(p);
}

/* Column of the other product t of n, beside a row of `length`. */
typedef int64_t place(int64_t t, int64_t n, int64_t length);

static int64_t met(int64_t t, int64_t n, int64_t length)
{
    return 3 * (t * length / n);
}

static int64_t between(int64_t t, int64_t n, int64_t length)
{
    return met(t, n, length) + 1 + t % 2;
}

static int64_t now_and_then_met(int64_t t, int64_t n, int64_t length)
{
    (void)n;
    return 7 * t % (3 * length);
}

static int64_t in_front(int64_t t, int64_t n, int64_t length)
{
    (void)length;
    return t - n;
}

static int64_t behind(int64_t t, int64_t n, int64_t length)
{
    (void)n;
    return 3 * length + t;
}

static int64_t all_at_one(int64_t t, int64_t n, int64_t length)
{
    (void)t;
    (void)n;
    return 3 * (length / 2);
}

static int64_t all_beside_one(int64_t t, int64_t n, int64_t length)
{
    return all_at_one(t, n, length) + 1;
}

static place *const places[] = {met,    between,    now_and_then_met, in_front,
                                behind, all_at_one, all_beside_one};
enum { PLACES = sizeof places / sizeof places[0] };

/* Other products [from, to) of n, in rows of B of one to four columns, that
   increase. */
static void add_others(pair *p, place *at, int64_t from, int64_t to, int64_t n,
                       int64_t length)
{
    for (int64_t t = from; t < to;) {
        int64_t previous = INT64_MIN;
        for (int most = 1 + (int)(t % 4); most > 0 && t < to; most--, t++) {
            const int64_t column = at(t, n, length);
            if (column <= previous)
                break;
            build_add(&p->B, p->first + column, make_value(&p->m));
            previous = column;
        }
        end_term(p);
    }
}

static void add_row(pair *p, place *at, int64_t others, int64_t length)
{
    const int64_t before = dice_below(&p->m.dice, others + 1);
    add_others(p, at, 0, before, others, length);
    add_long(p, length);
    add_others(p, at, before, others, others, length);
    build_end_row(&p->B); /* empty: no row of A has one entry */
    build_add(&p->A, p->B.row - 1, make_value(&p->m));
    build_end_row(&p->A);
}

static int64_t count_merged(const spgemm_csr *A, const spgemm_csr *B)
{
    const int32_t *Aj = A->colidx;
    int64_t count = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        int64_t longest = 0;
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const int64_t n = B->rowptr[Aj[p] + 1] - B->rowptr[Aj[p]];
            longest = n > longest ? n : longest;
        }
        const int64_t products = count_row_products(A, B, i);
        const int64_t others = products - longest;
        count += products > 64 && others <= 64 && SHARE * others <= longest;
    }
    return count;
}

/* Each place, with long rows that are just long enough, and much longer. */
static void expect_merged(int64_t ncols, const int64_t *others, int count)
{
    for (int values = VALUES_ARBITRARY; values <= VALUES_SPECIAL; values++) {
        char text[100];
        pair p = begin_pair((value_kind)values, ncols);
        for (int t = 0; t < count; t++)
            for (int at = 0; at < PLACES; at++) {
                const int64_t n = others[t];
                const int64_t enough = SHARE * n > 65 ? SHARE * n : 65;
                add_row(&p, places[at], n, enough - 1);
                add_row(&p, places[at], n, enough);
                add_row(&p, places[at], n, enough + 177);
            }
        spgemm_csr A = build_finish(&p.A, SPGEMM_I32);
        spgemm_csr B = build_finish(&p.B, SPGEMM_I32);
        const int64_t merged = count_merged(&A, &B);
        const path rows = {SPGEMM_ACCUMULATOR_MERGE, merged, merged, false};
        snprintf(text, sizeof text, "beside %lld products, values %d",
                 (long long)others[0], values);
        expect_every_way(&A, &B, &rows, 1, text);
        free_csr(&A);
        free_csr(&B);
    }
}

Test(merged_rows, take_up_to_64_other_products)
{
    const int64_t few[] = {0, 1, 2, 15, 16, 17};
    const int64_t many[] = {63, 64, 65};
    expect_merged(4000, few, 6);
    expect_merged(4000, many, 3);
}

Test(merged_rows, may_be_as_wide_as_can_be)
{
    const int64_t few[] = {1, 9, 33};
    expect_merged((int64_t)1 << 26, few, 3);
    expect_merged(INT32_MAX, few, 3);
}

/* A row from column 0 to the last one: keys have room for 55 bits. */
static void expect_width(int64_t ncols, int64_t merged)
{
    const path rows = {SPGEMM_ACCUMULATOR_MERGE, merged, merged, false};
    pair p = begin_pair(VALUES_ARBITRARY, ncols);
    build_add(&p.B, 0, 2);
    build_add(&p.B, ncols - 1, 3);
    end_term(&p);
    add_row(&p, now_and_then_met, 9, 100);
    spgemm_csr A = build_finish(&p.A, SPGEMM_I64);
    spgemm_csr B = build_finish(&p.B, SPGEMM_I64);
    expect_every_way(&A, &B, &rows, 1, "from end to end");
    free_csr(&A);
    free_csr(&B);
}

Test(merged_rows, may_be_wider_than_32_bits_tell)
{
    expect_width(((int64_t)1 << 55) - 1, 1);
    expect_width((int64_t)1 << 55, 0);
    expect_width(INT64_MAX - 1, 0);
}

/* Rows of up to 64 products are sorted, merged or not, so that C is the same on
   any machine. */
Test(merged_rows, may_be_short)
{
    pair p = begin_pair(VALUES_ARBITRARY, 4000);
    for (int64_t length = 14; length <= 64; length++)
        for (int at = 0; at < PLACES; at++)
            add_row(&p, places[at], length / SHARE, length);
    spgemm_csr A = build_finish(&p.A, SPGEMM_I32);
    spgemm_csr B = build_finish(&p.B, SPGEMM_I32);
    expect_every_way(&A, &B, NULL, 0, "short");
    free_csr(&A);
    free_csr(&B);
}

/* B's long row is in no order: nothing can be merged into it. */
Test(merged_rows, are_none_where_b_is_in_no_order)
{
    const path none = {SPGEMM_ACCUMULATOR_MERGE, 0, 0, false};
    pair p = begin_pair(VALUES_ARBITRARY, 4000);
    for (int64_t t = 0; t < 300; t++)
        build_add(&p.B, p.first + 7 * t % 300, make_value(&p.m));
    end_term(&p);
    add_row(&p, now_and_then_met, 9, 100);
    spgemm_csr A = build_finish(&p.A, SPGEMM_I32);
    spgemm_csr B = build_finish(&p.B, SPGEMM_I32);
    expect_every_way(&A, &B, &none, 1, "in no order");
    free_csr(&A);
    free_csr(&B);
}
