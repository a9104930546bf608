/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of the layouts that accumulators are chosen by. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "build_csr.h"
#include "draw.h"
#include "scalars.h"

/* Columns of a matrix as they are drawn. */
static int64_t drawn[MOST_LARGE_ENTRIES];

/* ---- Values -------------------------------------------------------------- */

static double draw_real(dice *d, spgemm_value_type type, value_kind kind)
{
    static const double special[] = {NAN,     INFINITY, -INFINITY,
                                     0.0,     -0.0,     0x1p-149,
                                     0x1p100, -0x1p127, 0x1.8p0};
    const bool is_short = type == SPGEMM_FP32 || type == SPGEMM_CFP32;
    const uint64_t bits = dice_bits(d);
    double x = (double)(int64_t)(bits % 9) - 4;
    if (kind == VALUES_SPECIAL && bits >> 60 < 6)
        x = special[bits % (sizeof special / sizeof special[0])];
    else if (kind == VALUES_SPECIAL && bits >> 60 < 8 && !is_short)
        x = ldexp(x, (int)(bits % 2001) - 1000);
    else if (kind == VALUES_ARBITRARY)
        x = (double)(bits >> 11) * 0x1p-52 - 1;
    return is_short ? (double)(float)x : x;
}

static int64_t draw_integer(dice *d, spgemm_value_type type, value_kind kind)
{
    static const int64_t special[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1,
                                      ((int64_t)1 << 53) + 1, (int64_t)1 << 53};
    const uint64_t bits = dice_bits(d);
    if (kind == VALUES_INTEGER || bits >> 60 > 5)
        return (int64_t)(bits % 9) - 4;
    const int64_t wide = kind == VALUES_SPECIAL
                             ? special[bits % 5]
                             : (int64_t)(bits >> (bits % 60));
    return type == SPGEMM_INT64 ? wide : (int32_t)(uint32_t)(uint64_t)wide;
}

static void draw_value(dice *d, spgemm_value_type type, value_kind kind,
                       char *value)
{
    if (is_floating(type)) {
        const double re = draw_real(d, type, kind);
        const double im = is_complex(type) ? draw_real(d, type, kind) : 0;
        write_scalar(type, value, 0, (scalar){re, im, 0});
    } else if (type == SPGEMM_INT64 || type == SPGEMM_INT32) {
        write_scalar(type, value, 0,
                     (scalar){.n = draw_integer(d, type, kind)});
    } else if (type == SPGEMM_BOOL) {
        static const char bytes[] = {0, 1, 2, '\x80', '\xff', 1};
        const int64_t first = kind == VALUES_SPECIAL; /* all are true */
        *value = bytes[first + dice_below(d, kind == VALUES_INTEGER ? 2 : 5)];
    } else {
        for (size_t at = 0; at < bytes_of_type(type); at++)
            value[at] = (char)dice_below(d, 4);
    }
}

void draw_new_values(dice *d, spgemm_csr *X, value_kind kind)
{
    const size_t bytes = bytes_of_type(X->value_type);
    for (int64_t p = 0; X->values && p < X->nnz; p++)
        draw_value(d, X->value_type, kind,
                   (char *)X->values + (size_t)p * bytes);
}

void *draw_one_value(dice *d, spgemm_value_type type, value_kind kind)
{
    char *value = arena_take(bytes_of_type(type));
    draw_value(d, type, kind, value);
    return value;
}

/* ---- Patterns ------------------------------------------------------------ */

static int64_t draw_column(dice *d, const recipe *r)
{
    return r->palette ? r->palette[dice_below(d, r->npalette)]
                      : dice_below(d, r->ncols);
}

/* Sorts row[0 .. n) and drops duplicates; how many are left. */
static int64_t sort_row(int64_t *row, int64_t n)
{
    int64_t kept = 0;
    sort_numbers(row, n);
    for (int64_t t = 0; t < n; t++)
        if (t == 0 || row[t] != row[kept - 1])
            row[kept++] = row[t];
    return kept;
}

