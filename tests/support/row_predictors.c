/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_predictors.h"

#include <math.h>

#include "dice.h"

static double true_nnz(const spgemm_csr *C, int64_t row)
{
    return (double)(C->rowptr[row + 1] - C->rowptr[row]);
}

static double say_zero(void *context, int64_t row, int64_t products)
{
    (void)context, (void)row, (void)products;
    return 0;
}

static double say_one(void *context, int64_t row, int64_t products)
{
    (void)context, (void)row, (void)products;
    return 1;
}

static double say_nan(void *context, int64_t row, int64_t products)
{
    (void)context, (void)row, (void)products;
    return NAN;
}

static double say_infinity(void *context, int64_t row, int64_t products)
{
    (void)context, (void)row, (void)products;
    return INFINITY;
}

static double say_minus_infinity(void *context, int64_t row, int64_t products)
{
    (void)context, (void)row, (void)products;
    return -INFINITY;
}

static double say_minus_one(void *context, int64_t row, int64_t products)
{
    (void)context, (void)row, (void)products;
    return -1;
}

static double say_products(void *context, int64_t row, int64_t products)
{
    (void)context, (void)row;
    return (double)products;
}

static double say_anything(void *context, int64_t row, int64_t products)
{
    (void)context;
    dice d = {(uint64_t)row * 0x9e3779b97f4a7c15u + 1};
    return 3 * dice_unit(&d) * (double)products;
}

static double say_nan_now_and_then(void *context, int64_t row, int64_t products)
{
    return row % 3 == 0 ? say_nan(context, row, products)
                        : say_anything(context, row, products);
}

static double say_tenfold(void *context, int64_t row, int64_t products)
{
    (void)products;
    return 10 * true_nnz(context, row);
}

static double say_a_tenth(void *context, int64_t row, int64_t products)
{
    (void)products;
    return 0.1 * true_nnz(context, row);
}

static double say_one_less(void *context, int64_t row, int64_t products)
{
    (void)products;
    return true_nnz(context, row) - 1;
}

static double say_the_truth(void *context, int64_t row, int64_t products)
{
    (void)products;
    return true_nnz(context, row);
}

const row_predictor row_predictors[] = {
    {"zero", say_zero},
    {"one", say_one},
    {"NaN", say_nan},
    {"infinity", say_infinity},
    {"minus infinity", say_minus_infinity},
    {"minus one", say_minus_one},
    {"products", say_products},
    {"anything", say_anything},
    {"NaN now and then", say_nan_now_and_then},
    {"tenfold", say_tenfold},
    {"a tenth", say_a_tenth},
    {"one less", say_one_less},
    {"the truth", say_the_truth},
};

const int row_predictor_count =
    sizeof row_predictors / sizeof row_predictors[0];

spgemm_options lying_options(const row_predictor *liar, spgemm_csr *C)
{
    return (spgemm_options){.predict.method = SPGEMM_PREDICTOR_CALLER,
                            .predict.row_nnz = liar->row_nnz,
                            .predict.row_nnz_context = C};
}
