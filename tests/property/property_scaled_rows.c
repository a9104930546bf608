/* SPDX-License-Identifier: BSD-3-Clause */
/* Products by matrices of one entry a row at most: diagonal ones, permutations,
   choices of rows and columns, prolongations by aggregates. */
#include "every_way.h"
#include "expect.h"
#include "spgemm/plan.h"

enum { SIZE = 700, SHORT = 12, LONG = 150, MANY = 33000 };

/* Column of row k of n; -1: it has none. */
typedef int64_t single(maker *m, int64_t k, int64_t n);

static int64_t diagonal(maker *m, int64_t k, int64_t n)
{
    (void)m;
    (void)n;
    return k;
}

static int64_t with_holes(maker *m, int64_t k, int64_t n)
{
    (void)n;
    return dice_below(&m->dice, 5) == 0 ? -1 : k;
}

static int64_t ends_empty(maker *m, int64_t k, int64_t n)
{
    (void)m;
    return k < 5 || k > n - 5 ? -1 : k;
}

static int64_t chosen(maker *m, int64_t k, int64_t n)
{
    (void)m;
    (void)n;
    return k % 3 == 1 ? k / 3 : -1;
}

static int64_t reversed(maker *m, int64_t k, int64_t n)
{
    (void)m;
    return n - 1 - k;
}

static int64_t permuted(maker *m, int64_t k, int64_t n)
{
    (void)m;
    return k * 299 % n; /* of which n is no multiple */
}

static int64_t aggregated(maker *m, int64_t k, int64_t n)
{
    (void)m;
    (void)n;
    return k / 4;
}

static int64_t scattered(maker *m, int64_t k, int64_t n)
{
    (void)k;
    return dice_below(&m->dice, n / 8);
}

static int64_t all_one(maker *m, int64_t k, int64_t n)
{
    (void)m;
    (void)k;
    return n / 2;
}

/* Three columns for many rows, side by side or strewn, and for some their own. */
static int64_t grouped(maker *m, int64_t k, int64_t n)
{
    (void)m;
    return k / (n / 3 + 1);
}

static int64_t strewn(maker *m, int64_t k, int64_t n)
{
    (void)m;
    return n - 1 - k * 7 % 3;
}

static int64_t partly_grouped(maker *m, int64_t k, int64_t n)
{
    return k % 16 == 0 ? n - 1 - k : grouped(m, k, n);
}

/* One step back among columns that increase otherwise. */
static int64_t almost_diagonal(maker *m, int64_t k, int64_t n)
{
    (void)m;
    return k == n / 2 ? n / 2 - 1 : k == n / 2 - 1 ? n / 2 : k;
}

static single *const forms[] = {
    diagonal, with_holes, ends_empty,    chosen,  reversed,
    permuted, aggregated, scattered,     all_one, almost_diagonal,
    grouped,  strewn,     partly_grouped};
enum { FORMS = sizeof forms / sizeof forms[0], SCALING_FORMS = 4 };

