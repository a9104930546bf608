/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are the row before, a column further: stencils on regular grids,
   and what almost is one. */
#include <stdlib.h>

#include "spgemm/context.h"

#include "every_form.h"
#include "every_way.h"
#include "expect.h"
#include "failing_allocator.h"

/* Columns i + offset[t] of row i, t < count, in this order; those that are not
   columns are left out or, if it is periodic, come in again at the other end.
   Each `broken`-th row has its first column one further (0: none). */
typedef struct stencil {
    const int64_t *offset;
    int64_t count;
    bool is_periodic;
    int64_t broken;
} stencil;

static void add_row(maker *m, csr_builder *b, const stencil *s, int64_t i,
                    int64_t *columns)
{
    int64_t count = 0;
    for (int64_t t = 0; t < s->count; t++) {
        const bool is_broken = s->broken > 0 && i % s->broken == 0 && t == 0;
        const int64_t j = i + s->offset[t] - is_broken;
        if (s->is_periodic)
            columns[count++] = (j + b->ncols) % b->ncols;
        else if (j >= 0 && j < b->ncols)
            columns[count++] = j;
    }
    if (s->is_periodic)
        sort_numbers(columns, count);
    for (int64_t t = 0; t < count; t++)
        build_add(b, columns[t], make_value(m));
    build_end_row(b);
}

static spgemm_csr make_stencil(maker *m, int64_t nrows, int64_t ncols,
                               stencil s)
{
    int64_t *columns = must_allocate(s.count, sizeof *columns);
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++)
        add_row(m, &b, &s, i, columns);
    free(columns);
    return build_finish(&b, m->index_type);
}

/* offset[t] = t * step. */
static stencil make_run(int64_t *offset, int64_t count, int64_t step)
{
    for (int64_t t = 0; t < count; t++)
        offset[t] = t * step;
    return (stencil){offset, count, false, 0};
}

/* Of rows repeated, this many at least and at most, where they can be. */
static path repeated(int64_t least, int64_t most)
{
    return (path){SPGEMM_ACCUMULATOR_SHIFTED, least, most, true};
}

/* The same without values. */
static void expect_pattern(spgemm_csr *A, spgemm_csr *B, const char *name)
{
    const trial t = {A, B, {.product = {0}}, name};
    drop_values(A);
    if (B != A)
        drop_values(B);
    expect_some_forms(&t, 4);
}

static void expect_square(spgemm_csr A, path rows, const char *name)
{
    spgemm_csr B = copy_csr(&A);
    expect_every_way(&A, &A, &rows, 1, name);
    expect_every_way(&A, &B, &rows, 1, name);
    expect_pattern(&A, &A, name);
    free_csr(&A);
    free_csr(&B);
}

static void expect_pair(spgemm_csr A, spgemm_csr B, path rows, const char *name)
{
    expect_every_way(&A, &B, &rows, 1, name);
    expect_pattern(&A, &B, name);
    free_csr(&A);
    free_csr(&B);
}

static maker make_maker(uint64_t seed)
{
    return (maker){{seed}, SPGEMM_I32, VALUES_ARBITRARY};
}

static const int64_t three[] = {-1, 0, 1};
static const int64_t lattice[] = {-50, -1, 0, 1, 50};

Test(shifted_rows, repeat_on_a_line)
{
    maker m = make_maker(1);
    const stencil line = {three, 3, false, 0};
    expect_square(make_stencil(&m, 5000, 5000, line), repeated(4000, 4995),
                  "line");
    for (int64_t n = 1; n < 40; n++)
        expect_square(make_stencil(&m, n, n, line), repeated(0, n), "short");
}

Test(shifted_rows, repeat_on_a_lattice)
{
    maker m = make_maker(2);
    expect_square(make_stencil(&m, 2500, 2500, (stencil){lattice, 5, false, 0}),
                  repeated(2000, 2499), "lattice");
    m.values = VALUES_SPECIAL;
    expect_square(make_stencil(&m, 2500, 2500, (stencil){lattice, 5, false, 0}),
                  repeated(2000, 2499), "lattice with rare values");
}

