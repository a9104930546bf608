/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms that make no sense are refused, and C is left as it was. */
#include <math.h>

#include "every_form.h"

/* A is 6-by-5, B 5-by-4. */
typedef struct pair {
    maker m;
    spgemm_csr A;
    spgemm_csr B;
} pair;

static pair make_pair(spgemm_value_type type)
{
    pair p = {.m = {{7}, SPGEMM_I32, VALUES_INTEGER}};
    p.A = make_uniform(&p.m, 6, 5, 3);
    p.B = make_uniform(&p.m, 5, 4, 2);
    set_type(&p.m, &p.A, type);
    set_type(&p.m, &p.B, type);
    return p;
}

static void free_pair(pair *p)
{
    free_csr(&p->A);
    free_csr(&p->B);
}

static void refuse(const pair *p, spgemm_options options, spgemm_status status,
                   const char *name)
{
    const trial t = {&p->A, &p->B, options, name};
    expect_refusal(&t, status);
}

Test(refusals, are_of_unknown_numbers)
{
    pair p = make_pair(SPGEMM_FP64);
    refuse(&p,
           (spgemm_options){.product.semiring =
                                (spgemm_semiring)SPGEMM_SEMIRING_COUNT},
           SPGEMM_ERROR_INVALID, "semiring");
    refuse(&p, (spgemm_options){.product.semiring = (spgemm_semiring)-1},
           SPGEMM_ERROR_INVALID, "semiring -1");
    refuse(&p, (spgemm_options){.product.op_a = (spgemm_operation)3},
           SPGEMM_ERROR_INVALID, "op_a");
    refuse(&p, (spgemm_options){.product.op_b = (spgemm_operation)-1},
           SPGEMM_ERROR_INVALID, "op_b");
    refuse(&p, (spgemm_options){.product.reserved = {0, 1}},
           SPGEMM_ERROR_INVALID, "reserved");
    p.A.value_type = p.B.value_type =
        (spgemm_value_type)SPGEMM_VALUE_TYPE_COUNT;
    refuse(&p, (spgemm_options){0}, SPGEMM_ERROR_INVALID, "type");
    free_pair(&p);
}

Test(refusals, are_of_unknown_modes_of_a_mask)
{
    pair p = make_pair(SPGEMM_FP64);
    spgemm_csr mask = make_uniform(&p.m, 6, 4, 2);
    refuse(&p, (spgemm_options){.filter.mask = &mask, .filter.mask_mode = 4},
           SPGEMM_ERROR_INVALID, "mode");
    free_csr(&mask);
    free_pair(&p);
}

Test(refusals, are_of_semirings_that_are_not_of_the_type)
{
    static const spgemm_value_type types[] = {SPGEMM_CFP64, SPGEMM_CFP32,
                                              SPGEMM_ELEMENTS(8)};
    for (int t = 0; t < 3; t++)
        for (int s = 0; s < SPGEMM_USER; s++) {
            pair p = make_pair(types[t]);
            const spgemm_semiring semiring = (spgemm_semiring)s;
            if (!ring_exists(semiring, types[t]))
                refuse(&p, (spgemm_options){.product.semiring = semiring},
                       SPGEMM_ERROR_UNSUPPORTED, ring_text(semiring));
            free_pair(&p);
        }
}

Test(refusals, are_of_types_that_differ)
{
    for (int a = 0; a < SPGEMM_VALUE_TYPE_COUNT; a++)
        for (int b = 0; b < SPGEMM_VALUE_TYPE_COUNT; b++) {
            pair p = make_pair((spgemm_value_type)a);
            set_type(&p.m, &p.B, (spgemm_value_type)b);
            if (a != b)
                refuse(&p, (spgemm_options){0}, SPGEMM_ERROR_UNSUPPORTED,
                       type_text((spgemm_value_type)b));
            free_pair(&p);
        }
}

static void ignore(void *context, void *x, const void *y)
{
    (void)context, (void)x, (void)y;
}

static void ignore_both(void *context, void *x, const void *a, const void *b)
{
    (void)context, (void)x, (void)a, (void)b;
}

Test(refusals, are_of_half_a_semiring)
{
    const double zero = 0;
    const spgemm_user_semiring without_zero = {NULL, NULL, ignore_both, ignore};
    const spgemm_user_semiring without_times = {NULL, &zero, NULL, ignore};
    const spgemm_user_semiring without_plus = {NULL, &zero, ignore_both, NULL};
    const spgemm_user_semiring *const users[] = {NULL, &without_zero,
                                                 &without_times, &without_plus};
    pair p = make_pair(SPGEMM_FP64);
    for (int n = 0; n < 4; n++)
        refuse(&p,
               (spgemm_options){.product.semiring = SPGEMM_USER,
                                .product.user = users[n]},
               SPGEMM_ERROR_INVALID, "user");
    free_pair(&p);
}

Test(refusals, are_of_shapes_that_do_not_fit)
{
    static const struct {
        int64_t nrows;
        int64_t ncols;
    } shapes[] = {{6, 5}, {5, 4}, {4, 6}, {7, 4}, {0, 0}};
    for (int n = 0; n < 5; n++) {
        pair p = make_pair(SPGEMM_FP64);
        spgemm_csr X = make_empty(&p.m, shapes[n].nrows, shapes[n].ncols);
        refuse(&p, (spgemm_options){.filter.mask = &X}, SPGEMM_ERROR_SHAPE,
               "mask");
        refuse(&p, (spgemm_options){.product.D = &X}, SPGEMM_ERROR_SHAPE, "D");
        free_csr(&X);
        free_pair(&p);
    }
}

