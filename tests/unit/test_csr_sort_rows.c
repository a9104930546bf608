/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "generate.h"
#include "matrix/csr.h"
#include "reference.h"
#include "typed.h"

/* Insertion sort, row by row: stable. */
static void slow_sort(spgemm_csr *A)
{
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i] + 1; p < A->rowptr[i + 1]; p++)
            for (int64_t q = p;
                 q > A->rowptr[i] && column_of(A, q - 1) > column_of(A, q); q--)
                swap_entries(A, q - 1, q);
}

static bool has_duplicates(const spgemm_csr *sorted)
{
    for (int64_t i = 0; i < sorted->nrows; i++)
        for (int64_t p = sorted->rowptr[i] + 1; p < sorted->rowptr[i + 1]; p++)
            if (column_of(sorted, p) == column_of(sorted, p - 1))
                return true;
    return false;
}

static void expect_sorted(spgemm_csr *A)
{
    char text[256];
    spgemm_csr want = copy_csr(A);
    slow_sort(&want);
    cr_assert_eq(spgemm_csr_sort_rows(A), SPGEMM_SUCCESS);
    cr_expect(matrices_agree(A, &want, text, sizeof text), "%s", text);
    cr_expect_eq(!(A->flags & SPGEMM_SORTED_ROWS), has_duplicates(&want));
    free_csr(A);
    free_csr(&want);
}

Test(csr_sort_rows, is_stable)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{4}, (spgemm_index_type)type, VALUES_ARBITRARY};
        static const int64_t lengths[] = {1,  7,  8,   15,  16,  17, 33,
                                          64, 65, 127, 128, 129, 700};
        for (int t = 0; t < 13; t++) {
            spgemm_csr few = make_jumbled(&m, 12, 5, lengths[t]);
            spgemm_csr many = make_jumbled(&m, 12, 100000000, lengths[t]);
            expect_sorted(&few);
            expect_sorted(&many);
        }
    }
}

/* More columns than 32 bits tell apart, in rows of any length. */
Test(csr_sort_rows, sorts_by_all_bits_of_a_column)
{
    maker m = {{4}, SPGEMM_I64, VALUES_ARBITRARY};
    for (int64_t length = 4; length <= 512; length *= 2) {
        spgemm_csr A = make_jumbled(&m, 12, (int64_t)1 << 40, length);
        expect_sorted(&A);
    }
}

/* The diagonal before the rest of its row, and rows of which some are in order. */
Test(csr_sort_rows, sorts_rows_that_are_nearly_in_order)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{4}, (spgemm_index_type)type, VALUES_ARBITRARY};
        for (int64_t length = 4; length <= 512; length *= 2) {
            spgemm_csr A = make_uniform(&m, 12, 100000, length);
            for (int64_t i = 0; i < A.nrows; i += 2)
                for (int64_t p = A.rowptr[i] + length / 2; p > A.rowptr[i]; p--)
                    swap_entries(&A, p - 1, p);
            A.flags &= ~(uint32_t)SPGEMM_SORTED_ROWS;
            expect_sorted(&A);
        }
    }
}

Test(csr_sort_rows, leaves_sorted_rows)
{
    maker m = {{4}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_uniform(&m, 50, 400, 30);
    spgemm_csr none = make_empty(&m, 0, 4);
    expect_sorted(&A);
    expect_sorted(&none);
}

Test(csr_sort_rows, sorts_a_pattern)
{
    const int64_t rowptr[] = {0, 3};
    int32_t colidx[] = {5, 1, 3};
    spgemm_csr A =
        spgemm_csr_view(1, 6, 3, rowptr, colidx, NULL, SPGEMM_I32, SPGEMM_FP64);
    cr_assert_eq(spgemm_csr_sort_rows(&A), SPGEMM_SUCCESS);
    cr_expect_eq(colidx[0], 1);
    cr_expect_eq(colidx[1], 3);
    cr_expect_eq(colidx[2], 5);
}

/* Any type, any number of threads; frees A. */
static void expect_typed(spgemm_csr *A, const char *name)
{
    static const int teams[] = {1, 2, 7};
    spgemm_csr places = numbered_copy(A);
    memory m;
    spgemm_memory_init(&m, NULL);
    slow_sort(&places);
    for (int n = 0; n < 3; n++)
        for (int t = 0; t <= TYPED_COUNT; t++) {
            spgemm_csr from = typed_copy(A, typed_type(t % TYPED_COUNT));
            spgemm_csr sorted = copy_csr(&from);
            spgemm_csr owned = sorted;
            if (t == TYPED_COUNT)
                sorted.values = NULL;
            const spgemm_csr pattern = pattern_of(&from);
            cr_assert_eq(spgemm_csr_sort_rows_of(&sorted, teams[n], &m),
                         SPGEMM_SUCCESS);
            cr_assert(elements_agree(&sorted, sorted.values ? &from : &pattern,
                                     &places),
                      "%s: type %d, %d threads", name, t, teams[n]);
            cr_expect_eq(!(sorted.flags & SPGEMM_SORTED_ROWS),
                         has_duplicates(&places));
            free_csr(&from);
            free_csr(&owned);
        }
    cr_expect_eq(m.live_bytes, 0);
    free_csr(&places);
    free_csr(A);
}

Test(csr_sort_rows, is_the_same_for_any_type_and_team)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{4}, (spgemm_index_type)type, VALUES_INTEGER};
        spgemm_csr short_rows = make_jumbled(&m, 20000, 5000, 9);
        spgemm_csr long_rows = make_jumbled(&m, 400, 30, 300);
        spgemm_csr few = make_jumbled(&m, 3, 100000000, 2000);
        expect_typed(&short_rows, "short rows");
        expect_typed(&long_rows, "long rows");
        expect_typed(&few, "few rows");
    }
}

/* As much room as the entries take, though seven threads could use more. */
Test(csr_sort_rows, takes_room_for_as_many_entries_as_there_are)
{
    maker of = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_jumbled(&of, 3, 1000000, 200000);
    memory m;
    spgemm_memory_init(&m, NULL);
    cr_assert_eq(spgemm_csr_sort_rows_of(&A, 7, &m), SPGEMM_SUCCESS);
    cr_expect_leq(m.peak_bytes, 40 * (size_t)A.nnz);
    free_csr(&A);
}

Test(csr_sort_rows, refuses_null)
{
    cr_expect_eq(spgemm_csr_sort_rows(NULL), SPGEMM_ERROR_INVALID);
}
