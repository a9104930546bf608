/* SPDX-License-Identifier: BSD-3-Clause */
/* A malformed matrix is an error that names array and position, at every entry
   point, never a crash. */
#include "expect.h"
#include "spgemm/predict.h"

/* A class of malformed matrices. */
typedef struct malformation {
    const char *name;
    void (*apply)(spgemm_csr *M);
    const char *array; /* blamed; NULL: no array is */
    int64_t position;
    spgemm_status status;
} malformation;

/* The matrix they are applied to: 6 x 9, rows of 3, 0, 4, 1, 2 and 3 entries,
   sorted. */
static spgemm_csr well_formed(spgemm_index_type index_type)
{
    static const int lengths[] = {3, 0, 4, 1, 2, 3};
    csr_builder b = build_begin(6, 9);
    for (int i = 0; i < 6; i++) {
        for (int t = 0; t < lengths[i]; t++)
            build_add(&b, 2 * t + i % 2, 1 + t);
        build_end_row(&b);
    }
    return build_finish(&b, index_type);
}

static void first_one(spgemm_csr *M)
{
    M->rowptr[0] = 1;
}
static void first_minus_one(spgemm_csr *M)
{
    M->rowptr[0] = -1;
}
static void first_least(spgemm_csr *M)
{
    M->rowptr[0] = INT64_MIN;
}
static void first_huge(spgemm_csr *M)
{
    M->rowptr[0] = INT64_MAX;
}
static void decreasing_early(spgemm_csr *M)
{
    M->rowptr[1] = 4;
}
static void decreasing_inside(spgemm_csr *M)
{
    M->rowptr[4] = 6;
}
static void decreasing_late(spgemm_csr *M)
{
    M->rowptr[5] = 7;
}
static void decreasing_by_all(spgemm_csr *M)
{
    M->rowptr[4] = 0;
}
static void negative_inside(spgemm_csr *M)
{
    M->rowptr[3] = -1;
}
static void least_inside(spgemm_csr *M)
{
    M->rowptr[3] = INT64_MIN;
}
static void negative_second(spgemm_csr *M)
{
    M->rowptr[1] = -1;
}
static void beyond_by_one(spgemm_csr *M)
{
    M->rowptr[3] = M->nnz + 1;
}
static void huge_inside(spgemm_csr *M)
{
    M->rowptr[2] = INT64_MAX;
}
static void past_32_bits(spgemm_csr *M)
{
    M->rowptr[2] = (int64_t)1 << 32;
}
static void huge_second(spgemm_csr *M)
{
    M->rowptr[1] = INT64_MAX;
}
static void last_too_small(spgemm_csr *M)
{
    M->rowptr[6] = M->nnz - 1;
}
static void last_too_large(spgemm_csr *M)
{
    M->rowptr[6] = M->nnz + 1;
}
static void last_huge(spgemm_csr *M)
{
    M->rowptr[6] = INT64_MAX;
}
static void last_zero(spgemm_csr *M)
{
    M->rowptr[6] = 0;
}
static void last_negative(spgemm_csr *M)
{
    M->rowptr[6] = -1;
}
static void nnz_too_small(spgemm_csr *M)
{
    M->nnz -= 1;
}
static void nnz_too_large(spgemm_csr *M)
{
    M->nnz += 1;
}
static void nnz_zero(spgemm_csr *M)
{
    M->nnz = 0;
}

static void column_at_end(spgemm_csr *M)
{
    set_column_of(M, 5, M->ncols);
}
static void column_beyond(spgemm_csr *M)
{
    set_column_of(M, 5, 1000000);
}
static void column_negative(spgemm_csr *M)
{
    set_column_of(M, 5, -1);
}
static void column_largest(spgemm_csr *M)
{
    set_column_of(M, 5, INT32_MAX);
}
static void column_least(spgemm_csr *M)
{
    set_column_of(M, 5, INT32_MIN);
}
static void column_wraps(spgemm_csr *M)
{
    const bool is_wide = M->index_type == SPGEMM_I64;
    set_column_of(M, 5, is_wide ? ((int64_t)1 << 32) + 4 : M->ncols);
}
static void column_of_63_bits(spgemm_csr *M)
{
    const bool is_wide = M->index_type == SPGEMM_I64;
    set_column_of(M, 5, is_wide ? INT64_MIN + 4 : INT32_MIN);
}
static void column_first(spgemm_csr *M)
{
    set_column_of(M, 0, M->ncols);
}
static void column_first_negative(spgemm_csr *M)
{
    set_column_of(M, 0, -1);
}
static void column_last(spgemm_csr *M)
{
    set_column_of(M, M->nnz - 1, M->ncols);
}

