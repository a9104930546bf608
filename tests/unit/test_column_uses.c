/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/published/column_uses.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "generate.h"

static void expect_uses(const spgemm_csr *A, double probability, int nthreads)
{
    const hash_sampler rows = hash_sampler_make(77, probability);
    int64_t *want = calloc((size_t)A->ncols + 1, sizeof *want);
    int64_t *got = calloc((size_t)A->ncols + 1, sizeof *got);
    int64_t drawn = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        drawn += hash_draws(&rows, i);
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            want[column_of(A, p)] += hash_draws(&rows, i);
    }
    cr_expect_eq(spgemm_column_uses(got, A, &rows, nthreads), drawn);
    for (int64_t k = 0; k < A->ncols; k++)
        cr_assert_eq(got[k], want[k], "p %g: column %d", probability, (int)k);
    free(want);
    free(got);
}

Test(column_uses, are_the_entries_of_drawn_rows)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{8}, (spgemm_index_type)type, VALUES_INTEGER};
        spgemm_csr A = make_jumbled(&m, 30000, 500, 8);
        for (int nthreads = 1; nthreads <= 7; nthreads += 3) {
            expect_uses(&A, 1, nthreads);
            expect_uses(&A, 0.3, nthreads);
        }
        free_csr(&A);
    }
}
