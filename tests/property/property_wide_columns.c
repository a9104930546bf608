/* SPDX-License-Identifier: BSD-3-Clause */
/* C of A and B with many 64-bit columns is C of 32-bit ones, and what it takes
   beside C is within a tenth of C and 32 MB, however small C is. */
#include "expect.h"

/* Entries of each operand: more than are narrowed whatever C is. */
#define SHORT     60
#define LONG      1200000
#define LONG_NNZ  4 /* in rows of the long one */
#define BAND_ROWS 1100000
#define BAND      4
#define MB        ((size_t)1 << 20)

static spgemm_csr make_flat(spgemm_index_type columns)
{
    csr_builder b = build_begin(SHORT, LONG);
    for (int64_t i = 0; i < SHORT; i++) {
        for (int64_t j = i % 15; j < LONG; j += 15)
            build_add(&b, j, 1.0 / (double)(1 + j % 7));
        build_end_row(&b);
    }
    return build_finish(&b, columns);
}

static spgemm_csr make_tall(spgemm_index_type columns)
{
    csr_builder b = build_begin(LONG, SHORT);
    for (int64_t i = 0; i < LONG; i++) {
        for (int64_t t = 0; t < LONG_NNZ; t++)
            build_add(&b, (i + 29 * t) % SHORT, 1.0 / (double)(3 + i % 5));
        build_end_row(&b);
    }
    return build_finish(&b, columns);
}

/* Diagonals of which no two sums are the same, and the first four. */
static const int64_t scattered_band[BAND] = {0, 1000, 3000, 7000};
static const int64_t dense_band[BAND] = {0, 1, 2, 3};

/* Some diagonals; rows in order, or each from its last column to its first. */
static spgemm_csr make_band(spgemm_index_type columns,
                            const int64_t diagonals[BAND], bool is_sorted)
{
    csr_builder b = build_begin(BAND_ROWS, BAND_ROWS);
    for (int64_t i = 0; i < BAND_ROWS; i++) {
        for (int64_t t = 0; t < BAND; t++) {
            const int64_t j = i + diagonals[is_sorted ? t : BAND - 1 - t];
            if (j < BAND_ROWS)
                build_add(&b, j, 1.0 / (double)(1 + j % 9));
        }
        build_end_row(&b);
    }
    return build_finish(&b, columns);
}

static void expect_same_bits(const spgemm_csr *wide, const spgemm_csr *narrow)
{
    const int32_t *columns = narrow->colidx;
    const int64_t *wide_columns = wide->colidx;
    cr_assert_eq(wide->index_type, SPGEMM_I64);
    cr_assert_eq(wide->nnz, narrow->nnz);
    cr_assert_eq(memcmp(wide->rowptr, narrow->rowptr,
                        (size_t)(wide->nrows + 1) * sizeof *wide->rowptr),
                 0);
    cr_assert_eq(memcmp(wide->values, narrow->values,
                        (size_t)wide->nnz * sizeof(double)),
                 0);
    for (int64_t p = 0; p < wide->nnz; p++)
        cr_assert_eq(wide_columns[p], columns[p]);
}

static void expect_within(const spgemm_report *report)
{
    cr_assert_leq(
        report->peak_bytes, report->c_bytes + report->c_bytes / 10 + 32 * MB,
        "%zu bytes for a C of %zu", report->peak_bytes, report->c_bytes);
}

/* Both products, compared; the report is of the wide one. */
static spgemm_report multiply_both(const spgemm_csr *A, const spgemm_csr *B,
                                   const spgemm_csr *wide_A,
                                   const spgemm_csr *wide_B, int nthreads)
{
    const spgemm_options options = {.resources.nthreads = nthreads};
    spgemm_csr C = {0};
    spgemm_csr wide_C = {0};
    spgemm_report report;
    cr_assert_eq(spgemm_predicted(&C, A, B, &options, NULL), SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_predicted(&wide_C, wide_A, wide_B, &options, &report),
                 SPGEMM_SUCCESS);
    expect_same_bits(&wide_C, &C);
    spgemm_csr_destroy(&C);
    spgemm_csr_destroy(&wide_C);
    return report;
}

