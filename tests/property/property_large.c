/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of more than 2^31 entries: no count of them is one of 32 bits. */
#include "expect.h"
#include "spgemm/stream.h"

/* Rows of A with one entry, rows of B that are full: C is full. */
#define A_ROWS    70000
#define B_ROWS    16
#define B_COLUMNS 32768

static spgemm_csr make_selector(void)
{
    csr_builder b = build_begin(A_ROWS, B_ROWS);
    for (int64_t i = 0; i < A_ROWS; i++) {
        build_add(&b, i % B_ROWS, 1.0);
        build_end_row(&b);
    }
    return build_finish(&b, SPGEMM_I32);
}

static spgemm_csr make_full(void)
{
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    return make_all_entries(&m, B_ROWS, B_COLUMNS);
}

typedef struct taken {
    int64_t rows;
    int64_t nnz;
    bool is_full; /* first and last columns of each row as they must be */
} taken;

static int take(void *context, const spgemm_csr *rows, int64_t first_row)
{
    taken *t = context;
    cr_assert_eq(first_row, t->rows);
    cr_assert_null(rows->values);
    for (int64_t i = 0; i < rows->nrows; i++)
        t->is_full &= rows->rowptr[i + 1] - rows->rowptr[i] == B_COLUMNS &&
                      column_of(rows, rows->rowptr[i]) == 0 &&
                      column_of(rows, rows->rowptr[i + 1] - 1) == B_COLUMNS - 1;
    t->rows += rows->nrows;
    t->nnz += rows->nnz;
    return 0;
}

Test(large, pattern_is_streamed)
{
    const int64_t nnz = (int64_t)A_ROWS * B_COLUMNS;
    spgemm_csr A = make_selector();
    spgemm_csr B = make_full();
    spgemm_csr A_pattern = A;
    spgemm_csr B_pattern = B;
    A_pattern.values = NULL;
    B_pattern.values = NULL;
    taken t = {.is_full = true};
    spgemm_report report;
    cr_assert_gt(nnz, (int64_t)INT32_MAX);
    cr_assert_eq(spgemm_stream(&A_pattern, &B_pattern, NULL, (size_t)64 << 20,
                               take, &t, &report),
                 SPGEMM_SUCCESS);
    cr_assert_eq(t.rows, A_ROWS);
    cr_assert_eq(t.nnz, nnz);
    cr_assert(t.is_full);
    cr_assert_eq(report.nnz, nnz);
    cr_assert_eq(report.products, nnz);
    cr_assert_lt(report.peak_bytes, (size_t)256 << 20);
    cr_assert_gt(report.c_bytes, (size_t)4 * (size_t)INT32_MAX);
    free_csr(&A);
    free_csr(&B);
}

/* What would not fit is refused before it is tried. */
Test(large, product_is_refused_by_its_limit)
{
    spgemm_csr A = make_selector();
    spgemm_csr B = make_full();
    spgemm_csr C = {0};
    spgemm_report report;
    const spgemm_options options = {.resources.memory_limit_bytes = (size_t)1
                                                                    << 30};
    cr_assert_eq(spgemm_predicted(&C, &A, &B, &options, &report),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    cr_assert_null(C.rowptr);
    cr_assert_gt(report.nnz_predicted, (int64_t)INT32_MAX);
    cr_assert_lt(report.peak_bytes, (size_t)1 << 30);
    free_csr(&A);
    free_csr(&B);
}

/* More columns than 32 bits can name. */
Test(large, columns_need_their_type)
{
    const int64_t rowptr[] = {0, 1};
    const int32_t column[] = {5};
    const double value[] = {1};
    const spgemm_csr A = spgemm_csr_view(1, 1, 1, rowptr, (const int32_t[]){0},
                                         value, SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr B = spgemm_csr_view(1, (int64_t)1 << 31, 1, rowptr, column,
                                         value, SPGEMM_I32, SPGEMM_FP64);
    spgemm_csr C = {0};
    cr_assert_eq(spgemm_predicted(&C, &A, &B, NULL, NULL),
                 SPGEMM_ERROR_OVERFLOW);
}
