/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds that are made for what their product does. */
#include <criterion/criterion.h>

#include "make_kind.h"
#include "spgemm/spgemm.h"

static int64_t length_of(const spgemm_csr *A, int64_t i)
{
    return A->rowptr[i + 1] - A->rowptr[i];
}

static spgemm_csr multiply(const char *left, const char *right)
{
    spgemm_csr A = make_kind(left);
    spgemm_csr B = make_kind(right);
    spgemm_csr C = {0};
    cr_assert_eq(spgemm_precise(&C, &A, &B, NULL, NULL), SPGEMM_SUCCESS);
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&B);
    return C;
}

Test(generate_arrow, has_dense_first_rows_and_columns)
{
    spgemm_csr A = make_kind("arrow 4 9");
    spgemm_csr B = make_kind("arrow 4 9 5");
    cr_assert_eq(A.nrows, 36);
    for (int64_t i = 0; i < A.nrows; i++) {
        cr_expect_eq(length_of(&A, i), i % 9 == 0 ? 9 : 2);
        cr_expect(has_entry(&A, i, i / 9 * 9));
        cr_expect(has_entry(&A, i, i));
    }
    cr_expect(has_symmetric_places(&A));
    cr_expect(has_symmetric_places(&B));
    cr_expect(has_entry(&B, 12, 13));
    cr_expect_gt(B.nnz, A.nnz);
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&B);
}

/* Rows of 8 * 4 products have 4 entries, but for about one in 10. */
Test(generate_groups, compress_unless_they_are_rare)
{
    spgemm_csr C = multiply("groups 2000 8 10", "repeated 2000 1000000 4 8");
    int64_t rare = 0;
    for (int64_t i = 0; i < C.nrows; i++) {
        cr_expect(length_of(&C, i) <= 4 || length_of(&C, i) >= 16);
        rare += length_of(&C, i) > 4;
    }
    cr_expect(rare > 150 && rare < 250, "%d", (int)rare);
    spgemm_csr_destroy(&C);
}

/* 200 rows of 3 of B have 600 products: on 100 columns, or on 100,000. */
Test(generate_giants, are_of_two_kinds)
{
    spgemm_csr C = multiply("giants 1000 4 200 2", "halves 2000 100000 100 3");
    for (int64_t i = 0; i < C.nrows; i++)
        if (i % 250 != 125)
            cr_expect_leq(length_of(&C, i), 6);
        else if (i / 250 % 2 == 0)
            cr_expect_leq(length_of(&C, i), 100);
        else
            cr_expect_geq(length_of(&C, i), 500);
    spgemm_csr_destroy(&C);
}

/* Of 4095 terms each doubling is as frequent as all others. */
Test(generate_documents, have_terms_by_zipf)
{
    spgemm_csr A = make_kind("documents 3000 4095 6");
    int64_t doubling[13] = {0};
    const int32_t *columns = A.colidx;
    for (int64_t p = 0; p < A.nnz; p++)
        doubling[63 - __builtin_clzll((uint64_t)columns[p] + 1)]++;
    cr_expect_eq(doubling[12], 0);
    for (int t = 4; t < 12; t++)
        cr_expect(doubling[t] > A.nnz / 16 && doubling[t] < A.nnz / 8, "%d: %d",
                  t, (int)doubling[t]);
    for (int64_t i = 0; i < A.nrows; i++)
        cr_expect_geq(length_of(&A, i), 1);
    cr_expect(A.nnz > 3000 * 4 && A.nnz < 3000 * 7);
    spgemm_csr_destroy(&A);
}
