/* SPDX-License-Identifier: BSD-3-Clause */
/* C in blocks of rows is C in one piece, bit for bit: whatever the bytes of a
   block, the threads, the prediction and the limit; and no block, and no call,
   holds more than it may. */
#include "spgemm/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"
#include "failing_allocator.h"
#include "row_predictors.h"
#include "scalars.h"

/* ---- A sink that puts the blocks together again --------------------------- */

typedef struct collector {
    spgemm_csr C; /* rows so far */
    size_t most_bytes;
    size_t largest_bytes;
    int64_t blocks;
    int64_t stop_at; /* block at which to stop; -1: none */
    pthread_t thread;
    const char *name;
} collector;

static size_t entry_bytes(const spgemm_csr *A)
{
    return (A->index_type == SPGEMM_I64 ? 8u : 4u) + sizeof(double);
}

static size_t bytes_of(const spgemm_csr *A)
{
    return ((size_t)A->nrows + 1) * sizeof(int64_t) +
           (size_t)A->nnz * entry_bytes(A);
}

static collector collect(const spgemm_csr *like, size_t most, const char *name)
{
    collector c = {.C = *like,
                   .most_bytes = most,
                   .stop_at = -1,
                   .thread = pthread_self(),
                   .name = name};
    c.C.nnz = 0;
    c.C.nrows = 0;
    c.C.flags = 0;
    c.C.allocator = (spgemm_allocator){0};
    c.C.rowptr = must_allocate(like->nrows + 1, sizeof(int64_t));
    c.C.rowptr[0] = 0;
    c.C.colidx = must_allocate(like->nnz + 1, sizeof(int64_t));
    c.C.values = must_allocate(like->nnz + 1, sizeof(double));
    return c;
}

/* What the library promises of a block. Criterion sends each assertion that
   holds to another process: one for a block is enough. */
static bool is_right(const collector *c, const spgemm_csr *rows, int64_t first)
{
    return pthread_equal(pthread_self(), c->thread) && first == c->C.nrows &&
           rows->nrows > 0 && rows->ncols == c->C.ncols &&
           rows->index_type == c->C.index_type &&
           rows->value_type == c->C.value_type &&
           rows->nnz == rows->rowptr[rows->nrows] &&
           (rows->flags & ~(uint32_t)SPGEMM_SORTED_ROWS) == 0 &&
           spgemm_csr_check(rows, NULL) == SPGEMM_SUCCESS;
}

static int take(void *context, const spgemm_csr *rows, int64_t first_row)
{
    collector *c = context;
    spgemm_csr *C = &c->C;
    if (c->blocks == c->stop_at)
        return 1;
    c->blocks++;
    const size_t bytes = bytes_of(rows);
    if (!is_right(c, rows, first_row) || bytes > c->most_bytes)
        cr_assert_fail("%s: block %ld at row %ld, %ld rows, %zu bytes of %zu",
                       c->name, (long)c->blocks, (long)first_row,
                       (long)rows->nrows, bytes, c->most_bytes);
    if (bytes > c->largest_bytes)
        c->largest_bytes = bytes;
    const size_t index = entry_bytes(rows) - sizeof(double);
    memcpy((char *)C->colidx + (size_t)C->nnz * index, rows->colidx,
           (size_t)rows->nnz * index);
    memcpy((double *)C->values + C->nnz, rows->values,
           (size_t)rows->nnz * sizeof(double));
    for (int64_t i = 0; i < rows->nrows; i++)
        C->rowptr[C->nrows + i + 1] = C->nnz + rows->rowptr[i + 1];
    C->nrows += rows->nrows;
    C->nnz += rows->nnz;
    return 0;
}

/* ---- The same as in one piece --------------------------------------------- */

static size_t largest_row(const spgemm_csr *C)
{
    int64_t most = 0;
    for (int64_t i = 0; i < C->nrows; i++)
        if (C->rowptr[i + 1] - C->rowptr[i] > most)
            most = C->rowptr[i + 1] - C->rowptr[i];
    return 2 * sizeof(int64_t) + (size_t)most * entry_bytes(C);
}

/* A*B in blocks of `bytes` (0: the default) is `want`; where a row of it does
   not fit, the call says so, and what it has handed over are rows of it. */
