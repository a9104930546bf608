/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/row_tasks.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "generate.h"

typedef struct tally {
    int64_t *rows; /* how often each was given */
    int tasks[MOST_ROW_TASKS];
} tally;

static void count_rows(void *work, int64_t t, int64_t begin, int64_t end)
{
    tally *w = work;
    w->tasks[t]++;
    for (int64_t i = begin; i < end; i++)
        w->rows[i]++;
}

static void expect_each_row_once(const spgemm_csr *X, const char *what)
{
    for (int nthreads = 1; nthreads <= 7; nthreads += 3) {
        tally w = {.rows = calloc((size_t)X->nrows + 1, sizeof *w.rows)};
        spgemm_row_tasks_run(X, nthreads, count_rows, &w);
        for (int64_t i = 0; i < X->nrows; i++)
            cr_assert_eq(w.rows[i], 1, "%s: row %d", what, (int)i);
        for (int t = 0; t < MOST_ROW_TASKS; t++)
            cr_assert_leq(w.tasks[t], 1);
        free(w.rows);
    }
}

Test(row_tasks, give_every_row_once)
{
    for (int number = 0; number < product_case_count; number++) {
        spgemm_csr A;
        spgemm_csr B;
        make_case(number, SPGEMM_I32, VALUES_INTEGER, &A, &B);
        expect_each_row_once(&A, product_cases[number].name);
        expect_each_row_once(&B, product_cases[number].name);
        free_csr(&A);
        free_csr(&B);
    }
}

Test(row_tasks, know_the_row_of_an_entry)
{
    maker m = {{8}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_hypersparse(&m, 3000, 100, 400);
    for (int64_t i = 0; i < A.nrows; i++)
        for (int64_t p = A.rowptr[i]; p < A.rowptr[i + 1]; p++)
            cr_assert_eq(row_of_entry(&A, p), i);
    free_csr(&A);
}
