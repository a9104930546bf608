/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "io/mtx_format.h"
#include "io/mtx_number.h"
#include "spgemm/mtx.h"

#define BANNER "%%MatrixMarket matrix coordinate "

/* A text given out in pieces of at most `step` bytes, which fails after
   `limit` of them. */
typedef struct stream {
    const char *text;
    size_t length;
    size_t taken;
    size_t step;
    size_t limit;
} stream;

static ptrdiff_t take(void *context, void *buffer, size_t size)
{
    stream *s = context;
    if (s->taken >= s->limit)
        return -1;
    size_t length = s->length - s->taken;
    length = length < size ? length : size;
    length = length < s->step ? length : s->step;
    memcpy(buffer, s->text + s->taken, length);
    s->taken += length;
    return (ptrdiff_t)length;
}

static const char *say_why(void *context)
{
    (void)context;
    (void)!spgemm_csr_check(NULL, NULL); /* is refused, and no reason */
    return "the tape tore";
}

static spgemm_status read_bytes(spgemm_csr *A, const char *text, size_t length,
                                size_t step, spgemm_mtx_error *error)
{
    stream s = {text, length, 0, step, SIZE_MAX};
    const spgemm_mtx_source source = {&s, take, say_why};
    return spgemm_mtx_read(A, &source, NULL, error);
}

static spgemm_csr read_text(const char *text)
{
    spgemm_csr A = {0};
    spgemm_mtx_error error;
    const spgemm_status status =
        read_bytes(&A, text, strlen(text), SIZE_MAX, &error);
    cr_assert_eq(status, SPGEMM_SUCCESS, "%s", error.text);
    cr_assert_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
    cr_assert(A.flags & SPGEMM_SORTED_ROWS);
    return A;
}

static double entry(const spgemm_csr *A, int64_t i, int64_t j)
{
    const int32_t *columns = A->colidx;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
        if (columns[p] == j)
            return ((const double *)A->values)[p];
    return (double)NAN;
}

Test(mtx_read, reads_a_general_matrix)
{
    spgemm_csr A = read_text(BANNER "real general\n3 4 4\n"
                                    "1 1 1.5\n3 4 -2e-3\n2 2 .25\n1 3 7\n");
    cr_expect_eq(A.nrows, 3);
    cr_expect_eq(A.ncols, 4);
    cr_expect_eq(A.nnz, 4);
    cr_expect_eq(A.index_type, SPGEMM_I32);
    cr_expect_eq(entry(&A, 0, 0), 1.5);
    cr_expect_eq(entry(&A, 0, 2), 7);
    cr_expect_eq(entry(&A, 1, 1), 0.25);
    cr_expect_eq(entry(&A, 2, 3), -2e-3);
    spgemm_csr_destroy(&A);
}

Test(mtx_read, mirrors_symmetric_and_skew_symmetric_matrices)
{
    spgemm_csr A = read_text(BANNER "real symmetric\n3 3 3\n"
                                    "1 1 4\n2 1 5\n3 2 6\n");
    cr_expect_eq(A.nnz, 5);
    cr_expect_eq(entry(&A, 0, 1), 5);
    cr_expect_eq(entry(&A, 1, 2), 6);
    spgemm_csr_destroy(&A);
    A = read_text(BANNER "real skew-symmetric\n3 3 2\n2 1 5\n3 2 6\n");
    cr_expect_eq(A.nnz, 4);
    cr_expect_eq(entry(&A, 1, 0), 5);
    cr_expect_eq(entry(&A, 0, 1), -5);
    spgemm_csr_destroy(&A);
}

Test(mtx_read, gives_a_pattern_the_value_one)
{
    spgemm_csr A = read_text(BANNER "pattern symmetric\n2 2 1\n2 1\n");
    cr_expect_eq(entry(&A, 1, 0), 1);
    cr_expect_eq(entry(&A, 0, 1), 1);
    spgemm_csr_destroy(&A);
}

Test(mtx_read, sums_duplicates_in_the_order_of_the_text)
{
    spgemm_csr A = read_text(BANNER "real general\n2 2 5\n2 2 0.1\n1 2 1\n"
                                    "2 2 0.2\n2 2 0.3\n1 2 -1\n");
    cr_expect_eq(A.nnz, 2);
    cr_expect_eq(entry(&A, 1, 1), 0.1 + 0.2 + 0.3);
    cr_expect_eq(entry(&A, 0, 1), 0);
    spgemm_csr_destroy(&A);
}

