/* SPDX-License-Identifier: BSD-3-Clause */
/* The default prediction where rows are not alike: the matrices that one
   compression for all rows fails on, over many seeds. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build_csr.h"
#include "generate.h"
#include "spgemm/predict.h"

enum { SEEDS = 200 };

static maker make_maker(uint64_t seed)
{
    return (maker){{seed}, SPGEMM_I32, VALUES_INTEGER};
}

/* Rows [begin, end) of X, `right` columns further. */
static void add_rows(csr_builder *b, const spgemm_csr *X, int64_t begin,
                     int64_t end, int64_t right)
{
    for (int64_t i = begin; i < end; i++) {
        for (int64_t p = X->rowptr[i]; p < X->rowptr[i + 1]; p++)
            build_add(b, column_of(X, p) + right, 1);
        build_end_row(b);
    }
}

/* Sorted, entries at one place once. */
static spgemm_csr tidy(spgemm_csr A)
{
    csr_builder b = build_begin(A.nrows, A.ncols);
    cr_assert_eq(spgemm_csr_sort_rows(&A), SPGEMM_SUCCESS);
    for (int64_t i = 0; i < A.nrows; i++) {
        for (int64_t p = A.rowptr[i]; p < A.rowptr[i + 1]; p++)
            if (p == A.rowptr[i] || column_of(&A, p) != column_of(&A, p - 1))
                build_add(&b, column_of(&A, p), 1);
        build_end_row(&b);
    }
    free_csr(&A);
    spgemm_csr tidied = build_finish(&b, SPGEMM_I32);
    tidied.flags |= SPGEMM_SORTED_ROWS;
    return tidied;
}

/* The first `share` of the rows from X, the others from Y, of one size. */
static spgemm_csr stack(spgemm_csr X, spgemm_csr Y, double share)
{
    const int64_t cut = (int64_t)(share * (double)X.nrows);
    csr_builder b = build_begin(X.nrows, X.ncols);
    add_rows(&b, &X, 0, cut, 0);
    add_rows(&b, &Y, cut, Y.nrows, 0);
    free_csr(&X);
    free_csr(&Y);
    return tidy(build_finish(&b, SPGEMM_I32));
}

/* Every `period`-th row of X has `many` columns instead. */
static spgemm_csr with_long_rows(maker *m, spgemm_csr X, int64_t many,
                                 int64_t period)
{
    spgemm_csr Y = make_uniform(m, X.nrows / period + 1, X.ncols, many);
    csr_builder b = build_begin(X.nrows, X.ncols);
    for (int64_t i = 0; i < X.nrows; i++)
        if (i % period == period / 2)
            add_rows(&b, &Y, i / period, i / period + 1, 0);
        else
            add_rows(&b, &X, i, i + 1, 0);
    free_csr(&X);
    free_csr(&Y);
    return tidy(build_finish(&b, SPGEMM_I32));
}

/* nodes of a cube numbered along its lines; a row has the nodes, or the cells
   of three by three by three nodes, next to it. */
static spgemm_csr make_grid(int64_t side, int64_t cell)
{
    const int64_t cells = (side + cell - 1) / cell;
    csr_builder b = build_begin(side * side * side, cells * cells * cells);
    for (int64_t i = 0; i < side * side * side; i++) {
        const int64_t at[] = {i % side, i / side % side, i / side / side};
        int64_t low[3];
        int64_t high[3];
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = (at[axis] > 0 ? at[axis] - 1 : 0) / cell;
            high[axis] = (at[axis] + 1 < side ? at[axis] + 1 : side - 1) / cell;
        }
        for (int64_t z = low[2]; z <= high[2]; z++)
            for (int64_t y = low[1]; y <= high[1]; y++)
                for (int64_t x = low[0]; x <= high[0]; x++)
                    build_add(&b, (z * cells + y) * cells + x, 1);
        build_end_row(&b);
    }
    return tidy(build_finish(&b, SPGEMM_I32));
}

static spgemm_csr make_equal_rows(maker *m, int64_t n, int64_t per_row)
{
    spgemm_csr X = make_uniform(m, 1, n, per_row);
    csr_builder b = build_begin(n, n);
    for (int64_t i = 0; i < n; i++)
        add_rows(&b, &X, 0, 1, 0);
    free_csr(&X);
    return tidy(build_finish(&b, SPGEMM_I32));
}