Test(shifted_rows, of_patterns_repeat)
{
    const multiply_variant *predicted = &multiply_variants[VARIANT_PREDICTED];
    const spgemm_options options = {.resources.nthreads = 1};
    spgemm_report report;
    maker m = make_maker(2);
    spgemm_csr A =
        make_stencil(&m, 5000, 5000, (stencil){lattice, 5, false, 0});
    drop_values(&A);
    spgemm_csr C = expect_success(predicted, &A, &A, &options, &report);
    cr_assert_gt(report.rows_by_accumulator[SPGEMM_ACCUMULATOR_SHIFTED], 4000);
    spgemm_csr_destroy(&C);
    free_csr(&A);
}

Test(shifted_rows, repeat_with_wide_columns)
{
    maker m = {{3}, SPGEMM_I64, VALUES_ARBITRARY};
    expect_square(make_stencil(&m, 900, 900, (stencil){lattice, 5, false, 0}),
                  repeated(800, 899), "lattice, 64 bits");
}

/* Lines of a grid end every `side` rows: so do repeats. */
Test(shifted_rows, repeat_on_each_line_of_a_grid)
{
    for (int64_t side = 4; side <= 40; side += 9) {
        maker m = make_maker((uint64_t)side);
        csr_builder b = build_begin(side * side, side * side);
        for (int64_t i = 0; i < side * side; i++) {
            const int64_t x = i % side;
            if (i >= side)
                build_add(&b, i - side, make_value(&m));
            if (x > 0)
                build_add(&b, i - 1, make_value(&m));
            build_add(&b, i, make_value(&m));
            if (x < side - 1)
                build_add(&b, i + 1, make_value(&m));
            if (i < side * (side - 1))
                build_add(&b, i + side, make_value(&m));
            build_end_row(&b);
        }
        const int64_t least = side >= 22 ? side * side / 2 : 0;
        expect_square(build_finish(&b, SPGEMM_I32),
                      repeated(least, side * side), "grid");
    }
}

Test(shifted_rows, repeat_in_bands_across_units_of_work)
{
    maker m = make_maker(4);
    spgemm_csr A = make_banded(&m, 3000, 7, 1.0);
    spgemm_report report;
    spgemm_csr C =
        expect_success(&multiply_variants[VARIANT_PREDICTED], &A, &A,
                       &(spgemm_options){.resources.nthreads = 7}, &report);
    cr_assert_gt(report.blocks, 10);
    spgemm_csr_destroy(&C);
    expect_square(A, repeated(2700, 2990), "band");
}

Test(shifted_rows, repeat_until_a_period_begins_again)
{
    maker m = make_maker(5);
    for (int64_t n = 103; n < 107; n++)
        expect_square(make_stencil(&m, n, n, (stencil){lattice, 5, true, 0}),
                      repeated(n == 103 ? 0 : 1, n - 5), "period of two lines");
    expect_square(make_stencil(&m, 1100, 1100, (stencil){lattice, 5, true, 0}),
                  repeated(800, 1095), "period");
}

Test(shifted_rows, of_rectangles_repeat)
{
    int64_t left[9];
    int64_t right[12];
    for (int64_t more = 0; more <= 20; more += 5) {
        maker m = make_maker(6);
        const spgemm_csr A =
            make_stencil(&m, 200, 208 + more, make_run(left, 9, 1));
        const spgemm_csr B =
            make_stencil(&m, 208 + more, 230 + more, make_run(right, 12, 2));
        expect_pair(A, B, repeated(170, 199), "rectangle");
    }
}

Test(shifted_rows, repeat_with_duplicates_and_in_any_order)
{
    static const int64_t jumbled[] = {5, 0, 5, 3, 3, 3, 9, 1};
    int64_t right[12];
    maker m = make_maker(7);
    const spgemm_csr A =
        make_stencil(&m, 200, 209, (stencil){jumbled, 8, false, 0});
    const spgemm_csr B = make_stencil(&m, 209, 240, make_run(right, 12, 2));
    expect_pair(A, B, repeated(190, 199), "jumbled rows of A");
}

/* nnz of C's rows is count + 1. */
static void expect_nnz(int64_t count, path rows)
{
    int64_t left[2];
    int64_t right[300];
    maker m = make_maker(8);
    const spgemm_csr A = make_stencil(&m, 120, 121, make_run(left, 2, 1));
    const spgemm_csr B = make_stencil(&m, 121, 500, make_run(right, count, 1));
    expect_pair(A, B, rows, "long rows");
}

Test(shifted_rows, repeat_up_to_256_entries)
{
    expect_nnz(254, repeated(80, 119));
    expect_nnz(255, repeated(80, 119));
    expect_nnz(256, repeated(0, 0));
    expect_nnz(257, repeated(0, 0));
}

