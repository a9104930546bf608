/* SPDX-License-Identifier: BSD-3-Clause */
/* op(A) and op(B) are written down, rows and columns of them taken. Each row of C
   is summed in a dense array over the columns that occur in op(B) and D, and then
   what is not wanted of it removed. */
#include "reference_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "column_numbers.h"
#include "reference_mask.h"
#include "reference_operand.h"

/* ---- One row ------------------------------------------------------------- */

/* An entry of a row of C. */
typedef struct entry {
    int64_t number;  /* of its column */
    long double key; /* of keep_top; holds any int64_t, and any double */
} entry;

/* C as it is made. */
typedef struct form {
    const spgemm_options *options;
    ring ring;
    size_t bytes;
    bool is_pattern;
    operand A;
    operand B;
    operand D; /* of no rows where there is none */
    column_numbers numbers;
    int64_t *numbers_b; /* [nnz(B)]: the number of each entry's column */
    int64_t *numbers_d; /* [nnz(D)] */
    char *sums;         /* [numbers.count] values */
    bool *is_touched;   /* [numbers.count] */
    int64_t *touched;   /* [numbers.count]: in a row, as they are met */
    int64_t ntouched;
    int64_t *allowed;   /* [nnz(mask)]: the columns of a row of the mask */
    mask_place *places; /* [nnz(mask)]: the same, as they are stored */
    entry *row;         /* [numbers.count] */
    int64_t nrow;
    char *values; /* [capacity]: of C; NULL: none yet */
    int64_t capacity;
} form;

static char *sum_at(const form *f, int64_t number)
{
    return f->sums + (size_t)number * f->bytes;
}

/* The sum of a column, begun if it is new. */
static char *touch(form *f, int64_t number)
{
    char *sum = sum_at(f, number);
    if (!f->is_touched[number]) {
        f->is_touched[number] = true;
        f->touched[f->ntouched++] = number;
        if (!f->is_pattern)
            ring_zero(&f->ring, sum);
    }
    return sum;
}

static void add_products(form *f, int64_t i, char *term)
{
    for (int64_t p = f->A.rowptr[i]; p < f->A.rowptr[i + 1]; p++) {
        const int64_t k = f->A.columns[p];
        for (int64_t q = f->B.rowptr[k]; q < f->B.rowptr[k + 1]; q++) {
            char *sum = touch(f, f->numbers_b[q]);
            if (!f->is_pattern)
                ring_add_product(&f->ring, sum, f->A.values[p], f->B.values[q],
                                 term);
        }
    }
}

static void scale(form *f, char *term)
{
    for (int64_t t = 0; f->options->product.alpha && t < f->ntouched; t++) {
        char *sum = sum_at(f, f->touched[t]);
        ring_multiply(&f->ring, term, f->options->product.alpha, sum);
        memcpy(sum, term, f->bytes);
    }
}

static bool ignores_nan(spgemm_semiring semiring)
{
    return semiring == SPGEMM_MIN_PLUS || semiring == SPGEMM_MAX_PLUS ||
           semiring == SPGEMM_MIN_MAX || semiring == SPGEMM_MAX_MIN;
}

/* What was summed and scaled becomes the first term of a sum: min and max
   ignore it if it is NaN. */
static void begin_anew(form *f, int64_t number, char *term)
{
    char *sum = sum_at(f, number);
    if (f->is_pattern || !f->is_touched[number] ||
        !ignores_nan(f->ring.semiring))
        return;
    memcpy(term, sum, f->bytes);
    ring_zero(&f->ring, sum);
    ring_add(&f->ring, sum, term);
}

static void add_matrix(form *f, int64_t i, char *term)
{
    if (f->D.nrows == 0)
        return;
    for (int64_t p = f->D.rowptr[i]; p < f->D.rowptr[i + 1]; p++) {
        const char *d = f->D.values[p];
        begin_anew(f, f->numbers_d[p], term);
        if (f->options->product.beta) {
            ring_multiply(&f->ring, term, f->options->product.beta, d);
            d = term;
        }
        char *sum = touch(f, f->numbers_d[p]);
        if (!f->is_pattern)
            ring_add(&f->ring, sum, d);
    }
}

/* ---- What is kept of it -------------------------------------------------- */

static int by_entry(const void *x, const void *y)
{
    return by_number(&((const entry *)x)->number, &((const entry *)y)->number);
}

