/* SPDX-License-Identifier: BSD-3-Clause */
#include "spgemm/pipeline/analyze.h"

#include <criterion/criterion.h>

#include "generate.h"

static const kernels without_marks;

typedef struct trial {
    memory m;
    analysis of;
    spgemm_fault fault;
    bool is_sorted;
} trial;

/* A, whose entries name rows of A. It must not move. */
static spgemm_status analyze(trial *t, const spgemm_csr *A, bool is_trusted,
                             int nthreads)
{
    *t = (trial){.is_sorted = is_trusted && A->flags & SPGEMM_SORTED_ROWS};
    spgemm_memory_init(&t->m, NULL);
    const bool takes_bitmaps =
        spgemm_takes_bitmaps(A, A, &without_marks, true, false);
    t->of = (analysis){.X = A,
                       .kernels = &without_marks,
                       .m = &t->m,
                       .wants_same = takes_bitmaps,
                       .wants_bitmaps = takes_bitmaps};
    return spgemm_analyze(&t->of, is_trusted, nthreads, &t->is_sorted,
                          &t->fault);
}

static void end(trial *t)
{
    spgemm_analysis_clear(&t->of);
    cr_expect_eq(t->m.live_bytes, 0);
}

static bool is_as_previous(const spgemm_csr *A, int64_t i)
{
    const int64_t length = A->rowptr[i + 1] - A->rowptr[i];
    if (i == 0 || length != A->rowptr[i] - A->rowptr[i - 1])
        return false;
    for (int64_t t = 0; t < length; t++)
        if (column_of(A, A->rowptr[i] + t) !=
            column_of(A, A->rowptr[i - 1] + t))
            return false;
    return true;
}

/* Three unknowns a node: rows of one pattern, columns that come in runs. */
Test(analyze, finds_equal_rows_and_bitmaps_of_finite_elements)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_fem(&m, 300, 3, 3);
    for (int is_trusted = 0; is_trusted < 2; is_trusted++)
        for (int nthreads = 1; nthreads < 4; nthreads += 2) {
            trial t;
            A.flags |= SPGEMM_SORTED_ROWS;
            cr_assert_eq(analyze(&t, &A, is_trusted, nthreads), SPGEMM_SUCCESS);
            cr_assert(t.is_sorted);
            cr_assert_not_null(t.of.same);
            cr_assert_not_null(t.of.bitmaps.row);
            for (int64_t i = 1; i < A.nrows; i++)
                cr_assert_eq(t.of.same[i] != 0, is_as_previous(&A, i), "row %d",
                             (int)i);
            end(&t);
        }
    free_csr(&A);
}

Test(analyze, finds_nothing_in_scattered_columns)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    trial t;
    spgemm_csr A = make_uniform(&m, 2000, 2000, 5);
    cr_assert_eq(analyze(&t, &A, false, 1), SPGEMM_SUCCESS);
    cr_expect(t.is_sorted, "it was looked at");
    cr_expect_null(t.of.bitmaps.row);
    cr_expect_null(t.of.same);
    cr_expect_null(t.of.next);
    end(&t);
    free_csr(&A);
}

Test(analyze, keeps_nothing_of_rows_in_no_order)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    trial t;
    spgemm_csr A = make_jumbled(&m, 500, 500, 6);
    cr_assert_eq(analyze(&t, &A, false, 2), SPGEMM_SUCCESS);
    cr_expect_not(t.is_sorted);
    cr_expect_null(t.of.bitmaps.row);
    end(&t);
    cr_assert_eq(analyze(&t, &A, true, 2), SPGEMM_SUCCESS);
    cr_expect_null(t.of.bitmaps.row);
    end(&t);
    free_csr(&A);
}

Test(analyze, says_where_a_matrix_is_malformed)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    trial t;
    spgemm_csr A = make_fem(&m, 300, 3, 3);
    set_column_of(&A, 1234, -7);
    cr_assert_eq(analyze(&t, &A, false, 2), SPGEMM_ERROR_STRUCTURE);
    cr_expect_str_eq(t.fault.array, "colidx");
    cr_expect_eq(t.fault.position, 1234);
    cr_expect_eq(t.fault.value, -7);
    end(&t);
    free_csr(&A);
}

/* Rows of up to 64 products are sorted, and use bitmaps only where they are alike. */
Test(analyze, takes_no_bitmaps_for_rows_that_are_sorted)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    const kernels sorting = {.bitmap_fill_alone = 1, .sorted_products = 64};
    spgemm_csr few = make_banded(&m, 300, 2, 1.0);  /* 25 products a row */
    spgemm_csr more = make_banded(&m, 300, 5, 1.0); /* 121 */
    spgemm_csr alike = make_fem(&m, 300, 0, 3);     /* 36 */
    spgemm_csr tiny = make_fem(&m, 300, 0, 2); /* 16: sorted all the same */
    cr_expect(spgemm_takes_bitmaps(&few, &few, &without_marks, true, true));
    cr_expect_not(spgemm_takes_bitmaps(&few, &few, &sorting, true, true));
    cr_expect(spgemm_takes_bitmaps(&more, &more, &sorting, true, true));
    cr_expect(spgemm_takes_bitmaps(&alike, &alike, &sorting, true, true));
    cr_expect_not(spgemm_takes_bitmaps(&tiny, &tiny, &sorting, true, true));
    free_csr(&few);
    free_csr(&more);
    free_csr(&alike);
    free_csr(&tiny);
}

/* Of few rows of A, making bitmaps of all of B would take longer than they save. */
Test(analyze, takes_no_bitmaps_for_a_few_products)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    const kernels some = {.bitmap_fill_alone = 2.0};
    spgemm_csr B = make_fem(&m, 300, 3, 3);
    spgemm_csr A = B;
    cr_expect(spgemm_takes_bitmaps(&A, &B, &some, true, false));
    A.nrows = 3 * 3;
    A.nnz = A.rowptr[A.nrows];
    cr_expect_not(spgemm_takes_bitmaps(&A, &B, &some, true, false));
    cr_expect(spgemm_takes_bitmaps(&A, &B, &some, true, true));
    free_csr(&B);
}