/* Each of `count` entries of A has 249 products. */
static void expect_products(int64_t count, path rows)
{
    int64_t left[20];
    int64_t right[249];
    maker m = make_maker(9);
    stencil a = make_run(left, count, 1);
    for (int64_t t = 0; t < count; t++)
        left[t] %= 8;
    const spgemm_csr A = make_stencil(&m, 300, 307, a);
    const spgemm_csr B = make_stencil(&m, 307, 600, make_run(right, 249, 1));
    expect_pair(A, B, rows, "many products");
}

Test(shifted_rows, repeat_up_to_3072_products)
{
    expect_products(11, repeated(200, 299));
    expect_products(12, repeated(200, 299));
    expect_products(13, repeated(0, 0));
}

/* Few products far apart: a hashed row, repeated, sorted or as found. */
Test(shifted_rows, repeat_rows_that_were_hashed)
{
    int64_t left[8];
    int64_t right[12];
    maker m = make_maker(10);
    const stencil a = make_run(left, 8, 1);
    const stencil b = make_run(right, 12, 100003);
    const spgemm_csr A = make_stencil(&m, 300, 307, a);
    const spgemm_csr B = make_stencil(&m, 307, 1200000, b);
    expect_pair(A, B, repeated(280, 299), "hashed rows");
}

Test(shifted_rows, scattered_in_a_window_repeat)
{
    int64_t left[8];
    int64_t right[20];
    maker m = make_maker(11);
    const spgemm_csr A = make_stencil(&m, 300, 307, make_run(left, 8, 1));
    const spgemm_csr B = make_stencil(&m, 307, 9000, make_run(right, 20, 411));
    expect_pair(A, B, repeated(260, 299), "scattered rows");
}

Test(shifted_rows, do_not_repeat_where_the_other_factor_does_not_shift)
{
    int64_t left[8];
    int64_t right[10];
    maker m = make_maker(12);
    const path none = {SPGEMM_ACCUMULATOR_SHIFTED, 0, 0, false};
    expect_pair(make_stencil(&m, 200, 207, make_run(left, 8, 1)),
                make_uniform(&m, 207, 300, 10), none, "only A shifts");
    expect_pair(make_uniform(&m, 200, 207, 8),
                make_stencil(&m, 207, 300, make_run(right, 10, 2)), none,
                "only B shifts");
}

/* By a prediction they do, in a copy of B, where its entries are used six times. */
Test(shifted_rows, do_not_repeat_where_b_is_not_sorted)
{
    static const int64_t jumbled[] = {5, 0, 4, 3, 9, 1};
    int64_t left[8];
    maker m = make_maker(13);
    for (int64_t few = 4; few <= 8; few += 4) {
        const path rows = {SPGEMM_ACCUMULATOR_SHIFTED, 0, few < 6 ? 0 : 200,
                           false};
        expect_pair(make_stencil(&m, 200, 207, make_run(left, few, 1)),
                    make_stencil(&m, 207, 300, (stencil){jumbled, 6, false, 0}),
                    rows, "unsorted B");
    }
}

/* Up to the last column of the widest matrix. */
Test(shifted_rows, repeat_at_the_end_of_the_widest_matrix)
{
    int64_t left[9];
    int64_t right[12];
    for (int64_t step = 1; step <= 31; step += 6) {
        maker m = make_maker(14);
        const spgemm_csr A = make_stencil(&m, 200, 208, make_run(left, 9, 1));
        spgemm_csr B =
            make_stencil(&m, 208, 208 + 11 * step, make_run(right, 12, step));
        move_columns(&B, INT32_MAX - B.ncols);
        expect_pair(A, B, repeated(170, 199), "at the end");
    }
}

/* Most rows shift, but every so often one does not. */
Test(shifted_rows, repeat_between_rows_that_do_not_shift)
{
    static const int64_t band[] = {0, 2, 3, 4, 5, 6, 7, 8, 9};
    for (int64_t broken = 8; broken <= 40; broken += 4) {
        maker m = make_maker((uint64_t)broken);
        const stencil whole = {band, 9, true, 0};
        const stencil torn = {band, 9, true, broken};
        const int64_t least = broken > 30 ? 50 : 0;
        expect_pair(make_stencil(&m, 300, 300, torn),
                    make_stencil(&m, 300, 300, whole), repeated(100, 280),
                    "A is torn");
        expect_pair(make_stencil(&m, 300, 300, whole),
                    make_stencil(&m, 300, 300, torn), repeated(least, 280),
                    "B is torn");
        expect_square(make_stencil(&m, 300, 300, torn), repeated(least, 280),
                      "both are torn");
    }
}

