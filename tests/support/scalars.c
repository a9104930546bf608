/* SPDX-License-Identifier: BSD-3-Clause */
#include "scalars.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool is_complex(spgemm_value_type type)
{
    return type == SPGEMM_CFP64 || type == SPGEMM_CFP32;
}

bool is_floating(spgemm_value_type type)
{
    return is_complex(type) || type == SPGEMM_FP64 || type == SPGEMM_FP32;
}

size_t bytes_of_type(spgemm_value_type type)
{
    static const size_t bytes[SPGEMM_VALUE_TYPE_COUNT] = {8, 4, 16, 8, 8, 4, 1};
    return (unsigned)type < SPGEMM_VALUE_TYPE_COUNT
               ? bytes[type]
               : (size_t)type - (size_t)SPGEMM_ELEMENTS(0);
}

const char *type_text(spgemm_value_type type)
{
    static const char *const names[SPGEMM_VALUE_TYPE_COUNT] = {
        "fp64", "fp32", "cfp64", "cfp32", "int64", "int32", "bool"};
    return (unsigned)type < SPGEMM_VALUE_TYPE_COUNT ? names[type] : "elements";
}

scalar scalar_of(spgemm_value_type type, int64_t n)
{
    if (is_floating(type))
        return (scalar){.re = (double)n};
    return (scalar){.n = type == SPGEMM_BOOL ? n != 0 : n};
}

bool is_zero_value(spgemm_value_type type, const void *x)
{
    const char *bytes = x;
    bool is_clear = true;
    if (is_floating(type)) {
        const scalar s = read_scalar(type, x, 0);
        return s.re == 0 && s.im == 0;
    }
    for (size_t at = 0; at < bytes_of_type(type); at++)
        is_clear &= bytes[at] == 0;
    return is_clear;
}

static bool same_part(const void *x, const void *y, size_t bytes)
{
    double left[2] = {0};
    double right[2] = {0};
    if (memcmp(x, y, bytes) == 0)
        return true;
    if (bytes == sizeof(double)) {
        memcpy(left, x, bytes);
        memcpy(right, y, bytes);
        return isnan(left[0]) && isnan(right[0]);
    }
    return isnan(*(const float *)x) && isnan(*(const float *)y);
}

bool same_value_of(spgemm_value_type type, const void *x, const void *y)
{
    const size_t bytes = bytes_of_type(type);
    if (!is_floating(type))
        return memcmp(x, y, bytes) == 0;
    const size_t part = is_complex(type) ? bytes / 2 : bytes;
    for (size_t at = 0; at < bytes; at += part)
        if (!same_part((const char *)x + at, (const char *)y + at, part))
            return false;
    return true;
}

/* ---- Drawing ------------------------------------------------------------- */

/* -4 .. 4 or a power of two, 1/4 .. 8 in magnitude. */
static double exact_real(dice *d)
{
    if (dice_below(d, 4) > 0)
        return (double)(dice_below(d, 9) - 4);
    const double power = ldexp(1, (int)dice_below(d, 6) - 2);
    return dice_below(d, 2) ? power : -power;
}

/* What a float holds, as a float. */
static double special_float(dice *d)
{
    static const double specials[] = {NAN,      INFINITY, -INFINITY, 0.0,
                                      -0.0,     0x1p-149, -0x1p-140, 0x1p-70,
                                      -0x1p-66, 0x1p127,  -0x1p127};
    const int64_t n = sizeof specials / sizeof specials[0];
    const int64_t which = dice_below(d, 4 * n);
    return which < n ? specials[which] : (double)(which % 3 - 1);
}

static double draw_real(dice *d, spgemm_value_type type, value_kind kind)
{
    const bool is_short = type == SPGEMM_FP32 || type == SPGEMM_CFP32;
    maker m = {.dice = *d, .values = kind};
    double x = 0;
    if (kind == VALUES_INTEGER)
        return exact_real(d);
    if (kind == VALUES_SPECIAL && is_short)
        return special_float(d);
    x = make_value(&m);
    *d = m.dice;
    return is_short ? (double)(float)x : x;
}