static void two_columns(spgemm_csr *M)
{
    set_column_of(M, 7, -1);
    set_column_of(M, 4, M->ncols);
}

static void ncols_too_small(spgemm_csr *M)
{
    M->ncols = 6;
}

static void sorted_but_swapped(spgemm_csr *M)
{
    M->flags |= SPGEMM_SORTED_ROWS;
    set_column_of(M, 4, 0);
    set_column_of(M, 3, 1);
}

static void sorted_but_repeated(spgemm_csr *M)
{
    M->flags |= SPGEMM_SORTED_ROWS;
    set_column_of(M, M->nnz - 1, column_of(M, M->nnz - 2));
}

static void no_rowptr(spgemm_csr *M)
{
    M->rowptr = NULL;
}
static void no_colidx(spgemm_csr *M)
{
    M->colidx = NULL;
}
static void negative_nrows(spgemm_csr *M)
{
    M->nrows = -1;
}
static void negative_ncols(spgemm_csr *M)
{
    M->ncols = -1;
}
static void negative_nnz(spgemm_csr *M)
{
    M->nnz = -1;
}
static void least_nrows(spgemm_csr *M)
{
    M->nrows = INT64_MIN;
}
static void unknown_flag(spgemm_csr *M)
{
    M->flags = 8;
}
static void unknown_index(spgemm_csr *M)
{
    M->index_type = (spgemm_index_type)2;
}
static void unknown_value(spgemm_csr *M)
{
    M->value_type = (spgemm_value_type)SPGEMM_VALUE_TYPE_COUNT;
}

enum { BAD = SPGEMM_ERROR_STRUCTURE };

static const malformation malformations[] = {
    {"rowptr[0] is 1", first_one, "rowptr", 0, BAD},
    {"rowptr[0] is -1", first_minus_one, "rowptr", 0, BAD},
    {"rowptr[0] is the least number", first_least, "rowptr", 0, BAD},
    {"rowptr[0] is the largest number", first_huge, "rowptr", 0, BAD},
    {"rowptr decreases early", decreasing_early, "rowptr", 2, BAD},
    {"rowptr decreases inside", decreasing_inside, "rowptr", 4, BAD},
    {"rowptr decreases late", decreasing_late, "rowptr", 5, BAD},
    {"rowptr decreases to 0", decreasing_by_all, "rowptr", 4, BAD},
    {"rowptr is negative inside", negative_inside, "rowptr", 3, BAD},
    {"rowptr is the least number", least_inside, "rowptr", 3, BAD},
    {"rowptr is negative at once", negative_second, "rowptr", 1, BAD},
    {"rowptr is beyond by one", beyond_by_one, "rowptr", 3, BAD},
    {"rowptr is huge inside", huge_inside, "rowptr", 2, BAD},
    {"rowptr passes 32 bits", past_32_bits, "rowptr", 2, BAD},
    {"rowptr is huge at once", huge_second, "rowptr", 1, BAD},
    {"last rowptr is too small", last_too_small, "rowptr", 6, BAD},
    {"last rowptr is too large", last_too_large, "rowptr", 6, BAD},
    {"last rowptr is huge", last_huge, "rowptr", 6, BAD},
    {"last rowptr is 0", last_zero, "rowptr", 6, BAD},
    {"last rowptr is negative", last_negative, "rowptr", 6, BAD},
    {"nnz is too small", nnz_too_small, "rowptr", 6, BAD},
    {"nnz is too large", nnz_too_large, "rowptr", 6, BAD},
    {"nnz is 0", nnz_zero, "rowptr", 1, BAD},
    {"a column is ncols", column_at_end, "colidx", 5, BAD},
    {"a column is far beyond", column_beyond, "colidx", 5, BAD},
    {"a column is -1", column_negative, "colidx", 5, BAD},
    {"a column is 2^31 - 1", column_largest, "colidx", 5, BAD},
    {"a column is -2^31", column_least, "colidx", 5, BAD},
    {"a column is one in its lower half", column_wraps, "colidx", 5, BAD},
    {"a column is one but for its sign", column_of_63_bits, "colidx", 5, BAD},
    {"the first column is ncols", column_first, "colidx", 0, BAD},
    {"the first column is -1", column_first_negative, "colidx", 0, BAD},
    {"the last column is ncols", column_last, "colidx", 12, BAD},
    {"two columns: the first is named", two_columns, "colidx", 4, BAD},
    {"ncols is too small", ncols_too_small, "colidx", 6, BAD},
    {"sorted, they say: swapped", sorted_but_swapped, "colidx", 4, BAD},
    {"sorted, they say: repeated", sorted_but_repeated, "colidx", 12, BAD},
    {"no rowptr", no_rowptr, NULL, 0, SPGEMM_ERROR_INVALID},
    {"no colidx", no_colidx, NULL, 0, SPGEMM_ERROR_INVALID},
    {"negative nrows", negative_nrows, NULL, 0, SPGEMM_ERROR_INVALID},
    {"negative ncols", negative_ncols, NULL, 0, SPGEMM_ERROR_INVALID},
    {"negative nnz", negative_nnz, NULL, 0, SPGEMM_ERROR_INVALID},
    {"least nrows", least_nrows, NULL, 0, SPGEMM_ERROR_INVALID},
    {"unknown flag", unknown_flag, NULL, 0, SPGEMM_ERROR_INVALID},
    {"unknown index type", unknown_index, NULL, 0, SPGEMM_ERROR_INVALID},
    {"unknown value type", unknown_value, NULL, 0, SPGEMM_ERROR_INVALID},
};

