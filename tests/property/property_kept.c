/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of a C that is masked, or of which some is dropped, is predicted as
   C will be: near, with bars that hold it, and allocated from that. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "generate.h"
#include "spgemm/predict.h"

enum { SEEDS = 20 };

/* Two matrices, and what is to be kept of their product. */
typedef struct case_of {
    const char *name;
    const spgemm_csr *A;
    const spgemm_csr *B;
    spgemm_options options;
    double most_error; /* mean over seeds, relative */
    double most_room;  /* allocated over C */
} case_of;

static double count(const case_of *t)
{
    spgemm_options options = t->options;
    spgemm_prediction p;
    options.predict.method = SPGEMM_PREDICTOR_PRECISE;
    cr_assert_eq(spgemm_predict(&p, t->A, t->B, &options, NULL),
                 SPGEMM_SUCCESS);
    cr_assert_eq(p.standard_error, 0);
    return p.nnz;
}

/* What is counted is what C has, and C has room. */
static void expect_allocated(const case_of *t, double nnz)
{
    spgemm_csr C;
    spgemm_report r;
    cr_assert_eq(spgemm_predicted(&C, t->A, t->B, &t->options, &r),
                 SPGEMM_SUCCESS);
    cr_expect_eq((double)r.nnz, nnz, "%s: %g counted, C has %g", t->name, nnz,
                 (double)r.nnz);
    cr_expect((double)r.allocated_bytes <= t->most_room * (double)r.c_bytes,
              "%s: %zu bytes for %zu", t->name, r.allocated_bytes, r.c_bytes);
    spgemm_csr_destroy(&C);
}

static void expect_near(case_of t)
{
    const double nnz = count(&t);
    double error = 0;
    int held = 0;
    for (int s = 0; s < SEEDS; s++) {
        spgemm_prediction p;
        t.options.predict.seed = (uint64_t)s;
        cr_assert_eq(spgemm_predict(&p, t.A, t.B, &t.options, NULL),
                     SPGEMM_SUCCESS);
        const double off = fabs(p.nnz - nnz);
        error += off / nnz;
        held += off <= fmax(1.96 * p.standard_error, 0.001 * nnz);
        cr_expect(p.products_sampled <= p.products / 40, "%s: %g of %g", t.name,
                  (double)p.products_sampled, (double)p.products);
    }
    cr_expect(error / SEEDS <= t.most_error, "%s: %.2f %% off", t.name,
              100 * error / SEEDS);
    cr_expect(held >= 16, "%s: %d bars of %d hold it", t.name, held, SEEDS);
    t.options.predict.seed = 0;
    expect_allocated(&t, nnz);
}

/* Everything that can be kept of A*A, or of A^T A. most_error: of each kind. */
static void expect_all_kinds(const char *name, const spgemm_csr *A,
                             spgemm_operation op_a, const double *most_error)
{
    const spgemm_options product = {.product.op_a = op_a};
    const spgemm_filter_options kinds[] = {
        {.mask = A},
        {.mask = A, .mask_mode = SPGEMM_MASK_VALUES},
        {.mask = A, .mask_mode = SPGEMM_MASK_COMPLEMENT},
        {.keep_top = 10},
        {.drop_tolerance = 4},
        {.drop_zeros = true, .mask = A},
        {.drop_zeros = true, .keep_top = 40},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char text[80];
        snprintf(text, sizeof text, "%s, filter %zu", name, k);
        /* Rows of hubs are too expensive to compute, and differ by value. */
        const double most_room = most_error[k] > 0.06 ? 1.2 : 1.1;
        case_of t = {text, A, A, product, most_error[k], most_room};
        t.options.filter = kinds[k];
        expect_near(t);
    }
}

/* Triangles at the edges of a graph, and what is not an edge. */
Test(kept, of_graphs)
{
    maker m = {{11}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_rmat(&m, 13, 10 << 13);
    const double most[] = {0.05, 0.05, 0.03, 0.01, 0.09, 0.06, 0.03};
    expect_all_kinds("graph", &A, SPGEMM_OP_NONE, most);
    free_csr(&A);
}

/* Terms that are in documents together, the ten strongest of each. */
Test(kept, of_terms_and_documents)
{
    maker m = {{12}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_rmat(&m, 13, 6 << 13);
    const double most[] = {0.06, 0.06, 0.04, 0.01, 0.10, 0.06, 0.03};
    expect_all_kinds("terms", &A, SPGEMM_OP_TRANSPOSE, most);
    free_csr(&A);
}

Test(kept, of_meshes)
{
    maker m = {{13}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_banded(&m, 10000, 12, 0.7);
    const double most[] = {0.001, 0.01, 0.01, 0.001, 0.01, 0.01, 0.01};
    expect_all_kinds("mesh", &A, SPGEMM_OP_NONE, most);
    free_csr(&A);
}

/* Rows are predicted, too: those that a mask has nothing of have none. */
Test(kept, of_each_row)
{
    maker m = {{14}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_banded(&m, 4000, 12, 0.7);
    spgemm_csr mask = make_mixed(&m, 4000, 4000, 0, 9, 2);
    const spgemm_options options = {.filter.mask = &mask};
    double *row_nnz = malloc(4000 * sizeof *row_nnz);
    spgemm_prediction p;
    double sum = 0;
    cr_assert_eq(spgemm_predict(&p, &A, &A, &options, row_nnz), SPGEMM_SUCCESS);
    for (int64_t i = 0; i < 4000; i++) {
        const double most = (double)(mask.rowptr[i + 1] - mask.rowptr[i]);
        cr_expect(row_nnz[i] >= 0 && row_nnz[i] <= most, "row %ld: %g of %g",
                  (long)i, row_nnz[i], most);
        sum += row_nnz[i];
    }
    cr_expect(sum <= (double)p.bound);
    /* Rows of a third of an entry are no rows of none. */
    cr_expect(fabs(sum - p.nnz) <= 0.1 * p.nnz, "%g of %g", sum, p.nnz);
    free(row_nnz);
    free_csr(&mask);
    free_csr(&A);
}

/* The answer is that of one seed, for any number of threads. */
Test(kept, are_the_same_for_any_number_of_threads)
{
    maker m = {{15}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_rmat(&m, 12, 12 << 12);
    spgemm_options options = {.filter.drop_tolerance = 3,
                              .filter.mask = &A,
                              .filter.mask_mode = SPGEMM_MASK_COMPLEMENT};
    spgemm_prediction one;
    spgemm_prediction many;
    options.resources.nthreads = 1;
    cr_assert_eq(spgemm_predict(&one, &A, &A, &options, NULL), SPGEMM_SUCCESS);
    options.resources.nthreads = 4;
    cr_assert_eq(spgemm_predict(&many, &A, &A, &options, NULL), SPGEMM_SUCCESS);
    cr_expect_eq(one.nnz, many.nnz);
    cr_expect_eq(one.standard_error, many.standard_error);
    free_csr(&A);
}
