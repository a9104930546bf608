/* SPDX-License-Identifier: BSD-3-Clause */
#include "form_shapes.h"

#include <stdlib.h>

#include "mixture.h"

/* ---- Pairs --------------------------------------------------------------- */

static void few_products(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 120, 90, 3);
    *B = make_uniform(m, 90, 110, 4);
}

static void short_rows(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 150, 70, 5);
    *B = make_uniform(m, 70, 4000, 9);
}

static void equal_rows(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_fem(m, 30, 2, 3);
    *B = make_fem(m, 30, 3, 3);
}

static void long_runs(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_fem(m, 5, 1, 9);
    *B = make_fem(m, 5, 1, 9);
}

static void grid(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_banded(m, 260, 3, 1.0);
    *B = make_banded(m, 260, 2, 1.0);
}

/* Rows of lines of a grid, of one pattern and its copies further on. */
static void mixed_rows(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_mixture(m, 200, 150, (int)dice_below(&m->dice, MIXTURE_HABITS));
    *B = make_mixture(m, 150, 400, (int)dice_below(&m->dice, MIXTURE_HABITS));
}

static void scattered(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 80, 200, 12);
    *B = make_uniform(m, 200, 900, 14);
}

/* Rows of A in groups of one pattern, two to seven of them; B's columns scattered. */
static void nodes_by_unknowns(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    spgemm_csr nodes = make_uniform(m, 25, 200, 12);
    csr_builder b = build_begin(nodes.nrows * 9 / 2 + 10, nodes.ncols);
    int64_t node = 0;
    for (int64_t left = 0; b.row < b.nrows; left--) {
        if (left == 0) {
            left = 2 + dice_below(&m->dice, 6);
            node = (node + 1) % nodes.nrows;
        }
        for (int64_t p = nodes.rowptr[node]; p < nodes.rowptr[node + 1]; p++)
            build_add(&b, column_of(&nodes, p), make_value(m));
        build_end_row(&b);
    }
    free_csr(&nodes);
    *A = build_finish(&b, m->index_type);
    *B = make_uniform(m, 200, 900, 14);
}

/* All entries of B are there. */
static void full_b(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    static const int64_t columns[] = {1, 3, 8, 19, 32, 41};
    *A = make_uniform(m, 80, 60, 9);
    *B = make_all_entries(m, 60, columns[dice_below(&m->dice, 6)]);
}

/* Sorted as found, and appended to where they need not be sorted. */
static void wide_window(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 40, 200, 14);
    *B = make_uniform(m, 200, 90000, 14);
}

/* Wider than a window, with enough products for each slice of it. */
static void sliced(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 3, 300, 120);
    *B = make_uniform(m, 300, 600000, 110);
}

static void far_apart(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 50, 100, 12);
    *B = make_uniform(m, 100, 3000000, 15);
}

static void empty_rows(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_hypersparse(m, 700, 300, 150);
    *B = make_hypersparse(m, 300, 500, 150);
}

static void jumbled(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_jumbled(m, 90, 40, 9);
    *B = make_jumbled(m, 40, 60, 11);
}

/* One row of more than 8 * 65536 products, in parts; columns repeat. */
static void giant(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_mixed(m, 21, 4000, 2, 6000, 21);
    *B = make_uniform(m, 4000, 30000, 180);
}

/* The same whole: rows of B in no order cannot be cut. */
static void giant_jumbled(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_one_row(m, 3, 3000, 1, 3000);
    *B = make_jumbled(m, 3000, 20000, 200);
}

const form_shape form_shapes[] = {
    {"few products", few_products, SPGEMM_ACCUMULATOR_ESC, false, false},
    {"short rows", short_rows, SPGEMM_ACCUMULATOR_ESC, true, false},
    {"equal rows", equal_rows, SPGEMM_ACCUMULATOR_SUPERNODE, false, false},
    {"long runs", long_runs, SPGEMM_ACCUMULATOR_SUPERNODE, false, false},
    {"grid", grid, SPGEMM_ACCUMULATOR_SHIFTED, true, false},
    {"mixed rows", mixed_rows, ANY_ACCUMULATOR, false, false},
    {"scattered", scattered, SPGEMM_ACCUMULATOR_DENSE, false, false},
    {"nodes by unknowns", nodes_by_unknowns, SPGEMM_ACCUMULATOR_SUPERNODE,
     false, false},
    {"full B", full_b, SPGEMM_ACCUMULATOR_DENSE, false, false},
    {"wide window", wide_window, SPGEMM_ACCUMULATOR_DENSE, false, false},
    {"sliced", sliced, SPGEMM_ACCUMULATOR_DENSE, false, false},
    {"far apart", far_apart, SPGEMM_ACCUMULATOR_HASH, false, false},
    {"empty rows", empty_rows, ANY_ACCUMULATOR, false, false},
    {"jumbled", jumbled, ANY_ACCUMULATOR, false, false},
    {"giant", giant, ANY_ACCUMULATOR, false, true},
    {"giant jumbled", giant_jumbled, ANY_ACCUMULATOR, false, true},
};

