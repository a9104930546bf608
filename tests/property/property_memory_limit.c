/* SPDX-License-Identifier: BSD-3-Clause */
/* A call holds no more than options.resources.memory_limit_bytes: it succeeds, with the
   same C, or refuses and leaves nothing behind. */
#include "expect.h"
#include "failing_allocator.h"
#include "spgemm/predict.h"

/* Limits as shares of what the call holds without one. */
static const double shares[] = {0.05, 0.3, 0.6, 0.9, 0.97, 1.0, 1.03, 1.1, 2.0};

static void expect_within(const multiply_variant *variant, const spgemm_csr *A,
                          const spgemm_csr *B, const spgemm_csr *want,
                          size_t limit, int nthreads, const char *name)
{
    failing_allocator *heap = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_plain_hooks(heap);
    const spgemm_options options = {.resources.allocator = &hooks,
                                    .resources.nthreads = nthreads,
                                    .resources.memory_limit_bytes = limit};
    spgemm_report report;
    spgemm_csr C = {.nrows = 77};
    const spgemm_status status = variant->multiply(&C, A, B, &options, &report);
    cr_assert_leq(heap->peak_bytes, limit, "%s, %s: %zu bytes of %zu", name,
                  variant->name, heap->peak_bytes, limit);
    cr_assert_leq(report.peak_bytes, limit);
    if (status == SPGEMM_SUCCESS) {
        expect_agree(&C, want, name);
        spgemm_csr_destroy(&C);
    } else {
        cr_assert_eq(status, SPGEMM_ERROR_MEMORY_LIMIT, "%s, %s: %s", name,
                     variant->name, spgemm_status_string(status));
        cr_assert_leq(report.allocated_bytes, limit);
        cr_assert_eq(C.nrows, 77, "%s: C was touched", name);
    }
    cr_assert_eq(heap->live, 0, "%s: %ld blocks live", name, heap->live);
    failing_allocator_destroy(heap);
}

static void try_limits(const char *name)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case(name), SPGEMM_I32, VALUES_ARBITRARY, &A, &B);
    spgemm_csr want = reference_multiply(&A, &B);
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int nthreads = 1; nthreads <= 3; nthreads += 2) {
            spgemm_report report;
            spgemm_csr C = expect_success(
                &multiply_variants[v], &A, &B,
                &(spgemm_options){.resources.nthreads = nthreads}, &report);
            spgemm_csr_destroy(&C);
            for (size_t t = 0; t < sizeof shares / sizeof shares[0]; t++)
                expect_within(&multiply_variants[v], &A, &B, &want,
                              (size_t)(shares[t] * (double)report.peak_bytes) +
                                  1,
                              nthreads, name);
        }
    free_csr(&A);
    free_csr(&B);
    free_csr(&want);
}

Test(memory_limit, is_kept)
{
    static const char *const names[] = {"rmat",     "fem",       "uniform",
                                        "banded",   "dense row", "hidden rows",
                                        "unsorted", "duplicates"};
    for (size_t t = 0; t < sizeof names / sizeof names[0]; t++)
        try_limits(names[t]);
}

static void expect_plenty(const multiply_variant *variant)
{
    maker m = {{3}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 20000, 20000, 12);
    spgemm_report free_report;
    spgemm_report report;
    spgemm_csr C = expect_success(variant, &A, &A,
                                  &(spgemm_options){.resources.nthreads = 1},
                                  &free_report);
    spgemm_csr_destroy(&C);
    const spgemm_options options = {.resources.nthreads = 1,
                                    .resources.memory_limit_bytes =
                                        free_report.peak_bytes};
    C = expect_success(variant, &A, &A, &options, &report);
    cr_expect_leq(report.peak_bytes, options.resources.memory_limit_bytes);
    spgemm_csr_destroy(&C);
    free_csr(&A);
}

Test(memory_limit, lets_through_what_fits)
{
    for (int v = 0; v < VARIANT_COUNT; v++)
        expect_plenty(&multiply_variants[v]);
}

