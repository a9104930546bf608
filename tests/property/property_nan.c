/* SPDX-License-Identifier: BSD-3-Clause */
/* NaN: one in C, of positive sign and no payload, whatever came in; ignored by
   min and max, as "+" and as "*". And magnitudes, where squares overflow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "every_form.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double with_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define THE_NAN UINT64_C(0x7ff8000000000000)

/* ---- One NaN ---------------------------------------------------------------- */

/* Rows of infinities and NaN of all kinds among numbers, for every accumulator
   that rows of so many products meet. */
static spgemm_csr make_rare(int64_t n, int64_t most, spgemm_value_type type)
{
    const double rare[] = {INFINITY,
                           -INFINITY,
                           with_bits(THE_NAN),
                           with_bits(UINT64_C(0xfff8000000000000)),
                           with_bits(UINT64_C(0x7ff800000000beef)),
                           1,
                           -3,
                           0};
    dice d = {3};
    csr_builder b = build_begin(n, n);
    for (int64_t i = 0; i < n; i++) {
        const int64_t length = 1 + dice_below(&d, most);
        for (int64_t j = 0; j < length; j++)
            build_add(&b, j, rare[dice_below(&d, 8)]);
        build_end_row(&b);
    }
    spgemm_csr A = build_finish(&b, SPGEMM_I32);
    if (type == SPGEMM_FP32) {
        float *values = must_allocate(A.nnz, sizeof *values);
        for (int64_t p = 0; p < A.nnz; p++)
            values[p] = (float)((double *)A.values)[p];
        free(A.values);
        A.values = values;
        A.value_type = type;
    }
    return A;
}

static void expect_one_nan(const spgemm_csr *C, const char *name)
{
    int64_t count = 0;
    for (int64_t p = 0; p < C->nnz; p++) {
        if (C->value_type == SPGEMM_FP64) {
            const double x = ((const double *)C->values)[p];
            count += isnan(x);
            cr_assert(!isnan(x) || bits_of(x) == THE_NAN,
                      "%s: entry %d is %llx", name, (int)p,
                      (unsigned long long)bits_of(x));
        } else {
            const float x = ((const float *)C->values)[p];
            uint32_t bits;
            memcpy(&bits, &x, sizeof bits);
            count += isnan(x);
            cr_assert(!isnan(x) || bits == 0x7fc00000, "%s: entry %d is %x",
                      name, (int)p, bits);
        }
    }
    cr_assert_gt(count, 0, "%s: no NaN to look at", name);
}

Test(nan, is_one_whatever_it_came_from)
{
    const spgemm_value_type types[] = {SPGEMM_FP64, SPGEMM_FP32};
    const double alpha = with_bits(UINT64_C(0xfff8000000000000));
    const float small_alpha = (float)alpha;
    for (int t = 0; t < 2; t++)
        for (int64_t n = 6; n <= 300; n *= 7) {
            spgemm_csr A = make_rare(n, n / 2, types[t]);
            const void *factors[] = {NULL, t == 0 ? (const void *)&alpha
                                                  : &small_alpha};
            for (int v = 0; v < 2 * VARIANT_COUNT; v++) {
                const multiply_variant *variant = &multiply_variants[v / 2];
                const spgemm_options options = {.product.alpha =
                                                    factors[v % 2]};
                spgemm_csr C;
                cr_assert_eq(variant->multiply(&C, &A, &A, &options, NULL),
                             SPGEMM_SUCCESS);
                expect_one_nan(&C, variant->name);
                spgemm_csr_destroy(&C);
            }
            free_csr(&A);
        }
}

/* ---- min and max ------------------------------------------------------------ */

