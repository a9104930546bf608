/* SPDX-License-Identifier: BSD-3-Clause */
/* A context changes no result, is kept between calls, and gives all back. */
#include "spgemm/context.h"

#include "expect.h"
#include "failing_allocator.h"
#include "spgemm/stream.h"

/* All cases in turn by one context, each as without it. */
Test(context, changes_no_result)
{
    spgemm_context *context = NULL;
    cr_assert_eq(spgemm_context_create(&context, NULL), SPGEMM_SUCCESS);
    for (int number = 0; number < product_case_count; number++)
        for (int nthreads = 1; nthreads <= 7; nthreads += 3) {
            spgemm_csr A;
            spgemm_csr B;
            spgemm_csr with = {0};
            spgemm_csr without = {0};
            make_case(number, number % 2 ? SPGEMM_I64 : SPGEMM_I32,
                      VALUES_ARBITRARY, &A, &B);
            spgemm_options options = {.resources.nthreads = nthreads,
                                      .product.semiring =
                                          number % 3 ? SPGEMM_PLUS_TIMES
                                                     : SPGEMM_MAX_PLUS};
            cr_assert_eq(spgemm_predicted(&without, &A, &B, &options, NULL),
                         SPGEMM_SUCCESS);
            options.resources.context = context;
            cr_assert_eq(spgemm_predicted(&with, &A, &B, &options, NULL),
                         SPGEMM_SUCCESS);
            expect_agree(&with, &without, product_cases[number].name);
            spgemm_csr_destroy(&with);
            spgemm_csr_destroy(&without);
            free_csr(&A);
            free_csr(&B);
        }
    cr_assert_gt(spgemm_context_bytes(context), 0);
    spgemm_context_trim(context);
    cr_assert_eq(spgemm_context_bytes(context), 0);
    spgemm_context_destroy(context);
}

static int trim_now(void *context, const spgemm_csr *rows, int64_t first_row)
{
    (void)rows;
    (void)first_row;
    const size_t bytes = spgemm_context_bytes(context);
    spgemm_context_trim(context);
    return bytes == 0 || spgemm_context_bytes(context) != bytes;
}

/* Nothing is taken from under a call. */
Test(context, is_not_trimmed_while_it_is_used)
{
    spgemm_context *context;
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 400, 400, 20);
    cr_assert_eq(spgemm_context_create(&context, NULL), SPGEMM_SUCCESS);
    const spgemm_options options = {.resources.context = context};
    for (int t = 0; t < 3; t++)
        cr_assert_eq(
            spgemm_stream(&A, &A, &options, 20000, trim_now, context, NULL),
            SPGEMM_SUCCESS);
    spgemm_context_trim(context);
    cr_expect_eq(spgemm_context_bytes(context), 0);
    spgemm_context_destroy(context);
    free_csr(&A);
}

/* The second call of the same kind takes less than the first. */
Test(context, is_worked_in_again)
{
    maker m = {{8}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_rmat(&m, 10, 12000);
    failing_allocator *heap = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(heap);
    failing_allocator_arm(heap, -1, false);
    spgemm_context *context = NULL;
    cr_assert_eq(spgemm_context_create(&context, &hooks), SPGEMM_SUCCESS);
    const spgemm_options options = {.resources.nthreads = 1,
                                    .resources.context = context};
    size_t kept = 0;
    for (int time = 0; time < 3; time++) {
        spgemm_csr C = {0};
        cr_assert_eq(spgemm_predicted(&C, &A, &A, &options, NULL),
                     SPGEMM_SUCCESS);
        spgemm_csr_destroy(&C);
        if (time > 0)
            cr_assert_eq(spgemm_context_bytes(context), kept);
        kept = spgemm_context_bytes(context);
    }
    spgemm_context_destroy(context);
    cr_assert_eq(heap->live, 0);
    cr_assert_eq(heap->foreign, 0);
    failing_allocator_destroy(heap);
    free_csr(&A);
}

Test(context, refuses_nonsense)
{
    spgemm_context *context = NULL;
    cr_assert_eq(spgemm_context_create(NULL, NULL), SPGEMM_ERROR_INVALID);
    const spgemm_allocator half = {.allocate = NULL, .release = NULL};
    cr_assert_eq(spgemm_context_create(&context, &half), SPGEMM_SUCCESS);
    spgemm_context_destroy(context);
    spgemm_context_destroy(NULL);
    spgemm_context_trim(NULL);
    cr_assert_eq(spgemm_context_bytes(NULL), 0);
}