static void expect_stream(const spgemm_csr *A, const spgemm_csr *B,
                          const spgemm_options *options, size_t bytes,
                          const spgemm_csr *want, const char *name)
{
    char text[160];
    snprintf(text, sizeof text, "%s in blocks of %zu by %d", name, bytes,
             options->resources.nthreads);
    collector c = collect(want, bytes > 0 ? bytes : SIZE_MAX, text);
    spgemm_report report;
    memset(&report, 0xa5, sizeof report);
    const spgemm_status status =
        spgemm_stream(A, B, options, bytes, take, &c, &report);
    if (bytes > 0 && want->nrows > 0 && largest_row(want) > bytes) {
        cr_assert_eq(status, SPGEMM_ERROR_MEMORY_LIMIT, "%s: %s", text,
                     spgemm_status_string(status));
        cr_assert_eq(memcmp(c.C.rowptr, want->rowptr,
                            (size_t)(c.C.nrows + 1) * sizeof(int64_t)),
                     0, "%s", text);
    } else {
        cr_assert_eq(status, SPGEMM_SUCCESS, "%s: %s", text,
                     spgemm_status_string(status));
        c.C.flags = want->flags;
        cr_assert(spgemm_csr_equal(&c.C, want), "%s: not the same", text);
        cr_assert_eq(report.nnz, want->nnz, "%s", text);
        /* An empty array would take a byte. */
        cr_assert_eq(report.c_bytes, bytes_of(want) + (want->nnz > 0 ? 0 : 2),
                     "%s", text);
        cr_assert_geq(report.peak_bytes, c.largest_bytes, "%s", text);
        int64_t rows = 0;
        for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
            rows += report.rows_by_accumulator[a];
        cr_assert_geq(rows > 0, report.products > 0, "%s", text);
    }
    free_csr(&c.C);
}

static const size_t budgets[] = {0, 1, 100, 500, 3000, 20000, 200000, 3000000};
enum { BUDGETS = sizeof budgets / sizeof budgets[0] };

static void try_budgets(const spgemm_csr *A, const spgemm_csr *B,
                        spgemm_options options, const char *name)
{
    spgemm_csr want = expect_success(&multiply_variants[VARIANT_PREDICTED], A,
                                     B, &options, NULL);
    static const int threads[] = {1, 2, 7};
    for (int t = 0; t < 3; t++)
        for (int b = 0; b < BUDGETS; b++) {
            /* Thousands of blocks tell no more than hundreds. */
            if (budgets[b] > 0 && bytes_of(&want) / budgets[b] > 3000)
                continue;
            options.resources.nthreads = threads[t];
            expect_stream(A, B, &options, budgets[b], &want, name);
        }
    spgemm_csr_destroy(&want);
}

ParameterizedTestParameters(stream, is_the_product_in_one_piece)
{
    return choose_cases();
}

ParameterizedTest(case_choice *choice, stream, is_the_product_in_one_piece)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(choice->number, choice->index_type, VALUES_ARBITRARY, &A, &B);
    const char *name = product_cases[choice->number].name;
    try_budgets(&A, &B, (spgemm_options){0}, name);
    free_csr(&A);
    free_csr(&B);
}

static void try_case(const char *name, spgemm_options options)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case(name), SPGEMM_I32, VALUES_ARBITRARY, &A, &B);
    try_budgets(&A, &B, options, name);
    free_csr(&A);
    free_csr(&B);
}

Test(stream, leaves_rows_unsorted_alike)
{
    const spgemm_options options = {.product.row_order = SPGEMM_ROWS_UNSORTED};
    try_case("rmat", options);
    try_case("unsorted", options);
    try_case("alternating", options);
    try_case("giant row", options);
}

/* Rows that repeat others, and rows of one pattern. */
Test(stream, of_grids)
{
    maker m = {{3}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_banded(&m, 20000, 2, 1.0);
    try_budgets(&A, &A, (spgemm_options){0}, "grid");
    free_csr(&A);
    A = make_fem(&m, 1500, 2, 3);
    try_budgets(&A, &A, (spgemm_options){0}, "fem");
    free_csr(&A);
}

/* ---- Predictions that lie ------------------------------------------------- */

static void try_liars(const char *name, double slack)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case(name), SPGEMM_I32, VALUES_ARBITRARY, &A, &B);
    spgemm_csr want = reference_multiply(&A, &B);
    spgemm_csr C = expect_success(&multiply_variants[VARIANT_PREDICTED], &A, &B,
                                  &(spgemm_options){0}, NULL);
    for (int t = 0; t < row_predictor_count; t++)
        for (int nthreads = 1; nthreads <= 2; nthreads++) {
            spgemm_options options = lying_options(&row_predictors[t], &want);
            options.resources.nthreads = nthreads;
            options.predict.slack = slack;
            const size_t bytes = bytes_of(&C);
            expect_stream(&A, &B, &options, bytes / 3, &C,
                          row_predictors[t].name);
            expect_stream(&A, &B, &options, bytes / 50, &C,
                          row_predictors[t].name);
            expect_stream(&A, &B, &options, 0, &C, row_predictors[t].name);
        }
    spgemm_csr_destroy(&C);
    free_csr(&want);
    free_csr(&A);
    free_csr(&B);
}

