/* SPDX-License-Identifier: BSD-3-Clause */
#include "generate.h"

#include <math.h>
#include <stdlib.h>

#include "build_csr.h"

static double special_value(dice *d)
{
    static const double specials[] = {
        NAN,          INFINITY, -INFINITY, 0.0,        -0.0,       0x1p-1074,
        -0x1.8p-1023, 0x1p-540, -0x1p-530, 0x1.fp1023, -0x1.fp1023};
    const int64_t n = sizeof specials / sizeof specials[0];
    const int64_t which = dice_below(d, 4 * n);
    return which < n ? specials[which] : (double)(which % 3 - 1);
}

double make_value(maker *m)
{
    switch (m->values) {
    case VALUES_ARBITRARY:
        return ldexp(2 * dice_unit(&m->dice) - 1,
                     (int)dice_below(&m->dice, 60) - 30);
    case VALUES_SPECIAL:
        return special_value(&m->dice);
    default:
        return (double)(dice_below(&m->dice, 9) - 4);
    }
}

static void add(maker *m, csr_builder *b, int64_t j)
{
    build_add(b, j, make_value(m));
}

/* End the row with these columns: sorted, each once. */
static void add_sorted_row(maker *m, csr_builder *b, int64_t *columns,
                           int64_t count)
{
    sort_numbers(columns, count);
    for (int64_t t = 0; t < count; t++)
        if (t == 0 || columns[t] != columns[t - 1])
            add(m, b, columns[t]);
    build_end_row(b);
}

spgemm_csr make_empty(maker *m, int64_t nrows, int64_t ncols)
{
    csr_builder b = build_begin(nrows, ncols);
    return build_finish(&b, m->index_type);
}