/* A matrix of complex numbers, its entries in order. */
static void expect_complex(const char *text, const double *parts, int64_t nnz)
{
    spgemm_csr A = read_text(text);
    cr_assert_eq(A.value_type, SPGEMM_CFP64);
    cr_assert_eq(A.nnz, nnz, "%s", text);
    for (int64_t k = 0; k < 2 * nnz; k++)
        cr_expect_eq(((const double *)A.values)[k], parts[k], "%s: part %d",
                     text, (int)k);
    spgemm_csr_destroy(&A);
}

Test(mtx_read, reads_complex_matrices_and_mirrors_them)
{
    const double general[] = {4, 5, 1, 2};
    expect_complex(BANNER "complex general\n3 2 3\n3 2 .5 2\n1 1 4 5\n"
                          "3 2 .5 0\n",
                   general, 2);
    const double symmetric[] = {7, -1, 2, 3, 2, 3};
    expect_complex(BANNER "complex symmetric\n2 2 2\n1 1 7 -1\n2 1 2 3\n",
                   symmetric, 3);
    const double skew[] = {-2, -3, 2, 3};
    expect_complex(BANNER "complex skew-symmetric\n2 2 1\n2 1 2 3\n", skew, 2);
    const double hermitian[] = {7, 0, 2, -3, 2, 3};
    expect_complex(BANNER "complex hermitian\n2 2 2\n1 1 7 0\n2 1 2 3\n",
                   hermitian, 3);
}

static spgemm_status read_integers(spgemm_csr *A, const char *text,
                                   spgemm_mtx_error *error)
{
    stream s = {text, strlen(text), 0, SIZE_MAX, SIZE_MAX};
    const spgemm_mtx_source source = {&s, take, NULL};
    return spgemm_mtx_read(
        A, &source, &(spgemm_mtx_options){.keeps_integers = true}, error);
}

Test(mtx_read, keeps_integers_where_it_is_asked_to)
{
    spgemm_csr A;
    spgemm_mtx_error error;
    cr_assert_eq(read_integers(&A,
                               BANNER "integer skew-symmetric\n3 3 2\n"
                                      "2 1 9223372036854775807\n3 1 +3\n",
                               &error),
                 SPGEMM_SUCCESS, "%s", error.text);
    cr_expect_eq(A.value_type, SPGEMM_INT64);
    cr_assert_eq(A.nnz, 4);
    const int64_t want[] = {-INT64_MAX, -3, INT64_MAX, 3};
    cr_expect_arr_eq(A.values, want, sizeof want);
    spgemm_csr_destroy(&A);
    cr_assert_eq(
        read_integers(&A, BANNER "real general\n1 1 1\n1 1 2.5\n", &error),
        SPGEMM_SUCCESS, "%s", error.text);
    cr_expect_eq(A.value_type, SPGEMM_FP64);
    spgemm_csr_destroy(&A);
}