enum { MALFORMATIONS = sizeof malformations / sizeof malformations[0] };

/* The value that must be reported with a position. */
static int64_t value_at(const spgemm_csr *M, const char *array,
                        int64_t position)
{
    return strcmp(array, "rowptr") == 0 ? M->rowptr[position]
                                        : column_of(M, position);
}

static void expect_fault(const spgemm_fault *fault, const malformation *bad,
                         const char *operand, const spgemm_csr *M)
{
    if (!bad->array) {
        cr_expect_null(fault->array, "%s: a fault is named", bad->name);
        return;
    }
    cr_assert_not_null(fault->array, "%s: no fault is named", bad->name);
    cr_assert_not_null(fault->operand, "%s: no operand is named", bad->name);
    cr_expect_str_eq(fault->operand, operand, "%s", bad->name);
    cr_expect_str_eq(fault->array, bad->array, "%s", bad->name);
    cr_expect_eq(fault->position, bad->position, "%s: position %lld", bad->name,
                 (long long)fault->position);
    cr_expect_eq(fault->value, value_at(M, bad->array, bad->position), "%s",
                 bad->name);
}

static void expect_products_refuse(const malformation *bad, const spgemm_csr *A,
                                   const spgemm_csr *B,
                                   const spgemm_options *options,
                                   const char *operand, const spgemm_csr *M)
{
    spgemm_prediction prediction;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C = {0};
        spgemm_report report;
        memset(&report, 0xa5, sizeof report);
        cr_expect_eq(multiply_variants[v].multiply(&C, A, B, options, &report),
                     bad->status, "%s of %s: %s", multiply_variants[v].name,
                     operand, bad->name);
        cr_expect_null(C.rowptr);
        expect_fault(&report.fault, bad, operand, M);
    }
    for (int t = 0; t < SPGEMM_PREDICTOR_CALLER; t++) {
        memset(&prediction, 0xa5, sizeof prediction);
        spgemm_options predicting = *options;
        predicting.predict.method = (spgemm_predictor)t;
        cr_expect_eq(spgemm_predict(&prediction, A, B, &predicting, NULL),
                     bad->status, "predict of %s: %s", operand, bad->name);
        expect_fault(&prediction.fault, bad, operand, M);
    }
}

