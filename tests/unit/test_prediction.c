/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/prediction.h"

#include <criterion/criterion.h>

Test(prediction, classes_are_powers_of_two)
{
    cr_expect_eq(prediction_class(1), 0);
    cr_expect_eq(prediction_class(2), 1);
    cr_expect_eq(prediction_class(3), 1);
    cr_expect_eq(prediction_class(4), 2);
    cr_expect_eq(prediction_class(((int64_t)1 << 40) - 1), 39);
    cr_expect_eq(prediction_class(INT64_MAX), PREDICTION_CLASSES - 1);
}

Test(prediction, of_a_row_is_what_is_possible)
{
    static const double answers[] = {0,   1,        -1,        1e300,
                                     NAN, INFINITY, -INFINITY, 7.2};
    for (size_t t = 0; t < sizeof answers / sizeof answers[0]; t++) {
        double row_nnz = answers[t];
        const prediction p = {.row_nnz = &row_nnz};
        const int64_t nnz = prediction_row(&p, 0, 20, 10);
        cr_expect(nnz >= 1 && nnz <= 10, "%g", answers[t]);
        cr_expect_eq(prediction_row(&p, 0, 0, 10), 0);
        cr_expect_eq(prediction_row(&p, 0, 1, 10), 1);
    }
}

Test(prediction, of_a_row_is_products_over_compression)
{
    prediction p = {0};
    prediction_fill(&p, 4.0);
    p.compression[prediction_class(64)] = 2.0;
    cr_expect_eq(prediction_row(&p, 5, 32, 1000), 8);
    cr_expect_eq(prediction_row(&p, 5, 33, 1000), 9);
    cr_expect_eq(prediction_row(&p, 5, 64, 1000), 32);
}