Test(wide_columns, of_a_small_product_are_not_copied)
{
    spgemm_csr A = make_flat(SPGEMM_I32);
    spgemm_csr B = make_tall(SPGEMM_I32);
    spgemm_csr wide_A = make_flat(SPGEMM_I64);
    spgemm_csr wide_B = make_tall(SPGEMM_I64);
    for (int nthreads = 1; nthreads <= 2; nthreads++) {
        const spgemm_report report =
            multiply_both(&A, &B, &wide_A, &wide_B, nthreads);
        expect_within(&report);
        cr_assert_lt(report.peak_bytes, 16 * MB);
    }
    free_csr(&A);
    free_csr(&B);
    free_csr(&wide_A);
    free_csr(&wide_B);
}

/* From one that has no room for copies to one that has room for all: C is the same,
   or there is none. */
Test(wide_columns, under_a_limit_are_copied_both_or_neither)
{
    spgemm_csr A = make_flat(SPGEMM_I64);
    spgemm_csr B = make_tall(SPGEMM_I64);
    spgemm_csr C = {0};
    spgemm_options options = {.resources.nthreads = 1};
    /* Fewer entries, of which both copies may be made whatever C is. */
    A.nrows = SHORT / 6;
    A.nnz = A.rowptr[A.nrows];
    cr_assert_eq(spgemm_precise(&C, &A, &B, &options, NULL), SPGEMM_SUCCESS);
    for (size_t limit = 4; limit <= 40; limit += 2) {
        spgemm_csr limited = {0};
        options.resources.memory_limit_bytes = limit * MB;
        const spgemm_status status =
            spgemm_predicted(&limited, &A, &B, &options, NULL);
        if (status == SPGEMM_SUCCESS) {
            cr_assert_eq(limited.nnz, C.nnz);
            cr_assert_eq(memcmp(limited.colidx, C.colidx,
                                (size_t)C.nnz * sizeof(int64_t)),
                         0);
            cr_assert_eq(memcmp(limited.values, C.values,
                                (size_t)C.nnz * sizeof(double)),
                         0);
        } else {
            cr_assert_eq(status, SPGEMM_ERROR_MEMORY_LIMIT);
        }
        spgemm_csr_destroy(&limited);
    }
    spgemm_csr_destroy(&C);
    free_csr(&A);
    free_csr(&B);
}

/* Nor where no two products meet, on either side of the diagonal matrix. */
Test(wide_columns, times_a_diagonal_are_not_copied)
{
    static const int64_t none[BAND] = {0, BAND_ROWS, BAND_ROWS, BAND_ROWS};
    spgemm_csr A = make_band(SPGEMM_I32, dense_band, true);
    spgemm_csr D = make_band(SPGEMM_I32, none, true);
    spgemm_csr wide_A = make_band(SPGEMM_I64, dense_band, true);
    spgemm_csr wide_D = make_band(SPGEMM_I64, none, true);
    const spgemm_report right = multiply_both(&A, &D, &wide_A, &wide_D, 2);
    const spgemm_report left = multiply_both(&D, &A, &wide_D, &wide_A, 2);
    expect_within(&right);
    expect_within(&left);
    cr_assert_lt(right.peak_bytes, right.c_bytes + 16 * MB);
    cr_assert_lt(left.peak_bytes, left.c_bytes + 16 * MB);
    free_csr(&A);
    free_csr(&D);
    free_csr(&wide_A);
    free_csr(&wide_D);
}

/* And of a large one are, whether A is B, and whether rows are sorted; but of one
   that is not large enough for all that its rows in runs take. */
static void square_band(bool is_sorted, bool is_one, bool is_dense)
{
    const int64_t *diagonals = is_dense ? dense_band : scattered_band;
    spgemm_csr A = make_band(SPGEMM_I32, diagonals, is_sorted);
    spgemm_csr wide_A = make_band(SPGEMM_I64, diagonals, is_sorted);
    const spgemm_csr B = A;
    const spgemm_csr wide_B = wide_A;
    const spgemm_report report = multiply_both(&A, is_one ? &A : &B, &wide_A,
                                               is_one ? &wide_A : &wide_B, 2);
    expect_within(&report);
    if (!is_dense)
        cr_assert_gt(report.peak_bytes, report.c_bytes + 16 * MB);
    free_csr(&A);
    free_csr(&wide_A);
}

Test(wide_columns, of_a_large_product_are_copied)
{
    square_band(true, true, false);
    square_band(true, false, false);
    square_band(false, false, false);
}

Test(wide_columns, of_rows_in_runs_are_within_it)
{
    square_band(true, true, true);
    square_band(false, true, true);
}