static double product_of(double x, double y, spgemm_semiring semiring)
{
    const int64_t rowptr[] = {0, 1};
    const int32_t column = 0;
    const spgemm_csr X =
        spgemm_csr_view(1, 1, 1, rowptr, &column, &x, SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr Y =
        spgemm_csr_view(1, 1, 1, rowptr, &column, &y, SPGEMM_I32, SPGEMM_FP64);
    spgemm_csr C;
    const spgemm_options options = {.product.semiring = semiring};
    cr_assert_eq(spgemm_predicted(&C, &X, &Y, &options, NULL), SPGEMM_SUCCESS);
    const double product = *(double *)C.values;
    spgemm_csr_destroy(&C);
    return product;
}

Test(nan, is_ignored_by_min_and_max_as_factors)
{
    const spgemm_semiring semirings[] = {SPGEMM_PLUS_MIN, SPGEMM_MAX_MIN,
                                         SPGEMM_MIN_MAX};
    for (int s = 0; s < 3; s++) {
        cr_assert_eq(product_of(NAN, 1, semirings[s]), 1);
        cr_assert_eq(product_of(1, NAN, semirings[s]), 1);
    }
    /* A sum of nothing but NaN, too, is where it began. */
    cr_assert(isnan(product_of(NAN, NAN, SPGEMM_PLUS_MIN)));
    cr_assert_eq(product_of(NAN, NAN, SPGEMM_MIN_MAX), INFINITY);
    cr_assert_eq(product_of(NAN, NAN, SPGEMM_MAX_MIN), -INFINITY);
}

/* As long as the rows that vectors take. */
Test(nan, is_ignored_in_rows_of_every_length)
{
    const spgemm_semiring semirings[] = {SPGEMM_PLUS_MIN, SPGEMM_MAX_MIN,
                                         SPGEMM_MIN_MAX};
    for (int64_t n = 1; n <= 200; n += 13)
        for (int s = 0; s < 3; s++) {
            csr_builder a = build_begin(1, 1);
            csr_builder b = build_begin(1, n);
            build_add(&a, 0, s % 2 ? NAN : 2);
            for (int64_t j = 0; j < n; j++)
                build_add(&b, j, j % 3 || s % 2 ? 2 : NAN);
            spgemm_csr A = build_finish(&a, SPGEMM_I32);
            spgemm_csr B = build_finish(&b, SPGEMM_I32);
            spgemm_csr C;
            const spgemm_options options = {.product.semiring = semirings[s]};
            cr_assert_eq(spgemm_predicted(&C, &A, &B, &options, NULL),
                         SPGEMM_SUCCESS);
            cr_assert_eq(C.nnz, n);
            for (int64_t j = 0; j < n; j++)
                cr_assert_eq(value_of(&C, j), 2);
            spgemm_csr_destroy(&C);
            free_csr(&A);
            free_csr(&B);
        }
}

/* min(alpha s, beta d), where alpha s is NaN: D's is taken. */
Test(nan, of_a_sum_is_ignored_beside_an_entry_of_D)
{
    const int64_t rowptr[] = {0, 1};
    const int32_t column = 0;
    const double one = 1;
    const double nan = NAN;
    const spgemm_csr X = spgemm_csr_view(1, 1, 1, rowptr, &column, &one,
                                         SPGEMM_I32, SPGEMM_FP64);
    spgemm_csr C;
    const spgemm_options options = {.product.semiring = SPGEMM_MIN_PLUS,
                                    .product.alpha = &nan,
                                    .product.D = &X};
    cr_assert_eq(spgemm_predicted(&C, &X, &X, &options, NULL), SPGEMM_SUCCESS);
    cr_assert_eq(*(double *)C.values, 1);
    spgemm_csr_destroy(&C);
}

/* ---- Magnitudes ------------------------------------------------------------- */

/* Which of two values of C(0, :) is kept; -1: both, -2: none. */
static int kept_of(const void *one, const void *two, spgemm_value_type type,
                   spgemm_options options)
{
    const size_t size = bytes_of_type(type);
    const int64_t short_rowptr[] = {0, 1};
    const int64_t rowptr[] = {0, 2};
    const int32_t columns[] = {0, 1};
    char *values = must_allocate(2, size);
    memcpy(values, two, 2 * size);
    const spgemm_csr A =
        spgemm_csr_view(1, 1, 1, short_rowptr, columns, one, SPGEMM_I32, type);
    const spgemm_csr B =
        spgemm_csr_view(1, 2, 2, rowptr, columns, values, SPGEMM_I32, type);
    spgemm_csr C;
    cr_assert_eq(spgemm_predicted(&C, &A, &B, &options, NULL), SPGEMM_SUCCESS);
    const int kept = C.nnz == 2   ? -1
                     : C.nnz == 0 ? -2
                                  : ((int32_t *)C.colidx)[0];
    spgemm_csr_destroy(&C);
    free(values);
    return kept;
}

static int kept_complex(double x, double y, spgemm_options options)
{
    const double one[] = {1, 0};
    const double two[] = {x, 0, 0, y};
    return kept_of(one, two, SPGEMM_CFP64, options);
}

Test(magnitudes, of_complex_numbers_have_any_exponent)
{
    const spgemm_options top = {.filter.keep_top = 1};
    const double sizes[] = {0x1p-1074, 1e-320, 1e-200, 1e-162, 1e-100,
                            1,         1e100,  1e154,  1e200,  1e307};
    for (int t = 0; t < 10; t++) {
        cr_assert_eq(kept_complex(sizes[t], 2 * sizes[t], top), 1, "%g",
                     sizes[t]);
        cr_assert_eq(kept_complex(2 * sizes[t], sizes[t], top), 0, "%g",
                     sizes[t]);
        cr_assert_eq(kept_complex(sizes[t], sizes[t], top), 0, "%g", sizes[t]);
    }
    for (int t = 0; t < 9; t++) {
        const spgemm_options between = {.filter.drop_tolerance = sizes[t]};
        cr_assert_eq(kept_complex(sizes[t], sizes[t + 1], between), 1, "%g",
                     sizes[t]);
    }
    /* As they are: multiplied, infinity is beside NaN. */
    const spgemm_options plain = {.product.semiring = SPGEMM_PLUS_SECOND,
                                  .filter.keep_top = 1};
    cr_assert_eq(kept_complex(INFINITY, NAN, plain), 1);
    cr_assert_eq(kept_complex(1e308, INFINITY, plain), 1);
}

Test(magnitudes, of_integers_are_integers)
{
    const int64_t one = 1;
    const int64_t close[] = {INT64_C(1) << 53, (INT64_C(1) << 53) + 1};
    const int64_t ends[] = {INT64_MAX, INT64_MIN};
    const spgemm_options top = {.filter.keep_top = 1};
    cr_assert_eq(kept_of(&one, close, SPGEMM_INT64, top), 1);
    cr_assert_eq(kept_of(&one, ends, SPGEMM_INT64, top), 1);
    cr_assert_eq(kept_of(&one, close, SPGEMM_INT64,
                         (spgemm_options){.filter.drop_tolerance = 0x1p53}),
                 1);
    cr_assert_eq(kept_of(&one, ends, SPGEMM_INT64,
                         (spgemm_options){.filter.drop_tolerance = 0x1p63}),
                 -2);
    cr_assert_eq(kept_of(&one, ends, SPGEMM_INT64,
                         (spgemm_options){.filter.drop_tolerance = 0x1p62}),
                 -1);
    cr_assert_eq(kept_of(&one, ends, SPGEMM_INT64,
                         (spgemm_options){.filter.drop_tolerance = INFINITY}),
                 -2);
}
