/* SPDX-License-Identifier: BSD-3-Clause */
/* What all predictors keep. */
#include <criterion/criterion.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "reference.h"
#include "spgemm/predict.h"

static spgemm_prediction expect_prediction(const spgemm_csr *A,
                                           const spgemm_csr *B, int predictor,
                                           int nthreads, double *row_nnz)
{
    spgemm_prediction p;
    memset(&p, 0xa5, sizeof p);
    cr_assert_eq(
        spgemm_predict(
            &p, A, B,
            &(spgemm_options){.predict.method = (spgemm_predictor)predictor,
                              .resources.nthreads = nthreads,
                              .predict.seed = 5},
            row_nnz),
        SPGEMM_SUCCESS);
    return p;
}

static void expect_possible(const spgemm_csr *A, const spgemm_csr *B,
                            const spgemm_csr *C, int predictor,
                            const char *what)
{
    double *row_nnz = must_allocate(A->nrows, sizeof *row_nnz);
    const spgemm_prediction p = expect_prediction(A, B, predictor, 2, row_nnz);
    int64_t products = 0;
    int64_t bound = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t f = count_row_products(A, B, i);
        const int64_t most = f < B->ncols ? f : B->ncols;
        products += f;
        bound += most;
        cr_assert(row_nnz[i] >= 0 && row_nnz[i] <= (double)most,
                  "%s, predictor %d: row %d", what, predictor, (int)i);
        cr_assert(row_nnz[i] > 0 || f == 0);
        if (predictor == SPGEMM_PREDICTOR_PRECISE)
            cr_assert_eq(row_nnz[i], (double)(C->rowptr[i + 1] - C->rowptr[i]));
        if (predictor == SPGEMM_PREDICTOR_UPPER_BOUND)
            cr_assert_eq(row_nnz[i], (double)most);
    }
    cr_expect_eq(p.products, products);
    cr_expect_eq(p.bound, bound);
    cr_expect(isfinite(p.nnz) && p.nnz >= 0, "%s: nnz", what);
    cr_expect(isnan(p.standard_error) || p.standard_error >= 0,
              "%s: standard error", what);
    cr_expect_leq(p.rows_sampled, A->nrows);
    if (predictor == SPGEMM_PREDICTOR_STRATIFIED)
        cr_expect_leq(p.products_sampled, products, "%s: a row twice", what);
    if (predictor == SPGEMM_PREDICTOR_PRECISE) {
        cr_expect_eq(p.nnz, (double)C->nnz);
        cr_expect_eq(p.standard_error, 0.0);
    }
    if (predictor == SPGEMM_PREDICTOR_UPPER_BOUND)
        cr_expect_eq(p.nnz, (double)bound);
    free(row_nnz);
}

Test(predictors, say_what_is_possible)
{
    for (int number = 0; number < product_case_count; number++) {
        spgemm_csr A;
        spgemm_csr B;
        make_case(number, SPGEMM_I64, VALUES_INTEGER, &A, &B);
        spgemm_csr C = reference_multiply(&A, &B);
        for (int p = 0; p < SPGEMM_PREDICTOR_CALLER; p++)
            expect_possible(&A, &B, &C, p, product_cases[number].name);
        free_csr(&A);
        free_csr(&B);
        free_csr(&C);
    }
}

static void expect_same(const spgemm_prediction *one,
                        const spgemm_prediction *many)
{
    const char *name = spgemm_predictor_name(one->predictor);
    cr_expect_eq(memcmp(&one->nnz, &many->nnz, sizeof one->nnz), 0, "%s", name);
    cr_expect(isnan(one->standard_error)
                  ? isnan(many->standard_error)
                  : one->standard_error == many->standard_error,
              "%s: %g, %g", name, one->standard_error, many->standard_error);
    cr_expect_eq(one->rows_sampled, many->rows_sampled, "%s", name);
    cr_expect_eq(one->products_sampled, many->products_sampled, "%s", name);
}

