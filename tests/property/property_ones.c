/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of truths all of which are true, or all but one: by every semiring the
   reference, whatever else is asked for, and in plans that are repeated with others. */
#include <string.h>

#include "spgemm/plan.h"

#include "every_form.h"
#include "guarded_memory.h"

static void fill(spgemm_csr *X, char truth)
{
    memset(X->values, truth, (size_t)X->nnz);
}

static spgemm_csr make_truths(maker *m, int64_t nrows, int64_t ncols)
{
    spgemm_csr X = make_uniform(m, nrows, ncols, 6);
    set_type(m, &X, SPGEMM_BOOL);
    fill(&X, '\2');
    return X;
}

static void expect_every_semiring(const spgemm_csr *A, const spgemm_csr *B,
                                  spgemm_options options, const char *name)
{
    for (int s = 0; s < SPGEMM_USER; s++) {
        trial t = {A, B, options, NULL};
        t.options.product.semiring = (spgemm_semiring)s;
        t.name = form_text(A, &t.options, name);
        expect_some_forms(&t, 2);
    }
}

/* The first, one within, the last, and none is false. */
Test(ones, are_not_where_a_truth_is_false)
{
    for (int index_type = 0; index_type < 2; index_type++)
        for (int which = 0; which < 8; which++) {
            maker m = {{5}, (spgemm_index_type)index_type, VALUES_INTEGER};
            spgemm_csr A = make_truths(&m, 60, 50);
            spgemm_csr B = make_truths(&m, 50, 70);
            spgemm_csr *X = which % 2 ? &A : &B;
            const int64_t at[] = {0, X->nnz / 2, X->nnz - 1};
            if (which / 2 < 3)
                ((char *)X->values)[at[which / 2]] = 0;
            expect_every_semiring(&A, &B, (spgemm_options){0}, "one is false");
            free_csr(&A);
            free_csr(&B);
        }
}

Test(ones, are_not_in_a_square_where_a_truth_is_false)
{
    for (int which = 0; which < 2; which++) {
        maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
        spgemm_csr A = make_truths(&m, 60, 60);
        ((char *)A.values)[A.nnz - 1] = (char)which;
        expect_every_semiring(&A, &A, (spgemm_options){0}, "a square");
        free_csr(&A);
    }
}

/* Far more entries of B than of A, some of which are false. */
Test(ones, are_not_looked_for_in_a_b_that_is_large)
{
    maker m = {{7}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_truths(&m, 2, 500);
    spgemm_csr B = make_truths(&m, 500, 90);
    expect_every_semiring(&A, &B, (spgemm_options){0}, "a large B");
    ((char *)B.values)[B.nnz / 2] = 0;
    expect_every_semiring(&A, &B, (spgemm_options){0}, "a large B");
    free_csr(&A);
    free_csr(&B);
}

Test(ones, are_only_sums_that_nothing_is_made_of)
{
    static const int64_t rows[] = {7, 0, 7, 3};
    static const char no = 0;
    maker m = {{8}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_truths(&m, 60, 60);
    spgemm_csr D = make_truths(&m, 60, 60);
    spgemm_csr mask = make_uniform(&m, 60, 60, 20);
    const spgemm_options options[] = {
        {.product.alpha = &no},
        {.product.D = &D},
        {.product.D = &D, .product.beta = &no},
        {.filter.drop_zeros = true},
        {.filter.drop_tolerance = 1.0},
        {.filter.keep_top = 3},
        {.filter.mask = &mask},
        {.filter.mask = &mask, .filter.mask_mode = SPGEMM_MASK_COMPLEMENT},
        {.product.op_a = SPGEMM_OP_TRANSPOSE},
        {.product.op_b = SPGEMM_OP_TRANSPOSE,
         .product.rows = rows,
         .product.nrows = 4},
    };
    for (int is_false = 0; is_false < 2; is_false++) {
        for (size_t n = 0; n < sizeof options / sizeof options[0]; n++)
            expect_every_semiring(&A, &A, options[n], "more is asked for");
        ((char *)A.values)[A.nnz / 3] = 0;
        fill(&D, 0);
    }
    free_csr(&A);
    free_csr(&D);
    free_csr(&mask);
}

static void expect_fresh(const spgemm_csr *C, const spgemm_csr *A,
                         const spgemm_options *options)
{
    spgemm_csr fresh = {0};
    cr_assert_eq(spgemm_predicted(&fresh, A, A, options, NULL), SPGEMM_SUCCESS);
    char text[200];
    cr_assert(typed_agree(C, &fresh, text, sizeof text), "semiring %d: %s",
              (int)options->product.semiring, text);
    spgemm_csr_destroy(&fresh);
}

/* Planned with truths that are all true, and repeated with others. */
Test(ones, may_become_others_when_a_plan_is_repeated)
{
    for (int s = 0; s < SPGEMM_USER; s++) {
        const spgemm_options options = {.product.semiring = (spgemm_semiring)s};
        maker m = {{9}, SPGEMM_I32, VALUES_INTEGER};
        spgemm_csr A = make_truths(&m, 300, 300);
        spgemm_csr C = {0};
        spgemm_plan *plan = NULL;
        cr_assert_eq(spgemm_plan_create(&plan, &C, &A, &A, &options, NULL),
                     SPGEMM_SUCCESS);
        expect_fresh(&C, &A, &options);
        for (int turn = 0; turn < 3; turn++) {
            fill(&A, (char)(turn % 2));
            cr_assert_eq(spgemm_plan_repeat(plan, &C, &A, &A, NULL),
                         SPGEMM_SUCCESS);
            expect_fresh(&C, &A, &options);
        }
        spgemm_csr_destroy(&C);
        spgemm_plan_destroy(plan);
        free_csr(&A);
    }
}

/* nnz is not checked yet when values are looked at. */
Test(ones, are_not_looked_for_behind_the_last_value)
{
    for (int which = 0; which < 2; which++) {
        maker m = {{10}, SPGEMM_I32, VALUES_INTEGER};
        guarded_heap heap = {0};
        spgemm_csr A = make_truths(&m, 60, 60);
        spgemm_csr B = make_truths(&m, 60, 60);
        spgemm_csr *X = which == 0 ? &A : &B;
        drop_values(X);
        X->nnz = (X->nnz + 63) / 64 * 64;
        X->values = guarded_allocate(&heap, (size_t)X->nnz);
        fill(X, 1);
        X->nnz++;
        const trial t = {&A, &B, {.product.semiring = SPGEMM_OR_AND}, "nnz"};
        expect_refusal(&t, SPGEMM_ERROR_STRUCTURE);
        guarded_release(&heap, X->values);
        X->values = NULL;
        free_csr(&A);
        free_csr(&B);
    }
}
