/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/csr_select.h"

#include <criterion/criterion.h>

#include "failing_allocator.h"
#include "generate.h"
#include "typed.h"

/* Row after row, entry after entry, each column looked for. */
static spgemm_csr slow_select(const spgemm_csr *A, const csr_selection *which)
{
    const int64_t nrows = which->rows ? which->nrows : A->nrows;
    const int64_t ncols = which->cols ? which->ncols : A->ncols;
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t t = 0; t < nrows; t++) {
        const int64_t i = which->rows ? which->rows[t] : t;
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            int64_t u = column_of(A, p);
            if (which->cols) {
                for (u = 0; u < ncols && which->cols[u] != column_of(A, p);)
                    u++;
                if (u == ncols)
                    continue;
            }
            build_add(&b, u, value_of(A, p));
        }
        build_end_row(&b);
    }
    return build_finish(&b, A->index_type);
}

static void expect_typed(const spgemm_csr *typed, const csr_selection *which,
                         const spgemm_csr *places, const char *name)
{
    static const int teams[] = {1, 2, 7};
    for (int n = 0; n < 3; n++) {
        spgemm_csr S;
        memory m;
        spgemm_memory_init(&m, NULL);
        cr_assert_eq(spgemm_csr_select(&S, typed, which, teams[n], &m),
                     SPGEMM_SUCCESS, "%s", name);
        cr_assert(elements_agree(&S, typed, places), "%s, %d threads", name,
                  teams[n]);
        cr_expect_eq(spgemm_csr_check(&S, NULL), SPGEMM_SUCCESS, "%s", name);
        cr_expect_eq(S.flags & SPGEMM_SORTED_ROWS,
                     typed->flags & SPGEMM_SORTED_ROWS);
        spgemm_csr_release(&S, &m);
        cr_expect_eq(m.live_bytes, 0, "%s", name);
    }
}

static void expect_selection(const spgemm_csr *A, const csr_selection *which,
                             const char *name)
{
    spgemm_csr numbers = numbered_copy(A);
    spgemm_csr places = slow_select(&numbers, which);
    for (int t = 0; t < TYPED_COUNT; t++) {
        spgemm_csr typed = typed_copy(A, typed_type(t));
        const spgemm_csr pattern = pattern_of(&typed);
        expect_typed(&typed, which, &places, name);
        if (t == 0)
            expect_typed(&pattern, which, &places, name);
        free_csr(&typed);
    }
    free_csr(&numbers);
    free_csr(&places);
}

/* Every step-th number below `limit`, from first on; returns how many. */
static int64_t every(int64_t *list, int64_t first, int64_t step, int64_t limit)
{
    int64_t count = 0;
    for (int64_t j = first; j < limit; j += step)
        list[count++] = j;
    return count;
}

static void expect_selections(const spgemm_csr *A, const char *name)
{
    int64_t *rows = must_allocate(2 * A->nrows + 1, sizeof *rows);
    int64_t *cols = must_allocate(A->ncols + 1, sizeof *cols);
    dice d = {17};
    for (int64_t t = 0; A->nrows > 0 && t < 2 * A->nrows; t++)
        rows[t] = dice_below(&d, A->nrows);
    const int64_t nrows = 2 * A->nrows;

    expect_selection(A, &(csr_selection){0}, name);
    expect_selection(A, &(csr_selection){.rows = rows, .nrows = nrows}, name);
    expect_selection(A, &(csr_selection){.rows = rows, .nrows = 0}, name);
    expect_selection(A, &(csr_selection){.cols = cols, .ncols = 0}, name);
    int64_t ncols = every(cols, A->ncols / 3, 1, A->ncols / 2);
    expect_selection(A, &(csr_selection){.cols = cols, .ncols = ncols}, name);
    ncols = every(cols, 1, 3, A->ncols);
    expect_selection(A, &(csr_selection){.cols = cols, .ncols = ncols}, name);
    expect_selection(A, &(csr_selection){rows, nrows, cols, ncols}, name);
    ncols = every(cols, 0, 1, A->ncols);
    expect_selection(A, &(csr_selection){.cols = cols, .ncols = ncols}, name);
    free(rows);
    free(cols);
}

Test(csr_select, takes_rows_and_columns)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{4}, (spgemm_index_type)type, VALUES_INTEGER};
        spgemm_csr shapes[] = {
            make_uniform(&m, 40, 70, 5),
            make_jumbled(&m, 30, 12, 15),
            make_hypersparse(&m, 200, 50, 9),
            make_empty(&m, 0, 0),
            make_empty(&m, 0, 5),
            make_empty(&m, 5, 0),
        };
        shapes[0].flags = SPGEMM_SORTED_ROWS;
        for (size_t t = 0; t < sizeof shapes / sizeof shapes[0]; t++) {
            expect_selections(&shapes[t], "small");
            free_csr(&shapes[t]);
        }
    }
}

