/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the caller's may call the library themselves: what they are refused is
   not what the call is told to have failed for, and the rounding mode that they set is
   that of their own calls. */
#include <criterion/criterion.h>
#include <fenv.h>

#include "build_csr.h"
#include "dice.h"
#include "spgemm/spgemm.h"

enum { N = 3000, EACH = 9 };

static spgemm_csr make(void)
{
    dice d = {1};
    csr_builder b = build_begin(N, N);
    for (int64_t i = 0; i < N; i++) {
        for (int k = 0; k < EACH; k++)
            build_add(&b, dice_below(&d, N), 1);
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

/* ---- A semiring that is refused something --------------------------------- */

static void times(void *context, void *t, const void *a, const void *b)
{
    (void)context;
    (void)!spgemm_csr_check(NULL, NULL);
    *(double *)t = *(const double *)a * *(const double *)b;
}

static void plus(void *context, void *s, const void *t)
{
    (void)context;
    *(double *)s += *(const double *)t;
}

static int stop(void *context, double done)
{
    (void)context;
    (void)done;
    return 1;
}

Test(callers, what_a_semiring_is_refused_is_no_reason)
{
    static const double zero = 0.0;
    const spgemm_user_semiring ring = {
        .zero = &zero, .multiply = times, .add = plus};
    const spgemm_options options = {.product.semiring = SPGEMM_USER,
                                    .product.user = &ring,
                                    .resources.nthreads = 1,
                                    .resources.progress = stop};
    spgemm_csr A = make();
    spgemm_csr C = {0};
    spgemm_report report;
    cr_expect_eq(spgemm_upper_bound(&C, &A, &A, &options, &report),
                 SPGEMM_ERROR_CANCELLED);
    cr_expect_str_eq(report.refusal, "progress asked to stop");
    cr_expect_str_eq(spgemm_error_text(), "progress asked to stop");
    free_csr(&A);
}

/* ---- Progress that multiplies in a mode of its own ------------------------ */

typedef struct nested {
    const spgemm_csr *A;
    int calls;
    bool is_right;
} nested;

static int look_inside(void *context, double done)
{
    nested *n = context;
    (void)done;
    n->calls++;
    n->is_right &= fegetround() == FE_TONEAREST;
    return 0;
}

static int multiply_inside(void *context, double done)
{
    nested *n = context;
    spgemm_csr C = {0};
    const spgemm_options options = {.resources.nthreads = 1,
                                    .resources.progress = look_inside,
                                    .resources.progress_context = n};
    (void)done;
    n->is_right &= fegetround() == FE_UPWARD;
    fesetround(FE_TONEAREST);
    n->is_right &=
        spgemm_upper_bound(&C, n->A, n->A, &options, NULL) == SPGEMM_SUCCESS;
    spgemm_csr_destroy(&C);
    return 0;
}

Test(callers, a_call_inside_has_the_mode_that_was_set_for_it)
{
    spgemm_csr A = make();
    spgemm_csr C = {0};
    nested n = {&A, 0, true};
    const spgemm_options options = {.resources.nthreads = 1,
                                    .resources.progress = multiply_inside,
                                    .resources.progress_context = &n};
    fesetround(FE_UPWARD);
    cr_expect_eq(spgemm_upper_bound(&C, &A, &A, &options, NULL),
                 SPGEMM_SUCCESS);
    cr_expect_eq(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    cr_expect_gt(n.calls, 0);
    cr_expect(n.is_right);
    spgemm_csr_destroy(&C);
    free_csr(&A);
}
