/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C whose columns are scattered over windows of all widths. */
#include <stdlib.h>
#include <string.h>

#include "every_way.h"
#include "expect.h"

/* A row of C: `products` of them in columns first .. first + width - 1, both
   ends taken. */
typedef struct window {
    int64_t first;
    int64_t width;
    int64_t products;
} window;

/* Column of product t, before the last. */
typedef int64_t place(const window *w, int64_t t);

static int64_t anywhere(const window *w, int64_t t)
{
    return (int64_t)((uint64_t)t * 0x9e3779b97f4a7c15u >> 20) % w->width;
}

static int64_t one_a_line(const window *w, int64_t t)
{
    return 8 * t % w->width;
}

static int64_t full_lines(const window *w, int64_t t)
{
    return (t / 8 * 200 + t % 8) % w->width;
}

static int64_t at_the_end(const window *w, int64_t t)
{
    return w->width - 1 - t % (w->width / 2);
}

enum { TERMS = 5 };

/* A row of B: the columns of every TERMS-th product, and of the last term the
   two ends of the window. */
static void add_term(maker *m, csr_builder *B, const window *w, place *at,
                     int64_t term)
{
    int64_t count = 0;
    int64_t *columns = must_allocate(w->products + 2, sizeof *columns);
    for (int64_t t = term; t < w->products - 2; t += TERMS)
        columns[count++] = at(w, t);
    if (term == TERMS - 1) {
        columns[count++] = 0;
        columns[count++] = w->width - 1;
    }
    sort_numbers(columns, count);
    for (int64_t t = 0; t < count; t++)
        if (t == 0 || columns[t] != columns[t - 1])
            build_add(B, w->first + columns[t], make_value(m));
    build_end_row(B);
    free(columns);
}

/* A product whose rows are windows, each TERMS entries of A. */
static void expect_windows(const window *windows, int count, place *at,
                           path rows, const char *name)
{
    maker m = {{(uint64_t)windows[0].width}, SPGEMM_I32, VALUES_ARBITRARY};
    csr_builder a = build_begin(count, count * TERMS);
    csr_builder b = build_begin(count * TERMS, 3 << 18);
    for (int t = 0; t < count; t++) {
        for (int64_t term = 0; term < TERMS; term++) {
            build_add(&a, b.row, make_value(&m));
            add_term(&m, &b, &windows[t], at, term);
        }
        build_end_row(&a);
    }
    spgemm_csr A = build_finish(&a, SPGEMM_I32);
    spgemm_csr B = build_finish(&b, SPGEMM_I32);
    expect_every_way(&A, &B, &rows, 1, name);
    free_csr(&A);
    free_csr(&B);
}

enum { FIRSTS = 3, COUNTS = 7, ROWS = FIRSTS * COUNTS };

/* Windows of one width, of products about width / 32, where a list of words
   begins to pay, and about width / 16 and width / 8, where rows may be appended
   to and lines have bits. */
static void list_windows(window *windows, int64_t width)
{
    static const int64_t firsts[FIRSTS] = {0, 7, 4095};
    const int64_t middle = width / 32 > 70 ? width / 32 : 70;
    const int64_t eighth = width / 8 > 70 ? width / 8 : 70;
    const int64_t few = width < 1 << 14 ? 70 : 129; /* less may be ranked */
    const int64_t products[COUNTS] = {
        few, middle - 1, middle, middle + 1, 2 * middle, eighth, eighth + 1,
    };
    for (int t = 0; t < ROWS; t++)
        windows[t] = (window){firsts[t / COUNTS], width, products[t % COUNTS]};
}

static void expect_width(int64_t width)
{
    static place *const places[] = {anywhere, one_a_line, full_lines,
                                    at_the_end};
    static const char *const names[] = {"anywhere", "one a line", "full lines",
                                        "at the end"};
    for (int p = 0; p < 4; p++) {
        char text[100];
        window windows[ROWS];
        list_windows(windows, width);
        snprintf(text, sizeof text, "%s, %lld columns", names[p],
                 (long long)width);
        expect_windows(windows, ROWS, places[p],
                       (path){SPGEMM_ACCUMULATOR_DENSE, ROWS, ROWS, false},
                       text);
    }
}