/* More entries than one thread would take. */
Test(csr_select, is_shared_by_threads)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr many = make_jumbled(&m, 70000, 60, 8);
    spgemm_csr long_rows = make_uniform(&m, 30, 40000, 20000);
    int64_t rows[3000];
    int64_t cols[20];
    for (int64_t t = 0; t < 3000; t++)
        rows[t] = t * 7919 % 30;
    const int64_t ncols = every(cols, 2, 3, 60);
    expect_selection(&many, &(csr_selection){.cols = cols, .ncols = ncols},
                     "many rows");
    expect_selection(&many, &(csr_selection){rows, 3000, cols, ncols},
                     "some rows");
    expect_selection(&long_rows, &(csr_selection){.rows = rows, .nrows = 90},
                     "long rows");
    free_csr(&many);
    free_csr(&long_rows);
}

/* Without a table of the columns, which would not fit anywhere. */
Test(csr_select, bisects_in_wide_matrices)
{
    maker m = {{4}, SPGEMM_I64, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 50, INT64_MAX, 20);
    int64_t cols[10];
    int64_t ncols = 0;
    for (int64_t p = 0; p < 20; p += 2) /* of row 0 */
        cols[ncols++] = column_of(&A, p);
    const csr_selection which = {.cols = cols, .ncols = ncols};
    expect_selection(&A, &which, "wide");
    memory account;
    spgemm_csr S;
    spgemm_memory_init(&account, NULL);
    cr_assert_eq(spgemm_csr_select(&S, &A, &which, 1, &account),
                 SPGEMM_SUCCESS);
    cr_expect_eq(S.nnz, 10);
    cr_expect_lt(account.peak_bytes, 10000);
    spgemm_csr_release(&S, &account);
    free_csr(&A);
}

Test(csr_select, refuses_lists_that_cannot_be)
{
    static const int64_t outside[] = {0, 5};
    static const int64_t negative[] = {-1, 2};
    static const int64_t twice[] = {2, 2};
    static const int64_t back[] = {3, 2};
    const csr_selection wrong[] = {
        {.rows = outside, .nrows = 2}, {.rows = negative, .nrows = 2},
        {.cols = outside, .ncols = 2}, {.cols = negative, .ncols = 2},
        {.cols = twice, .ncols = 2},   {.cols = back, .ncols = 2},
        {outside, 2, NULL, 0},         {twice, 2, back, 2},
    };
    maker of = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&of, 5, 5, 2);
    for (size_t t = 0; t < sizeof wrong / sizeof wrong[0]; t++) {
        spgemm_csr S = {.nrows = 77};
        memory m;
        spgemm_memory_init(&m, NULL);
        cr_expect_eq(spgemm_csr_select(&S, &A, &wrong[t], 1, &m),
                     SPGEMM_ERROR_INVALID, "list %zu", t);
        cr_expect_eq(S.nrows, 77);
        cr_expect_eq(m.live_bytes, 0);
    }
    free_csr(&A);
}

/* 2^62 entries, four times: refused before any is copied. */
Test(csr_select, refuses_more_entries_than_can_be_counted)
{
    static const int64_t rowptr[] = {0, (int64_t)1 << 58};
    static const int64_t rows[64] = {0};
    int32_t column = 0;
    const spgemm_csr A = {.nrows = 1,
                          .ncols = 1,
                          .nnz = rowptr[1],
                          .rowptr = (int64_t *)(uintptr_t)rowptr,
                          .colidx = &column};
    spgemm_csr S = {.nrows = 77};
    memory m;
    spgemm_memory_init(&m, NULL);
    cr_expect_eq(spgemm_csr_select(&S, &A,
                                   &(csr_selection){.rows = rows, .nrows = 64},
                                   1, &m),
                 SPGEMM_ERROR_OVERFLOW);
    cr_expect_eq(S.nrows, 77);
    cr_expect_eq(m.live_bytes, 0);
}

Test(csr_select, gives_everything_back_when_memory_ends)
{
    static const int64_t rows[] = {3, 1, 1, 7};
    static const int64_t cols[] = {0, 2, 5};
    maker of = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&of, 9, 9, 4);
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_plain_hooks(f);
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    for (long at = 0; status == SPGEMM_ERROR_OUT_OF_MEMORY; at++) {
        spgemm_csr S = {.nrows = 77};
        memory m;
        spgemm_memory_init(&m, &hooks);
        failing_allocator_arm(f, at, false);
        status = spgemm_csr_select(&S, &A, &(csr_selection){rows, 4, cols, 3},
                                   1, &m);
        if (status == SPGEMM_SUCCESS)
            spgemm_csr_release(&S, &m);
        else
            cr_expect_eq(S.nrows, 77);
        cr_expect_eq(m.live_bytes, 0);
        cr_expect_eq(f->live, 0);
        cr_assert_lt(at, 100);
    }
    cr_expect_eq(status, SPGEMM_SUCCESS);
    failing_allocator_destroy(f);
    free_csr(&A);
}
