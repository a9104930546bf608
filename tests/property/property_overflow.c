/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts that do not fit are refused before anything is allocated. */
#include "expect.h"
#include "failing_allocator.h"
#include "spgemm/predict.h"

static const int64_t zeros[2] = {0, 0};
static const int32_t no_columns[1] = {0};
static const double no_values[1] = {0};

/* A header that promises what its arrays do not hold. */
static spgemm_csr fake(int64_t nrows, int64_t ncols, int64_t nnz,
                       spgemm_index_type index_type)
{
    return spgemm_csr_view(nrows, ncols, nnz, zeros, no_columns, no_values,
                           index_type, SPGEMM_FP64);
}

static bool is_refusal(spgemm_status status)
{
    return status == SPGEMM_ERROR_OVERFLOW || status == SPGEMM_ERROR_INVALID;
}

/* Every entry point refuses A*B without having asked for a byte. */
static void expect_no_allocation(const spgemm_csr *A, const spgemm_csr *B,
                                 const char *what)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    const spgemm_options options = {.resources.allocator = &hooks};
    spgemm_prediction prediction;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C = {0};
        cr_expect(
            is_refusal(multiply_variants[v].multiply(&C, A, B, &options, NULL)),
            "%s: %s", multiply_variants[v].name, what);
        cr_expect_null(C.rowptr);
    }
    cr_expect(is_refusal(spgemm_predict(&prediction, A, B, &options, NULL)),
              "predict: %s", what);
    cr_expect_eq(f->calls, 0, "%s: %ld allocations", what, f->calls);
    failing_allocator_destroy(f);
}

Test(overflow, of_headers_is_refused_before_any_allocation)
{
    static const struct {
        const char *name;
        int64_t nrows;
        int64_t ncols;
        int64_t nnz;
        spgemm_index_type index_type;
    } headers[] = {
        {"most rows", INT64_MAX, 1, 0, SPGEMM_I64},
        {"rows whose bytes pass 2^64", (int64_t)1 << 61, 1, 0, SPGEMM_I64},
        {"rows whose bytes pass 2^63", (int64_t)1 << 60, 1, 0, SPGEMM_I64},
        {"most entries", 1, 1, INT64_MAX, SPGEMM_I64},
        {"entries whose bytes pass 2^64", 1, 1, (int64_t)1 << 61, SPGEMM_I64},
        {"columns past int32", 1, (int64_t)1 << 31, 0, SPGEMM_I32},
        {"columns past 2^32", 1, ((int64_t)1 << 32) + 1, 0, SPGEMM_I32},
        {"most columns", 1, INT64_MAX, 0, SPGEMM_I32},
        {"least rows", INT64_MIN, 1, 0, SPGEMM_I64},
    };
    for (size_t t = 0; t < sizeof headers / sizeof headers[0]; t++) {
        const spgemm_csr M = fake(headers[t].nrows, headers[t].ncols,
                                  headers[t].nnz, headers[t].index_type);
        const spgemm_csr right =
            fake(M.ncols < INT32_MAX ? M.ncols : 1, 1, 0, M.index_type);
        const spgemm_csr left = fake(1, 1, 0, M.index_type);
        cr_expect(is_refusal(spgemm_csr_check(&M, NULL)), "%s",
                  headers[t].name);
        expect_no_allocation(&M, &right, headers[t].name);
        if (M.nrows == 1)
            expect_no_allocation(&left, &M, headers[t].name);
    }
}

static void expect_create_refuses(int64_t nrows, int64_t ncols, int64_t nnz,
                                  spgemm_index_type index_type,
                                  spgemm_status want)
{
    failing_allocator *f = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(f);
    spgemm_csr A = {0};
    cr_expect_eq(spgemm_csr_create(&A, nrows, ncols, nnz, index_type,
                                   SPGEMM_FP64, &hooks),
                 want, "%lld x %lld, %lld entries", (long long)nrows,
                 (long long)ncols, (long long)nnz);
    cr_expect_eq(f->calls, 0);
    cr_expect_null(A.rowptr);
    failing_allocator_destroy(f);
}

Test(overflow, of_a_new_matrix_is_refused_before_any_allocation)
{
    const spgemm_status overflow = SPGEMM_ERROR_OVERFLOW;
    const spgemm_status invalid = SPGEMM_ERROR_INVALID;
    expect_create_refuses(INT64_MAX, 1, 0, SPGEMM_I64, overflow);
    expect_create_refuses(INT64_MAX - 1, 1, 0, SPGEMM_I64, overflow);
    expect_create_refuses((int64_t)1 << 61, 1, 0, SPGEMM_I64, overflow);
    expect_create_refuses(((int64_t)1 << 61) - 1, 1, 0, SPGEMM_I64, overflow);
    expect_create_refuses(1, 1, INT64_MAX, SPGEMM_I64, overflow);
    expect_create_refuses(1, 1, (int64_t)1 << 61, SPGEMM_I32, overflow);
    expect_create_refuses(1, (int64_t)1 << 31, 0, SPGEMM_I32, overflow);
    expect_create_refuses(-1, 1, 0, SPGEMM_I64, invalid);
    expect_create_refuses(1, -1, 0, SPGEMM_I64, invalid);
    expect_create_refuses(1, 1, -1, SPGEMM_I64, invalid);
    expect_create_refuses(1, 1, 0, (spgemm_index_type)2, invalid);
}