static int64_t random_row(dice *d, const recipe *r, int64_t n, int64_t *row)
{
    for (int64_t t = 0; t < n; t++)
        row[t] = draw_column(d, r);
    return r->is_jumbled ? n : sort_row(row, n);
}

static int64_t row_of_runs(dice *d, const recipe *r, int64_t *row)
{
    int64_t n = 0;
    int64_t j = dice_below(d, r->ncols) / 8 * 8;
    while (n < r->length && j < r->ncols) {
        for (int64_t left = 4 + dice_below(d, 9); left > 0 && j < r->ncols;
             left--)
            row[n++] = j++;
        j += dice_below(d, 12);
    }
    return n;
}

/* Row i of a band with holes that every row has. */
static int64_t shifted_row(const recipe *r, uint64_t holes, int64_t i,
                           int64_t *row)
{
    int64_t n = 0;
    for (int64_t t = 0; t < 2 * r->length; t++)
        if (holes >> (t % 64) & 1 && i + t < r->ncols)
            row[n++] = i + t;
    return n;
}

static int64_t spread_row(dice *d, const recipe *r, int64_t *row)
{
    const int64_t gap = 1 + 2 * r->ncols / r->length;
    int64_t n = 0;
    for (int64_t j = dice_below(d, gap + 1); j < r->ncols && n < 2 * r->length;
         j += 1 + dice_below(d, gap))
        row[n++] = j;
    return n;
}

/* Row i of a band about the diagonal, as wide as its rows are long, or much wider. */
static int64_t band_row(dice *d, const recipe *r, uint64_t form, int64_t i,
                        int64_t *row)
{
    const int64_t wide = 2 + (r->length << (1 + form / 2 % 5));
    const int64_t width = wide < r->ncols ? wide : r->ncols;
    const int64_t middle = (int64_t)((double)i / (double)r->nrows *
                                     (double)(r->ncols - width + 1));
    const int64_t n = dice_below(d, 2 * r->length + 1);
    for (int64_t t = 0; t < n; t++)
        row[t] = middle + dice_below(d, width);
    return r->is_jumbled ? n : sort_row(row, n);
}

/* The length of a row of two kinds: as long as there is room for, or short. */
static int64_t mixed_length(dice *d, const recipe *r)
{
    const int64_t longest = 16 * r->length;
    return one_in(d, 64) ? longest >> dice_below(d, 4)
                         : dice_below(d, 1 + r->length / 2);
}

/* All columns, or most of them. */
static int64_t dense_row(dice *d, const recipe *r, uint64_t form, int64_t *row)
{
    const bool is_full = form % 3 == 0;
    int64_t n = 0;
    for (int64_t j = 0; j < r->ncols; j++)
        if (!one_in(d, 16) || is_full)
            row[n++] = j;
    return n;
}

/* Row i of a diagonal, of aggregates, of a choice of columns, or of anything; with
   empty rows in between, or none. */
static int64_t single_row(dice *d, const recipe *r, uint64_t form, int64_t i,
                          int64_t *row)
{
    const int64_t group = 2 + (int64_t)(form >> 8 & 31);
    const int64_t columns[] = {i,         i,     i,
                               i / group, 2 * i, dice_below(d, r->ncols)};
    row[0] = columns[form % 6];
    const bool is_left_out = form / 6 % 3 == 0 && one_in(d, 4);
    return row[0] < r->ncols && !is_left_out ? 1 : 0;
}

/* The columns of row i at row[0]; `before` of row i - 1 lie before them. */
static int64_t draw_row(dice *d, const recipe *r, uint64_t holes, int64_t i,
                        int64_t before, int64_t *row)
{
    const int64_t most = 2 * r->length + 1;
    if (r->ncols == 0)
        return 0;
    switch (r->layout) {
    case LAYOUT_RUNS:
        if (i == 0 || one_in(d, 3))
            return row_of_runs(d, r, row);
        memmove(row, row - before, (size_t)before * sizeof *row);
        return before;
    case LAYOUT_SHIFTED:
        return shifted_row(r, holes, i, row);
    case LAYOUT_LONG:
        return random_row(d, r, i == 0 ? 8 * most : dice_below(d, 4), row);
    case LAYOUT_SPREAD:
        return spread_row(d, r, row);
    case LAYOUT_SINGLE:
        return single_row(d, r, holes >> 1, i, row);
    case LAYOUT_DENSE:
        return dense_row(d, r, holes >> 8, row);
    case LAYOUT_BAND:
        return band_row(d, r, holes, i, row);
    case LAYOUT_MIXED:
        return random_row(d, r, mixed_length(d, r), row);
    default:
        return random_row(d, r, dice_below(d, most), row);
    }
}

