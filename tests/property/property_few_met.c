/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a B of which A meets few rows, the entries of the others are not read, whatever
   they are: C is what it is without them. What is met is checked. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "build_csr.h"
#include "dice.h"
#include "reference.h"
#include "spgemm/predict.h"
#include "spgemm/semiring.h"

enum { ROWS = 60, INNER = 20000, COLUMNS = 3000, LONGEST = 9 };

/* A has entries for few of INNER columns; every row of B has some, in order. */
typedef struct few_met {
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr wanted; /* A*B */
    bool is_met[INNER];
} few_met;

static spgemm_csr make_wide(dice *d, int64_t nrows, int64_t ncols, int most,
                            spgemm_index_type type)
{
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        const int64_t n = dice_below(d, most + 1);
        for (int64_t t = 0; t < n; t++)
            build_add(&b, ncols / (n + 1) * t + dice_below(d, ncols / (n + 1)),
                      (double)(1 + dice_below(d, 7)));
        build_end_row(&b);
    }
    return build_finish(&b, type);
}

static int64_t column(const spgemm_csr *X, int64_t p)
{
    return X->index_type == SPGEMM_I64 ? ((int64_t *)X->colidx)[p]
                                       : ((int32_t *)X->colidx)[p];
}

static void set_column(spgemm_csr *X, int64_t p, int64_t j)
{
    if (X->index_type == SPGEMM_I64)
        ((int64_t *)X->colidx)[p] = j;
    else
        ((int32_t *)X->colidx)[p] = (int32_t)j;
}

/* Rows that nobody meets are filled with what no check lets pass. */
static few_met *make(int seed, spgemm_index_type type)
{
    dice d = {(uint64_t)seed};
    few_met *f = calloc(1, sizeof *f);
    f->A = make_wide(&d, ROWS, INNER, LONGEST, type);
    f->B = make_wide(&d, INNER, COLUMNS, LONGEST, type);
    f->wanted = reference_multiply(&f->A, &f->B);
    for (int64_t p = 0; p < f->A.nnz; p++)
        f->is_met[column(&f->A, p)] = true;
    for (int64_t k = 0; k < INNER; k++)
        for (int64_t q = f->B.rowptr[k];
             !f->is_met[k] && q < f->B.rowptr[k + 1]; q++) {
            set_column(&f->B, q,
                       q % 2 == 0           ? -1 - q
                       : type == SPGEMM_I64 ? INT64_MAX
                                            : INT32_MAX);
            ((double *)f->B.values)[q] = NAN;
        }
    return f;
}

static void destroy(few_met *f)
{
    free_csr(&f->A);
    free_csr(&f->B);
    free_csr(&f->wanted);
    free(f);
}

static int64_t first_met(const few_met *f)
{
    for (int64_t k = 0; k < INNER; k++)
        if (f->is_met[k] && f->B.rowptr[k + 1] - f->B.rowptr[k] > 1)
            return k;
    cr_assert_fail("nothing is met");
    return -1;
}

static spgemm_csr multiply(const few_met *f, const spgemm_options *options)
{
    spgemm_csr C = {0};
    cr_assert_eq(spgemm_predicted(&C, &f->A, &f->B, options, NULL),
                 SPGEMM_SUCCESS, "%s", spgemm_error_text());
    cr_expect_eq(spgemm_csr_check(&C, NULL), SPGEMM_SUCCESS);
    return C;
}

static void expect_wanted(const few_met *f, const spgemm_options *options)
{
    char text[256];
    spgemm_csr C = multiply(f, options);
    cr_expect_eq(spgemm_csr_sort_rows(&C), SPGEMM_SUCCESS);
    cr_expect(matrices_agree(&C, &f->wanted, text, sizeof text), "%s", text);
    spgemm_csr_destroy(&C);
}

static const spgemm_index_type types[] = {SPGEMM_I32, SPGEMM_I64};

