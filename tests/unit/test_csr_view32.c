/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "failing_allocator.h"
#include "spgemm/spgemm.h"

static const int32_t rowptr[] = {0, 2, 2, 3};
static const int32_t colidx[] = {4, 1, 0};
static const float values[] = {1, 2, 3};

static spgemm_status view(spgemm_csr *A, const spgemm_allocator *allocator)
{
    return spgemm_csr_view32(A, 3, 5, rowptr, colidx, values, SPGEMM_FP32,
                             allocator);
}

Test(csr_view32, widens_the_row_pointers_only)
{
    spgemm_csr A;
    cr_assert_eq(view(&A, NULL), SPGEMM_SUCCESS);
    cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    cr_expect_eq(A.nrows, 3);
    cr_expect_eq(A.ncols, 5);
    cr_expect_eq(A.nnz, 3);
    cr_expect_eq(A.flags, SPGEMM_OWNS_ROWPTR);
    cr_expect_eq(A.index_type, SPGEMM_I32);
    cr_expect_eq(A.value_type, SPGEMM_FP32);
    cr_expect_eq(A.colidx, colidx);
    cr_expect_eq(A.values, values);
    for (int i = 0; i <= 3; i++)
        cr_expect_eq(A.rowptr[i], rowptr[i]);
    spgemm_csr_destroy(&A);
    cr_expect_null(A.rowptr);
    cr_expect_eq(A.flags, 0);
}

Test(csr_view32, takes_one_array_from_its_hooks)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    spgemm_csr A = {.nrows = 77};
    failing_allocator_arm(f, 0, true);
    cr_expect_eq(view(&A, &hooks), SPGEMM_ERROR_OUT_OF_MEMORY);
    cr_expect_eq(A.nrows, 77);
    failing_allocator_arm(f, -1, false);
    cr_assert_eq(view(&A, &hooks), SPGEMM_SUCCESS);
    cr_expect_eq(f->live, 1);
    cr_expect_eq(f->live_bytes, 4 * sizeof(int64_t));
    spgemm_csr_destroy(&A);
    cr_expect_eq(f->live, 0);
    cr_expect_eq(f->foreign, 0);
    failing_allocator_destroy(f);
}

Test(csr_view32, may_be_a_pattern_or_empty)
{
    static const int32_t zero[] = {0};
    spgemm_csr A;
    cr_assert_eq(
        spgemm_csr_view32(&A, 3, 5, rowptr, colidx, NULL, SPGEMM_FP64, NULL),
        SPGEMM_SUCCESS);
    cr_expect_null(A.values);
    spgemm_csr_destroy(&A);
    cr_assert_eq(
        spgemm_csr_view32(&A, 0, 5, zero, NULL, NULL, SPGEMM_FP64, NULL),
        SPGEMM_SUCCESS);
    cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    spgemm_csr_destroy(&A);
}

/* What a view cannot be, and what only a check finds. */
Test(csr_view32, refuses_what_cannot_be)
{
    static const int32_t negative[] = {0, -1, 2, 3};
    static const int32_t ends_negative[] = {0, 1, 2, -3};
    static const int32_t decreasing[] = {0, 3, 2, 3};
    spgemm_csr A = {.nrows = 77};
    const struct {
        int64_t nrows;
        int64_t ncols;
        const int32_t *rowptr;
        const int32_t *colidx;
        spgemm_value_type type;
        spgemm_status status;
    } tries[] = {
        {-1, 5, rowptr, colidx, SPGEMM_FP32, SPGEMM_ERROR_INVALID},
        {3, -1, rowptr, colidx, SPGEMM_FP32, SPGEMM_ERROR_INVALID},
        {3, 5, NULL, colidx, SPGEMM_FP32, SPGEMM_ERROR_INVALID},
        {3, 5, rowptr, NULL, SPGEMM_FP32, SPGEMM_ERROR_INVALID},
        {3, 5, negative, colidx, SPGEMM_FP32, SPGEMM_ERROR_INVALID},
        {3, 5, ends_negative, colidx, SPGEMM_FP32, SPGEMM_ERROR_INVALID},
        {3, 5, rowptr, colidx, SPGEMM_ELEMENTS(0), SPGEMM_ERROR_INVALID},
        {3, (int64_t)1 << 31, rowptr, colidx, SPGEMM_FP32,
         SPGEMM_ERROR_OVERFLOW},
    };
    for (size_t t = 0; t < sizeof tries / sizeof tries[0]; t++)
        cr_expect_eq(spgemm_csr_view32(&A, tries[t].nrows, tries[t].ncols,
                                       tries[t].rowptr, tries[t].colidx, values,
                                       tries[t].type, NULL),
                     tries[t].status, "try %zu", t);
    cr_expect_eq(A.nrows, 77, "A was touched");
    cr_expect_eq(spgemm_csr_view32(NULL, 3, 5, rowptr, colidx, values,
                                   SPGEMM_FP32, NULL),
                 SPGEMM_ERROR_INVALID);
    cr_assert_eq(spgemm_csr_view32(&A, 3, 5, decreasing, colidx, values,
                                   SPGEMM_FP32, NULL),
                 SPGEMM_SUCCESS);
    cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_ERROR_STRUCTURE);
    spgemm_csr_destroy(&A);
}