/* A has `repeats` entries, all of column 0; row 0 of B claims `claimed`
   entries, which are not there: products are counted from rowptr alone. */
static void expect_products_overflow(int64_t repeats, int64_t claimed,
                                     int64_t ncols)
{
    csr_builder b = build_begin(repeats, 1);
    for (int64_t i = 0; i < repeats; i++) {
        build_add(&b, 0, 1.0);
        build_end_row(&b);
    }
    spgemm_csr A = build_finish(&b, SPGEMM_I64);
    const int64_t Bp[] = {0, claimed};
    const spgemm_csr B = spgemm_csr_view(1, ncols, claimed, Bp, no_columns,
                                         no_values, SPGEMM_I64, SPGEMM_FP64);
    const spgemm_options options = {.resources.input_check = SPGEMM_CHECK_NONE};
    spgemm_prediction prediction;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C = {0};
        cr_expect_eq(multiply_variants[v].multiply(&C, &A, &B, &options, NULL),
                     SPGEMM_ERROR_OVERFLOW, "%s: %lld times %lld",
                     multiply_variants[v].name, (long long)repeats,
                     (long long)claimed);
        cr_expect_null(C.rowptr);
    }
    cr_expect_eq(spgemm_predict(&prediction, &A, &B, &options, NULL),
                 SPGEMM_ERROR_OVERFLOW);
    free_csr(&A);
}

/* The largest nnz whose array of I64 columns fits the address space. */
static const int64_t most_entries = INT64_MAX / 8;

Test(overflow, of_products_between_rows_is_refused)
{
    expect_products_overflow(9, most_entries, 1);
    expect_products_overflow(16, most_entries, INT64_MAX);
    expect_products_overflow(40000, most_entries, 1);
}

/* Within one row the sum wraps before rows are added up. */
Test(overflow, of_the_products_of_one_row_is_refused)
{
    csr_builder b = build_begin(1, 1);
    for (int t = 0; t < 16; t++)
        build_add(&b, 0, 1.0);
    build_end_row(&b);
    spgemm_csr A = build_finish(&b, SPGEMM_I64);
    const int64_t Bp[] = {0, most_entries};
    const spgemm_csr B = spgemm_csr_view(1, 7, most_entries, Bp, no_columns,
                                         no_values, SPGEMM_I64, SPGEMM_FP64);
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C = {0};
        cr_expect_eq(
            multiply_variants[v].multiply(
                &C, &A, &B,
                &(spgemm_options){.resources.input_check = SPGEMM_CHECK_NONE},
                NULL),
            SPGEMM_ERROR_OVERFLOW, "%s", multiply_variants[v].name);
    }
    free_csr(&A);
}

/* More products than 32 bits hold, none of them made. */
Test(overflow, of_32_bits_is_none)
{
    enum { ROWS = 1000 };
    csr_builder b = build_begin(ROWS, 1);
    for (int64_t i = 0; i < ROWS; i++) {
        build_add(&b, 0, 1.0);
        build_end_row(&b);
    }
    spgemm_csr A = build_finish(&b, SPGEMM_I64);
    const int64_t claimed = ((int64_t)1 << 32) + 3;
    const int64_t Bp[] = {0, claimed};
    const spgemm_csr B = spgemm_csr_view(1, 5, claimed, Bp, no_columns,
                                         no_values, SPGEMM_I64, SPGEMM_FP64);
    spgemm_prediction prediction;
    cr_assert_eq(
        spgemm_predict(
            &prediction, &A, &B,
            &(spgemm_options){.predict.method = SPGEMM_PREDICTOR_UPPER_BOUND,
                              .resources.input_check = SPGEMM_CHECK_NONE},
            NULL),
        SPGEMM_SUCCESS);
    cr_expect_eq(prediction.products, ROWS * claimed);
    cr_expect_eq(prediction.bound, ROWS * 5);
    cr_expect_eq(prediction.nnz, ROWS * 5.0);
    free_csr(&A);
}

/* What the bound allows but no memory holds: refused, not attempted. */
Test(overflow, of_the_bytes_of_c_is_refused)
{
    csr_builder b = build_begin(4, 1);
    for (int t = 0; t < 4; t++) {
        build_add(&b, 0, 1.0);
        build_end_row(&b);
    }
    spgemm_csr A = build_finish(&b, SPGEMM_I64);
    const int64_t Bp[] = {0, most_entries};
    const spgemm_csr B =
        spgemm_csr_view(1, INT64_MAX, most_entries, Bp, no_columns, no_values,
                        SPGEMM_I64, SPGEMM_FP64);
    spgemm_csr C = {0};
    const spgemm_status status = spgemm_upper_bound(
        &C, &A, &B,
        &(spgemm_options){.resources.input_check = SPGEMM_CHECK_NONE}, NULL);
    cr_expect(status == SPGEMM_ERROR_OVERFLOW ||
                  status == SPGEMM_ERROR_OUT_OF_MEMORY,
              "%s", spgemm_status_string(status));
    cr_expect_null(C.rowptr);
    free_csr(&A);
}
