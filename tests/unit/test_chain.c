/* SPDX-License-Identifier: BSD-3-Clause */
/* A*B*C before it is multiplied: what is counted is right, what is sampled is
   nearly so, and the cheaper order is found. */
#include <math.h>
#include <string.h>

#include "spgemm/chain.h"

#include "build_csr.h"
#include "dice.h"
#include "expect.h"
#include "generate.h"
#include "reference.h"

/* What the three are multiplied for. */
typedef struct truth {
    double nnz;
    double first_products[2]; /* of A*B and of B*C */
    double first_nnz[2];
    double products[2]; /* of (A*B)*C and of A*(B*C) */
} truth;

static double all_products(const spgemm_csr *X, const spgemm_csr *Y)
{
    double all = 0;
    for (int64_t i = 0; i < X->nrows; i++)
        all += (double)count_row_products(X, Y, i);
    return all;
}

static truth find_truth(const spgemm_csr *A, const spgemm_csr *B,
                        const spgemm_csr *C)
{
    spgemm_csr AB = reference_multiply(A, B);
    spgemm_csr BC = reference_multiply(B, C);
    spgemm_csr ABC = reference_multiply(&AB, C);
    const truth t = {
        .nnz = (double)ABC.nnz,
        .first_products = {all_products(A, B), all_products(B, C)},
        .first_nnz = {(double)AB.nnz, (double)BC.nnz},
        .products = {all_products(A, B) + all_products(&AB, C),
                     all_products(B, C) + all_products(A, &BC)},
    };
    free_csr(&AB);
    free_csr(&BC);
    free_csr(&ABC);
    return t;
}

static spgemm_chain predict(const spgemm_csr *A, const spgemm_csr *B,
                            const spgemm_csr *C, int64_t budget, uint64_t seed,
                            int nthreads)
{
    spgemm_chain chain;
    const spgemm_options options = {.predict.budget = budget,
                                    .predict.seed = seed,
                                    .resources.nthreads = nthreads};
    cr_assert_eq(spgemm_predict_chain(&chain, A, B, C, &options),
                 SPGEMM_SUCCESS, "%s", chain.refusal);
    return chain;
}

static void expect_exact(spgemm_estimate e, double want, const char *what,
                         const char *name)
{
    cr_assert_eq(e.value, want, "%s: %s is %g, not %g", name, what, e.value,
                 want);
    cr_assert_eq(e.standard_error, 0, "%s: %s +- %g", name, what,
                 e.standard_error);
}

static void expect_counted(const spgemm_csr *A, const spgemm_csr *B,
                           const spgemm_csr *C, const char *name)
{
    const truth t = find_truth(A, B, C);
    const spgemm_chain c = predict(A, B, C, (int64_t)1 << 60, 0, 2);
    expect_exact(c.nnz, t.nnz, "nnz", name);
    expect_exact(c.left.products, t.products[0], "products left", name);
    expect_exact(c.right.products, t.products[1], "products right", name);
    expect_exact(c.left.first_nnz, t.first_nnz[0], "nnz of A*B", name);
    expect_exact(c.right.first_nnz, t.first_nnz[1], "nnz of B*C", name);
    cr_assert_eq((double)c.left.first_products, t.first_products[0], "%s",
                 name);
    cr_assert_eq((double)c.right.first_products, t.first_products[1], "%s",
                 name);
    cr_assert_eq(c.is_left_cheaper, t.products[0] <= t.products[1], "%s", name);
}

/* Every pattern, times a matrix that it fits, of either type of columns. */
Test(chain, counts_what_the_budget_pays_for)
{
    for (int number = 0; number < product_case_count; number++)
        for (int wide = 0; wide < 2; wide++) {
            spgemm_csr A;
            spgemm_csr B;
            const spgemm_index_type type = wide ? SPGEMM_I64 : SPGEMM_I32;
            maker m = {{(uint64_t)number + 1}, type, VALUES_INTEGER};
            make_case(number, type, VALUES_INTEGER, &A, &B);
            if (B.ncols <= 100000) { /* rows of C */
                spgemm_csr C = make_jumbled(&m, B.ncols, 50, 2);
                expect_counted(&A, &B, &C, product_cases[number].name);
                free_csr(&C);
            }
            free_csr(&A);
            free_csr(&B);
        }
}

/* 16 rows of A and of B are counted in any case. */
Test(chain, keeps_its_budget_for_the_first_products)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 40000, 40000, 16);
    const spgemm_chain little = predict(&A, &A, &A, 2000, 1, 1);
    const spgemm_chain usual = predict(&A, &A, &A, 0, 1, 1);
    cr_expect_leq(little.products_sampled, 2000 + 2 * 16 * (256 + 4096));
    cr_expect_gt(usual.products_sampled, little.products_sampled);
    free_csr(&A);
}

