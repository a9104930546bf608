/* SPDX-License-Identifier: BSD-3-Clause */
/* B's rows in no order, where a product takes other ways for rows in order: it takes them,
   and C is the same. */
#include <stdlib.h>

#include "dice.h"
#include "every_way.h"
#include "expect.h"
#include "reference.h"
#include "spgemm/plan.h"
#include "typed.h"

static void shuffle_rows(spgemm_csr *B)
{
    dice d = {7};
    for (int64_t i = 0; i < B->nrows; i++)
        for (int64_t p = B->rowptr[i + 1] - 1; p > B->rowptr[i]; p--)
            swap_entries(B, p,
                         B->rowptr[i] + dice_below(&d, p - B->rowptr[i] + 1));
    B->flags = 0;
}

typedef void disorder(spgemm_csr *B);

/* Most rows of a product that is predicted go to the accumulator, in AVX-512. */
static void expect_way(const spgemm_csr *A, const spgemm_csr *B,
                       spgemm_accumulator way, const char *name)
{
    const spgemm_options options = {.resources.nthreads = 1};
    spgemm_report report;
    expect_every_way(A, B, NULL, 0, name);
    spgemm_csr C = expect_success(&multiply_variants[VARIANT_PREDICTED], A, B,
                                  &options, &report);
    if (has_leaves(&report, A->index_type))
        cr_expect_geq(report.rows_by_accumulator[way], A->nrows * 3 / 4, "%s",
                      name);
    spgemm_csr_destroy(&C);
}

static void expect_unsorted(const spgemm_csr *A, const spgemm_csr *B,
                            disorder *bring_out_of_order,
                            spgemm_accumulator way, const char *name)
{
    spgemm_csr unsorted = copy_csr(B);
    bring_out_of_order(&unsorted);
    expect_way(A, &unsorted, way, name);
    free_csr(&unsorted);
}

Test(unsorted_b, of_unknowns_of_nodes_is_taken_as_bitmap_rows)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{1}, (spgemm_index_type)type, VALUES_ARBITRARY};
        spgemm_csr A = make_fem(&m, 60, 4, 6);
        const spgemm_accumulator way = SPGEMM_ACCUMULATOR_SUPERNODE;
        expect_unsorted(&A, &A, turn_rows, way, "turned");
        expect_unsorted(&A, &A, shuffle_rows, way, "shuffled");
        free_csr(&A);
    }
}

Test(unsorted_b, of_a_grid_is_repeated)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{2}, (spgemm_index_type)type, VALUES_ARBITRARY};
        spgemm_csr A = make_banded(&m, 400, 5, 1.0);
        const spgemm_accumulator way = SPGEMM_ACCUMULATOR_SHIFTED;
        spgemm_csr turned = copy_csr(&A);
        turn_rows(&turned);
        expect_unsorted(&A, &A, turn_rows, way, "turned");
        expect_way(&turned, &turned, way, "both turned");
        free_csr(&turned);
        free_csr(&A);
    }
}

/* Each row of A meets one of few long rows of B, and five of two entries. */
static void make_hubs(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    enum { HUBS = 8, LENGTH = 300, OTHERS = 100, ROWS = 400 };
    csr_builder of_A = build_begin(ROWS, HUBS + OTHERS);
    csr_builder of_B = build_begin(HUBS + OTHERS, 3000);
    for (int64_t i = 0; i < ROWS; i++) {
        build_add(&of_A, i % HUBS, make_value(m));
        for (int64_t t = 0; t < 5; t++)
            build_add(&of_A, HUBS + (i + 17 * t) % OTHERS, make_value(m));
        build_end_row(&of_A);
    }
    for (int64_t k = 0; k < HUBS + OTHERS; k++) {
        const int64_t length = k < HUBS ? LENGTH : 2;
        for (int64_t t = 0; t < length; t++)
            build_add(&of_B, (13 * k + 9 * t) % 3000, make_value(m));
        build_end_row(&of_B);
    }
    *A = build_finish(&of_A, m->index_type);
    *B = build_finish(&of_B, m->index_type);
}

Test(unsorted_b, of_hubs_is_merged_into)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{3}, (spgemm_index_type)type, VALUES_ARBITRARY};
        spgemm_csr A;
        spgemm_csr B;
        make_hubs(&m, &A, &B);
        expect_unsorted(&A, &B, shuffle_rows, SPGEMM_ACCUMULATOR_MERGE, "hubs");
        free_csr(&A);
        free_csr(&B);
    }
}

/* A plan does not, since it is given B's values anew. */
Test(unsorted_b, of_a_plan_is_taken_as_it_is)
{
    maker m = {{5}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_fem(&m, 60, 4, 6);
    spgemm_csr B = copy_csr(&A);
    turn_rows(&B);
    const spgemm_options options = {
        .predict.method = SPGEMM_PREDICTOR_STRATIFIED, .resources.nthreads = 1};
    spgemm_plan *plan = NULL;
    spgemm_csr C;
    cr_assert_eq(spgemm_plan_create(&plan, &C, &A, &B, &options, NULL),
                 SPGEMM_SUCCESS);
    for (int64_t p = 0; p < B.nnz; p++)
        ((double *)B.values)[p] = make_value(&m);
    spgemm_csr want = reference_multiply(&A, &B);
    cr_assert_eq(spgemm_plan_repeat(plan, &C, &A, &B, NULL), SPGEMM_SUCCESS);
    expect_agree(&C, &want, "repeated");
    spgemm_plan_destroy(plan);
    spgemm_csr_destroy(&C);
    free_csr(&want);
    free_csr(&A);
    free_csr(&B);
}

/* A row with a column twice cannot be put in order: nothing is gained, or lost. */
Test(unsorted_b, with_a_column_twice_is_taken_as_it_is)
{
    maker m = {{4}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_fem(&m, 60, 4, 6);
    spgemm_csr B = copy_csr(&A);
    shuffle_rows(&B);
    set_column_of(&B, 1, column_of(&B, 0));
    expect_every_way(&A, &B, NULL, 0, "twice");
    free_csr(&A);
    free_csr(&B);
}