/* The largest first, NaN before all, of equals the least column. */
static int by_key(const void *x, const void *y)
{
    const entry *left = x;
    const entry *right = y;
    if (isnan(left->key) != isnan(right->key))
        return isnan(left->key) ? -1 : 1;
    if (left->key > right->key)
        return -1;
    if (left->key < right->key)
        return 1;
    return by_entry(x, y);
}

/* sqrt(a^2 + b^2), each operation rounded to a double of any exponent: of the
   parts over a power of two. */
static long double complex_magnitude(double a, double b)
{
    const double most = fmax(fabs(a), fabs(b));
    int exponent = 0;
    if (isnan(a) || isnan(b))
        return NAN;
    if (isinf(most))
        return INFINITY;
    (void)frexp(most, &exponent);
    const double x = ldexp(a, -exponent);
    const double y = ldexp(b, -exponent);
    return ldexpl(sqrt(x * x + y * y), exponent);
}

static long double magnitude_of(spgemm_value_type type, const void *x)
{
    const scalar s = read_scalar(type, x, 0);
    if (is_complex(type))
        return complex_magnitude(s.re, s.im);
    return is_floating(type) ? fabs(s.re) : fabsl((long double)s.n);
}

/* Of a type that is not complex. */
static long double real_value_of(spgemm_value_type type, const void *x)
{
    const scalar s = read_scalar(type, x, 0);
    return is_floating(type) ? s.re : (long double)s.n;
}

static void apply_mask(form *f, int64_t i)
{
    if (!f->options->filter.mask)
        return;
    const bool inverts =
        (f->options->filter.mask_mode & SPGEMM_MASK_COMPLEMENT) != 0;
    const int64_t count =
        reference_mask_row(f->options, i, f->places, f->allowed);
    int64_t kept = 0;
    for (int64_t t = 0; t < f->nrow; t++) {
        const int64_t j = f->numbers.columns[f->row[t].number];
        const bool is_named = find_number(j, f->allowed, count) >= 0;
        if (is_named != inverts)
            f->row[kept++] = f->row[t];
    }
    f->nrow = kept;
}

static void keep_top(form *f)
{
    const spgemm_options *o = f->options;
    if (o->filter.keep_top == 0 || o->filter.keep_top >= f->nrow)
        return;
    for (int64_t t = 0; t < f->nrow; t++) {
        const char *x = sum_at(f, f->row[t].number);
        f->row[t].key = o->filter.top_by == SPGEMM_TOP_VALUE
                            ? real_value_of(f->ring.type, x)
                            : magnitude_of(f->ring.type, x);
    }
    qsort(f->row, (size_t)f->nrow, sizeof *f->row, by_key);
    f->nrow = o->filter.keep_top;
    qsort(f->row, (size_t)f->nrow, sizeof *f->row, by_entry);
}

static void drop(form *f)
{
    const spgemm_options *o = f->options;
    int64_t kept = 0;
    for (int64_t t = 0; t < f->nrow; t++) {
        const char *x = sum_at(f, f->row[t].number);
        if (o->filter.drop_zeros && !f->is_pattern &&
            is_zero_value(f->ring.type, x))
            continue;
        if (o->filter.drop_tolerance > 0 &&
            magnitude_of(f->ring.type, x) <= o->filter.drop_tolerance)
            continue;
        f->row[kept++] = f->row[t];
    }
    f->nrow = kept;
}

/* ---- C ------------------------------------------------------------------- */

/* The number of each entry's column. */
static int64_t *number_entries(const column_numbers *c, const operand *o)
{
    int64_t *numbers = must_allocate(o->nnz, sizeof *numbers);
    for (int64_t p = 0; p < o->nnz; p++)
        numbers[p] = number_of_column(c, o->columns[p]);
    return numbers;
}

static void number_both(form *f)
{
    const int64_t nnz = f->B.nnz + f->D.nnz;
    int64_t *columns = must_allocate(nnz, sizeof *columns);
    memcpy(columns, f->B.columns, (size_t)f->B.nnz * sizeof *columns);
    memcpy(columns + f->B.nnz, f->D.columns,
           (size_t)f->D.nnz * sizeof *columns);
    f->numbers = number_columns(columns, nnz, f->B.ncols);
    f->numbers_b = number_entries(&f->numbers, &f->B);
    f->numbers_d = number_entries(&f->numbers, &f->D);
}