/* A chain, and behind it a block of which a part is taken. */
static spgemm_csr make_dense_block(maker *m, int64_t n, int64_t block,
                                   int64_t per_row)
{
    spgemm_csr X = make_banded(m, n - block, 1, 1.0);
    spgemm_csr Y = make_uniform(m, block, block, per_row);
    csr_builder b = build_begin(n, n);
    add_rows(&b, &X, 0, X.nrows, 0);
    add_rows(&b, &Y, 0, Y.nrows, n - block);
    free_csr(&X);
    free_csr(&Y);
    return tidy(build_finish(&b, SPGEMM_I32));
}

/* What 200 seeds do. */
typedef struct outcome {
    double mean;
    double worst;
    int bars; /* wider than 0.1 % to each side */
    int covered;
    int right; /* errors within the bar, or 0.1 % */
    double sampled;
    double most_sampled;
} outcome;

static outcome try_seeds(const spgemm_csr *A, const spgemm_csr *B, double exact)
{
    outcome o = {0};
    spgemm_options options = {.resources.input_check = SPGEMM_CHECK_NONE};
    for (options.predict.seed = 0; options.predict.seed < SEEDS;
         options.predict.seed++) {
        spgemm_prediction p;
        cr_assert_eq(spgemm_predict(&p, A, B, &options, NULL), SPGEMM_SUCCESS);
        const double error = fabs(p.nnz - exact) / exact;
        const double bar = 1.96 * p.standard_error / exact;
        o.mean += error / SEEDS;
        o.worst = fmax(o.worst, error);
        o.bars += bar > 1e-3;
        o.covered += bar > 1e-3 && error <= bar;
        o.right += error <= fmax(bar, 1e-3);
        const double sampled = (double)p.products_sampled / (double)p.products;
        o.sampled += sampled / SEEDS;
        o.most_sampled = fmax(o.most_sampled, sampled);
    }
    return o;
}

static int by_size(const void *x, const void *y)
{
    const double left = *(const double *)x;
    const double right = *(const double *)y;
    return (left > right) - (left < right);
}

/* The error of the row that errs more than one half of all and less than the
   other. */
static double median_row_error(const spgemm_csr *A, const spgemm_csr *B)
{
    double *exact = must_allocate(A->nrows, sizeof *exact);
    double *guess = must_allocate(A->nrows, sizeof *guess);
    spgemm_prediction p;
    spgemm_options options = {.predict.method = SPGEMM_PREDICTOR_PRECISE};
    cr_assert_eq(spgemm_predict(&p, A, B, &options, exact), SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_predict(&p, A, B, NULL, guess), SPGEMM_SUCCESS);
    int64_t n = 0;
    for (int64_t i = 0; i < A->nrows; i++)
        if (exact[i] > 0)
            exact[n++] = fabs(guess[i] - exact[i]) / exact[i];
    qsort(exact, (size_t)n, sizeof *exact, by_size);
    const double median = exact[n / 2];
    free(exact);
    free(guess);
    return median;
}

/* right: errors within the bar, or 0.1 %, of all seeds, at least. covered: bars that
   hold the truth, at most, where they are wider than 0.1 % to each side as a rule;
   they are to be right, not wide. */
static void expect_good(const char *name, spgemm_csr A, spgemm_csr B,
                        double right, double covered)
{
    spgemm_prediction exact;
    const spgemm_options precise = {.predict.method = SPGEMM_PREDICTOR_PRECISE};
    cr_assert_eq(spgemm_predict(&exact, &A, &B, &precise, NULL),
                 SPGEMM_SUCCESS);
    const outcome o = try_seeds(&A, &B, exact.nnz);
    cr_expect_leq(o.mean, 0.01, "%s: errs by %g in the mean", name, o.mean);
    cr_expect_leq(o.worst, 0.05, "%s: errs by %g", name, o.worst);
    cr_expect_geq(o.right, right * SEEDS, "%s: %d bars are right", name,
                  o.right);
    if (o.bars > SEEDS * 3 / 4)
        cr_expect_leq(o.covered, covered * o.bars,
                      "%s: %d of %d bars hold the truth", name, o.covered,
                      o.bars);
    cr_expect_leq(o.sampled, 0.03, "%s: samples %g of the products", name,
                  o.sampled);
    const double median = median_row_error(&A, &B);
    cr_expect_leq(median, 0.05, "%s: the median row errs by %g", name, median);
    free_csr(&A);
    free_csr(&B);
}