/* What the matrix functions say of M. */
static void expect_functions_refuse(const malformation *bad, spgemm_csr *M)
{
    const spgemm_csr before = *M;
    spgemm_csr T = {0};
    spgemm_fault fault;
    memset(&fault, 0xa5, sizeof fault);
    cr_expect_eq(spgemm_csr_check(M, &fault), bad->status, "%s", bad->name);
    expect_fault(&fault, bad, "A", M);
    cr_expect_eq(spgemm_csr_check(M, NULL), bad->status, "%s", bad->name);
    cr_expect_eq(spgemm_csr_transpose(&T, M), bad->status, "%s", bad->name);
    cr_expect_null(T.rowptr);
    cr_expect_eq(spgemm_csr_sort_rows(M), bad->status, "%s", bad->name);
    cr_expect_eq(memcmp(M, &before, sizeof before), 0, "%s", bad->name);
}

/* A partner of the right shape, so that only M is to blame. */
static spgemm_csr partner(const spgemm_csr *M, int64_t nrows, int64_t ncols)
{
    maker m = {{9}, SPGEMM_I32, VALUES_INTEGER};
    if (M->index_type == SPGEMM_I64)
        m.index_type = SPGEMM_I64;
    return make_uniform(&m, nrows, ncols, 2);
}

/* As A and as B, as it is and where only some of it is taken. */
static void expect_refused_plain(const malformation *bad, const spgemm_csr *M,
                                 const spgemm_csr *whole)
{
    static const int64_t list[] = {0, 2, 4};
    const spgemm_options plain = {0};
    const spgemm_options some = {.product.rows = list,
                                 .product.nrows = 3,
                                 .product.cols = list,
                                 .product.ncols = 3};
    spgemm_csr right = partner(whole, M->ncols > 0 ? M->ncols : 9, 5);
    spgemm_csr left = partner(whole, 5, 6);
    expect_products_refuse(bad, M, &right, &plain, "A", M);
    expect_products_refuse(bad, &left, M, &plain, "B", M);
    expect_products_refuse(bad, M, &right, &some, "A", M);
    expect_products_refuse(bad, &left, M, &some, "B", M);
    free_csr(&right);
    free_csr(&left);
}

/* The same of what is transposed first. */
static void expect_refused_transposed(const malformation *bad,
                                      const spgemm_csr *M,
                                      const spgemm_csr *whole)
{
    static const int64_t list[] = {0, 2, 4};
    const spgemm_operation turned = SPGEMM_OP_TRANSPOSE;
    spgemm_csr right = partner(whole, 6, 5);
    spgemm_csr left = partner(whole, 5, M->ncols > 0 ? M->ncols : 9);
    const spgemm_options of_A = {.product.op_a = turned};
    const spgemm_options of_B = {.product.op_b = turned};
    const spgemm_options some_of_A = {
        .product.op_a = turned, .product.rows = list, .product.nrows = 3};
    const spgemm_options some_of_B = {
        .product.op_b = turned, .product.cols = list, .product.ncols = 3};
    expect_products_refuse(bad, M, &right, &of_A, "A", M);
    expect_products_refuse(bad, M, &right, &some_of_A, "A", M);
    expect_products_refuse(bad, &left, M, &of_B, "B", M);
    expect_products_refuse(bad, &left, M, &some_of_B, "B", M);
    free_csr(&right);
    free_csr(&left);
}

static void expect_refused(const malformation *bad,
                           spgemm_index_type index_type)
{
    spgemm_csr whole = well_formed(index_type);
    spgemm_csr M = copy_csr(&whole);
    spgemm_csr owned = M; /* what to free, whatever becomes of M */
    bad->apply(&M);
    expect_functions_refuse(bad, &M);

    expect_refused_plain(bad, &M, &whole);
    expect_refused_transposed(bad, &M, &whole);
    free_csr(&whole);
    free_csr(&owned);
}

Test(malformed, is_refused_everywhere)
{
    for (int t = 0; t < MALFORMATIONS; t++) {
        expect_refused(&malformations[t], SPGEMM_I32);
        expect_refused(&malformations[t], SPGEMM_I64);
    }
}