Test(mtx_read, refuses_integers_that_do_not_fit)
{
    static const struct {
        spgemm_status status;
        const char *words;
        const char *text;
    } cases[] = {
        {SPGEMM_ERROR_OVERFLOW, "9223372036854775808 does not fit",
         BANNER "integer general\n1 1 1\n1 1 9223372036854775808\n"},
        {SPGEMM_ERROR_OVERFLOW,
         "the mirror image of -9223372036854775808 does not fit",
         BANNER "integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n"},
        {SPGEMM_ERROR_OVERFLOW, "does not fit",
         BANNER "integer general\n1 1 1\n1 1 -99999999999999999999\n"},
        {SPGEMM_ERROR_IO, "\"1.0\" is not an integer",
         BANNER "integer general\n1 1 1\n1 1 1.0\n"},
        {SPGEMM_ERROR_IO, "\"-\" is not an integer",
         BANNER "integer general\n1 1 1\n1 1 -\n"},
        {SPGEMM_ERROR_IO, "\"7\" after",
         BANNER "integer general\n1 1 1\n1 1 1 7\n"},
        {SPGEMM_ERROR_IO, "more entries",
         BANNER "integer symmetric\n2 2 1\n2 1 1\n2 2 1\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spgemm_csr A;
        spgemm_mtx_error error = {0};
        cr_expect_eq(read_integers(&A, cases[k].text, &error), cases[k].status);
        cr_expect(strstr(error.text, cases[k].words), "%s: %s", cases[k].text,
                  error.text);
    }
}

Test(mtx_read, accepts_odd_but_clear_texts)
{
    spgemm_csr A = read_text("\r\n  %%matrixmarket\tMATRIX Coordinate REAL "
                             "General \r\n% c\r\n\r\n 2 2\t2 \r\n\r\n"
                             "%between\n\t1 1   +1.\r\n2 2 .5  ");
    cr_expect_eq(entry(&A, 0, 0), 1);
    cr_expect_eq(entry(&A, 1, 1), 0.5);
    spgemm_csr_destroy(&A);
    A = read_text("%MatrixMarket matrix coordinate pattern general\n0 7 0\n");
    cr_expect_eq(A.nrows, 0);
    cr_expect_eq(A.ncols, 7);
    spgemm_csr_destroy(&A);
}

Test(mtx_read, chooses_wide_columns_where_they_are_needed)
{
    spgemm_csr A = read_text(BANNER "real general\n2 5000000000 2\n"
                                    "2 5000000000 3\n1 7 -0\n");
    const int64_t *columns = A.colidx;
    const double *values = A.values;
    cr_expect_eq(A.index_type, SPGEMM_I64);
    cr_expect_eq(columns[0], 6);
    cr_expect_eq(columns[1], 4999999999);
    cr_expect(signbit(values[0]));
    spgemm_csr_destroy(&A);
}

/* In pieces of any length: the mark may come in parts. */
Test(mtx_read, skips_a_byte_order_mark)
{
    static const char text[] =
        "\xef\xbb\xbf" BANNER "real general\n2 2 1\n1 2 3\n";
    for (size_t step = 1; step < 9; step++) {
        spgemm_mtx_error error;
        spgemm_csr A;
        cr_assert_eq(read_bytes(&A, text, sizeof text - 1, step, &error),
                     SPGEMM_SUCCESS, "%s", error.text);
        cr_expect_eq(A.nnz, 1);
        spgemm_csr_destroy(&A);
    }
}

/* Texts that must be refused, and what must be said of them. */
static const struct refusal {
    spgemm_status status;
    int64_t line;
    const char *words;
    const char *text;
} refusals[] = {
    {SPGEMM_ERROR_IO, 1, "banner", ""},
    {SPGEMM_ERROR_IO, 2, "banner", "\n\n"},
    {SPGEMM_ERROR_IO, 1, "empty", "\xef\xbb\xbf"},
    {SPGEMM_ERROR_IO, 2, "banner", "\n\xef\xbb\xbf" BANNER "real general\n"},
    {SPGEMM_ERROR_IO, 1, "banner", "2 2 1\n1 1 1\n"},
    {SPGEMM_ERROR_IO, 1, "symmetry", BANNER "real\n1 1 0\n"},
    {SPGEMM_ERROR_IO, 1, "\"rael\"", BANNER "rael general\n1 1 0\n"},
    {SPGEMM_ERROR_IO, 1, "hermitian", BANNER "real hermitian\n"},
    {SPGEMM_ERROR_IO, 1, "a pattern has no signs",
     BANNER "pattern skew-symmetric\n2 2 1\n2 1\n"},
    {SPGEMM_ERROR_IO, 2, "square", BANNER "complex hermitian\n3 4 0\n"},
    {SPGEMM_ERROR_IO, 3, "value is missing",
     BANNER "complex general\n2 2 1\n1 1 4\n"},
    {SPGEMM_ERROR_IO, 3, "\"i\" is not a number",
     BANNER "complex general\n2 2 1\n1 1 4 i\n"},
    {SPGEMM_ERROR_IO, 3, "\"x\" is not a number",
     BANNER "complex general\n2 2 1\n1 1 x 4\n"},
    {SPGEMM_ERROR_IO, 3, "\"6\" after",
     BANNER "complex general\n2 2 1\n1 1 4 5 6\n"},
    {SPGEMM_ERROR_IO, 3, "more entries",
     BANNER "complex hermitian\n2 2 0\n2 1 4 5\n"},
    {SPGEMM_ERROR_IO, 3, "1 of 2",
     BANNER "complex hermitian\n2 2 2\n2 1 4 5\n"},
    {SPGEMM_ERROR_UNSUPPORTED, 1,
     "a dense matrix (\"array\") is not read, only \"coordinate\"",
     "%%MatrixMarket matrix array real general\n"},
    {SPGEMM_ERROR_UNSUPPORTED, 1,
     "a vector (\"vector\") is not read, only \"matrix\"",
     "%%MatrixMarket vector coordinate real general\n"},
    {SPGEMM_ERROR_IO, 2, "size line", BANNER "real general\n% no sizes\n"},
    {SPGEMM_ERROR_IO, 2, "columns", BANNER "real general\n3\n"},
    {SPGEMM_ERROR_IO, 2, "\"-3\"", BANNER "real general\n3 -3 1\n"},
    {SPGEMM_ERROR_IO, 2, "three", BANNER "real general\n3 3 1 1\n"},
    {SPGEMM_ERROR_IO, 2, "square", BANNER "real symmetric\n3 4 0\n"},
    {SPGEMM_ERROR_OVERFLOW, 2, "9223372036854775808",
     BANNER "real general\n9223372036854775808 1 0\n"},
    {SPGEMM_ERROR_OVERFLOW, 2, "columns",
     BANNER "real general\n1 99999999999999999999999 0\n"},
    {SPGEMM_ERROR_MEMORY_LIMIT, 2, "says 2000000000 rows and 0 entries",
     BANNER "real general\n2000000000 2000000000 0\n"},
    {SPGEMM_ERROR_MEMORY_LIMIT, 2, "9223372036854775807 rows",
     BANNER "pattern general\n9223372036854775807 1 0\n"},
    {SPGEMM_ERROR_IO, 4, "1 of 2", BANNER "real general\n2 2 2\n1 1 1\n\n"},
    {SPGEMM_ERROR_IO, 5, "more entries",
     BANNER "real general\n2 2 1\n1 1 1\n%\n1 2 1\n"},
    {SPGEMM_ERROR_IO, 4, "more entries",
     BANNER "real general\n2 2 1\n1 1 1\n1 2 x\n"},
    {SPGEMM_ERROR_IO, 3, "0 of 9223372036854775807",
     BANNER "real general\n1 1 9223372036854775807\n\n"},
    {SPGEMM_ERROR_IO, 3, "row index 0", BANNER "real general\n2 2 1\n0 1 1\n"},
    {SPGEMM_ERROR_IO, 3, "row index 3", BANNER "real general\n2 2 1\n3 1 1\n"},
    {SPGEMM_ERROR_IO, 3, "column index 3 is not in 1..2",
     BANNER "real general\n2 2 1\n1 3 1\n"},
    {SPGEMM_ERROR_IO, 3, "row index -1",
     BANNER "real general\n2 2 1\n-1 1 1\n"},
    {SPGEMM_ERROR_IO, 3, "row index 18446744073709551617",
     BANNER "real general\n2 2 1\n18446744073709551617 1 1\n"},
    {SPGEMM_ERROR_IO, 3, "\"one\" is not a row",
     BANNER "real general\n2 2 1\none 1 1\n"},
    {SPGEMM_ERROR_IO, 3, "\"1.0\" is not a column",
     BANNER "real general\n2 2 1\n1 1.0 1\n"},
    {SPGEMM_ERROR_IO, 3, "column index is missing",
     BANNER "real general\n2 2 1\n1\n"},
    {SPGEMM_ERROR_IO, 3, "value is miss", BANNER "real general\n2 2 1\n1 1\n"},
    {SPGEMM_ERROR_IO, 4, "\"1,5\" is not a number",
     BANNER "real general\n2 2 2\n1 1 1\n1 2 1,5\n"},
    {SPGEMM_ERROR_IO, 3, "\"1e\"", BANNER "real general\n2 2 1\n1 1 1e\n"},
    {SPGEMM_ERROR_IO, 3, "\".\"", BANNER "real general\n2 2 1\n1 1 .\n"},
    {SPGEMM_ERROR_IO, 3, "\"0x10\"", BANNER "real general\n2 2 1\n1 1 0x10\n"},
    {SPGEMM_ERROR_IO, 3, "\"1.5\" is not an integer",
     BANNER "integer general\n2 2 1\n1 1 1.5\n"},
    {SPGEMM_ERROR_IO, 3, "\"9\" after",
     BANNER "real general\n2 2 1\n1 1 1 9\n"},
    {SPGEMM_ERROR_IO, 3, "\"1\" after",
     BANNER "pattern general\n2 2 1\n1 1 1\n"},
    {SPGEMM_ERROR_IO, 3, "diagonal",
     BANNER "real skew-symmetric\n2 2 1\n1 1 1\n"},
};

Test(mtx_read, refuses_with_line_and_reason)
{
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const struct refusal *r = &refusals[k];
        spgemm_mtx_error error = {0};
        spgemm_csr A = {.nrows = 77};
        const spgemm_status status =
            read_bytes(&A, r->text, strlen(r->text), SIZE_MAX, &error);
        cr_expect_eq(status, r->status, "%s: %d", r->text, status);
        cr_expect_eq(error.line, r->line, "%s: %d", r->text, (int)error.line);
        cr_expect(strstr(error.text, r->words), "%s: \"%s\" lacks \"%s\"",
                  r->text, error.text, r->words);
        cr_expect_eq(A.nrows, 77, "A was touched");
    }
}