const int form_shape_count = sizeof form_shapes / sizeof form_shapes[0];

void make_form_shape(const form_shape *shape, maker *m, spgemm_value_type type,
                     spgemm_csr *A, spgemm_csr *B)
{
    shape->make(m, A, B);
    set_type(m, A, type);
    set_type(m, B, type);
}

/* ---- Masks --------------------------------------------------------------- */

const char *mask_text(mask_kind kind)
{
    static const char *const texts[MASK_KINDS] = {
        "some of C",        "few of C",     "the pattern of C",
        "nothing",          "nothing of C", "rows longer than C's",
        "jumbled some of C"};
    return texts[kind];
}

static bool is_in_row(const spgemm_csr *C, int64_t i, int64_t j)
{
    for (int64_t p = C->rowptr[i]; p < C->rowptr[i + 1]; p++)
        if (column_of(C, p) == j)
            return true;
    return false;
}

/* Columns of row i that C has, each with chance `share` of 8. */
static int64_t list_some(maker *m, const spgemm_csr *C, int64_t i,
                         int64_t share, int64_t *row)
{
    int64_t count = 0;
    for (int64_t p = C->rowptr[i]; p < C->rowptr[i + 1]; p++)
        if (dice_below(&m->dice, 8) < share)
            row[count++] = column_of(C, p);
    return count;
}

/* So many columns anywhere or, if `outside`, where C has none. */
static int64_t list_others(maker *m, const spgemm_csr *C, int64_t i,
                           int64_t many, bool outside, int64_t *row)
{
    int64_t count = 0;
    for (int64_t t = 0; t < many && C->ncols > 0; t++) {
        const int64_t j = dice_below(&m->dice, C->ncols);
        if (!outside || !is_in_row(C, i, j))
            row[count++] = j;
    }
    return count;
}

static void end_row(csr_builder *b, int64_t *row, int64_t count,
                    bool is_jumbled)
{
    if (!is_jumbled)
        sort_numbers(row, count);
    for (int64_t t = 0; t < count; t++)
        if (is_jumbled || t == 0 || row[t] != row[t - 1])
            build_add(b, row[t], 0);
    build_end_row(b);
}

static void swap_some(maker *m, int64_t *row, int64_t count)
{
    for (int64_t t = 1; t < count; t++) {
        const int64_t other = dice_below(&m->dice, t + 1);
        const int64_t column = row[t];
        row[t] = row[other];
        row[other] = column;
    }
}

static int64_t longest_row(const spgemm_csr *C)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < C->nrows; i++)
        if (C->rowptr[i + 1] - C->rowptr[i] > longest)
            longest = C->rowptr[i + 1] - C->rowptr[i];
    return longest;
}

/* Columns of row i of such a mask, in no order; returns how many. */
static int64_t list_mask_row(maker *m, const spgemm_csr *C, int64_t i,
                             mask_kind kind, int64_t *row)
{
    static const int64_t shares[MASK_KINDS] = {
        [MASK_SOME] = 4, [MASK_FEW] = 1,     [MASK_EQUAL] = 8,
        [MASK_LONG] = 8, [MASK_JUMBLED] = 4,
    };
    int64_t count = list_some(m, C, i, shares[kind], row);
    int64_t others = kind == MASK_EQUAL || kind == MASK_NOTHING
                         ? 0
                         : dice_below(&m->dice, 6);
    if (kind == MASK_LONG)
        others = longest_row(C) + 3;
    count += list_others(m, C, i, others, kind == MASK_OUTSIDE, row + count);
    if (kind == MASK_JUMBLED) {
        count += list_some(m, C, i, 2, row + count);
        swap_some(m, row, count);
    }
    return count;
}

spgemm_csr make_mask(maker *m, const spgemm_csr *C, mask_kind kind,
                     spgemm_value_type type)
{
    csr_builder b = build_begin(C->nrows, C->ncols);
    int64_t *row = must_allocate(2 * longest_row(C) + 10, sizeof *row);
    for (int64_t i = 0; i < C->nrows; i++)
        end_row(&b, row, list_mask_row(m, C, i, kind, row),
                kind == MASK_JUMBLED);
    free(row);
    spgemm_csr mask = build_finish(&b, m->index_type);
    set_type(m, &mask, type);
    return mask;
}

spgemm_csr make_addend(maker *m, const spgemm_csr *C, bool is_jumbled,
                       spgemm_value_type type)
{
    return make_mask(m, C, is_jumbled ? MASK_JUMBLED : MASK_SOME, type);
}