static form begin_form(const spgemm_csr *A, const spgemm_csr *B,
                       const spgemm_options *o)
{
    const bool reads_a = ring_reads_first(o->product.semiring);
    const bool reads_b = ring_reads_second(o->product.semiring);
    form f = {.options = o,
              .ring = {o->product.semiring, A->value_type, o->product.user},
              .bytes = bytes_of_type(A->value_type),
              .A = take_operand(A, o->product.op_a),
              .B = take_operand(B, o->product.op_b)};
    f.is_pattern = (reads_a && A->nnz > 0 && !A->values) ||
                   (reads_b && B->nnz > 0 && !B->values);
    f.D = o->product.D ? take_operand(o->product.D, SPGEMM_OP_NONE)
                       : empty_operand(0, 0);
    if (o->product.rows)
        take_rows(&f.A, o->product.rows, o->product.nrows);
    if (o->product.cols)
        take_columns(&f.B, o->product.cols, o->product.ncols);
    number_both(&f);
    const int64_t ncolumns = f.numbers.count;
    f.sums = must_allocate(ncolumns, f.bytes);
    f.is_touched = must_allocate(ncolumns, sizeof *f.is_touched);
    memset(f.is_touched, 0, (size_t)ncolumns * sizeof *f.is_touched);
    f.touched = must_allocate(ncolumns, sizeof *f.touched);
    f.row = must_allocate(ncolumns, sizeof *f.row);
    f.allowed = must_allocate(o->filter.mask ? o->filter.mask->nnz : 0,
                              sizeof *f.allowed);
    f.places = must_allocate(o->filter.mask ? o->filter.mask->nnz : 0,
                             sizeof *f.places);
    return f;
}

static void end_form(form *f)
{
    free_operand(&f->A);
    free_operand(&f->B);
    free_operand(&f->D);
    free_numbers(&f->numbers);
    free(f->numbers_b);
    free(f->numbers_d);
    free(f->sums);
    free(f->is_touched);
    free(f->touched);
    free(f->allowed);
    free(f->places);
    free(f->row);
}

/* The row in order, and clean. */
static void sort_row(form *f)
{
    order_numbers(&f->numbers, f->is_touched, f->touched, f->ntouched);
    for (int64_t t = 0; t < f->ntouched; t++) {
        f->row[t] = (entry){f->touched[t], 0};
        f->is_touched[f->touched[t]] = false;
    }
    f->nrow = f->ntouched;
    f->ntouched = 0;
}

/* Row i of C, in f->row. */
static void make_row(form *f, int64_t i, char *term)
{
    add_products(f, i, term);
    scale(f, term);
    add_matrix(f, i, term);
    sort_row(f);
    apply_mask(f, i);
    drop(f);
    keep_top(f);
}

/* Values of C grow as its entries do: nnz of them so far. */
static void append_values(form *f, int64_t nnz)
{
    if (nnz + f->nrow > f->capacity) {
        f->capacity = 2 * (nnz + f->nrow);
        f->values = must_reallocate(f->values, f->capacity, f->bytes);
    }
    for (int64_t t = 0; t < f->nrow; t++)
        memcpy(f->values + (size_t)(nnz + t) * f->bytes,
               sum_at(f, f->row[t].number), f->bytes);
}

spgemm_csr reference_form(const spgemm_csr *A, const spgemm_csr *B,
                          const spgemm_options *options)
{
    form f = begin_form(A, B, options);
    char *term = must_allocate(1, f.bytes);
    csr_builder b = build_begin(f.A.nrows, f.B.ncols);
    for (int64_t i = 0; i < f.A.nrows; i++) {
        make_row(&f, i, term);
        if (!f.is_pattern)
            append_values(&f, b.nnz);
        for (int64_t t = 0; t < f.nrow; t++)
            build_add(&b, f.numbers.columns[f.row[t].number], 0);
        build_end_row(&b);
    }
    spgemm_csr C = build_finish(&b, A->index_type);
    drop_values(&C);
    C.value_type = A->value_type;
    if (!f.is_pattern)
        C.values = must_reallocate(f.values, C.nnz, f.bytes);
    free(term);
    end_form(&f);
    return C;
}
