/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <string.h>

#include "failing_allocator.h"
#include "spgemm/spgemm.h"

Test(csr_create, zeroes_rowptr)
{
    spgemm_csr A = {0};
    cr_assert_eq(
        spgemm_csr_create(&A, 1000, 20, 30, SPGEMM_I32, SPGEMM_FP64, NULL),
        SPGEMM_SUCCESS);
    for (int i = 0; i <= 1000; i++)
        cr_assert_eq(A.rowptr[i], 0);
    cr_expect_eq(A.nrows, 1000);
    cr_expect_eq(A.ncols, 20);
    cr_expect_eq(A.nnz, 30);
    cr_expect(A.flags & SPGEMM_OWNS_ARRAYS);
    memset(A.colidx, 1, 30 * sizeof(int32_t));
    memset(A.values, 1, 30 * sizeof(double));
    spgemm_csr_destroy(&A);
    cr_expect_null(A.rowptr);
    cr_expect_eq(A.flags, 0);
}

Test(csr_create, makes_empty_shapes)
{
    static const int64_t shapes[][2] = {{0, 0}, {0, 5}, {5, 0}};
    for (int t = 0; t < 3; t++) {
        spgemm_csr A = {0};
        cr_assert_eq(spgemm_csr_create(&A, shapes[t][0], shapes[t][1], 0,
                                       SPGEMM_I64, SPGEMM_FP64, NULL),
                     SPGEMM_SUCCESS);
        cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
        spgemm_csr_destroy(&A);
    }
}

Test(csr_create, refuses_a_null_and_unknown_types)
{
    spgemm_csr A;
    cr_expect_eq(
        spgemm_csr_create(NULL, 1, 1, 1, SPGEMM_I32, SPGEMM_FP64, NULL),
        SPGEMM_ERROR_INVALID);
    cr_expect_eq(
        spgemm_csr_create(&A, 1, 1, 1, SPGEMM_I32, (spgemm_value_type)9, NULL),
        SPGEMM_ERROR_INVALID);
}

Test(csr_create, remembers_its_hooks_by_value)
{
    failing_allocator *f = failing_allocator_create();
    spgemm_allocator hooks = failing_allocator_hooks(f);
    spgemm_csr A = {0};
    cr_assert_eq(
        spgemm_csr_create(&A, 4, 4, 4, SPGEMM_I32, SPGEMM_FP64, &hooks),
        SPGEMM_SUCCESS);
    memset(&hooks, 0x3c, sizeof hooks);
    cr_expect_eq(f->live, 3);
    spgemm_csr_destroy(&A);
    cr_expect_eq(f->live, 0);
    cr_expect_eq(f->foreign, 0);
    failing_allocator_destroy(f);
}

Test(csr_destroy, accepts_null_zero_and_twice)
{
    spgemm_csr A = {0};
    spgemm_csr_destroy(NULL);
    spgemm_csr_destroy(&A);
    cr_assert_eq(spgemm_csr_create(&A, 4, 4, 4, SPGEMM_I32, SPGEMM_FP64, NULL),
                 SPGEMM_SUCCESS);
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&A);
}

Test(csr_destroy, leaves_the_arrays_of_a_view)
{
    int64_t rowptr[] = {0, 1};
    int32_t colidx[] = {0};
    double values[] = {5};
    spgemm_csr A = spgemm_csr_view(1, 1, 1, rowptr, colidx, values, SPGEMM_I32,
                                   SPGEMM_FP64);
    cr_expect_eq(A.flags, 0);
    spgemm_csr_destroy(&A);
    cr_expect_eq(values[0], 5);
    cr_expect_null(A.values);
}