Test(predictors, say_the_same_for_any_number_of_threads)
{
    static const char *const names[] = {"rmat", "hidden rows", "uniform",
                                        "banded", "duplicates"};
    for (int t = 0; t < 5; t++) {
        spgemm_csr A;
        spgemm_csr B;
        make_case(find_case(names[t]), SPGEMM_I32, VALUES_INTEGER, &A, &B);
        for (int p = 0; p < SPGEMM_PREDICTOR_CALLER; p++) {
            const spgemm_prediction want =
                expect_prediction(&A, &B, p, 1, NULL);
            for (int nthreads = 2; nthreads <= 64; nthreads *= 2) {
                const spgemm_prediction got =
                    expect_prediction(&A, &B, p, nthreads, NULL);
                expect_same(&want, &got);
            }
        }
        free_csr(&A);
        free_csr(&B);
    }
}

/* Every method, given as much as it takes to see it all; Cohen's variables are
   never enough. */
static spgemm_options exact_options(int predictor)
{
    const spgemm_predictor_limits *limits =
        spgemm_predict_limits((spgemm_predictor)predictor);
    const bool keeps_hashes = predictor == SPGEMM_PREDICTOR_MIN_HASH ||
                              predictor == SPGEMM_PREDICTOR_KMV_SAMPLED ||
                              predictor == SPGEMM_PREDICTOR_BHASH;
    return (spgemm_options){.predict.method = (spgemm_predictor)predictor,
                            .resources.nthreads = 2,
                            .predict.size = keeps_hashes ? 5001 : 0,
                            .predict.probability =
                                limits->probability.least > 0 ? 1 : 0};
}

Test(predictors, of_identity_are_exact)
{
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_identity(&m, 5000);
    for (int p = 0; p < SPGEMM_PREDICTOR_CALLER; p++) {
        const spgemm_options options = exact_options(p);
        spgemm_prediction found;
        if (p == SPGEMM_PREDICTOR_COHEN)
            continue;
        cr_assert_eq(spgemm_predict(&found, &A, &A, &options, NULL),
                     SPGEMM_SUCCESS);
        cr_expect_float_eq(found.nnz, 5000.0, 1e-8, "%s: %.12g",
                           spgemm_predictor_name((spgemm_predictor)p),
                           found.nnz);
    }
    free_csr(&A);
}

/* Large enough that seven threads share the work of each step, and with
   repeated and unsorted entries: the total and every row, bit for bit. */
Test(predictors, say_the_same_of_every_row_on_seven_threads)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_jumbled(&m, 40000, 30000, 7);
    spgemm_csr B = make_jumbled(&m, 30000, 9000, 9);
    double *want = must_allocate(A.nrows, sizeof *want);
    double *got = must_allocate(A.nrows, sizeof *got);
    for (int p = 0; p < SPGEMM_PREDICTOR_CALLER; p++) {
        const spgemm_prediction one = expect_prediction(&A, &B, p, 1, want);
        for (int nthreads = 2; nthreads <= 7; nthreads += 5) {
            const spgemm_prediction many =
                expect_prediction(&A, &B, p, nthreads, got);
            expect_same(&one, &many);
            cr_expect_eq(memcmp(want, got, (size_t)A.nrows * sizeof *want), 0,
                         "predictor %d: rows", p);
        }
    }
    free(want);
    free(got);
    free_csr(&A);
    free_csr(&B);
}

static double nnz_of_seed(const spgemm_csr *A, const spgemm_csr *B,
                          int predictor, uint64_t seed)
{
    spgemm_prediction found;
    cr_assert_eq(
        spgemm_predict(
            &found, A, B,
            &(spgemm_options){.predict.method = (spgemm_predictor)predictor,
                              .predict.seed = seed},
            NULL),
        SPGEMM_SUCCESS);
    return found.nnz;
}