Test(mtx_read, refuses_nul_bytes_in_numbers)
{
    static const char text[] = BANNER "real general\n2 2 1\n1 \0 1\n";
    spgemm_mtx_error error;
    spgemm_csr A;
    cr_expect_eq(read_bytes(&A, text, sizeof text - 1, SIZE_MAX, &error),
                 SPGEMM_ERROR_IO);
    cr_expect_eq(error.line, 3);
}

Test(mtx_read, does_not_depend_on_how_the_text_arrives)
{
    static const char text[] = BANNER "real general\n3 3 3\n1 1 1.25\n"
                                      "2 3 1e-5\n3 1 123456789012345678\n";
    spgemm_csr whole = read_text(text);
    for (size_t step = 1; step < 12; step++) {
        spgemm_csr A;
        cr_assert_eq(read_bytes(&A, text, strlen(text), step, NULL),
                     SPGEMM_SUCCESS);
        cr_expect(spgemm_csr_equal(&A, &whole));
        spgemm_csr_destroy(&A);
    }
    spgemm_csr_destroy(&whole);
}

Test(mtx_read, refuses_every_truncation_before_the_last_value)
{
    static const char text[] = BANNER "real general\n3 3 3\n1 1 1.25\n"
                                      "2 3 1e-5\n3 1 1";
    for (size_t length = 0; length + 1 < sizeof text - 1; length++) {
        spgemm_csr A;
        spgemm_mtx_error error = {0};
        cr_expect_eq(read_bytes(&A, text, length, SIZE_MAX, &error),
                     SPGEMM_ERROR_IO, "%zu bytes", length);
        cr_expect_gt(error.line, 0);
    }
}