Test(adversarial, rare_dense_rows)
{
    maker m = make_maker(1);
    spgemm_csr X = make_uniform(&m, 100000, 100000, 4);
    spgemm_csr A = with_long_rows(&m, X, 3000, 700);
    expect_good("rare dense rows", A, tidy(make_uniform(&m, 100000, 100000, 8)),
                0.92, 1.0);
}

Test(adversarial, half_band_half_random)
{
    maker m = make_maker(2);
    spgemm_csr A = stack(make_banded(&m, 60000, 16, 1.0),
                         make_uniform(&m, 60000, 60000, 8), 0.5);
    expect_good("half band, half random", A, copy_csr(&A), 0.92, 0.99);
}

/* What a band row keeps is told by the few that are met. */
Test(adversarial, random_with_some_band)
{
    maker m = make_maker(3);
    spgemm_csr A = stack(make_uniform(&m, 60000, 60000, 8),
                         make_banded(&m, 60000, 30, 1.0), 0.9);
    expect_good("90 % random, 10 % band", A, copy_csr(&A), 0.83, 0.99);
}

Test(adversarial, rmat)
{
    maker m = make_maker(4);
    spgemm_csr A = tidy(make_rmat(&m, 17, (int64_t)1 << 20));
    expect_good("R-MAT 17", A, copy_csr(&A), 0.92, 0.99);
}

Test(adversarial, rmat_times_random)
{
    maker m = make_maker(5);
    spgemm_csr A = tidy(make_rmat(&m, 16, (int64_t)1 << 19));
    expect_good("R-MAT x Erdos-Renyi", A,
                tidy(make_uniform(&m, 65536, 65536, 8)), 0.92, 0.99);
}

/* Hubs of which not one is cheap enough to be sampled twice: how much they differ
   can only be guessed. */
Test(adversarial, few_hubs)
{
    maker m = make_maker(6);
    spgemm_csr X = make_uniform(&m, 100000, 100000, 4);
    spgemm_csr A = with_long_rows(&m, X, 20000, 2500);
    expect_good("few hubs", A, copy_csr(&A), 0.92, 1.0);
}

Test(adversarial, hubs)
{
    maker m = make_maker(6);
    spgemm_csr X = make_uniform(&m, 100000, 100000, 4);
    spgemm_csr A = with_long_rows(&m, X, 5000, 250);
    expect_good("hubs", A, copy_csr(&A), 0.92, 1.0);
}

/* Rows of two kinds, one after the other, that look the same: an even sample
   errs at the seam only, by less than what it sees there. */
Test(adversarial, equal_lengths)
{
    maker m = make_maker(11);
    spgemm_csr A = stack(make_uniform(&m, 60000, 60000, 9),
                         make_banded(&m, 60000, 4, 1.0), 0.5);
    expect_good("equal lengths", A, copy_csr(&A), 0.92, 1.0);
}

/* It has more than may be counted: the bar is of what some of its products say. */
Test(adversarial, one_giant_row)
{
    maker m = make_maker(20);
    spgemm_csr X = make_uniform(&m, 20000, 20000, 12);
    spgemm_csr A = with_long_rows(&m, X, 10000, 20000);
    expect_good("one giant row", A, tidy(make_uniform(&m, 20000, 20000, 12)),
                0.92, 1.0);
}

/* Of its other rows one in 200 has an entry of two products. */
Test(adversarial, one_giant_row_among_rare_repeats)
{
    maker m = make_maker(7);
    spgemm_csr X = make_uniform(&m, 100000, 100000, 4);
    spgemm_csr A = with_long_rows(&m, X, 50000, 100000);
    expect_good("one giant row among rare repeats", A,
                tidy(make_uniform(&m, 100000, 100000, 8)), 0.92, 1.0);
}