Test(chain, takes_patterns_and_one_matrix_three_times)
{
    maker m = {{7}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_rmat(&m, 7, 600);
    spgemm_csr pattern = A;
    pattern.values = NULL;
    expect_counted(&A, &A, &A, "power");
    const truth t = find_truth(&A, &A, &A);
    const spgemm_chain c = predict(&pattern, &pattern, &pattern, 1 << 30, 0, 1);
    expect_exact(c.nnz, t.nnz, "nnz", "pattern");
    free_csr(&A);
}

/* How often the truth is within two standard errors, and the mean error. */
typedef struct hits {
    int tried;
    int right;
    double error;
} hits;

static void judge(hits *h, spgemm_estimate e, double want, const char *name)
{
    cr_assert_gt(e.standard_error, 0, "%s: %g", name, e.standard_error);
    h->tried++;
    h->right += fabs(e.value - want) <= 2 * e.standard_error;
    h->error += fabs(e.value - want) / want;
}

static void expect_sampled(const spgemm_csr *A, const spgemm_csr *B,
                           const spgemm_csr *C, double most_error,
                           const char *name)
{
    const truth t = find_truth(A, B, C);
    hits h = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
        const spgemm_chain c = predict(A, B, C, 20000, seed, 1);
        judge(&h, c.nnz, t.nnz, name);
        judge(&h, c.left.products, t.products[0], name);
        judge(&h, c.right.products, t.products[1], name);
        cr_assert_lt((double)c.products_sampled, t.products[0] + t.products[1]);
    }
    cr_assert_geq(h.right, 0.85 * h.tried, "%s: %d of %d are within", name,
                  h.right, h.tried);
    cr_assert_leq(h.error, most_error * h.tried, "%s: off by %g", name,
                  h.error / h.tried);
}

Test(chain, samples_what_is_too_much_to_count)
{
    maker m = {{11}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr banded = make_banded(&m, 3000, 12, 0.5);
    spgemm_csr mesh = make_fem(&m, 800, 3, 3);
    spgemm_csr graph = make_rmat(&m, 11, 20000);
    spgemm_csr mixed = make_mixed(&m, 3000, 3000, 3, 200, 20);
    expect_sampled(&banded, &banded, &banded, 0.05, "banded");
    expect_sampled(&mesh, &mesh, &mesh, 0.05, "mesh");
    expect_sampled(&graph, &graph, &graph, 0.15, "graph");
    expect_sampled(&mixed, &mixed, &mixed, 0.1, "mixed");
    free_csr(&banded);
    free_csr(&mesh);
    free_csr(&graph);
    free_csr(&mixed);
}

/* A column at the end makes A*(B*C) cheap, a row at the beginning (A*B)*C. */
Test(chain, finds_the_cheaper_order)
{
    maker m = {{13}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr X = make_uniform(&m, 3000, 3000, 12);
    spgemm_csr column = make_uniform(&m, 3000, 1, 1);
    spgemm_csr row = make_uniform(&m, 1, 3000, 20);
    cr_assert(!predict(&X, &X, &column, 0, 0, 1).is_left_cheaper);
    cr_assert(predict(&row, &X, &X, 0, 0, 1).is_left_cheaper);
    free_csr(&X);
    free_csr(&column);
    free_csr(&row);
}

Test(chain, is_the_same_for_any_number_of_threads)
{
    maker m = {{17}, SPGEMM_I64, VALUES_INTEGER};
    spgemm_csr A = make_rmat(&m, 11, 20000);
    const spgemm_chain one = predict(&A, &A, &A, 20000, 3, 1);
    for (int nthreads = 2; nthreads <= 3; nthreads++) {
        const spgemm_chain some = predict(&A, &A, &A, 20000, 3, nthreads);
        cr_assert_eq(one.nnz.value, some.nnz.value);
        cr_assert_eq(one.nnz.standard_error, some.nnz.standard_error);
        cr_assert_eq(one.left.products.value, some.left.products.value);
        cr_assert_eq(one.right.products.value, some.right.products.value);
        cr_assert_eq(one.products_sampled, some.products_sampled);
    }
    free_csr(&A);
}

Test(chain, of_nothing_is_nothing)
{
    maker m = {{19}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr none = make_empty(&m, 0, 0);
    spgemm_csr empty = make_empty(&m, 5, 5);
    expect_counted(&none, &none, &none, "0 x 0");
    expect_counted(&empty, &empty, &empty, "5 x 5");
    free_csr(&none);
    free_csr(&empty);
}