Test(mtx_read, tells_why_the_source_failed)
{
    static const char text[] = BANNER "real general\n3 3 3\n1 1 1.25\n";
    for (size_t limit = 0; limit < sizeof text; limit++) {
        stream s = {text, strlen(text), 0, 1, limit};
        const spgemm_mtx_source source = {&s, take, say_why};
        spgemm_mtx_error error;
        spgemm_csr A;
        cr_expect_eq(spgemm_mtx_read(&A, &source, NULL, &error),
                     SPGEMM_ERROR_IO);
        if (limit < sizeof text - 1)
            cr_expect(strstr(error.text, "the tape tore"), "%s", error.text);
    }
}

Test(mtx_read, refuses_bad_arguments)
{
    stream s = {"", 0, 0, 1, 1};
    const spgemm_mtx_source source = {&s, take, NULL};
    const spgemm_mtx_source none = {0};
    spgemm_csr A;
    cr_expect_eq(spgemm_mtx_read(NULL, &source, NULL, NULL),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_read(&A, NULL, NULL, NULL), SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_read(&A, &none, NULL, NULL), SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_read(&A, &source,
                                 &(spgemm_mtx_options){.nthreads = -1}, NULL),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_read(&A, &source,
                                 &(spgemm_mtx_options){.reserved = {1}}, NULL),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_read_file(&A, NULL, NULL, NULL),
                 SPGEMM_ERROR_INVALID);
    spgemm_mtx_error error;
    cr_expect_eq(spgemm_mtx_read_file(&A, "/nonexistent/x", NULL, &error),
                 SPGEMM_ERROR_IO);
    cr_expect(strstr(error.text, "opened"), "%s", error.text);
    cr_expect_eq(spgemm_mtx_read_file(&A, "/", NULL, &error), SPGEMM_ERROR_IO);
    cr_expect(strstr(error.text, "could not be read"), "%s", error.text);
}