static bool is_strictly_sorted(const int64_t *rowptr, int64_t nrows)
{
    for (int64_t i = 0; i < nrows; i++)
        for (int64_t p = rowptr[i] + 1; p < rowptr[i + 1]; p++)
            if (drawn[p] <= drawn[p - 1])
                return false;
    return true;
}

static int64_t most_of_row(const recipe *r)
{
    if (r->layout == LAYOUT_LONG || r->layout == LAYOUT_MIXED)
        return 16 * r->length + 8;
    return r->layout == LAYOUT_DENSE ? r->ncols : 2 * r->length + 16;
}

spgemm_csr draw_matrix(dice *d, const recipe *r)
{
    const size_t index_bytes = r->index_type == SPGEMM_I64 ? 8 : 4;
    const uint64_t holes = dice_bits(d) | 1;
    int64_t *rowptr = arena_take(((size_t)r->nrows + 1) * sizeof *rowptr);
    int64_t nnz = 0;
    int64_t length = 0;
    for (int64_t i = 0; i < r->nrows; i++) {
        if (nnz + most_of_row(r) < r->most)
            length = draw_row(d, r, holes, i, length, drawn + nnz);
        else
            length = 0;
        nnz += length;
        rowptr[i + 1] = nnz;
    }
    void *colidx = arena_take((size_t)nnz * index_bytes);
    void *values = r->is_pattern && nnz > 0
                       ? NULL
                       : arena_take((size_t)nnz * bytes_of_type(r->value_type));
    spgemm_csr X = spgemm_csr_view(r->nrows, r->ncols, nnz, rowptr, colidx,
                                   values, r->index_type, r->value_type);
    for (int64_t p = 0; p < nnz; p++)
        set_column_of(&X, p, drawn[p]);
    draw_new_values(d, &X, r->values);
    if (nnz == 0 && one_in(d, 2))
        X.colidx = NULL;
    if (nnz == 0 && one_in(d, 2))
        X.values = NULL;
    if (is_strictly_sorted(rowptr, r->nrows) && !one_in(d, 3))
        X.flags = SPGEMM_SORTED_ROWS;
    return X;
}

/* ---- Another pattern ----------------------------------------------------- */

/* One entry moves to another column of its row. */
static bool move_entry(dice *d, spgemm_csr *X)
{
    if (X->nnz == 0 || X->ncols < 2)
        return false;
    const int64_t p = dice_below(d, X->nnz);
    const int64_t before = column_of(X, p);
    set_column_of(X, p, (before + 1 + dice_below(d, X->ncols - 1)) % X->ncols);
    X->flags &= ~(uint32_t)SPGEMM_SORTED_ROWS;
    return true;
}

/* One row gives an entry at its end to the next. */
static bool move_border(dice *d, spgemm_csr *X)
{
    if (X->nrows < 2)
        return false;
    const int64_t i = 1 + dice_below(d, X->nrows - 1);
    const bool is_longer = one_in(d, 2) && X->rowptr[i] < X->rowptr[i + 1];
    if (!is_longer && X->rowptr[i] == X->rowptr[i - 1])
        return false;
    X->rowptr[i] += is_longer ? 1 : -1;
    X->flags &= ~(uint32_t)SPGEMM_SORTED_ROWS;
    return true;
}

bool draw_another_pattern(dice *d, spgemm_csr *X)
{
    return one_in(d, 3) ? move_border(d, X) : move_entry(d, X);
}