Test(malformed, starts_from_a_matrix_that_is_not)
{
    for (int type = 0; type < 2; type++) {
        spgemm_fault fault;
        spgemm_csr M = well_formed((spgemm_index_type)type);
        M.flags = SPGEMM_SORTED_ROWS;
        memset(&fault, 0xa5, sizeof fault);
        cr_assert_eq(M.nnz, 13);
        cr_assert_eq(spgemm_csr_check(&M, &fault), SPGEMM_SUCCESS);
        cr_expect_null(fault.array);
        cr_expect_null(fault.operand);
        free_csr(&M);
    }
}

/* The same square matrix as A and B: the fault is A's. */
Test(malformed, is_blamed_on_a_when_it_is_both)
{
    maker m = {{2}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 50, 50, 3);
    spgemm_csr C = {0};
    spgemm_report report;
    set_column_of(&A, 17, 50);
    cr_assert_eq(spgemm_predicted(&C, &A, &A, NULL, &report),
                 SPGEMM_ERROR_STRUCTURE);
    cr_expect_str_eq(report.fault.operand, "A");
    cr_expect_eq(report.fault.position, 17);
    free_csr(&A);
}

/* Large enough to be checked in several pieces: the first fault is named. */
Test(malformed, names_the_first_of_many_faults)
{
    maker m = {{2}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_banded(&m, 300000, 1, 1.0);
    for (int64_t p = A.nnz - 1; p > 400000; p -= 1000)
        set_column_of(&A, p, -3);
    set_column_of(&A, 399999, (int32_t)A.ncols);
    for (int t = 0; t < 20; t++) {
        spgemm_fault fault;
        cr_assert_eq(spgemm_csr_check(&A, &fault), SPGEMM_ERROR_STRUCTURE);
        cr_expect_eq(fault.position, 399999);
    }
    for (int64_t i = 150001; i < A.nrows; i += 5000)
        A.rowptr[i] = -i;
    for (int t = 0; t < 20; t++) {
        spgemm_fault fault;
        cr_assert_eq(spgemm_csr_check(&A, &fault), SPGEMM_ERROR_STRUCTURE);
        cr_expect_str_eq(fault.array, "rowptr");
        cr_expect_eq(fault.position, 150001);
    }
    free_csr(&A);
}

/* A flag that lies is found in any piece of the matrix, rows that begin below
   the end of the row before are not a fault. */
Test(malformed, tells_rows_from_steps_back)
{
    maker m = {{2}, SPGEMM_I64, VALUES_INTEGER};
    spgemm_csr A = make_banded(&m, 90000, 1, 1.0);
    A.flags = SPGEMM_SORTED_ROWS;
    cr_assert_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    for (int64_t i = 1; i < A.nrows; i += 9973) {
        const int64_t p = A.rowptr[i] + 1;
        spgemm_fault fault;
        set_column_of(&A, p, column_of(&A, p - 1));
        cr_assert_eq(spgemm_csr_check(&A, &fault), SPGEMM_ERROR_STRUCTURE);
        cr_expect_eq(fault.position, p);
        set_column_of(&A, p, i);
    }
    free_csr(&A);
}

/* Rows are looked at while their columns are checked, and may be anything. */
Test(malformed, may_have_any_columns)
{
    static const int64_t columns[] = {INT64_MIN, INT64_MIN + 1, -1,
                                      0,         INT64_MAX - 1, INT64_MAX};
    for (int left = 0; left < 6; left++)
        for (int right = 0; right < 6; right++) {
            spgemm_csr C = {0};
            csr_builder b = build_begin(2, 2);
            build_add(&b, columns[left], 1);
            build_end_row(&b);
            build_add(&b, columns[right], 1);
            spgemm_csr A = build_finish(&b, SPGEMM_I64);
            cr_assert_eq(spgemm_predicted(&C, &A, &A, NULL, NULL),
                         left == 3 && right == 3 ? SPGEMM_SUCCESS
                                                 : SPGEMM_ERROR_STRUCTURE);
            spgemm_csr_destroy(&C);
            free_csr(&A);
        }
}