/* Numbers that are hard to round, and their neighbours. */
static const char *const hard_numbers[] = {
    "0",
    "-0",
    "-0.0e-99999",
    "1e23",
    "8.5e22",
    "9007199254740993",
    "-9007199254740993.0",
    "9007199254740992.99999999999999999999",
    "9007199254740993.00000000000000000001",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0.000000000000000000000000000000000000000000000000000001",
    "0.1000000000000000055511151231257827021181583404541015625",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203124",
    "1.00000000000000011102230246251565404236316680908203126",
    "2.2250738585072011e-308",
    "2.2250738585072012e-308",
    "4.9e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1e999",
    "-1e999",
    "1e-999",
    "1e99999999999999999999",
    "0000000000000000000000000000001.5",
    "0.00000000000000000000000000000000000000000000015e46",
    "123456789012345678901234567890",
    "1234567890123456789e-27",
    "1234567890123456789e27",
    "1234567890123456789e28",
    "+7.",
    "-.5E+3",
};

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void expect_rounded(const char *number, locale_t c_locale)
{
    static char line[1 << 18];
    double value = 0;
    snprintf(line, sizeof line, "%s\n%8s", number, "");
    const char *text = line;
    cr_assert(mtx_parse_double(&text, &value, c_locale), "%s", number);
    cr_expect_eq(*text, '\n', "%s", number);
    cr_expect_eq(bits_of(value), bits_of(strtod(number, NULL)),
                 "%s: %a, not %a", number, value, strtod(number, NULL));
}

Test(mtx_read, rounds_numbers_correctly)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (size_t k = 0; k < sizeof hard_numbers / sizeof *hard_numbers; k++)
        expect_rounded(hard_numbers[k], c_locale);
    for (uint64_t k = 0; k < 200000; k++) {
        char number[64];
        const uint64_t bits = rng_bits(1, k);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (k % 2)
            value = ldexp(rng_unit(2, k) - 0.5, (int)rng_below(3, k, 160) - 80);
        if (isnan(value))
            continue;
        snprintf(number, sizeof number, "%.*e", (int)rng_below(4, k, 24),
                 value);
        expect_rounded(number, c_locale);
    }
    freelocale(c_locale);
}

/* 0.0...01e... is 10^power, however many zeros its exponent makes up for. */
Test(mtx_read, rounds_numbers_of_many_zeros)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    static char number[1 << 18];
    for (int zeros = 99990; zeros <= 200000; zeros += 22002)
        for (int power = -330; power <= 310; power += 32) {
            snprintf(number, sizeof number, "0.%0*d1e%d", zeros, 0,
                     zeros + 1 + power);
            expect_rounded(number, c_locale);
            snprintf(number, sizeof number, "1%0*d.0e%d", zeros, 0,
                     power - zeros);
            expect_rounded(number, c_locale);
        }
    freelocale(c_locale);
}

/* A locale with decimal commas: one that is there, or one made for the test. */
static bool set_comma_locale(void)
{
    char folder[] = "/tmp/spgemm-locale-XXXXXX";
    char command[128];
    if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8"))
        return true;
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command,
             "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null", folder);
    const bool is_made = system(command) == 0;
    setenv("LOCPATH", folder, 1);
    const bool is_set = is_made && setlocale(LC_ALL, "de_DE.UTF-8");
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && is_set;
}

Test(mtx_read, reads_and_writes_points_where_the_locale_has_commas)
{
    if (!set_comma_locale())
        cr_skip("this machine has no locale with decimal commas");
    cr_assert_eq(strtod("1,5", NULL), 1.5);
    char number[MTX_NUMBER_BYTES + 1];
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    spgemm_csr A = read_text(BANNER "real general\n1 2 2\n1 1 1.5\n"
                                    "1 2 2.5e-200\n");
    cr_expect_eq(entry(&A, 0, 0), 1.5);
    *spgemm_mtx_format_double(number, entry(&A, 0, 0), c_locale) = '\0';
    cr_expect_str_eq(number, "1.5");
    *spgemm_mtx_format_double(number, entry(&A, 0, 1), c_locale) = '\0';
    cr_expect_str_eq(number, "2.5e-200");
    spgemm_csr_destroy(&A);
    freelocale(c_locale);
    setlocale(LC_ALL, "C");
}

