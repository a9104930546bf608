/* SPDX-License-Identifier: BSD-3-Clause */
/* What the headers say of values where semirings differ: overflow, NaN,
   infinities, signs of zero, rounding, bytes that are true. */
#include <math.h>
#include <stdlib.h>

#include "every_form.h"

enum { TERMS = 3 };

/* A row times a column: one value. What is not given is 0; there are `count`
   terms. */
typedef struct dot {
    spgemm_value_type type;
    spgemm_semiring semiring;
    int count;
    scalar a[TERMS];
    scalar b[TERMS];
    scalar want;
} dot;

static spgemm_csr make_line(spgemm_value_type type, const scalar *values,
                            int64_t nrows, int64_t ncols)
{
    csr_builder b = build_begin(nrows, ncols);
    const int64_t count = nrows * ncols;
    for (int64_t i = 0; i < nrows; i++) {
        for (int64_t j = 0; j < ncols; j++)
            build_add(&b, j, 0);
        build_end_row(&b);
    }
    spgemm_csr line = build_finish(&b, SPGEMM_I32);
    free(line.values);
    line.values = must_allocate(count, bytes_of_type(type));
    line.value_type = type;
    for (int64_t p = 0; p < count; p++)
        write_scalar(type, line.values, p, values[p]);
    return line;
}

static void expect_dot(const dot *d)
{
    _Alignas(16) char wanted[16];
    spgemm_csr A = make_line(d->type, d->a, 1, d->count);
    spgemm_csr B = make_line(d->type, d->b, d->count, 1);
    trial t = {&A, &B, {.product.semiring = d->semiring}, NULL};
    t.name = form_text(&A, &t.options, "one entry");
    spgemm_csr want = reference_form(&A, &B, &t.options);
    write_scalar(d->type, wanted, 0, d->want);
    cr_assert(same_value_of(d->type, want.values, wanted),
              "%s: the reference is %a %+ai, %lld", t.name,
              read_scalar(d->type, want.values, 0).re,
              read_scalar(d->type, want.values, 0).im,
              (long long)read_scalar(d->type, want.values, 0).n);
    expect_some_forms_of(&t, &want, 26);
    free_csr(&A);
    free_csr(&B);
    free_csr(&want);
}

