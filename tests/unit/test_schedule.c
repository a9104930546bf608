/* SPDX-License-Identifier: BSD-3-Clause */
#include "spgemm/pipeline/schedule.h"

#include <criterion/criterion.h>

#include "generate.h"

/* A product as far as its schedule needs it. */
typedef struct planned {
    spgemm_csr A;
    spgemm_csr B;
    memory m;
    product_counts counts;
    prediction prediction;
    operands ops;
    schedule p;
} planned;

/* Predicted to compress as much as said. It must not move. */
static void plan_begin(planned *x, spgemm_csr A, spgemm_csr B,
                       double compression)
{
    *x = (planned){.A = A, .B = B};
    spgemm_memory_init(&x->m, NULL);
    x->p.m = &x->m;
    cr_assert_eq(spgemm_products_count(&x->counts, &x->A, &x->B, 1, &x->m),
                 SPGEMM_SUCCESS);
    prediction_set_total(&x->prediction, (double)x->counts.total / compression,
                         0.0, x->counts.total, x->counts.bound);
    x->ops = (operands){.A = &x->A,
                        .B = &x->B,
                        .b_is_sorted = true,
                        .sort_rows = true,
                        .products = x->counts.row,
                        .row_class = x->counts.row_class,
                        .prediction = &x->prediction};
}

static void plan_end(planned *x)
{
    spgemm_schedule_clear(&x->p);
    spgemm_products_clear(&x->counts, &x->m);
    cr_expect_eq(x->m.live_bytes, 0);
    free_csr(&x->A);
    free_csr(&x->B);
}

static slab plan_all(planned *x, bool splits_rows, int nthreads)
{
    slab all = spgemm_slab_of_all(&x->counts);
    cr_assert_eq(
        spgemm_schedule_make(&x->p, &x->ops, &all, splits_rows, nthreads),
        SPGEMM_SUCCESS);
    return all;
}

/* Blocks are all rows of the slab, each once, in order. */
static void expect_all_rows(const planned *x, const slab *rows)
{
    int64_t row = rows->row_begin;
    int64_t products = 0;
    for (int64_t b = 0; b < x->p.count; b++) {
        const block *one = &x->p.blocks[b];
        cr_assert_eq(one->range.row_begin, row, "block %d", (int)b);
        cr_expect(one->range.parts > 0 || one->capacity <= one->bound);
        cr_expect_leq(one->range.row_end - row, x->p.most_rows);
        products += one->products;
        row = one->range.parts > 0 && !one->range.is_last ? row
                                                          : one->range.row_end;
    }
    cr_assert_eq(row, rows->row_end);
    for (int64_t i = rows->row_begin; i < rows->row_end; i++)
        products -= x->counts.row[i];
    cr_expect_eq(products, 0);
}

Test(schedule, has_each_row_once)
{
    for (int number = 0; number < product_case_count; number++) {
        planned x;
        spgemm_csr A;
        spgemm_csr B;
        make_case(number, SPGEMM_I32, VALUES_INTEGER, &A, &B);
        plan_begin(&x, A, B, 1.5);
        const slab all = plan_all(&x, true, 3);
        cr_expect_eq(all.row_end, x.A.nrows);
        expect_all_rows(&x, &all);
        plan_end(&x);
    }
}

static spgemm_csr make_grid(int64_t nrows)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    return make_banded(&m, nrows, 10, 1.0);
}

/* Some 440 products a row, 65,536 a block. */
Test(schedule, cuts_much_work_for_any_number_of_threads_alike)
{
    planned x;
    planned y;
    plan_begin(&x, make_grid(40000), make_grid(40000), 10);
    plan_begin(&y, make_grid(40000), make_grid(40000), 10);
    plan_all(&x, true, 1);
    const slab all = plan_all(&x, true, 1);
    expect_all_rows(&x, &all);
    cr_expect_float_eq(all.predicted, (double)x.counts.total / 10, 1.0);
    plan_all(&y, true, 16);
    cr_assert_eq(x.p.count, y.p.count, "one is made anew in its memory");
    cr_expect_geq(x.p.count, x.counts.total / 65536);
    for (int64_t b = 0; b < x.p.count; b++) {
        cr_assert_eq(x.p.blocks[b].range.row_end, y.p.blocks[b].range.row_end);
        cr_expect_leq(x.p.blocks[b].products, 65536);
    }
    plan_end(&x);
    plan_end(&y);
}

Test(schedule, cuts_little_work_so_that_all_threads_have_some)
{
    planned x;
    plan_begin(&x, make_grid(1000), make_grid(1000), 10);
    plan_all(&x, true, 1);
    const int64_t by_one = x.p.count;
    plan_all(&x, true, 8);
    cr_expect_gt(x.p.count, by_one);
    plan_end(&x);
}

/* Row 3 of A meets all of B: 2,000 rows of 1,000 columns. */
Test(schedule, cuts_a_giant_row_by_columns)
{
    maker m = {{7}, SPGEMM_I32, VALUES_INTEGER};
    planned x;
    plan_begin(&x, make_one_row(&m, 6, 2000, 3, 2000),
               make_uniform(&m, 2000, 100000, 1000), 1);
    const slab all = plan_all(&x, true, 1);
    expect_all_rows(&x, &all);
    int64_t parts = 0;
    int64_t column = -1;
    for (int64_t b = 0; b < x.p.count; b++) {
        const row_range *r = &x.p.blocks[b].range;
        if (r->parts == 0)
            continue;
        cr_assert(column < 0 || r->col_begin == column, "side by side");
        column = r->col_end;
        cr_expect_eq(r->row_begin, 3);
        cr_expect_eq(r->is_last, ++parts == r->parts);
    }
    cr_expect_gt(parts, 1);
    plan_all(&x, false, 1);
    for (int64_t b = 0; b < x.p.count; b++)
        cr_expect_eq(x.p.blocks[b].range.parts, 0);
    plan_end(&x);
}

/* A slab ends where it is predicted to be full, but has a row. */
Test(schedule, ends_where_there_is_no_room)
{
    planned x;
    plan_begin(&x, make_grid(5000), make_grid(5000), 10);
    int64_t slabs = 0;
    for (int64_t row = 0; row < 5000; slabs++) {
        slab some = {.row_begin = row,
                     .row_end = 5000,
                     .room = 20000,
                     .row_room = 2,
                     .slack = 1.1,
                     .products = x.counts.total};
        cr_assert_eq(spgemm_schedule_make(&x.p, &x.ops, &some, true, 1),
                     SPGEMM_SUCCESS);
        expect_all_rows(&x, &some);
        cr_assert_gt(some.row_end, row);
        const double rows = (double)(some.row_end - row);
        cr_expect(some.predicted * 1.1 + 2 * rows <= 20000);
        row = some.row_end;
    }
    cr_expect_gt(slabs, 10);
    slab least = {
        .row_end = 5000, .room = 1, .slack = 1, .products = x.counts.total};
    cr_assert_eq(spgemm_schedule_make(&x.p, &x.ops, &least, true, 1),
                 SPGEMM_SUCCESS);
    cr_expect_eq(least.row_end, 1, "it is taken all the same");
    plan_end(&x);
}

Test(schedule, of_no_rows_has_no_blocks)
{
    maker m = {{7}, SPGEMM_I32, VALUES_INTEGER};
    planned x;
    plan_begin(&x, make_empty(&m, 0, 5), make_empty(&m, 5, 5), 1);
    plan_all(&x, true, 4);
    cr_expect_eq(x.p.count, 0);
    plan_end(&x);
}