Test(stream, does_not_believe_predictions)
{
    try_liars("fem", 0);
    try_liars("rmat", 1.0);
    try_liars("hidden rows", 0);
    try_liars("giant rows", 1.0);
    try_liars("unsorted", 50.0);
    try_liars("fem", INFINITY);
}

static void expect_few_blocks(int64_t length, double slack)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    const spgemm_options options = {.predict.slack = slack};
    spgemm_csr A = make_uniform(&m, 30000, 30000, length);
    spgemm_csr C = expect_success(&multiply_variants[VARIANT_PREDICTED], &A, &A,
                                  &(spgemm_options){0}, NULL);
    const size_t bytes = bytes_of(&C) / 10;
    collector c = collect(&C, bytes, "uniform");
    cr_assert_eq(spgemm_stream(&A, &A, &options, bytes, take, &c, NULL),
                 SPGEMM_SUCCESS);
    cr_expect_leq(c.blocks, 12, "%ld blocks", (long)c.blocks);
    free_csr(&c.C);
    spgemm_csr_destroy(&C);
    free_csr(&A);
}

/* A good prediction fills the blocks, and so does the bound of a C that is nearly as
   large, with empty rows in it. */
Test(stream, fills_its_blocks)
{
    expect_few_blocks(8, 0);
    expect_few_blocks(1, 0);
    expect_few_blocks(1, INFINITY);
}

/* ---- Ends ----------------------------------------------------------------- */

/* Counts its blocks, and has a call of its own refused. */
static int fail_aside(void *context, const spgemm_csr *rows, int64_t first_row)
{
    int64_t *blocks = context;
    spgemm_csr C;
    (void)first_row;
    ++*blocks;
    cr_expect_eq(spgemm_predicted(&C, rows, NULL, NULL, NULL),
                 SPGEMM_ERROR_INVALID);
    return 0;
}

/* The last row of ten is of 60 entries, those before of one. */
Test(stream, is_refused_for_its_own_reason)
{
    int64_t rowptr[11];
    int32_t colidx[69];
    int64_t blocks = 0;
    spgemm_report report;
    for (int i = 0; i < 10; i++)
        rowptr[i] = i;
    rowptr[10] = 69;
    for (int p = 0; p < 69; p++)
        colidx[p] = p < 9 ? p : p - 9;
    const spgemm_csr A = spgemm_csr_view(10, 60, 69, rowptr, colidx, NULL,
                                         SPGEMM_I32, SPGEMM_FP64);
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr B = make_banded(&m, 60, 0, 1.0);
    drop_values(&B);
    cr_assert_eq(spgemm_stream(&A, &B, NULL, 200, fail_aside, &blocks, &report),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    cr_expect_gt(blocks, 0);
    cr_expect(strncmp(report.refusal, "row 9 ", 6) == 0, "%s", report.refusal);
    free_csr(&B);
}

Test(stream, ends_when_the_sink_has_enough)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case("banded"), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    spgemm_csr want = reference_multiply(&A, &B);
    for (int stop = 0; stop < 20; stop += 3)
        for (int nthreads = 1; nthreads <= 2; nthreads++) {
            failing_allocator *heap = failing_allocator_create();
            const spgemm_allocator hooks = failing_allocator_hooks(heap);
            const spgemm_options options = {.resources.allocator = &hooks,
                                            .resources.nthreads = nthreads};
            collector c = collect(&want, SIZE_MAX, "banded");
            c.stop_at = stop;
            spgemm_report report;
            cr_assert_eq(spgemm_stream(&A, &B, &options, bytes_of(&want) / 30,
                                       take, &c, &report),
                         SPGEMM_ERROR_CANCELLED);
            cr_expect_eq(c.blocks, stop);
            cr_expect_eq(report.nnz, c.C.nnz);
            cr_expect_eq(heap->live, 0);
            cr_expect_eq(heap->foreign, 0);
            free_csr(&c.C);
            failing_allocator_destroy(heap);
        }
    free_csr(&want);
    free_csr(&A);
    free_csr(&B);
}