Test(scattered_rows, of_a_word_and_of_a_page)
{
    expect_width(66000);
    expect_width(65537);
}

Test(scattered_rows, of_the_widest_window)
{
    expect_width((1 << 18) - 1);
    expect_width(1 << 18);
}

/* Scattered in a window that blocks would take, were B not scattered too. */
Test(scattered_rows, of_small_windows)
{
    for (int64_t width = 4095; width <= 4097; width++)
        for (int p = 0; p < 2; p++) {
            window windows[ROWS];
            list_windows(windows, width);
            expect_windows(windows, ROWS, p ? one_a_line : anywhere,
                           (path){SPGEMM_ACCUMULATOR_DENSE, ROWS, ROWS, false},
                           "a small window");
        }
    for (int64_t width = 127; width <= 129; width++) {
        window windows[ROWS];
        list_windows(windows, width);
        expect_windows(windows, ROWS, one_a_line,
                       (path){SPGEMM_ACCUMULATOR_DENSE, ROWS, ROWS, false},
                       "two words");
    }
}

/* A column more than a window has: slices from 2048 products each on, with fewer
   a window of their own, with a product for 4096 columns or less a hash. */
static void expect_slices(int64_t width, int64_t products, path rows)
{
    const window windows[] = {
        {0, width, products}, {63, width, products}, {4095, width, products}};
    expect_windows(windows, 3, anywhere, rows, "slices, anywhere");
    expect_windows(windows, 3, at_the_end, rows, "slices, at the end");
}

Test(scattered_rows, wider_than_a_window_are_sliced)
{
    const path sliced = {SPGEMM_ACCUMULATOR_DENSE, 3, 3, false};
    const path in_window = sliced;
    const path hashed = {SPGEMM_ACCUMULATOR_HASH, 3, 3, false};
    expect_slices((1 << 18) + 1, 4200, sliced);
    expect_slices((1 << 18) + 1, 3900, in_window);
    expect_slices(191 << 12, 200, in_window);
    expect_slices(191 << 12, 180, hashed);
    expect_slices(2 << 18, 40000, sliced);
    expect_slices((2 << 18) + 1, 20000, sliced);
}

/* Three rows of A, the last of all columns, one shorter than is long, of a B that no
   second cache holds: its rows of four are anywhere, or in the first eighth of its columns. */
static void expect_long(int64_t nrows, int64_t ncols, int64_t width,
                        const path *paths, int count)
{
    const int64_t lengths[] = {2047, 5000, nrows};
    maker m = {{(uint64_t)ncols}, SPGEMM_I32, VALUES_ARBITRARY};
    csr_builder a = build_begin(3, nrows);
    for (int n = 0; n < 3; n++) {
        for (int64_t t = 0; t < lengths[n]; t++)
            build_add(&a, t * (nrows / lengths[n]), make_value(&m));
        build_end_row(&a);
    }
    spgemm_csr A = build_finish(&a, SPGEMM_I32);
    spgemm_csr B = make_uniform(&m, nrows, width, 4);
    B.ncols = ncols;
    expect_every_way(&A, &B, paths, count, "long rows");
    free_csr(&A);
    free_csr(&B);
}

Test(scattered_rows, may_be_long)
{
    const path dense = {SPGEMM_ACCUMULATOR_DENSE, 3, 3, false};
    expect_long(40000, 20000, 20000, &dense, 1);
    expect_long(40000, 20000, 2500, &dense, 1);
}

/* Beyond the widest window, one with a product for eight columns has a window. */
Test(scattered_rows, of_many_products_have_a_window_however_wide)
{
    const int64_t width = 1200000;
    const path rows[] = {{SPGEMM_ACCUMULATOR_HASH, 2, 2, false},
                         {SPGEMM_ACCUMULATOR_DENSE, 1, 1, false}};
    expect_long(40000, width, width, rows, 2);
}