/* That row costs more than all that may be counted, and hardly compresses, where
   all others do: what is borrowed of them for it is half right, and the bar is
   to say so. */
Test(adversarial, giant_row_unlike_all)
{
    maker m = make_maker(30);
    spgemm_csr A =
        with_long_rows(&m, make_banded(&m, 60000, 8, 0.5), 30000, 60000);
    spgemm_csr B = make_banded(&m, 60000, 8, 0.5);
    spgemm_prediction exact;
    const spgemm_options precise = {.predict.method = SPGEMM_PREDICTOR_PRECISE};
    cr_assert_eq(spgemm_predict(&exact, &A, &B, &precise, NULL),
                 SPGEMM_SUCCESS);
    const outcome o = try_seeds(&A, &B, exact.nnz);
    cr_expect_leq(o.mean, 0.02, "errs by %g in the mean", o.mean);
    cr_expect_leq(o.worst, 0.05, "errs by %g", o.worst);
    cr_expect_geq(o.covered, 0.85 * o.bars, "%d of %d bars hold the truth",
                  o.covered, o.bars);
    free_csr(&A);
    free_csr(&B);
}

Test(adversarial, all_rows_equal)
{
    maker m = make_maker(8);
    expect_good("all rows equal", make_equal_rows(&m, 20000, 40),
                tidy(make_uniform(&m, 20000, 20000, 30)), 0.92, 0.99);
}

Test(adversarial, aggregation)
{
    /* All inner rows have 125 products from 27 rows of B, and 8, 12, 18 or 27
       entries: nothing that is known of a row tells which. */
    expect_good("aggregation A*P", make_grid(50, 1), make_grid(50, 3), 0.92,
                0.99);
}

/* Two dozen rows seen alike do not prove that all are. */
Test(adversarial, dense_block)
{
    maker m = make_maker(10);
    spgemm_csr A = make_dense_block(&m, 100000, 2000, 400);
    expect_good("dense block", A, copy_csr(&A), 0.92, 1.0);
}

/* Beyond what classes tell: the mean error, and how many of all bars hold. */
static void expect_fair(const char *name, spgemm_csr A, spgemm_csr B,
                        double mean, double right)
{
    spgemm_prediction exact;
    const spgemm_options precise = {.predict.method = SPGEMM_PREDICTOR_PRECISE};
    cr_assert_eq(spgemm_predict(&exact, &A, &B, &precise, NULL),
                 SPGEMM_SUCCESS);
    const outcome o = try_seeds(&A, &B, exact.nnz);
    cr_expect_leq(o.mean, mean, "%s: errs by %g in the mean", name, o.mean);
    cr_expect_geq(o.right, right * SEEDS, "%s: %d bars are right", name,
                  o.right);
    cr_expect_leq(o.most_sampled, 0.02, "%s: samples %g of the products", name,
                  o.most_sampled);
    free_csr(&A);
    free_csr(&B);
}

/* Rows of `each` entries: all meet as many rows of B that are one, but for one in
   `rare`, which meets rows at random. Nothing that is known of a row tells. */
static void make_hidden(maker *m, int64_t nrows, int64_t each, int64_t length,
                        int64_t rare, spgemm_csr *A, spgemm_csr *B)
{
    const int64_t groups = nrows / each;
    spgemm_csr X = make_uniform(m, groups, 20 * nrows, length);
    spgemm_csr Y = make_uniform(m, nrows, 20 * nrows, length);
    spgemm_csr Z = make_uniform(m, nrows, nrows, each);
    csr_builder b = build_begin(groups * each + nrows, 20 * nrows);
    csr_builder a = build_begin(nrows, groups * each + nrows);
    for (int64_t k = 0; k < groups * each; k++)
        add_rows(&b, &X, k / each, k / each + 1, 0);
    add_rows(&b, &Y, 0, nrows, 0);
    for (int64_t i = 0; i < nrows; i++)
        if (dice_below(&m->dice, rare) == 0) {
            add_rows(&a, &Z, i, i + 1, groups * each);
        } else {
            const int64_t group = dice_below(&m->dice, groups);
            for (int64_t e = 0; e < each; e++)
                build_add(&a, group * each + e, 1);
            build_end_row(&a);
        }
    free_csr(&X);
    free_csr(&Y);
    free_csr(&Z);
    *A = tidy(build_finish(&a, SPGEMM_I32));
    *B = tidy(build_finish(&b, SPGEMM_I32));
}