/* Another seed, another sample: those that draw none say the same. */
Test(predictors, depend_on_the_seed_where_they_draw)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case("rmat"), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    for (int p = 0; p < SPGEMM_PREDICTOR_CALLER; p++) {
        const bool draws = p != SPGEMM_PREDICTOR_UPPER_BOUND &&
                           p != SPGEMM_PREDICTOR_PRECISE &&
                           p != SPGEMM_PREDICTOR_ROW_INDEPENDENT;
        cr_expect_eq(nnz_of_seed(&A, &B, p, 1) != nnz_of_seed(&A, &B, p, 2),
                     draws, "%s", spgemm_predictor_name((spgemm_predictor)p));
    }
    free_csr(&A);
    free_csr(&B);
}

Test(predictors, auto_is_stratified)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case("rmat"), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    const spgemm_prediction p =
        expect_prediction(&A, &B, SPGEMM_PREDICTOR_AUTO, 1, NULL);
    cr_expect_eq(p.predictor, SPGEMM_PREDICTOR_STRATIFIED);
    free_csr(&A);
    free_csr(&B);
}

static double answer_three(void *context, int64_t row, int64_t products)
{
    (void)row;
    ++*(int *)context;
    return products > 0 ? 3.0 : NAN;
}

Test(predictors, caller_is_asked_for_every_row)
{
    int asked = 0;
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_banded(&m, 100, 2, 1.0);
    spgemm_prediction p;
    cr_assert_eq(spgemm_predict(&p, &A, &A,
                                &(spgemm_options){
                                    .predict.method = SPGEMM_PREDICTOR_CALLER,
                                    .resources.nthreads = 1,
                                    .predict.row_nnz = answer_three,
                                    .predict.row_nnz_context = &asked},
                                NULL),
                 SPGEMM_SUCCESS);
    cr_expect_eq(asked, 100);
    cr_expect_eq(p.nnz, 300.0);
    cr_expect(isnan(p.standard_error));
    free_csr(&A);
}

/* Blocks that are full of one byte, and the most of them at one time. */
typedef struct filled_heap {
    int byte;
    size_t live;
    size_t peak;
} filled_heap;

static void *allocate_filled(void *context, size_t bytes)
{
    filled_heap *heap = context;
    size_t *block = malloc(sizeof(max_align_t) + bytes);
    if (!block)
        return NULL;
    *block = bytes;
    heap->live += bytes;
    heap->peak = heap->peak < heap->live ? heap->live : heap->peak;
    return memset((char *)block + sizeof(max_align_t), heap->byte, bytes);
}

static void release_filled(void *context, void *block)
{
    filled_heap *heap = context;
    if (!block)
        return;
    size_t *const start = (size_t *)((char *)block - sizeof(max_align_t));
    heap->live -= *start;
    free(start);
}

/* What counting takes depends on no memory that was not written. */
Test(predictors, count_what_is_dropped_alike_in_any_memory)
{
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_all_entries(&m, 1, 20000);
    spgemm_csr B = make_uniform(&m, 20000, 100, 20);
    filled_heap heaps[] = {{.byte = 0}, {.byte = 0x7e}};
    B.ncols = INT32_MAX;
    for (int64_t q = 0; q < B.nnz; q++) /* far apart */
        ((int32_t *)B.colidx)[q] *= 20000000;
    for (int h = 0; h < 2; h++) {
        const spgemm_allocator hooks = {.allocate = allocate_filled,
                                        .release = release_filled,
                                        .context = &heaps[h]};
        const spgemm_options options = {
            .predict.method = SPGEMM_PREDICTOR_PRECISE,
            .filter.drop_zeros = true,
            .resources = {.nthreads = 1, .allocator = &hooks}};
        spgemm_prediction p;
        cr_assert_eq(spgemm_predict(&p, &A, &B, &options, NULL),
                     SPGEMM_SUCCESS);
        cr_expect_leq(p.nnz, 100.0);
    }
    cr_expect_eq(heaps[0].peak, heaps[1].peak);
    free_csr(&A);
    free_csr(&B);
}