static int64_t special_integer(dice *d, spgemm_value_type type)
{
    static const int64_t longs[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1,
                                    ((int64_t)1 << 53) + 1,
                                    -((int64_t)1 << 53) - 1};
    static const int64_t shorts[] = {INT32_MIN, INT32_MAX, INT32_MIN + 1, 65537,
                                     -65537};
    const int64_t which = dice_below(d, 20);
    if (which < 5)
        return type == SPGEMM_INT64 ? longs[which] : shorts[which];
    return which % 5 - 2;
}

static int64_t draw_integer(dice *d, spgemm_value_type type, value_kind kind)
{
    if (kind == VALUES_INTEGER)
        return dice_below(d, 9) - 4;
    if (kind == VALUES_SPECIAL)
        return special_integer(d, type);
    if (dice_below(d, 8) == 0)
        return 0;
    const uint64_t bits = dice_bits(d) >> dice_below(d, 60);
    return type == SPGEMM_INT64 ? (int64_t)bits : (int32_t)(uint32_t)bits;
}

static void draw_value(dice *d, spgemm_value_type type, value_kind kind,
                       char *value)
{
    if (is_floating(type)) {
        const double re = draw_real(d, type, kind);
        const double im = is_complex(type) ? draw_real(d, type, kind) : 0;
        write_scalar(type, value, 0, (scalar){re, im, 0});
    } else if (type == SPGEMM_INT64 || type == SPGEMM_INT32) {
        const int64_t n = draw_integer(d, type, kind);
        write_scalar(type, value, 0, (scalar){.n = n});
    } else if (type == SPGEMM_BOOL) {
        static const char bytes[] = {0, 1, 2, '\x80', '\xff'};
        const int64_t choices = kind == VALUES_INTEGER ? 2 : sizeof bytes;
        const int64_t first = kind == VALUES_SPECIAL;
        *value = bytes[first + dice_below(d, choices - first)];
    } else {
        for (size_t at = 0; at < bytes_of_type(type); at++)
            value[at] = (char)dice_bits(d);
    }
}

void *draw_values(dice *d, spgemm_value_type type, value_kind kind,
                  int64_t count)
{
    const size_t bytes = bytes_of_type(type);
    char *values = must_allocate(count, bytes);
    for (int64_t p = 0; p < count; p++)
        draw_value(d, type, kind, values + (size_t)p * bytes);
    return values;
}

void set_type(maker *m, spgemm_csr *A, spgemm_value_type type)
{
    free(A->values);
    A->values = draw_values(&m->dice, type, m->values, A->nnz);
    A->value_type = type;
}

void drop_values(spgemm_csr *A)
{
    free(A->values);
    A->values = NULL;
}

/* ---- Matrices ------------------------------------------------------------ */

static size_t bytes_of_index(const spgemm_csr *A)
{
    return A->index_type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
}

static void *copy_block(const void *block, int64_t count, size_t size)
{
    void *copy = must_allocate(count, size);
    if (count > 0)
        memcpy(copy, block, (size_t)count * size);
    return copy;
}

spgemm_csr copy_typed(const spgemm_csr *A)
{
    spgemm_csr copy = *A;
    copy.rowptr = copy_block(A->rowptr, A->nrows + 1, sizeof *A->rowptr);
    copy.colidx = copy_block(A->colidx, A->nnz, bytes_of_index(A));
    if (A->values)
        copy.values =
            copy_block(A->values, A->nnz, bytes_of_type(A->value_type));
    copy.flags &= ~(uint32_t)(SPGEMM_OWNS_ARRAYS | SPGEMM_OWNS_ROWPTR);
    copy.allocator = (spgemm_allocator){0};
    return copy;
}

typedef struct place {
    int64_t column;
    int64_t p;
} place;

static int by_column_and_place(const void *x, const void *y)
{
    const place *left = x;
    const place *right = y;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->p > right->p) - (left->p < right->p);
}

