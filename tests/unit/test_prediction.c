/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/prediction.h"

#include <criterion/criterion.h>

/* The level of products in a class. */
static int products_level(int class)
{
    return class / (CLASS_LENGTHS * CLASS_SKEWS);
}

Test(prediction, classes_are_powers_of_two_of_products)
{
    cr_expect_eq(products_level(prediction_class(1, 1, 1)), 0);
    cr_expect_eq(products_level(prediction_class(2, 1, 2)), 1);
    cr_expect_eq(products_level(prediction_class(3, 1, 3)), 1);
    cr_expect_eq(products_level(prediction_class(4, 1, 4)), 2);
    const int64_t many = ((int64_t)1 << 40) - 1;
    cr_expect_eq(products_level(prediction_class(many, 1, many)), 39);
    cr_expect_eq(products_level(prediction_class(INT64_MAX, 7, INT64_MAX)),
                 CLASS_PRODUCTS - 1);
}

Test(prediction, classes_tell_long_and_uneven_rows_from_others)
{
    const int even = prediction_class(1024, 16, 64);
    cr_expect_neq(prediction_class(1024, 64, 16), even);
    cr_expect_neq(prediction_class(1024, 16, 512), even);
    cr_expect_eq(prediction_class(1100, 17, 65), even);
}

Test(prediction, classes_are_all_within_the_table)
{
    for (int p = 0; p < 63; p++)
        for (int l = 0; l < 63; l++)
            for (int m = 0; m < 63; m++) {
                const int class = prediction_class(
                    (int64_t)1 << p, (int64_t)1 << l, (int64_t)1 << m);
                cr_assert(class >= 0 && class < PREDICTION_CLASSES);
            }
}

Test(prediction, of_a_row_is_what_is_possible)
{
    static const double answers[] = {0,   1,        -1,        1e300,
                                     NAN, INFINITY, -INFINITY, 7.2};
    for (size_t t = 0; t < sizeof answers / sizeof answers[0]; t++) {
        double row_nnz = answers[t];
        const prediction p = {.row_nnz = &row_nnz};
        const int64_t nnz = prediction_row(&p, 0, 20, 0, 10);
        cr_expect(nnz >= 1 && nnz <= 10, "%g", answers[t]);
        cr_expect_eq(prediction_row(&p, 0, 0, 0, 10), 0);
        cr_expect_eq(prediction_row(&p, 0, 1, 0, 10), 1);
    }
}

Test(prediction, of_a_row_is_products_over_compression)
{
    prediction p = {0};
    prediction_fill(&p, 4.0);
    p.compression[7] = 2.0;
    cr_expect_eq(prediction_row(&p, 5, 32, 6, 1000), 8);
    cr_expect_eq(prediction_row(&p, 5, 33, 6, 1000), 8);
    cr_expect_eq(prediction_row(&p, 5, 35, 6, 1000), 9);
    cr_expect_eq(prediction_row(&p, 5, 64, 7, 1000), 32);
}