static bool has_wide_vectors(void)
{
    maker m = {{1}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_uniform(&m, 3, 3, 2);
    spgemm_report report;
    spgemm_csr C = expect_success(&multiply_variants[VARIANT_PREDICTED], &A, &A,
                                  NULL, &report);
    spgemm_csr_destroy(&C);
    free_csr(&A);
    return strncmp(report.isa, "avx", 3) == 0;
}

/* The row of `products` products in a window: each tenth column is met twice, or each if
   it repeats. */
static void add_dozens(maker *m, csr_builder *A, csr_builder *B, int64_t width,
                       int64_t products, bool repeats)
{
    const int64_t half = products / 2;
    const int64_t step = width / half;
    build_add(A, B->row, make_value(m));
    for (int64_t t = 0; t < half; t++)
        build_add(B, t * step, make_value(m));
    build_end_row(B);
    build_add(A, B->row, make_value(m));
    for (int64_t t = 0; t < products - half - 1; t++)
        build_add(B, t * step + (repeats || t % 10 == 0 ? 0 : 1),
                  make_value(m));
    build_add(B, width - 1, make_value(m));
    build_end_row(B);
    build_end_row(A);
}

/* Of 64 to 129 products; those of 65 to 128 may be ranked. */
static void expect_dozens(int64_t width, spgemm_index_type index_type,
                          bool ranks)
{
    enum { LEAST = 64, LONGEST = 129, LENGTHS = LONGEST - LEAST + 1 };
    maker m = {{(uint64_t)width}, index_type, VALUES_ARBITRARY};
    csr_builder a = build_begin(LENGTHS, 2 * LENGTHS);
    csr_builder b = build_begin(2 * LENGTHS, width);
    for (int64_t products = LEAST; products <= LONGEST; products++)
        add_dozens(&m, &a, &b, width, products, products % 6 == 0);
    spgemm_csr A = build_finish(&a, index_type);
    spgemm_csr B = build_finish(&b, index_type);
    const path rows = {SPGEMM_ACCUMULATOR_ESC, ranks ? 40 : 0, LENGTHS, false};
    expect_every_way(&A, &B, &rows, 1, "some dozens of products");
    free_csr(&A);
    free_csr(&B);
}

/* In a window of more than 2^14 columns, where vectors have eight lanes. */
Test(scattered_rows, of_some_dozens_of_products_are_ranked)
{
    const int64_t limit = 1 << 14;
    const bool ranks = has_wide_vectors();
    for (int64_t width = limit - 1; width <= limit + 1; width++) {
        expect_dozens(width, SPGEMM_I32, ranks && width > limit);
        expect_dozens(width, SPGEMM_I64, ranks && width > limit);
    }
}

/* Columns so far apart that rows are hashed, of as many entries as their columns are
   sorted in one way and in another, and one more. */
static void expect_hashed(int64_t width, spgemm_index_type index_type)
{
    static const int64_t products[] = {20,   40,   41,   64,   65,
                                       128,  129,  513,  640,  1000,
                                       2155, 2156, 2157, 2600, 8000};
    enum { LENGTHS = sizeof products / sizeof products[0] };
    maker m = {{(uint64_t)width}, index_type, VALUES_ARBITRARY};
    csr_builder a = build_begin(LENGTHS, 2 * LENGTHS);
    csr_builder b = build_begin(2 * LENGTHS, width);
    for (int t = 0; t < LENGTHS; t++)
        add_dozens(&m, &a, &b, width, products[t], t % 4 == 0);
    spgemm_csr A = build_finish(&a, index_type);
    spgemm_csr B = build_finish(&b, index_type);
    const path rows = {SPGEMM_ACCUMULATOR_HASH, LENGTHS, LENGTHS, false};
    expect_every_way(&A, &B, &rows, 1, "far columns");
    free_csr(&A);
    free_csr(&B);
}

Test(scattered_rows, of_far_columns_are_hashed)
{
    expect_hashed((int64_t)1 << 26, SPGEMM_I32);
    expect_hashed((int64_t)1 << 26, SPGEMM_I64);
    expect_hashed(((int64_t)1 << 31) - 1, SPGEMM_I32);
    expect_hashed((int64_t)1 << 31, SPGEMM_I64);
    expect_hashed((int64_t)1 << 40, SPGEMM_I64);
}