Test(adversarial, hidden_compression)
{
    maker m = make_maker(40);
    spgemm_csr A;
    spgemm_csr B;
    make_hidden(&m, 20000, 32, 24, 60, &A, &B);
    expect_fair("hidden compression", A, B, 0.06, 0.9);
}

Test(adversarial, hidden_compression_of_short_rows)
{
    maker m = make_maker(41);
    spgemm_csr A;
    spgemm_csr B;
    make_hidden(&m, 60000, 8, 8, 80, &A, &B);
    expect_fair("hidden compression of short rows", A, B, 0.03, 0.75);
}

/* Ten rows with most of the products, too expensive to count, of which five meet
   rows of B on 4000 columns and five rows on all: B's are short. */
Test(adversarial, giant_rows_of_two_kinds)
{
    enum { ROWS = 50000, GIANTS = 10, EACH = 10000, LENGTH = 12 };
    maker m = make_maker(42);
    spgemm_csr X = make_uniform(&m, ROWS, 4000, LENGTH);
    spgemm_csr Y = make_uniform(&m, ROWS, ROWS, LENGTH);
    spgemm_csr few = make_uniform(&m, ROWS, 2 * ROWS, 4);
    spgemm_csr many = make_uniform(&m, GIANTS, ROWS, EACH);
    csr_builder b = build_begin(2 * ROWS, ROWS);
    csr_builder a = build_begin(ROWS, 2 * ROWS);
    add_rows(&b, &X, 0, ROWS, 0);
    add_rows(&b, &Y, 0, ROWS, 0);
    for (int64_t i = 0; i < ROWS; i++)
        if (i % (ROWS / GIANTS) == 7)
            add_rows(&a, &many, i / (ROWS / GIANTS), i / (ROWS / GIANTS) + 1,
                     i / (ROWS / GIANTS) % 2 * ROWS);
        else
            add_rows(&a, &few, i, i + 1, 0);
    free_csr(&X);
    free_csr(&Y);
    free_csr(&few);
    free_csr(&many);
    expect_fair("giant rows of two kinds", tidy(build_finish(&a, SPGEMM_I32)),
                tidy(build_finish(&b, SPGEMM_I32)), 0.03, 0.85);
}

/* Arrow heads along a diagonal: few rows that keep all beside many that keep
   little, in classes that are next to one another. */
Test(adversarial, arrow_heads)
{
    enum { HEADS = 300, SIZE = 60 };
    csr_builder b = build_begin(HEADS * SIZE, HEADS * SIZE);
    for (int64_t i = 0; i < HEADS * SIZE; i++) {
        const int64_t first = i / SIZE * SIZE;
        for (int64_t j = first; j < first + SIZE; j++)
            if (i == first || j == first || j == i || (i + j) % 7 == 0)
                build_add(&b, j, 1);
        build_end_row(&b);
    }
    spgemm_csr A = build_finish(&b, SPGEMM_I32);
    A.flags |= SPGEMM_SORTED_ROWS;
    expect_fair("arrow heads", A, copy_csr(&A), 0.01, 0.85);
}

/* Products counted are not beyond a budget but for one row. */
Test(adversarial, budgets_are_kept)
{
    maker m = make_maker(43);
    spgemm_csr A = tidy(make_rmat(&m, 15, (int64_t)1 << 18));
    const int64_t budgets[] = {1000, 26000, 200000};
    for (int t = 0; t < 3; t++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            spgemm_prediction p;
            const spgemm_options options = {.predict.budget = budgets[t],
                                            .predict.seed = seed};
            cr_assert_eq(spgemm_predict(&p, &A, &A, &options, NULL),
                         SPGEMM_SUCCESS);
            cr_expect_leq(p.products_sampled,
                          budgets[t] + budgets[t] / 8 + 2000, "%d of %d",
                          (int)p.products_sampled, (int)budgets[t]);
        }
    free_csr(&A);
}
