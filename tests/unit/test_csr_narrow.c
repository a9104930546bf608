/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that 32 bits hold are the same in them; all others are none. */
#include "matrix/csr_narrow.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "build_csr.h"

enum { MANY = 300001 };

/* One row of such columns, of which `count` are there. */
static spgemm_csr one_row(int64_t *rowptr, int64_t *colidx, int64_t count)
{
    rowptr[0] = 0;
    rowptr[1] = count;
    spgemm_csr X = spgemm_csr_view(1, INT32_MAX, count, rowptr, colidx, NULL,
                                   SPGEMM_I64, SPGEMM_FP64);
    X.flags |= SPGEMM_SORTED_ROWS;
    return X;
}

static void expect_narrow(const spgemm_csr *X, int nthreads)
{
    memory m;
    spgemm_csr narrow = {0};
    spgemm_memory_init(&m, NULL);
    cr_assert_eq(spgemm_csr_narrow(&narrow, X, nthreads, &m), SPGEMM_SUCCESS);
    cr_expect_eq(narrow.index_type, SPGEMM_I32);
    cr_expect_eq(narrow.flags, SPGEMM_SORTED_ROWS);
    cr_expect_eq(narrow.rowptr, X->rowptr);
    cr_expect_eq(m.live_bytes, (size_t)X->nnz * 4);
    for (int64_t p = 0; p < X->nnz; p++) {
        const int64_t j = ((const int64_t *)X->colidx)[p];
        const int32_t found = ((const int32_t *)narrow.colidx)[p];
        if (j >= 0 && j <= INT32_MAX)
            cr_assert_eq(found, j);
        else
            cr_assert_lt(found, 0, "%lld became %d", (long long)j, found);
    }
    spgemm_csr_narrow_clear(&narrow, &m);
    cr_expect_eq(m.live_bytes, 0);
}

Test(csr_narrow, keeps_what_fits_and_nothing_else)
{
    int64_t rowptr[2];
    int64_t colidx[] = {0,
                        1,
                        INT32_MAX,
                        (int64_t)INT32_MAX + 1,
                        UINT32_MAX,
                        (int64_t)UINT32_MAX + 1,
                        (int64_t)UINT32_MAX + 8,
                        INT64_MAX,
                        INT64_MIN,
                        INT64_MIN + 7,
                        INT32_MIN,
                        -1};
    const int64_t most = sizeof colidx / sizeof *colidx;
    for (int64_t count = 1; count <= most; count++) {
        const spgemm_csr X = one_row(rowptr, colidx, count);
        expect_narrow(&X, 1);
    }
}

Test(csr_narrow, of_many_by_two)
{
    int64_t rowptr[2];
    int64_t *colidx = must_allocate(MANY, sizeof *colidx);
    for (int64_t p = 0; p < MANY; p++)
        colidx[p] = p % 1000 ? 7 * p : p << 32;
    const spgemm_csr X = one_row(rowptr, colidx, MANY);
    expect_narrow(&X, 2);
    free(colidx);
}

Test(csr_narrow, is_of_rows_and_columns)
{
    const int64_t most = INT32_MAX;
    cr_expect(
        spgemm_csr_is_narrow(&(spgemm_csr){.nrows = most, .ncols = most}));
    cr_expect_not(
        spgemm_csr_is_narrow(&(spgemm_csr){.nrows = 1, .ncols = most + 1}));
    cr_expect_not(
        spgemm_csr_is_narrow(&(spgemm_csr){.nrows = most + 1, .ncols = 1}));
}