static spgemm_csr make_single(maker *m, single *column_of_row, int64_t n)
{
    csr_builder b = build_begin(n, n);
    for (int64_t k = 0; k < n; k++) {
        const int64_t j = column_of_row(m, k, n);
        if (j >= 0)
            build_add(&b, j, make_value(m));
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

/* Rows of 0 to `longest` entries, by increasing column or from the last on. */
static spgemm_csr make_rows(maker *m, int64_t n, int64_t longest,
                            bool is_sorted)
{
    csr_builder b = build_begin(n, n);
    for (int64_t i = 0; i < n; i++) {
        const int64_t length = dice_below(&m->dice, longest + 1);
        const int64_t step = n / (longest + 1);
        for (int64_t t = 0; t < length; t++) {
            const int64_t j = t * step + dice_below(&m->dice, step);
            build_add(&b, is_sorted ? j : n - 1 - j, make_value(m));
        }
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

static int64_t rows_with_products(const spgemm_csr *A, const spgemm_csr *B)
{
    int64_t count = 0;
    for (int64_t i = 0; i < A->nrows; i++)
        count += count_row_products(A, B, i) > 0;
    return count;
}

/* A form from the right, from the left, and by itself. */
static void expect_form(int form, int64_t n, int64_t longest, bool is_sorted,
                        value_kind values)
{
    char text[100];
    maker m = {{(uint64_t)(form + 1)}, SPGEMM_I32, values};
    spgemm_csr S = make_single(&m, forms[form], n);
    spgemm_csr X = make_rows(&m, n, longest, is_sorted);
    const int64_t of_X = rows_with_products(&X, &S);
    const int64_t of_S = rows_with_products(&S, &X);
    const path columns = {SPGEMM_ACCUMULATOR_ESC, of_X, of_X, false};
    const path rows = {SPGEMM_ACCUMULATOR_ESC, of_S, of_S, false};
    snprintf(text, sizeof text, "form %d of %lld, rows of %lld, sorted %d",
             form, (long long)n, (long long)longest, is_sorted);
    expect_every_way(&X, &S, &columns, is_sorted && form < SCALING_FORMS, text);
    expect_every_way(&S, &X, &rows, is_sorted, text);
    expect_every_way(&S, &S, NULL, 0, text);
    free_csr(&S);
    free_csr(&X);
}

static void expect_forms(int64_t n, int64_t longest, bool is_sorted)
{
    for (int form = 0; form < FORMS; form++)
        expect_form(form, n, longest, is_sorted,
                    form % 2 ? VALUES_SPECIAL : VALUES_ARBITRARY);
}

Test(scaled_rows, are_short)
{
    expect_forms(SIZE, SHORT, true);
}

Test(scaled_rows, are_longer_than_are_sorted_in_registers)
{
    expect_forms(SIZE, LONG, true);
}

Test(scaled_rows, are_of_unsorted_matrices)
{
    expect_forms(SIZE, SHORT, false);
    expect_forms(SIZE, LONG, false);
}

Test(scaled_rows, are_few)
{
    expect_forms(60, 5, true);
    expect_forms(70, 5, true);
}

/* The values anew, over others. */
static void expect_planned(const spgemm_csr *A, const spgemm_csr *B,
                           const spgemm_csr *want, const char *text)
{
    spgemm_plan *plan;
    spgemm_csr C;
    cr_assert_eq(spgemm_plan_create(&plan, &C, A, B, NULL, NULL),
                 SPGEMM_SUCCESS);
    memset(C.values, 0x55, (size_t)C.nnz * sizeof(double));
    cr_assert_eq(spgemm_plan_repeat(plan, &C, A, B, NULL), SPGEMM_SUCCESS);
    expect_agree(&C, want, text);
    spgemm_csr_destroy(&C);
    spgemm_plan_destroy(plan);
}

/* The same of more products than are taken as few: of each form by each other. */
Test(scaled_rows, are_scaled_by_each_other)
{
    for (int left = 0; left < FORMS; left++)
        for (int right = 0; right < FORMS; right++) {
            char text[60];
            maker m = {{(uint64_t)(left + 20 * right)},
                       right % 2 ? SPGEMM_I32 : SPGEMM_I64,
                       left % 2 ? VALUES_SPECIAL : VALUES_ARBITRARY};
            spgemm_csr A = make_single(&m, forms[left], MANY);
            spgemm_csr B = make_single(&m, forms[right], MANY);
            spgemm_csr want = reference_multiply(&A, &B);
            spgemm_csr C;
            snprintf(text, sizeof text, "form %d by form %d", left, right);
            cr_assert_eq(spgemm_predicted(&C, &A, &B, NULL, NULL),
                         SPGEMM_SUCCESS);
            expect_agree(&C, &want, text);
            spgemm_csr_destroy(&C);
            expect_planned(&A, &B, &want, text);
            free_csr(&want);
            free_csr(&A);
            free_csr(&B);
        }
}

/* Into arrays of the caller's that C just fits, or does not; by a limit that leaves
   room for C, or for all but it. */
static void expect_in_out(const spgemm_csr *A, const spgemm_csr *B,
                          int64_t spare)
{
    spgemm_csr want = reference_multiply(A, B);
    const int64_t capacity = want.nnz + spare;
    int64_t *rowptr = must_allocate(A->nrows + 1, sizeof *rowptr);
    int32_t *colidx = must_allocate(capacity, sizeof *colidx);
    double *values = must_allocate(capacity, sizeof *values);
    const spgemm_out out = {rowptr, colidx, values, capacity};
    const spgemm_options options = {.resources.out = &out};
    spgemm_csr C;
    spgemm_report report;
    cr_assert_eq(spgemm_predicted(&C, A, B, &options, &report), SPGEMM_SUCCESS);
    cr_assert_eq(report.nnz_predicted, want.nnz);
    cr_assert_eq(report.nnz_standard_error, 0.0);
    cr_assert_eq(C.colidx == (void *)colidx, spare >= 0);
    cr_assert_eq(C.values == (void *)values, spare >= 0);
    expect_agree(&C, &want, "out");
    spgemm_csr_destroy(&C);
    free(rowptr);
    free(colidx);
    free(values);
    free_csr(&want);
}

static void expect_within_limits(const spgemm_csr *A, const spgemm_csr *B)
{
    spgemm_csr want = reference_multiply(A, B);
    const size_t most = 2000000;
    for (size_t limit = most / 50; limit <= most; limit += most / 50) {
        const spgemm_options options = {.resources.memory_limit_bytes = limit,
                                        .resources.nthreads = 1};
        spgemm_csr C;
        const spgemm_status status = spgemm_predicted(&C, A, B, &options, NULL);
        if (status == SPGEMM_SUCCESS) {
            expect_agree(&C, &want, "limit");
            spgemm_csr_destroy(&C);
        } else {
            cr_assert_eq(status, SPGEMM_ERROR_MEMORY_LIMIT);
            cr_assert_lt(limit, most / 2 + (size_t)want.nnz * 12);
        }
    }
    free_csr(&want);
}

Test(scaled_rows, go_where_they_are_asked_to)
{
    maker m = {{7}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr D = make_single(&m, diagonal, SIZE);
    spgemm_csr X = make_rows(&m, SIZE, LONG, true);
    cr_assert_gt(X.nnz, 40000, "as few products are multiplied otherwise");
    for (int64_t spare = -1; spare <= 1; spare++) {
        expect_in_out(&X, &D, spare);
        expect_in_out(&D, &X, spare);
    }
    expect_within_limits(&X, &D);
    expect_within_limits(&D, &X);
    free_csr(&D);
    free_csr(&X);
}
