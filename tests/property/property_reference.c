/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B is the reference, bit for bit, for every variant, row order and
   number of threads, on every case. */
#include <stdio.h>

#include "expect.h"
#include "fewer_ways.h"

static const int thread_counts[] = {1, 2, 3, 7};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

static void expect_every_variant(const spgemm_csr *A, const spgemm_csr *B,
                                 const spgemm_csr *want, spgemm_options options,
                                 const char *name)
{
    static int ways;
    char text[128];
    for (int order = 0; order < 2; order++)
        for (int v = 0; v < VARIANT_COUNT; v++) {
            if (!tries_way(A->index_type, ways++))
                continue;
            options.product.row_order = (spgemm_row_order)order;
            snprintf(text, sizeof text, "%s, order %d, %d threads", name, order,
                     options.resources.nthreads);
            expect_product(&multiply_variants[v], A, B, &options, want, text);
        }
}

/* Values where order shows are tried with every number of threads; the other
   kinds with two. */
static void expect_case(const case_choice *choice, value_kind values)
{
    const char *name = product_cases[choice->number].name;
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, values, &A, &B);
    spgemm_csr want = reference_multiply(&A, &B);
    for (int t = 0; t < THREAD_COUNTS; t++)
        if (values == VALUES_ARBITRARY || t % 2 == (int)values / 2)
            expect_every_variant(
                &A, &B, &want,
                (spgemm_options){.resources.nthreads = thread_counts[t]}, name);
    free_csr(&A);
    free_csr(&B);
    free_csr(&want);
}

ParameterizedTestParameters(reference, holds_for_integers)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, reference, holds_for_integers)
{
    expect_case(choice, VALUES_INTEGER);
}

ParameterizedTestParameters(reference, holds_for_any_magnitude)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, reference, holds_for_any_magnitude)
{
    expect_case(choice, VALUES_ARBITRARY);
}

ParameterizedTestParameters(reference, holds_for_nan_infinity_and_denormals)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, reference,
                  holds_for_nan_infinity_and_denormals)
{
    expect_case(choice, VALUES_SPECIAL);
}

/* One row (x, y) times two rows (a) and (b): the sum of two products. */
static double two_products(double x, double y, double a, double b)
{
    const int64_t Ap[] = {0, 2};
    const int32_t Aj[] = {0, 1};
    const double Ax[] = {x, y};
    const int64_t Bp[] = {0, 1, 2};
    const int32_t Bj[] = {0, 0};
    const double Bx[] = {a, b};
    const spgemm_csr A =
        spgemm_csr_view(1, 2, 2, Ap, Aj, Ax, SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr B =
        spgemm_csr_view(2, 1, 2, Bp, Bj, Bx, SPGEMM_I32, SPGEMM_FP64);
    spgemm_csr C = expect_success(&multiply_variants[0], &A, &B, NULL, NULL);
    cr_assert_eq(C.nnz, 1);
    const double sum = value_of(&C, 0);
    spgemm_csr_destroy(&C);
    return sum;
}

static void expect_bits(double got, double want)
{
    cr_assert_eq(memcmp(&got, &want, sizeof got), 0, "%a, not %a", got, want);
}

Test(reference, keeps_what_cancels)
{
    expect_bits(two_products(1, -1, 2, 2), 0.0);
}

Test(reference, begins_at_plus_zero)
{
    expect_bits(two_products(-0.0, -0.0, 1, 1), 0.0);
}

Test(reference, rounds_every_product)
{
    /* (1 + 2^-30)^2 - (1 + 2^-29): 0 when the product is rounded before it is
       added, 2^-60 when the two are fused. */
    const double x = 1 + 0x1p-30;
    expect_bits(two_products(-(1 + 0x1p-29), x, 1, x), 0.0);
}

Test(reference, keeps_denormals)
{
    expect_bits(two_products(0x1p-1000, 0, 0x1p-70, 1), 0x1p-1070);
}