/* Short rows that do not shift are taken together up to those that do. */
Test(shifted_rows, repeat_between_short_rows_that_do_not_shift)
{
    for (int64_t broken = 5; broken <= 47; broken += 3) {
        maker m = make_maker((uint64_t)broken);
        const stencil whole = {three, 3, true, 0};
        const stencil torn = {three, 3, true, broken};
        const int64_t least = broken >= 8 ? 150 : 0;
        expect_pair(make_stencil(&m, 300, 300, torn),
                    make_stencil(&m, 300, 300, whole), repeated(least, 296),
                    "A is torn");
        expect_pair(make_stencil(&m, 300, 300, whole),
                    make_stencil(&m, 300, 300, torn), repeated(0, 296),
                    "B is torn");
        expect_square(make_stencil(&m, 300, 300, torn), repeated(0, 296),
                      "both are torn");
    }
}

/* Rows of B that share no column: C is as large as its bound, and the chunk
   has no place to spare behind the last row. */
Test(shifted_rows, repeat_up_to_the_end_of_a_chunk)
{
    int64_t left[5];
    int64_t right[20];
    for (int64_t count = 2; count <= 20; count++) {
        maker m = make_maker((uint64_t)count);
        const stencil a = make_run(left, 2 + count % 4, 1);
        const stencil b = make_run(right, count, 7);
        const spgemm_csr A = make_stencil(&m, 90, 95, a);
        const spgemm_csr B = make_stencil(&m, 95, 300, b);
        expect_pair(A, B, repeated(30, 89), "no two products meet");
    }
}

/* Row i has a column for each cell that the points i - reach .. i + reach lie
   in: cells are `cell` points of a line of n. */