void sort_typed(spgemm_csr *A)
{
    const spgemm_csr old = copy_typed(A);
    const size_t bytes = bytes_of_type(A->value_type);
    place *places = must_allocate(A->nnz, sizeof *places);
    for (int64_t p = 0; p < A->nnz; p++)
        places[p] = (place){column_of(A, p), p};
    for (int64_t i = 0; i < A->nrows; i++)
        qsort(places + A->rowptr[i], (size_t)(A->rowptr[i + 1] - A->rowptr[i]),
              sizeof *places, by_column_and_place);
    for (int64_t p = 0; p < A->nnz; p++) {
        set_column_of(A, p, places[p].column);
        if (A->values)
            memcpy((char *)A->values + (size_t)p * bytes,
                   (char *)old.values + (size_t)places[p].p * bytes, bytes);
    }
    free(places);
    spgemm_csr gone = old;
    free_csr(&gone);
}

/* ---- Comparison ---------------------------------------------------------- */

static bool same_header(const spgemm_csr *got, const spgemm_csr *want,
                        char *text, size_t size)
{
    snprintf(text, size,
             "%" PRId64 " x %" PRId64 ", %" PRId64 " entries%s, types %d %d; "
             "wanted %" PRId64 " x %" PRId64 ", %" PRId64 "%s, %d %d",
             got->nrows, got->ncols, got->nnz, got->values ? "" : ", pattern",
             (int)got->index_type, (int)got->value_type, want->nrows,
             want->ncols, want->nnz, want->values ? "" : ", pattern",
             (int)want->index_type, (int)want->value_type);
    return got->nrows == want->nrows && got->ncols == want->ncols &&
           got->index_type == want->index_type &&
           got->value_type == want->value_type &&
           (want->nnz == 0 || !got->values == !want->values);
}

static void describe(spgemm_value_type type, const char *x, char text[64])
{
    if ((unsigned)type < SPGEMM_VALUE_TYPE_COUNT) {
        const scalar s = read_scalar(type, x, 0);
        if (is_floating(type))
            snprintf(text, 64, "%a %+ai", s.re, s.im);
        else
            snprintf(text, 64, "%" PRId64 ", byte %d", s.n, (int)*x);
    } else {
        snprintf(text, 64, "bytes %d %d ...", (int)x[0],
                 bytes_of_type(type) > 1 ? (int)x[1] : -1);
    }
}

static bool same_entry(const spgemm_csr *got, const spgemm_csr *want, int64_t i,
                       int64_t p, char *text, size_t size)
{
    char left[64] = "";
    char right[64] = "";
    bool is_same = column_of(got, p) == column_of(want, p);
    if (want->values) {
        const spgemm_value_type type = want->value_type;
        const size_t at = (size_t)p * bytes_of_type(type);
        const char *x = (const char *)got->values + at;
        const char *y = (const char *)want->values + at;
        if (is_same && same_value_of(type, x, y))
            return true;
        describe(type, x, left);
        describe(type, y, right);
        is_same = false;
    }
    if (!is_same)
        snprintf(text, size,
                 "row %" PRId64 ", entry %" PRId64 ": column %" PRId64
                 " (%s), wanted %" PRId64 " (%s)",
                 i, p - want->rowptr[i], column_of(got, p), left,
                 column_of(want, p), right);
    return is_same;
}

bool typed_agree(const spgemm_csr *got, const spgemm_csr *want, char *text,
                 size_t size)
{
    if (!same_header(got, want, text, size))
        return false;
    for (int64_t i = 0; i < want->nrows; i++) {
        if (got->rowptr[i + 1] != want->rowptr[i + 1]) {
            snprintf(text, size,
                     "row %" PRId64 " has %" PRId64 " entries, wanted %" PRId64,
                     i, got->rowptr[i + 1] - got->rowptr[i],
                     want->rowptr[i + 1] - want->rowptr[i]);
            return false;
        }
        for (int64_t p = want->rowptr[i]; p < want->rowptr[i + 1]; p++)
            if (!same_entry(got, want, i, p, text, size))
                return false;
    }
    text[0] = '\0';
    return got->rowptr[0] == 0 && got->nnz == want->nnz;
}