Test(few_met, other_rows_are_not_read)
{
    static const spgemm_predictor methods[] = {
        SPGEMM_PREDICTOR_AUTO, SPGEMM_PREDICTOR_STRATIFIED,
        SPGEMM_PREDICTOR_PRECISE, SPGEMM_PREDICTOR_UPPER_BOUND};
    for (int t = 0; t < 4; t++) {
        few_met *f = make(t, types[t % 2]);
        for (int way = 0; way < 16; way++)
            expect_wanted(
                f, &(spgemm_options){.predict.method = methods[way % 4],
                                     .resources.nthreads = way & 4 ? 3 : 1,
                                     .product.row_order =
                                         way & 8 ? SPGEMM_ROWS_UNSORTED
                                                 : SPGEMM_ROWS_SORTED});
        destroy(f);
    }
}

/* What a method that draws from all of B tells of is all of B. */
Test(few_met, predictors_of_all_of_b_check_it)
{
    static const spgemm_predictor methods[] = {SPGEMM_PREDICTOR_COHEN,
                                               SPGEMM_PREDICTOR_HYPERLOGLOG};
    few_met *f = make(7, SPGEMM_I32);
    for (int m = 0; m < 2; m++) {
        spgemm_csr C = {0};
        const spgemm_options options = {.predict.method = methods[m]};
        cr_expect_eq(spgemm_predicted(&C, &f->A, &f->B, &options, NULL),
                     SPGEMM_ERROR_STRUCTURE);
    }
    destroy(f);
}

/* With a mask of C's own pattern, of nothing, and of what is not masked out. */
Test(few_met, under_masks_and_with_d)
{
    for (int t = 0; t < 2; t++) {
        few_met *f = make(20 + t, types[t]);
        spgemm_csr nothing = {.nrows = ROWS,
                              .ncols = COLUMNS,
                              .index_type = types[t],
                              .value_type = SPGEMM_FP64,
                              .rowptr = calloc(ROWS + 1, sizeof(int64_t))};
        expect_wanted(f, &(spgemm_options){.filter.mask = &f->wanted});
        expect_wanted(
            f, &(spgemm_options){.filter.mask = &nothing,
                                 .filter.mask_mode = SPGEMM_MASK_COMPLEMENT});
        expect_wanted(f, &(spgemm_options){.product.D = &nothing});
        free(nothing.rowptr);
        destroy(f);
    }
}

Test(few_met, a_column_that_is_none_is_found_where_it_is_met)
{
    for (int t = 0; t < 2; t++) {
        few_met *f = make(40 + t, types[t]);
        const int64_t q = f->B.rowptr[first_met(f)];
        spgemm_report report;
        spgemm_csr C = {0};
        /* All others are columns, that the one is blamed. */
        for (int64_t k = 0; k < INNER; k++)
            for (int64_t p = f->B.rowptr[k];
                 !f->is_met[k] && p < f->B.rowptr[k + 1]; p++)
                set_column(&f->B, p, p - f->B.rowptr[k]);
        set_column(&f->B, q, COLUMNS);
        cr_expect_eq(spgemm_predicted(&C, &f->A, &f->B, NULL, &report),
                     SPGEMM_ERROR_STRUCTURE);
        cr_expect_str_eq(report.fault.operand, "B");
        cr_expect_str_eq(report.fault.array, "colidx");
        cr_expect_eq(report.fault.position, q);
        destroy(f);
    }
}

/* Two entries of a met row exchanged: summed all the same, and refused only where the
   flag vouches for their order. */
Test(few_met, rows_in_no_order)
{
    for (int t = 0; t < 2; t++) {
        few_met *f = make(60 + t, types[t]);
        const int64_t q = f->B.rowptr[first_met(f)];
        double *values = f->B.values;
        const int64_t j = column(&f->B, q);
        const double x = values[q];
        spgemm_csr C = {0};
        set_column(&f->B, q, column(&f->B, q + 1));
        set_column(&f->B, q + 1, j);
        values[q] = values[q + 1];
        values[q + 1] = x;
        f->B.flags &= ~(uint32_t)SPGEMM_SORTED_ROWS;
        expect_wanted(f, NULL);
        f->B.flags |= SPGEMM_SORTED_ROWS;
        cr_expect_eq(spgemm_predicted(&C, &f->A, &f->B, NULL, NULL),
                     SPGEMM_ERROR_STRUCTURE);
        destroy(f);
    }
}