Test(refusals, are_of_operands_that_do_not_fit_transposed)
{
    pair p = make_pair(SPGEMM_FP64);
    refuse(&p, (spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE},
           SPGEMM_ERROR_SHAPE, "A'B");
    refuse(&p, (spgemm_options){.product.op_b = SPGEMM_OP_CONJUGATE_TRANSPOSE},
           SPGEMM_ERROR_SHAPE, "AB'");
    free_pair(&p);
}

Test(refusals, are_of_masks_and_addends_of_other_types)
{
    pair p = make_pair(SPGEMM_FP64);
    spgemm_csr D = make_uniform(&p.m, 6, 4, 2);
    set_type(&p.m, &D, SPGEMM_FP32);
    refuse(&p, (spgemm_options){.product.D = &D}, SPGEMM_ERROR_UNSUPPORTED,
           "value type of D");
    p.m.index_type = SPGEMM_I64;
    spgemm_csr wide = make_uniform(&p.m, 6, 4, 2);
    refuse(&p, (spgemm_options){.product.D = &wide}, SPGEMM_ERROR_UNSUPPORTED,
           "index type of D");
    refuse(&p, (spgemm_options){.filter.mask = &wide}, SPGEMM_ERROR_UNSUPPORTED,
           "index type of the mask");
    free_csr(&D);
    free_csr(&wide);
    free_pair(&p);
}

Test(refusals, are_of_malformed_masks_and_addends)
{
    pair p = make_pair(SPGEMM_FP64);
    spgemm_csr X = make_uniform(&p.m, 6, 4, 2);
    set_column_of(&X, X.nnz - 1, 4);
    refuse(&p, (spgemm_options){.filter.mask = &X}, SPGEMM_ERROR_STRUCTURE,
           "mask");
    refuse(&p, (spgemm_options){.product.D = &X}, SPGEMM_ERROR_STRUCTURE, "D");
    free_csr(&X);
    free_pair(&p);
}

Test(refusals, are_of_rows_and_columns_that_are_not_there)
{
    static const int64_t beyond[] = {0, 6};
    static const int64_t before[] = {-1, 2};
    static const int64_t falling[] = {2, 1};
    static const int64_t twice[] = {1, 1};
    pair p = make_pair(SPGEMM_FP64);
    refuse(&p, (spgemm_options){.product.rows = beyond, .product.nrows = 2},
           SPGEMM_ERROR_INVALID, "row 6 of 6");
    refuse(&p, (spgemm_options){.product.rows = before, .product.nrows = 2},
           SPGEMM_ERROR_INVALID, "row -1");
    refuse(&p, (spgemm_options){.product.rows = twice, .product.nrows = 0},
           SPGEMM_ERROR_INVALID, "no rows");
    refuse(&p, (spgemm_options){.product.cols = twice, .product.ncols = 0},
           SPGEMM_ERROR_INVALID, "no columns");
    refuse(&p, (spgemm_options){.product.rows = twice, .product.nrows = -1},
           SPGEMM_ERROR_INVALID, "-1 rows");
    refuse(&p, (spgemm_options){.product.cols = beyond, .product.ncols = 2},
           SPGEMM_ERROR_INVALID, "column 6 of 4");
    refuse(&p, (spgemm_options){.product.cols = before, .product.ncols = 2},
           SPGEMM_ERROR_INVALID, "column -1");
    refuse(&p, (spgemm_options){.product.cols = falling, .product.ncols = 2},
           SPGEMM_ERROR_INVALID, "columns fall");
    refuse(&p, (spgemm_options){.product.cols = twice, .product.ncols = 2},
           SPGEMM_ERROR_INVALID, "a column twice");
    refuse(&p, (spgemm_options){.product.cols = beyond, .product.ncols = -1},
           SPGEMM_ERROR_INVALID, "-1 columns");
    free_pair(&p);
}

Test(refusals, are_of_numbers_that_drop_nothing_definite)
{
    pair p = make_pair(SPGEMM_FP64);
    refuse(&p, (spgemm_options){.filter.drop_tolerance = -1},
           SPGEMM_ERROR_INVALID, "tolerance -1");
    refuse(&p, (spgemm_options){.filter.drop_tolerance = NAN},
           SPGEMM_ERROR_INVALID, "tolerance NaN");
    refuse(&p, (spgemm_options){.filter.keep_top = -1}, SPGEMM_ERROR_INVALID,
           "the -1 largest");
    refuse(&p, (spgemm_options){.filter.top_by = SPGEMM_TOP_VALUE},
           SPGEMM_ERROR_INVALID, "an order of nothing");
    refuse(&p,
           (spgemm_options){.filter.keep_top = 1,
                            .filter.top_by = (spgemm_top_order)2},
           SPGEMM_ERROR_INVALID, "an order that there is not");
    free_pair(&p);
}

Test(refusals, are_of_an_order_of_complex_values)
{
    const spgemm_options top = {.filter.keep_top = 1,
                                .filter.top_by = SPGEMM_TOP_VALUE};
    pair p = make_pair(SPGEMM_CFP64);
    refuse(&p, top, SPGEMM_ERROR_UNSUPPORTED, "cfp64");
    free_pair(&p);
    p = make_pair(SPGEMM_CFP32);
    refuse(&p, top, SPGEMM_ERROR_UNSUPPORTED, "cfp32");
    free_pair(&p);
}