static spgemm_csr make_aggregation(maker *m, int64_t n, int64_t cell,
                                   int64_t reach)
{
    csr_builder b = build_begin(n, (n + cell - 1) / cell);
    for (int64_t i = 0; i < n; i++) {
        const int64_t low = i > reach ? (i - reach) / cell : 0;
        const int64_t high = (i + reach < n ? i + reach : n - 1) / cell;
        for (int64_t j = low; j <= high; j++)
            build_add(&b, j, make_value(m));
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

Test(shifted_rows, repeat_in_the_products_of_a_multigrid_method)
{
    int64_t offsets[9];
    for (int64_t cell = 2; cell <= 4; cell++)
        for (int64_t reach = 1; reach <= 5; reach += 2) {
            maker m = make_maker((uint64_t)(9 + cell));
            const int64_t n = 1000 + cell;
            stencil points = make_run(offsets, 9, 1);
            for (int64_t t = 0; t < 9; t++)
                offsets[t] -= 4;
            spgemm_csr P = make_aggregation(&m, n, cell, reach);
            spgemm_csr R;
            cr_assert_eq(spgemm_csr_transpose(&R, &P), SPGEMM_SUCCESS);
            spgemm_csr A = make_stencil(&m, n, n, points);
            spgemm_csr AP = expect_success(
                &multiply_variants[VARIANT_PREDICTED], &A, &P, NULL, NULL);
            expect_pair(A, P, repeated(900, n - 4), "A*P");
            expect_pair(R, AP, repeated(n / cell / 2, n / cell), "R*(A*P)");
        }
}

/* Row (y, x) of a square of points has a column for each cell that the nine
   points around it lie in: cells are cell x cell points. In each `torn`-th line
   (0: none) one row has a column less. */
static spgemm_csr make_plane(maker *m, int64_t side, int64_t cell, int64_t torn)
{
    const int64_t cells = (side + cell - 1) / cell;
    csr_builder b = build_begin(side * side, cells * cells);
    for (int64_t i = 0; i < side * side; i++) {
        const int64_t y = i / side;
        const int64_t x = i % side;
        const int64_t left = (x > 0 ? x - 1 : 0) / cell;
        const int64_t right = (x < side - 1 ? x + 1 : x) / cell;
        const int64_t low = (y > 0 ? y - 1 : 0) / cell;
        const int64_t high = (y < side - 1 ? y + 1 : y) / cell;
        const bool is_torn = torn > 0 && y % torn == torn - 1 && x == side / 2;
        for (int64_t Y = low; Y <= high; Y++)
            for (int64_t X = left + (is_torn && Y == low); X <= right; X++)
                build_add(&b, Y * cells + X, make_value(m));
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

/* But for the first and the last lines and ends of lines, all rows do; a line
   that repeated by itself alone would begin with `cell` rows that do not. */
Test(shifted_rows, repeat_on_one_line_what_was_written_on_another)
{
    const int64_t side = 40;
    for (int64_t cell = 1; cell <= 4; cell++) {
        maker m = make_maker((uint64_t)(40 + cell));
        const int64_t ends = 2 * cell + 1;
        expect_pair(make_plane(&m, side, 1, 0), make_plane(&m, side, cell, 0),
                    repeated((side - ends) * (side - ends), side * side),
                    "plane");
    }
}

/* Lines of equal rows of A that meet other rows of B, now and then. */
Test(shifted_rows, repeat_on_lines_that_are_not_all_alike)
{
    for (int64_t torn = 5; torn <= 11; torn += 3)
        for (int64_t cell = 1; cell <= 3; cell++) {
            maker m = make_maker((uint64_t)(50 + torn));
            m.values = cell == 2 ? VALUES_SPECIAL : VALUES_ARBITRARY;
            expect_pair(make_plane(&m, 33, 1, 0),
                        make_plane(&m, 33, cell, torn), repeated(100, 1089),
                        "torn B");
            expect_pair(make_plane(&m, 33, 1, torn),
                        make_plane(&m, 33, cell, 0), repeated(100, 1089),
                        "torn A");
        }
}

/* Room for the programs of one product is room for few of the next. */
Test(shifted_rows, repeat_in_one_context_by_longer_and_longer_periods)
{
    failing_allocator *heap = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(heap);
    spgemm_context *context = NULL;
    cr_assert_eq(spgemm_context_create(&context, &hooks), SPGEMM_SUCCESS);
    for (int64_t cell = 1; cell <= 4; cell++) {
        maker m = make_maker((uint64_t)(30 + cell));
        spgemm_csr A =
            make_stencil(&m, 1000, 1000, (stencil){three, 3, false, 0});
        spgemm_csr P = make_aggregation(&m, 1000, cell, 1);
        const spgemm_options with = {.resources.nthreads = 1,
                                     .resources.context = context};
        spgemm_report report;
        spgemm_csr C = expect_success(&multiply_variants[VARIANT_PREDICTED], &A,
                                      &P, &with, &report);
        spgemm_csr D = expect_success(&multiply_variants[VARIANT_PRECISE], &A,
                                      &P, NULL, NULL);
        if (has_leaves(&report, SPGEMM_I32))
            cr_assert_gt(report.rows_by_accumulator[SPGEMM_ACCUMULATOR_SHIFTED],
                         900);
        expect_agree(&C, &D, "one context");
        spgemm_csr_destroy(&C);
        spgemm_csr_destroy(&D);
        free_csr(&A);
        free_csr(&P);
    }
    spgemm_context_destroy(context);
    cr_assert_eq(heap->live, 0);
    failing_allocator_destroy(heap);
}

/* A meets every third row of B; those between are of any length, so that B's
   rows lie at uneven distances. */
Test(shifted_rows, do_not_repeat_over_rows_that_do_not)
{
    for (int64_t broken = 5; broken <= 300; broken += 59) {
        maker m = make_maker(21);
        csr_builder a = build_begin(300, 1000);
        csr_builder b = build_begin(1000, 1100);
        for (int64_t i = 0; i < 300; i++) {
            build_add(&a, 3 * i, make_value(&m));
            build_add(&a, 3 * i + 6, make_value(&m));
            build_end_row(&a);
        }
        for (int64_t k = 0; k < 1000; k++) {
            const bool is_between = k % 3 == 1 && k / 3 % broken == 0;
            for (int64_t t = 0; t < 4 + (is_between ? k % 7 : 0); t++)
                build_add(&b, k / 3 + 5 * (k % 3) + 9 * t, make_value(&m));
            build_end_row(&b);
        }
        expect_pair(build_finish(&a, SPGEMM_I32), build_finish(&b, SPGEMM_I32),
                    repeated(0, 299), "gaps");
    }
}