spgemm_csr make_identity(maker *m, int64_t n)
{
    csr_builder b = build_begin(n, n);
    for (int64_t i = 0; i < n; i++) {
        build_add(&b, i, 1.0);
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

spgemm_csr make_diagonal(maker *m, int64_t n)
{
    return make_banded(m, n, 0, 1.0);
}

spgemm_csr make_banded(maker *m, int64_t n, int64_t halfwidth, double fill)
{
    csr_builder b = build_begin(n, n);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = i - halfwidth; j <= i + halfwidth; j++)
            if (j >= 0 && j < n && dice_unit(&m->dice) < fill)
                add(m, &b, j);
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

spgemm_csr make_all_entries(maker *m, int64_t nrows, int64_t ncols)
{
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        for (int64_t j = 0; j < ncols; j++)
            add(m, &b, j);
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

spgemm_csr make_jumbled(maker *m, int64_t nrows, int64_t ncols, int64_t per_row)
{
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        for (int64_t t = dice_below(&m->dice, 2 * per_row + 1); t > 0; t--)
            add(m, &b, dice_below(&m->dice, ncols));
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

static int64_t rmat_place(dice *d, int scale, int64_t *column)
{
    int64_t row = 0;
    *column = 0;
    for (int level = 0; level < scale; level++) {
        const double u = dice_unit(d);
        row = 2 * row + (u >= 0.76);
        *column = 2 * *column + ((u >= 0.57 && u < 0.76) || u >= 0.95);
    }
    return row;
}

spgemm_csr make_rmat(maker *m, int scale, int64_t edges)
{
    const int64_t n = (int64_t)1 << scale;
    int64_t *places = must_allocate(edges, sizeof *places);
    for (int64_t e = 0; e < edges; e++) {
        int64_t column;
        const int64_t row = rmat_place(&m->dice, scale, &column);
        places[e] = row * n + column;
    }
    sort_numbers(places, edges);
    csr_builder b = build_begin(n, n);
    for (int64_t e = 0; e < edges; e++) {
        while (b.row < places[e] / n)
            build_end_row(&b);
        add(m, &b, places[e] % n);
    }
    free(places);
    return build_finish(&b, m->index_type);
}

spgemm_csr make_hypersparse(maker *m, int64_t nrows, int64_t ncols, int64_t nnz)
{
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        if (dice_below(&m->dice, nrows) < nnz)
            add(m, &b, dice_below(&m->dice, ncols));
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

spgemm_csr make_fem(maker *m, int64_t nodes, int64_t reach, int64_t dofs)
{
    csr_builder b = build_begin(nodes * dofs, nodes * dofs);
    for (int64_t i = 0; i < nodes * dofs; i++) {
        const int64_t node = i / dofs;
        /* Near neighbours, and one run further away. */
        const int64_t far = (node + nodes / 2) % nodes;
        for (int64_t other = 0; other < nodes; other++)
            if (llabs(other - node) <= reach || other == far)
                for (int64_t dof = 0; dof < dofs; dof++)
                    add(m, &b, other * dofs + dof);
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

spgemm_csr make_one_row(maker *m, int64_t nrows, int64_t ncols, int64_t row,
                        int64_t length)
{
    csr_builder b = build_begin(nrows, ncols);
    while (b.row < row)
        build_end_row(&b);
    for (int64_t t = 0; t < length; t++)
        add(m, &b, t * (ncols / length));
    return build_finish(&b, m->index_type);
}

spgemm_csr make_one_column(maker *m, int64_t nrows, int64_t ncols,
                           int64_t column)
{
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        add(m, &b, column);
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

/* `few` columns in each row, `many` in every `period`-th: all multiples of
   `stride`. */
static spgemm_csr make_rows(maker *m, int64_t nrows, int64_t ncols, int64_t few,
                            int64_t many, int64_t period, int64_t stride)
{
    int64_t *columns = must_allocate(few > many ? few : many, sizeof *columns);
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        const int64_t count = i % period == period / 2 ? many : few;
        for (int64_t t = 0; t < count; t++)
            columns[t] = stride * dice_below(&m->dice, ncols / stride);
        add_sorted_row(m, &b, columns, count);
    }
    free(columns);
    return build_finish(&b, m->index_type);
}

spgemm_csr make_uniform(maker *m, int64_t nrows, int64_t ncols, int64_t per_row)
{
    return make_rows(m, nrows, ncols, per_row, per_row, 1, 1);
}

spgemm_csr make_strided(maker *m, int64_t nrows, int64_t ncols, int64_t per_row,
                        int64_t stride)
{
    return make_rows(m, nrows, ncols, per_row, per_row, 1, stride);
}

spgemm_csr make_mixed(maker *m, int64_t nrows, int64_t ncols, int64_t few,
                      int64_t many, int64_t period)
{
    return make_rows(m, nrows, ncols, few, many, period, 1);
}

/* Row x of X, whose columns are the first ones, or of a clique behind them. */
static void add_member(maker *m, csr_builder *b, const spgemm_csr *X, int64_t x,
                       int64_t size, bool is_lone)
{
    if (is_lone)
        for (int64_t p = X->rowptr[x]; p < X->rowptr[x + 1]; p++)
            build_add(b, column_of(X, p), make_value(m));
    else
        for (int64_t u = 0; u < size; u++)
            build_add(b, X->ncols + x / size * size + u, make_value(m));
    build_end_row(b);
}

void make_cliques(maker *m, int64_t count, int64_t size, spgemm_csr *A,
                  spgemm_csr *B)
{
    const int64_t n = 2 * count;
    spgemm_csr X = make_uniform(m, count, count, size);
    csr_builder a = build_begin(n, n);
    csr_builder b = build_begin(n, n);
    int64_t done[2] = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        bool is_lone = dice_below(&m->dice, 2);
        if (done[is_lone] == count)
            is_lone = !is_lone;
        add_member(m, &a, &X, done[is_lone]++, size, is_lone);
        add_member(m, &b, &X, i % count, size, i < count);
    }
    free_csr(&X);
    *A = build_finish(&a, m->index_type);
    *B = build_finish(&b, m->index_type);
}
