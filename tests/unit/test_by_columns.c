/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a masked C is made of dot products, and what of B is made then. */
#include <criterion/criterion.h>

#include "generate.h"
#include "reference.h"
#include "scalars.h"
#include "spgemm/pipeline/call.h"

/* A call that has begun. */
typedef struct columns_bench {
    maker m;
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr mask;
    spgemm_options options;
    entry_point self;
    call c;
} columns_bench;

/* Of A B', 200 rows of eight entries each, under a mask of two entries a row. */
static columns_bench bench(void)
{
    columns_bench b = {.m = {{5}, SPGEMM_I32, VALUES_INTEGER},
                       .self = {.name = "test",
                                .predicts = true,
                                .multiplies = true,
                                .makes_c = true},
                       .options.product.op_b = SPGEMM_OP_TRANSPOSE,
                       .options.resources.nthreads = 1};
    b.A = make_uniform(&b.m, 200, 300, 8);
    b.B = make_uniform(&b.m, 200, 300, 8);
    b.mask = make_uniform(&b.m, 200, 200, 2);
    return b;
}

/* The same of A B or, where op_b is set, A B', of operands of these shapes and entries a
   row. */
static columns_bench bench_of(spgemm_operation op_b, int64_t inner,
                              int64_t of_a, int64_t nrows_b, int64_t ncols_b,
                              int64_t of_b)
{
    columns_bench b = bench();
    b.options.product.op_b = op_b;
    free_csr(&b.A);
    free_csr(&b.B);
    b.A = make_uniform(&b.m, 200, inner, of_a);
    b.B = make_uniform(&b.m, nrows_b, ncols_b, of_b);
    return b;
}

static void begin(columns_bench *b)
{
    b->options.filter.mask = &b->mask;
    cr_assert_eq(
        spgemm_call_begin(&b->c, &b->self, &b->A, &b->B, &b->options, NULL),
        SPGEMM_SUCCESS);
}

static void end(columns_bench *b)
{
    spgemm_csr none;
    cr_assert_eq(spgemm_call_end(&b->c, &none, SPGEMM_SUCCESS), SPGEMM_SUCCESS);
    free_csr(&b->A);
    free_csr(&b->B);
    free_csr(&b->mask);
}

/* Whether C is made of dot products, and whether B has entries for anything else. */
static void expect(columns_bench *b, bool by_columns, bool has_entries)
{
    begin(b);
    cr_assert_eq(b->c.ops.by_columns != NULL, by_columns);
    cr_assert_eq(b->c.ops.B->colidx != NULL, has_entries);
    end(b);
}

Test(by_columns, are_the_rows_of_a_transpose_that_is_not_made)
{
    columns_bench b = bench();
    begin(&b);
    cr_assert_eq(b.c.ops.by_columns->colidx, b.B.colidx);
    cr_assert_null(b.c.ops.B->colidx);
    spgemm_csr want;
    cr_assert_eq(spgemm_csr_transpose(&want, &b.B), SPGEMM_SUCCESS);
    cr_assert_arr_eq(b.c.ops.B->rowptr, want.rowptr,
                     (size_t)(want.nrows + 1) * sizeof *want.rowptr);
    spgemm_csr_destroy(&want);
    end(&b);
}

Test(by_columns, take_no_rows_in_disorder)
{
    columns_bench of_A = bench();
    swap_entries(&of_A.A, 8, 9);
    expect(&of_A, false, true);
    columns_bench of_B = bench();
    swap_entries(&of_B.B, 8, 9);
    expect(&of_B, false, true);
}

Test(by_columns, take_no_conjugates_of_complex_values)
{
    columns_bench b = bench();
    set_type(&b.m, &b.A, SPGEMM_CFP64);
    set_type(&b.m, &b.B, SPGEMM_CFP64);
    b.options.product.op_b = SPGEMM_OP_CONJUGATE_TRANSPOSE;
    expect(&b, false, true);
}

Test(by_columns, leave_entries_to_what_reads_them)
{
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr D = make_uniform(&m, 200, 200, 1);
    columns_bench with_D = bench();
    with_D.options.product.D = &D;
    expect(&with_D, true, true);
    free_csr(&D);
    columns_bench with_predictor = bench();
    with_predictor.options.predict.method = SPGEMM_PREDICTOR_COHEN;
    expect(&with_predictor, true, true);
    columns_bench with_plan = bench();
    with_plan.self.is_repeated = true;
    expect(&with_plan, false, true);
}

Test(by_columns, are_of_no_use_without_a_mask)
{
    columns_bench b = bench();
    b.options.filter.mask_mode = SPGEMM_MASK_COMPLEMENT;
    expect(&b, false, true);
}

/* A mask of everything asks for far more dot products than there are products. */
Test(by_columns, are_left_where_rows_are_less_work)
{
    columns_bench b = bench_of(SPGEMM_OP_TRANSPOSE, 4000, 2, 400, 4000, 2);
    free_csr(&b.mask);
    b.mask = make_all_entries(&b.m, 200, 400);
    expect(&b, false, true);
}

/* Rows of B whose columns are at hand nowhere are transposed where products are many, and
   the copy is small. */
Test(by_columns, are_made_where_products_are_many)
{
    columns_bench many = bench_of(SPGEMM_OP_NONE, 200, 40, 200, 200, 40);
    expect(&many, true, true);
    columns_bench few = bench_of(SPGEMM_OP_NONE, 2000, 8, 2000, 200, 1);
    expect(&few, false, true);
}

Test(by_columns, are_not_made_beyond_a_limit)
{
    columns_bench b = bench_of(SPGEMM_OP_NONE, 200, 40, 200, 200, 40);
    b.options.resources.memory_limit_bytes = 150000;
    expect(&b, false, true);
}