Test(stream, refuses_what_spgemm_predicted_refuses)
{
    maker m = {{7}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 40, 30, 3);
    spgemm_csr B = make_uniform(&m, 30, 20, 3);
    collector c = collect(&A, SIZE_MAX, "refused");
    spgemm_report report = {0};
    cr_expect_eq(spgemm_stream(&A, &B, NULL, 0, NULL, &c, NULL),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_stream(NULL, &B, NULL, 0, take, &c, NULL),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_stream(&A, NULL, NULL, 0, take, &c, NULL),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_stream(&B, &A, NULL, 0, take, &c, NULL),
                 SPGEMM_ERROR_SHAPE);
    const spgemm_out out = {0};
    cr_expect_eq(spgemm_stream(&A, &B, &(spgemm_options){.resources.out = &out},
                               0, take, &c, NULL),
                 SPGEMM_ERROR_INVALID);
    set_column_of(&B, 5, 20);
    cr_expect_eq(spgemm_stream(&A, &B, NULL, 0, take, &c, &report),
                 SPGEMM_ERROR_STRUCTURE);
    cr_expect_str_eq(report.fault.operand, "B");
    cr_expect_eq(report.fault.position, 5);
    cr_expect_eq(c.blocks, 0);
    free_csr(&c.C);
    free_csr(&A);
    free_csr(&B);
}

/* ---- The limit ------------------------------------------------------------ */

/* Whatever the limit, either all of C comes, in the same bits, or the call says
   that it does not fit; and it holds no more than the limit. */
static bool try_limit(const spgemm_csr *A, const spgemm_csr *B,
                      const spgemm_csr *want, size_t limit, size_t bytes,
                      int nthreads, const char *name)
{
    failing_allocator *heap = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_plain_hooks(heap);
    const spgemm_options options = {.resources.allocator = &hooks,
                                    .resources.nthreads = nthreads,
                                    .resources.memory_limit_bytes = limit};
    collector c = collect(want, bytes > 0 ? bytes : limit, name);
    spgemm_report report;
    const spgemm_status status =
        spgemm_stream(A, B, &options, bytes, take, &c, &report);
    cr_assert_leq(heap->peak_bytes, limit, "%s: %zu bytes of %zu", name,
                  heap->peak_bytes, limit);
    cr_assert_leq(report.peak_bytes, limit, "%s", name);
    cr_assert_eq(heap->live, 0, "%s: %ld blocks live", name, heap->live);
    if (status == SPGEMM_SUCCESS) {
        c.C.flags = want->flags;
        cr_assert(spgemm_csr_equal(&c.C, want), "%s: not the same", name);
    } else {
        cr_assert_eq(status, SPGEMM_ERROR_MEMORY_LIMIT, "%s: %s", name,
                     spgemm_status_string(status));
    }
    free_csr(&c.C);
    failing_allocator_destroy(heap);
    return status == SPGEMM_SUCCESS;
}

static void try_limits(const char *name)
{
    static const double shares[] = {0.02, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0, 1.5};
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case(name), SPGEMM_I32, VALUES_ARBITRARY, &A, &B);
    spgemm_report report;
    spgemm_csr want = expect_success(&multiply_variants[VARIANT_PREDICTED], &A,
                                     &B, &(spgemm_options){0}, &report);
    want.flags &= (uint32_t)SPGEMM_SORTED_ROWS;
    for (int nthreads = 1; nthreads <= 3; nthreads += 2)
        for (size_t t = 0; t < sizeof shares / sizeof shares[0]; t++) {
            const size_t limit =
                (size_t)(shares[t] * (double)report.peak_bytes) + 1;
            try_limit(&A, &B, &want, limit, 0, nthreads, name);
            const bool is_done =
                try_limit(&A, &B, &want, limit, limit / 3 + 1, nthreads, name);
            cr_assert(is_done || shares[t] < 1.4 ||
                          limit < 4 * largest_row(&want),
                      "%s: %.1f", name, shares[t]);
        }
    want.flags |= SPGEMM_OWNS_ARRAYS;
    spgemm_csr_destroy(&want);
    free_csr(&A);
    free_csr(&B);
}

Test(stream, holds_no_more_than_its_limit)
{
    static const char *const names[] = {
        "rmat",     "fem",        "uniform",   "banded",     "hidden rows",
        "unsorted", "duplicates", "giant row", "short wide", "very wide"};
    for (size_t t = 0; t < sizeof names / sizeof names[0]; t++)
        try_limits(names[t]);
}

/* C is four times the limit. */
Test(stream, multiplies_what_does_not_fit)
{
    maker m = {{11}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 60000, 60000, 16);
    spgemm_csr want = expect_success(&multiply_variants[VARIANT_PREDICTED], &A,
                                     &A, &(spgemm_options){0}, NULL);
    const size_t limit = bytes_of(&want) / 4;
    for (int nthreads = 1; nthreads <= 2; nthreads++)
        cr_assert(try_limit(&A, &A, &want, limit, 0, nthreads, "uniform"));
    spgemm_csr C = {0};
    cr_assert_eq(spgemm_predicted(
                     &C, &A, &A,
                     &(spgemm_options){.resources.memory_limit_bytes = limit},
                     NULL),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    spgemm_csr_destroy(&want);
    free_csr(&A);
}