/* Refused by its prediction: nothing large was asked for. */
Test(memory_limit, refuses_before_it_begins)
{
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 20000, 20000, 20);
    spgemm_report report;
    spgemm_csr C = {0};
    const size_t c_bytes = (size_t)20000 * 400 * 12;
    const spgemm_options options = {
        .resources.nthreads = 1, .resources.memory_limit_bytes = c_bytes / 3};
    cr_assert_eq(spgemm_predicted(&C, &A, &A, &options, &report),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    cr_expect_gt((double)report.nnz_predicted, 0.9 * 20000 * 400);
    cr_expect_gt(report.products, 0);
    cr_expect_lt(report.peak_bytes, c_bytes / 20);
    cr_expect_null(C.rowptr);
    free_csr(&A);
}

/* Arrays of the caller's are not of the call. */
Test(memory_limit, does_not_count_out)
{
    enum { N = 20000, ENTRIES = 20 };
    maker m = {{4}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, N, N, ENTRIES);
    const int64_t capacity = (int64_t)N * ENTRIES * ENTRIES;
    const spgemm_out out = {must_allocate(N + 1, sizeof(int64_t)),
                            must_allocate(capacity, sizeof(int32_t)),
                            must_allocate(capacity, sizeof(double)), capacity};
    const spgemm_options options = {.resources.nthreads = 1,
                                    .resources.out = &out,
                                    .resources.memory_limit_bytes =
                                        (size_t)capacity * 12 / 3};
    spgemm_report report;
    spgemm_csr C = {0};
    cr_assert_eq(spgemm_predicted(&C, &A, &A, &options, &report),
                 SPGEMM_SUCCESS, "%s", report.refusal);
    cr_expect_eq(C.values, out.values);
    cr_expect_leq(report.peak_bytes, options.resources.memory_limit_bytes);
    spgemm_csr_destroy(&C);
    free(out.rowptr);
    free(out.colidx);
    free(out.values);
    free_csr(&A);
}

/* A few rows that compress less than all others, of which a sample may meet none
   or too many: what two passes have room for is not refused. */
static spgemm_csr make_unlike_rows(maker *m)
{
    enum { ROWS = 20000, ALIKE = 16, OTHER = 200 };
    csr_builder b = build_begin(ROWS, ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        const int64_t first = i / ALIKE * ALIKE;
        for (int64_t e = 0; e < ALIKE; e++)
            build_add(
                &b, i % OTHER == 0 ? dice_below(&m->dice, ROWS) : first + e, 1);
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

Test(memory_limit, lets_through_what_two_passes_have_room_for)
{
    maker m = {{9}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_unlike_rows(&m);
    for (int nthreads = 1; nthreads <= 2; nthreads++) {
        spgemm_report report;
        spgemm_options options = {.resources.nthreads = nthreads};
        spgemm_csr want;
        cr_assert_eq(spgemm_precise(&want, &A, &A, &options, &report),
                     SPGEMM_SUCCESS);
        options.resources.memory_limit_bytes =
            report.peak_bytes + report.peak_bytes / 5;
        for (options.predict.seed = 0; options.predict.seed < 20;
             options.predict.seed++) {
            spgemm_csr C;
            cr_assert_eq(spgemm_predicted(&C, &A, &A, &options, &report),
                         SPGEMM_SUCCESS, "%s", report.refusal);
            cr_expect_leq(report.peak_bytes,
                          options.resources.memory_limit_bytes);
            cr_expect(spgemm_csr_equal(&C, &want));
            spgemm_csr_destroy(&C);
        }
        spgemm_csr_destroy(&want);
    }
    free_csr(&A);
}

Test(memory_limit, holds_for_predictions)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 20000, 20000, 5);
    spgemm_prediction p;
    const spgemm_options little = {.resources.memory_limit_bytes = 1000};
    cr_expect_eq(spgemm_predict(&p, &A, &A, &little, NULL),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    const spgemm_options enough = {.resources.memory_limit_bytes = 10000000};
    cr_expect_eq(spgemm_predict(&p, &A, &A, &enough, NULL), SPGEMM_SUCCESS);
    free_csr(&A);
}