Test(mtx_read, reads_infinities_and_nan_as_words)
{
    spgemm_csr A = read_text(BANNER "real general\n2 2 4\n1 1 inf\n1 2 -Inf\n"
                                    "2 1 NaN\n2 2 +infinity\n");
    cr_expect(isinf(entry(&A, 0, 0)));
    cr_expect_lt(entry(&A, 0, 1), 0);
    cr_expect(isnan(entry(&A, 1, 0)));
    cr_expect(isinf(entry(&A, 1, 1)));
    spgemm_csr_destroy(&A);
}

/* A text of some MB: many slices, some pieces, a line that spans them. */
static char *make_long_text(int64_t nrows, size_t *length)
{
    char *text = malloc((size_t)nrows * 80 + 200);
    cr_assert(text);
    char *end =
        text + sprintf(text, BANNER "integer general\n%lld %lld %lld\n",
                       (long long)nrows, (long long)nrows, (long long)nrows);
    for (int64_t i = nrows; i > 0; i--)
        end += sprintf(end, "%lld %lld %lld%*s\n%s", (long long)i,
                       (long long)(nrows + 1 - i), (long long)i, (int)(i % 40),
                       "", i % 1000 ? "" : "% comment\n\n");
    *length = (size_t)(end - text);
    return text;
}

Test(mtx_read, reads_long_texts_the_same_with_any_number_of_threads)
{
    const int64_t nrows = 700000;
    size_t length;
    char *text = make_long_text(nrows, &length);
    for (int nthreads = 1; nthreads <= 5; nthreads += 2) {
        stream s = {text, length, 0, SIZE_MAX, SIZE_MAX};
        const spgemm_mtx_source source = {&s, take, NULL};
        spgemm_csr A = {0};
        cr_assert_eq(
            spgemm_mtx_read(&A, &source,
                            &(spgemm_mtx_options){.nthreads = nthreads}, NULL),
            SPGEMM_SUCCESS);
        int64_t wrong = 0;
        for (int64_t i = 0; i < nrows; i++)
            wrong += A.rowptr[i] != i ||
                     ((const int32_t *)A.colidx)[i] != nrows - 1 - i ||
                     ((const double *)A.values)[i] != (double)(i + 1);
        cr_expect_eq(wrong, 0);
        spgemm_csr_destroy(&A);
    }
    free(text);
}

Test(mtx_read, names_the_line_of_a_fault_far_down)
{
    size_t length;
    char *text = make_long_text(700000, &length);
    char *fault = text + length - length / 7;
    while (*fault != '\n')
        fault++;
    fault[1] = 'x';
    int64_t line = 2;
    for (const char *c = text; c < fault; c++)
        line += *c == '\n';
    spgemm_csr A;
    spgemm_mtx_error error;
    cr_expect_eq(read_bytes(&A, text, length, SIZE_MAX, &error),
                 SPGEMM_ERROR_IO);
    cr_expect_eq(error.line, line);
    free(text);
}

Test(mtx_read, bounds_the_length_of_a_line)
{
    const size_t longest = (size_t)17 << 20;
    char *text = malloc(longest);
    cr_assert(text);
    const size_t begin =
        (size_t)sprintf(text, BANNER "real general\n1 1 1\n1 1 1\n%%");
    memset(text + begin, ' ', longest - begin);
    spgemm_csr A = {0};
    spgemm_mtx_error error;
    cr_expect_eq(read_bytes(&A, text, longest, SIZE_MAX, &error),
                 SPGEMM_ERROR_IO);
    cr_expect_eq(error.line, 4);
    cr_expect(strstr(error.text, "longer"), "%s", error.text);
    cr_expect_eq(read_bytes(&A, text, (size_t)15 << 20, SIZE_MAX, &error),
                 SPGEMM_SUCCESS);
    spgemm_csr_destroy(&A);
    free(text);
}

/* So many bytes: a text, and blanks behind it. */
static spgemm_status read_padded(spgemm_csr *A, const char *text, size_t size,
                                 spgemm_mtx_error *e)
{
    char *padded = malloc(size);
    cr_assert(padded);
    memset(padded, '\n', size);
    memcpy(padded, text, strlen(text));
    const spgemm_status status = read_bytes(A, padded, size, SIZE_MAX, e);
    free(padded);
    return status;
}