static void expect_dots(const dot *dots, size_t count)
{
    for (size_t t = 0; t < count; t++)
        expect_dot(&dots[t]);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define R(x)                                                                   \
    {                                                                          \
        .re = (x)                                                              \
    }
#define N(x)                                                                   \
    {                                                                          \
        .n = (x)                                                               \
    }

/* Of one type and one addition, with +1 (or 0, for sums) as multiplication. */
Test(rare_values, wrap_where_integers_overflow)
{
    const int64_t top = (int64_t)1 << 62;
    const dot dots[] = {
        {SPGEMM_INT32,
         SPGEMM_PLUS_TIMES,
         1,
         {N(1 << 30)},
         {N(6)},
         N(INT32_MIN)},
        {SPGEMM_INT32,
         SPGEMM_PLUS_TIMES,
         2,
         {N(INT32_MAX), N(1)},
         {N(1), N(1)},
         N(INT32_MIN)},
        {SPGEMM_INT32,
         SPGEMM_PLUS_TIMES,
         1,
         {N(INT32_MIN)},
         {N(-1)},
         N(INT32_MIN)},
        {SPGEMM_INT32, SPGEMM_PLUS_TIMES, 1, {N(65537)}, {N(65537)}, N(131073)},
        {SPGEMM_INT32,
         SPGEMM_MIN_PLUS,
         1,
         {N(INT32_MAX)},
         {N(1)},
         N(INT32_MIN)},
        {SPGEMM_INT32,
         SPGEMM_MAX_PLUS,
         1,
         {N(INT32_MIN)},
         {N(-1)},
         N(INT32_MAX)},
        {SPGEMM_INT32,
         SPGEMM_PLUS_FIRST,
         2,
         {N(INT32_MAX), N(2)},
         {N(0)},
         N(INT32_MIN + 1)},
        {SPGEMM_INT64, SPGEMM_PLUS_TIMES, 1, {N(top)}, {N(6)}, N(INT64_MIN)},
        {SPGEMM_INT64,
         SPGEMM_PLUS_TIMES,
         2,
         {N(INT64_MAX), N(1)},
         {N(1), N(1)},
         N(INT64_MIN)},
        {SPGEMM_INT64,
         SPGEMM_PLUS_TIMES,
         1,
         {N(INT64_MIN)},
         {N(-1)},
         N(INT64_MIN)},
        {SPGEMM_INT64,
         SPGEMM_MIN_PLUS,
         1,
         {N(INT64_MAX)},
         {N(1)},
         N(INT64_MIN)},
        {SPGEMM_INT64,
         SPGEMM_PLUS_SECOND,
         2,
         {N(0)},
         {N(INT64_MIN), N(-1)},
         N(INT64_MAX)},
    };
    expect_dots(dots, COUNT(dots));
}

Test(rare_values, hold_integers_that_no_double_holds)
{
    const int64_t odd = ((int64_t)1 << 53) + 1;
    const int64_t product = 3037000499 * (int64_t)3037000499;
    const dot dots[] = {
        {SPGEMM_INT64,
         SPGEMM_PLUS_TIMES,
         2,
         {N(odd), N(1)},
         {N(1), N(1)},
         N(odd + 1)},
        {SPGEMM_INT64,
         SPGEMM_PLUS_TIMES,
         1,
         {N(3037000499)},
         {N(3037000499)},
         N(product)},
        {SPGEMM_INT64,
         SPGEMM_MIN_PLUS,
         2,
         {N(odd), N(odd)},
         {N(1), N(0)},
         N(odd)},
        {SPGEMM_INT64,
         SPGEMM_MAX_MIN,
         2,
         {N(odd), N(odd - 1)},
         {N(INT64_MAX), N(INT64_MAX)},
         N(odd)},
        {SPGEMM_INT64,
         SPGEMM_MIN_MAX,
         2,
         {N(-odd), N(1 - odd)},
         {N(INT64_MIN), N(INT64_MIN)},
         N(-odd)},
    };
    expect_dots(dots, COUNT(dots));
}

/* Of a floating type: dots of min and max. */
static void expect_order(spgemm_value_type type)
{
    const double inf = INFINITY;
    const dot dots[] = {
        /* NaN is ignored, wherever it stands; of nothing but NaN, the identity
           is left. */
        {type, SPGEMM_MIN_PLUS, 1, {R(NAN)}, {R(1)}, R(inf)},
        {type, SPGEMM_MAX_PLUS, 1, {R(NAN)}, {R(1)}, R(-inf)},
        {type, SPGEMM_MIN_PLUS, 2, {R(NAN), R(2)}, {R(1), R(1)}, R(3)},
        {type, SPGEMM_MIN_PLUS, 2, {R(2), R(NAN)}, {R(1), R(1)}, R(3)},
        {type,
         SPGEMM_MAX_PLUS,
         3,
         {R(NAN), R(2), R(NAN)},
         {R(1), R(1), R(1)},
         R(3)},
        {type, SPGEMM_MIN_PLUS, 2, {R(inf), R(4)}, {R(-inf), R(1)}, R(5)},
        {type, SPGEMM_MIN_PLUS, 1, {R(inf)}, {R(1)}, R(inf)},
        {type, SPGEMM_MIN_PLUS, 2, {R(-inf), R(1)}, {R(1), R(1)}, R(-inf)},
        /* As a multiplication, min and max are a unless b is beyond it. */
        {type, SPGEMM_PLUS_MIN, 1, {R(NAN)}, {R(1)}, R(1)},
        {type, SPGEMM_PLUS_MIN, 1, {R(1)}, {R(NAN)}, R(1)},
        {type, SPGEMM_MIN_MAX, 1, {R(NAN)}, {R(1)}, R(1)},
        {type, SPGEMM_MAX_MIN, 2, {R(1), R(NAN)}, {R(NAN), R(7)}, R(7)},
        /* Of two zeros the first stays. */
        {type, SPGEMM_MIN_MAX, 2, {R(0.0), R(-0.0)}, {R(0.0), R(-0.0)}, R(0.0)},
        {type, SPGEMM_MIN_MAX, 2, {R(-0.0), R(0.0)}, {R(0.0), R(0.0)}, R(-0.0)},
        {type, SPGEMM_MAX_MIN, 2, {R(-0.0), R(0.0)}, {R(0.0), R(0.0)}, R(-0.0)},
        {type, SPGEMM_MIN_PLUS, 1, {R(-0.0)}, {R(-0.0)}, R(-0.0)},
        {type, SPGEMM_PLUS_FIRST, 1, {R(-0.0)}, {R(1)}, R(0.0)},
        {type, SPGEMM_PLUS_SECOND, 1, {R(1)}, {R(-0.0)}, R(0.0)},
        {type, SPGEMM_PLUS_TIMES, 1, {R(-0.0)}, {R(1)}, R(0.0)},
        {type, SPGEMM_PLUS_MIN, 1, {R(-0.0)}, {R(1)}, R(0.0)},
        {type, SPGEMM_PLUS_TIMES, 1, {R(inf)}, {R(0)}, R(NAN)},
        {type, SPGEMM_PLUS_TIMES, 2, {R(inf), R(-inf)}, {R(1), R(1)}, R(NAN)},
        {type, SPGEMM_PLUS_PAIR, 3, {R(NAN), R(0), R(inf)}, {R(0)}, R(3)},
        {type, SPGEMM_ANY_PAIR, 3, {R(NAN), R(0), R(inf)}, {R(0)}, R(1)},
        {type, SPGEMM_OR_AND, 1, {R(NAN)}, {R(-2)}, R(1)},
        {type, SPGEMM_OR_AND, 2, {R(-0.0), R(5)}, {R(3), R(0)}, R(0)},
        {type, SPGEMM_OR_AND, 2, {R(0), R(5)}, {R(3), R(-inf)}, R(1)},
    };
    expect_dots(dots, COUNT(dots));
}

Test(rare_values, order_nan_infinities_and_zeros)
{
    expect_order(SPGEMM_FP64);
    expect_order(SPGEMM_FP32);
}

Test(rare_values, round_to_their_type)
{
    const double ulp = 0x1p-23;
    const dot dots[] = {
        /* As in test reference/rounds_every_product. */
        {SPGEMM_FP32,
         SPGEMM_PLUS_TIMES,
         2,
         {R(-(1 + 0x1p-11)), R(1 + 0x1p-12)},
         {R(1), R(1 + 0x1p-12)},
         R(0)},
        {SPGEMM_FP32,
         SPGEMM_PLUS_FIRST,
         3,
         {R(0x1p24), R(1), R(1)},
         {R(0)},
         R(0x1p24)},
        {SPGEMM_FP32, SPGEMM_PLUS_TIMES, 1, {R(1 + ulp)}, {R(1 - ulp)}, R(1)},
        {SPGEMM_FP32,
         SPGEMM_PLUS_TIMES,
         1,
         {R(0x1p-100)},
         {R(0x1p-49)},
         R(0x1p-149)},
        {SPGEMM_FP32,
         SPGEMM_PLUS_TIMES,
         1,
         {R(0x1p100)},
         {R(0x1p28)},
         R(INFINITY)},
        {SPGEMM_FP64,
         SPGEMM_PLUS_FIRST,
         3,
         {R(0x1p53), R(1), R(1)},
         {R(0)},
         R(0x1p53)},
    };
    expect_dots(dots, COUNT(dots));
}

/* (a + bi)(c + di) by its four products, rounded each; no infinity is made of
   NaN, as C's own multiplication would. */
static void expect_complex(spgemm_value_type type)
{
    const dot dots[] = {
        {type, SPGEMM_PLUS_TIMES, 1, {{1, 2, 0}}, {{3, -4, 0}}, {11, 2, 0}},
        {type,
         SPGEMM_PLUS_TIMES,
         2,
         {{1, 2, 0}, {0, 1, 0}},
         {{3, -4, 0}, {0, 1, 0}},
         {10, 2, 0}},
        {type,
         SPGEMM_PLUS_TIMES,
         1,
         {{INFINITY, 1, 0}},
         {{1, 0, 0}},
         {INFINITY, NAN, 0}},
        {type,
         SPGEMM_PLUS_TIMES,
         1,
         {{INFINITY, NAN, 0}},
         {{1, 1, 0}},
         {NAN, NAN, 0}},
        {type, SPGEMM_PLUS_TIMES, 1, {{-0.0, -0.0, 0}}, {{1, 0, 0}}, {0, 0, 0}},
        {type,
         SPGEMM_PLUS_FIRST,
         2,
         {{1, 2, 0}, {3, -5, 0}},
         {{0, 0, 0}},
         {4, -3, 0}},
        {type,
         SPGEMM_PLUS_SECOND,
         2,
         {{0, 0, 0}},
         {{1, 2, 0}, {3, -5, 0}},
         {4, -3, 0}},
        {type, SPGEMM_PLUS_PAIR, 3, {{0, 0, 0}}, {{NAN, 0, 0}}, {3, 0, 0}},
        {type, SPGEMM_ANY_PAIR, 3, {{0, 0, 0}}, {{0, 0, 0}}, {1, 0, 0}},
    };
    expect_dots(dots, COUNT(dots));
}

Test(rare_values, of_complex_values_use_four_products)
{
    expect_complex(SPGEMM_CFP64);
    expect_complex(SPGEMM_CFP32);
}

/* ---- Truth values -------------------------------------------------------- */

/* What a semiring makes of (a0 b0, a1 b1), by its definition on {0, 1}. */
static int truth_of(spgemm_semiring semiring, const int *a, const int *b)
{
    const int both = (a[0] & b[0]) | (a[1] & b[1]);
    switch (semiring) {
    case SPGEMM_PLUS_PAIR:
    case SPGEMM_ANY_PAIR:
        return 1;
    case SPGEMM_PLUS_FIRST:
        return a[0] | a[1];
    case SPGEMM_PLUS_SECOND:
        return b[0] | b[1];
    case SPGEMM_MIN_PLUS:
    case SPGEMM_MIN_MAX:
        return (a[0] | b[0]) & (a[1] | b[1]);
    case SPGEMM_MAX_PLUS:
        return a[0] | b[0] | a[1] | b[1];
    default:
        return both;
    }
}

static void expect_truth(spgemm_semiring semiring, const uint8_t *bytes)
{
    const int a[] = {bytes[0] != 0, bytes[1] != 0};
    const int b[] = {bytes[2] != 0, bytes[3] != 0};
    const scalar some[TERMS] = {{0}};
    spgemm_csr A = make_line(SPGEMM_BOOL, some, 1, 2);
    spgemm_csr B = make_line(SPGEMM_BOOL, some, 2, 1);
    memcpy(A.values, bytes, 2);
    memcpy(B.values, bytes + 2, 2);
    trial t = {&A, &B, {.product.semiring = semiring}, NULL};
    t.name = form_text(&A, &t.options, "truth values");
    spgemm_csr want = reference_form(&A, &B, &t.options);
    cr_assert_eq(*(uint8_t *)want.values, truth_of(semiring, a, b),
                 "%s: the reference", t.name);
    expect_some_forms_of(&t, &want, 1);
    free_csr(&A);
    free_csr(&B);
    free_csr(&want);
}

Test(rare_values, of_truth_values_take_any_byte_and_give_0_or_1)
{
    static const uint8_t choices[] = {0, 1, 2, 255};
    for (int s = 0; s < SPGEMM_USER; s++)
        for (int t = 0; t < 256; t++) {
            const uint8_t bytes[] = {choices[t % 4], choices[t / 4 % 4],
                                     choices[t / 16 % 4], choices[t / 64]};
            expect_truth((spgemm_semiring)s, bytes);
        }
}
