/* SPDX-License-Identifier: BSD-3-Clause */
#include "spgemm/pipeline/epilogue.h"

#include <criterion/criterion.h>

#include "generate.h"
#include "spgemm/pipeline/kept.h"

typedef struct trial {
    maker maker;
    spgemm_csr A; /* 20 x 20, and B */
    memory m;
    operands ops;
    epilogue_copies made;
    spgemm_fault fault;
    int64_t products[20];
} trial;

/* It must not move. */
static void begin(trial *t)
{
    *t = (trial){.maker = {{5}, SPGEMM_I32, VALUES_INTEGER}};
    spgemm_memory_init(&t->m, NULL);
    t->A = make_banded(&t->maker, 20, 3, 0.8);
    for (int i = 0; i < 20; i++)
        t->products[i] = 12;
    t->ops = (operands){.A = &t->A,
                        .B = &t->A,
                        .value_size = sizeof(double),
                        .products = t->products};
}

static spgemm_status make(trial *t, spgemm_options options)
{
    return spgemm_epilogue_make(&t->made, &t->ops, NULL, &options, &t->m,
                                &t->fault);
}

static void end(trial *t)
{
    spgemm_epilogue_clear(&t->made, &t->m);
    cr_expect_eq(t->m.live_bytes, 0);
    free_csr(&t->A);
}

Test(epilogue, is_none_where_nothing_is_asked_for)
{
    trial t;
    begin(&t);
    cr_assert_eq(make(&t, (spgemm_options){0}), SPGEMM_SUCCESS);
    cr_expect_null(t.ops.epilogue);
    cr_expect_null(t.ops.mask);
    cr_expect_not(t.ops.sort_rows);
    cr_expect_eq(t.m.live_bytes, 0);
    end(&t);
}

Test(epilogue, takes_a_mask_in_order_as_it_is)
{
    trial t;
    begin(&t);
    spgemm_csr mask = make_uniform(&t.maker, 20, 20, 4);
    mask.flags |= SPGEMM_SORTED_ROWS;
    cr_assert_eq(make(&t, (spgemm_options){.filter.mask = &mask}),
                 SPGEMM_SUCCESS);
    cr_expect_eq(t.ops.mask, &mask);
    cr_expect_null(t.ops.epilogue, "sums are what C has");
    free_csr(&mask);
    end(&t);
}

Test(epilogue, puts_a_mask_in_order)
{
    trial t;
    begin(&t);
    spgemm_csr mask = make_jumbled(&t.maker, 20, 20, 6);
    spgemm_csr before = copy_csr(&mask);
    cr_assert_eq(make(&t, (spgemm_options){.filter.mask = &mask}),
                 SPGEMM_SUCCESS);
    cr_expect_eq(t.ops.mask, &t.made.mask);
    for (int64_t i = 0; i < 20; i++)
        for (int64_t p = t.ops.mask->rowptr[i] + 1;
             p < t.ops.mask->rowptr[i + 1]; p++)
            cr_assert_lt(column_of(t.ops.mask, p - 1), column_of(t.ops.mask, p),
                         "each column once");
    cr_expect(spgemm_csr_equal(&before, &mask), "the caller's is as it was");
    free_csr(&before);
    free_csr(&mask);
    end(&t);
}

/* What C has outside of the mask is known when a row is summed. */
Test(epilogue, leaves_a_complement_to_the_end)
{
    trial t;
    begin(&t);
    spgemm_csr mask = make_uniform(&t.maker, 20, 20, 4);
    mask.flags |= SPGEMM_SORTED_ROWS;
    cr_assert_eq(
        make(&t,
             (spgemm_options){.filter = {.mask = &mask,
                                         .mask_mode = SPGEMM_MASK_COMPLEMENT}}),
        SPGEMM_SUCCESS);
    cr_expect_null(t.ops.mask);
    cr_assert_eq(t.ops.epilogue, &t.made.applied);
    cr_expect_eq(t.ops.epilogue->mask, &mask);
    cr_expect(t.ops.epilogue->is_complement);
    cr_expect(t.ops.sort_rows);
    free_csr(&mask);
    end(&t);
}

/* Of 20 rows of 12 products; are_cut: as if some had more than C has columns, so that
   all rows are looked at. */
static int64_t bound_of(const operands *ops, bool are_cut)
{
    product_counts counts = {
        .nrows = ops->A->nrows, .total = 20 * 12 + are_cut, .bound = 20 * 12};
    spgemm_kept_bounds(&counts, ops, 1);
    return counts.bound;
}

Test(epilogue, bounds_rows_by_what_is_added_and_dropped)
{
    trial t;
    begin(&t);
    spgemm_csr D = make_uniform(&t.maker, 20, 20, 5);
    D.flags |= SPGEMM_SORTED_ROWS;
    cr_expect_eq(bound_of(&t.ops, false), 20 * 12);
    cr_expect_eq(bound_of(&t.ops, true), 20 * 12);
    cr_assert_eq(make(&t, (spgemm_options){.product.D = &D}), SPGEMM_SUCCESS);
    cr_expect_eq(bound_of(&t.ops, false), 20 * 12 + D.nnz);
    cr_assert_eq(
        make(&t, (spgemm_options){.product.D = &D, .filter.keep_top = 3}),
        SPGEMM_SUCCESS);
    cr_expect_eq(bound_of(&t.ops, false), 20 * 3);
    free_csr(&D);
    end(&t);
}

Test(epilogue, names_the_operand_that_is_malformed)
{
    trial t;
    begin(&t);
    spgemm_csr mask = make_uniform(&t.maker, 20, 20, 4);
    set_column_of(&mask, 33, 20);
    cr_assert_eq(make(&t, (spgemm_options){.filter.mask = &mask}),
                 SPGEMM_ERROR_STRUCTURE);
    cr_expect_str_eq(t.fault.operand, "mask");
    cr_expect_eq(t.fault.position, 33);
    cr_expect_eq(t.fault.value, 20);
    free_csr(&mask);
    end(&t);
}