Test(mtx_read, bounds_what_is_no_entry)
{
    static const char text[] = BANNER "real general\n1 1 1\n1 1 1\n";
    spgemm_csr A = {0};
    spgemm_mtx_error error;
    cr_expect_eq(read_padded(&A, text, (size_t)40 << 20, &error),
                 SPGEMM_ERROR_IO);
    cr_expect(strstr(error.text, "MB of text hold only 1 entries"), "%s",
              error.text);
    cr_expect_eq(read_padded(&A, text, (size_t)15 << 20, &error),
                 SPGEMM_SUCCESS);
    spgemm_csr_destroy(&A);
}

static spgemm_status read_limited(const char *text, spgemm_mtx_options options,
                                  spgemm_mtx_error *e)
{
    stream s = {text, strlen(text), 0, SIZE_MAX, SIZE_MAX};
    const spgemm_mtx_source source = {&s, take, NULL};
    spgemm_csr A = {0};
    const spgemm_status status = spgemm_mtx_read(&A, &source, &options, e);
    spgemm_csr_destroy(&A);
    return status;
}

Test(mtx_read, refuses_empty_rows_above_a_limit)
{
    static const char general[] = BANNER "real general\n1003 9 3\n1 1 1\n"
                                         "1 1 1\n1 1 1\n";
    static const char symmetric[] = BANNER "real symmetric\n1002 1002 1\n"
                                           "2 1 1\n";
    spgemm_mtx_options options = {.empty_rows_bytes = 8000};
    spgemm_mtx_error error;
    cr_expect_eq(read_limited(general, options, &error), SPGEMM_SUCCESS);
    cr_expect_eq(read_limited(symmetric, options, &error), SPGEMM_SUCCESS);
    options.empty_rows_bytes = 7999;
    cr_expect_eq(read_limited(general, options, &error),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    cr_expect_str_eq(error.text,
                     "its header says 1003 rows and 3 entries: 8000 bytes of "
                     "row pointers of empty rows; the limit is 7999");
    cr_expect_eq(error.line, 2);
    cr_expect_eq(read_limited(symmetric, options, &error),
                 SPGEMM_ERROR_MEMORY_LIMIT);
}

Test(mtx_read, holds_no_more_than_a_limit)
{
    static const char text[] = BANNER "real general\n3 3 2\n1 1 1\n2 2 2\n";
    static const char claim[] = BANNER "real general\n3 3 99999999\n1 1 1\n";
    spgemm_mtx_options options = {.memory_limit_bytes = (size_t)64 << 20};
    spgemm_mtx_error error;
    cr_expect_eq(read_limited(text, options, &error), SPGEMM_SUCCESS);
    cr_expect_eq(read_limited(claim, options, &error),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    cr_expect(strstr(error.text, "3 rows and 99999999 entries, 1600000008 "
                                 "bytes at least; the limit is 67108864"),
              "%s", error.text);
    options.memory_limit_bytes = (size_t)1 << 20;
    cr_expect_eq(read_limited(text, options, &error),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    cr_expect_str_eq(error.text, "the text at hand needs more than 1048576 "
                                 "bytes, the limit");
    cr_expect_eq(error.line, 0);
}

static void count_calls(void *context, int64_t bytes)
{
    int64_t *last = context;
    cr_expect_geq(bytes, *last);
    *last = bytes;
}

Test(mtx_read, tells_how_far_it_has_come)
{
    static const char text[] = BANNER "real general\n1 1 1\n1 1 1\n";
    stream s = {text, strlen(text), 0, 4, SIZE_MAX};
    const spgemm_mtx_source source = {&s, take, NULL};
    int64_t last = 0;
    spgemm_csr A;
    cr_assert_eq(
        spgemm_mtx_read(&A, &source,
                        &(spgemm_mtx_options){.progress = count_calls,
                                              .progress_context = &last},
                        NULL),
        SPGEMM_SUCCESS);
    cr_expect_eq(last, (int64_t)strlen(text));
    spgemm_csr_destroy(&A);
}

static const char *say_in_lines(void *context)
{
    (void)context;
    return "the tape tore\nin two\r\n";
}

Test(mtx_read, says_why_in_one_line)
{
    stream s = {"", 0, 0, 1, 0};
    const spgemm_mtx_source source = {&s, take, say_in_lines};
    spgemm_mtx_error error;
    spgemm_csr A;
    cr_expect_eq(spgemm_mtx_read(&A, &source, NULL, &error), SPGEMM_ERROR_IO);
    cr_expect_str_eq(error.text, "could not be read: the tape tore in two  ");
    cr_expect_str_eq(spgemm_error_text(),
                     "line 1: could not be read: the tape tore in two  ");
}
