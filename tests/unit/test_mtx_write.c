/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "io/mtx_format.h"
#include "spgemm/mtx.h"

/* A text that grows, and fails beyond `limit` bytes; then it is read. */
typedef struct tape {
    char *text;
    size_t used;
    size_t taken;
    size_t limit;
} tape;

static int put(void *context, const char *text, size_t length)
{
    tape *t = context;
    if (t->used + length > t->limit)
        return -1;
    t->text = realloc(t->text, t->used + length + 1);
    cr_assert(t->text);
    memcpy(t->text + t->used, text, length);
    t->used += length;
    t->text[t->used] = '\0';
    return 0;
}

static ptrdiff_t take(void *context, void *buffer, size_t size)
{
    tape *t = context;
    const size_t left = t->used - t->taken;
    const size_t length = left < size ? left : size;
    memcpy(buffer, t->text + t->taken, length);
    t->taken += length;
    return (ptrdiff_t)length;
}

static void expect_text(const spgemm_csr *A, const char *text)
{
    tape t = {.limit = SIZE_MAX};
    cr_assert_eq(spgemm_mtx_write(A, put, &t), SPGEMM_SUCCESS);
    cr_expect_str_eq(t.text, text);
    free(t.text);
}

static const int64_t small_rowptr[] = {0, 2, 2, 3};
static const int32_t small_colidx[] = {3, 0, 1};
static const int64_t small_wide[] = {3, 0, 1};
static const double small_values[] = {0.1, -2, 1e-300};

static spgemm_csr small_matrix(void)
{
    return spgemm_csr_view(3, 4, 3, small_rowptr, small_colidx, small_values,
                           SPGEMM_I32, SPGEMM_FP64);
}

Test(mtx_write, writes_rows_as_they_are_stored)
{
    spgemm_csr A = small_matrix();
    const char *want = "%%MatrixMarket matrix coordinate real general\n"
                       "3 4 3\n1 4 0.1\n1 1 -2\n3 2 1e-300\n";
    expect_text(&A, want);
    A = spgemm_csr_view(3, 4, 3, small_rowptr, small_wide, small_values,
                        SPGEMM_I64, SPGEMM_FP64);
    expect_text(&A, want);
}

Test(mtx_write, writes_a_matrix_without_values_as_a_pattern)
{
    spgemm_csr A = small_matrix();
    A.values = NULL;
    expect_text(&A, "%%MatrixMarket matrix coordinate pattern general\n"
                    "3 4 3\n1 4\n1 1\n3 2\n");
}

/* Two values of each type, and their text. */
static const struct {
    spgemm_value_type type;
    const char *field;
    const char *first;
    const char *second;
    double doubles[4];
    float floats[4];
    int64_t wide[2];
    int32_t narrow[2];
} samples[] = {
    {.type = SPGEMM_FP64,
     .field = "real",
     .first = " 0.1",
     .second = " -3",
     .doubles = {0.1, -3}},
    {.type = SPGEMM_FP32,
     .field = "real",
     .first = " 0.1",
     .second = " 1.1754944e-38",
     .floats = {0.1f, 1.17549435e-38f}},
    {.type = SPGEMM_CFP64,
     .field = "complex",
     .first = " 0.1 -0",
     .second = " -3 1e+100",
     .doubles = {0.1, -0.0, -3, 1e100}},
    {.type = SPGEMM_CFP32,
     .field = "complex",
     .first = " 0.1 16777216",
     .second = " -3 inf",
     .floats = {0.1f, 16777216, -3, HUGE_VALF}},
    {.type = SPGEMM_INT64,
     .field = "integer",
     .first = " 9223372036854775807",
     .second = " -9223372036854775808",
     .wide = {INT64_MAX, INT64_MIN}},
    {.type = SPGEMM_INT32,
     .field = "integer",
     .first = " -2147483648",
     .second = " 0",
     .narrow = {INT32_MIN, 0}},
};

Test(mtx_write, writes_each_type_of_values)
{
    static const int64_t rowptr[] = {0, 1, 2};
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
        char want[256];
        const void *const values[] = {samples[k].doubles, samples[k].floats,
                                      samples[k].doubles, samples[k].floats,
                                      samples[k].wide,    samples[k].narrow};
        const spgemm_csr A =
            spgemm_csr_view(2, 4, 2, rowptr, small_colidx, values[k],
                            SPGEMM_I32, samples[k].type);
        snprintf(want, sizeof want,
                 "%%%%MatrixMarket matrix coordinate %s general\n2 4 2\n"
                 "1 4%s\n2 1%s\n",
                 samples[k].field, samples[k].first, samples[k].second);
        expect_text(&A, want);
    }
}

Test(mtx_write, leaves_out_what_is_false)
{
    static const uint8_t truths[] = {1, 0, 1};
    const spgemm_csr A = spgemm_csr_view(3, 4, 3, small_rowptr, small_colidx,
                                         truths, SPGEMM_I32, SPGEMM_BOOL);
    int64_t nentries = 10;
    tape t = {.limit = SIZE_MAX};
    expect_text(&A, "%%MatrixMarket matrix coordinate pattern general\n"
                    "3 4 2\n1 4\n3 2\n");
    cr_expect_eq(spgemm_mtx_write_rows(&A, 0, &nentries, put, &t),
                 SPGEMM_SUCCESS);
    cr_expect_eq(nentries, 12);
    free(t.text);
}

Test(mtx_write, refuses_values_that_the_format_has_no_word_for)
{
    static const char elements[36] = "";
    tape t = {.limit = SIZE_MAX};
    const spgemm_csr A =
        spgemm_csr_view(3, 4, 3, small_rowptr, small_colidx, elements,
                        SPGEMM_I32, SPGEMM_ELEMENTS(12));
    cr_expect_eq(spgemm_mtx_write(&A, put, &t), SPGEMM_ERROR_UNSUPPORTED);
    cr_expect_eq(spgemm_mtx_write_rows(&A, 0, NULL, put, &t),
                 SPGEMM_ERROR_UNSUPPORTED);
    cr_expect_eq(t.used, 0);
}

Test(mtx_write, writes_empty_shapes)
{
    static const int64_t zeros[] = {0, 0, 0};
    spgemm_csr A =
        spgemm_csr_view(2, 0, 0, zeros, NULL, NULL, SPGEMM_I32, SPGEMM_FP64);
    A.values = (void *)(uintptr_t)zeros;
    expect_text(&A, "%%MatrixMarket matrix coordinate real general\n2 0 0\n");
}

Test(mtx_write, refuses_bad_arguments_and_malformed_matrices)
{
    static const int64_t broken[] = {0, 2, 1, 3};
    tape t = {.limit = SIZE_MAX};
    spgemm_csr A = small_matrix();
    cr_expect_eq(spgemm_mtx_write(NULL, put, &t), SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_write(&A, NULL, &t), SPGEMM_ERROR_INVALID);
    A.rowptr = (int64_t *)(uintptr_t)broken;
    cr_expect_eq(spgemm_mtx_write(&A, put, &t), SPGEMM_ERROR_INVALID);
    cr_expect_eq(t.used, 0);
}

Test(mtx_write, reports_a_sink_that_fails)
{
    const spgemm_csr A = small_matrix();
    for (size_t limit = 0; limit < 60; limit += 10) {
        tape t = {.limit = limit};
        cr_expect_eq(spgemm_mtx_write(&A, put, &t), SPGEMM_ERROR_IO);
        free(t.text);
    }
}

/* Entries enough for several tasks, rows of all lengths between. */
static spgemm_csr make_matrix(int64_t nrows)
{
    spgemm_csr A;
    int64_t nnz = 0;
    for (int64_t i = 0; i < nrows; i++)
        nnz += i % 7;
    cr_assert_eq(
        spgemm_csr_create(&A, nrows, 7, nnz, SPGEMM_I32, SPGEMM_FP64, NULL),
        SPGEMM_SUCCESS);
    int64_t p = 0;
    for (int64_t i = 0; i < nrows; i++) {
        for (int64_t j = 0; j < i % 7; j++, p++) {
            const uint64_t bits = rng_bits(5, (uint64_t)p);
            double value;
            memcpy(&value, &bits, sizeof value);
            if (p % 3 || isnan(value))
                value = ldexp(rng_unit(6, (uint64_t)p),
                              (int)rng_below(7, (uint64_t)p, 100) - 50);
            ((int32_t *)A.colidx)[p] = (int32_t)j;
            ((double *)A.values)[p] = value;
        }
        A.rowptr[i + 1] = p;
    }
    A.flags |= SPGEMM_SORTED_ROWS;
    return A;
}

Test(mtx_write, reads_back_as_the_same_matrix)
{
    spgemm_csr A = make_matrix(60000);
    spgemm_csr again = {0};
    tape t = {.limit = SIZE_MAX};
    const spgemm_mtx_source source = {&t, take, NULL};
    cr_assert_eq(spgemm_mtx_write(&A, put, &t), SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_mtx_read(&again, &source, NULL, NULL), SPGEMM_SUCCESS);
    cr_expect(spgemm_csr_equal(&A, &again));
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&again);
    free(t.text);
}

static int keep_longest(void *context, const char *text, size_t length)
{
    size_t *longest = context;
    (void)text;
    *longest = length > *longest ? length : *longest;
    return 0;
}

/* What a thread formats at a time is what it holds, and no limit counts it. */
Test(mtx_write, holds_little_text_a_thread)
{
    spgemm_csr A = make_matrix(30000);
    size_t longest = 0;
    cr_assert_eq(spgemm_mtx_write(&A, keep_longest, &longest), SPGEMM_SUCCESS);
    cr_expect_gt(longest, 16 << 10);
    cr_expect_leq(longest, 128 << 10);
    spgemm_csr_destroy(&A);
}

/* Rows and columns of as many digits as there are, values of as many: what the
   buffers of a thread are measured by. */
Test(mtx_write, has_room_for_the_longest_entries)
{
    enum { ENTRIES = 9000 };
    static const int64_t rowptr[] = {0, ENTRIES};
    static int64_t columns[ENTRIES];
    static double values[2 * ENTRIES];
    tape t = {.limit = SIZE_MAX};
    for (int64_t p = 0; p < ENTRIES; p++) {
        columns[p] = INT64_MAX - 1 - p;
        values[2 * p] = values[2 * p + 1] = -1.2345678901234568e-300;
    }
    const spgemm_csr A = spgemm_csr_view(1, INT64_MAX, ENTRIES, rowptr, columns,
                                         values, SPGEMM_I64, SPGEMM_CFP64);
    cr_assert_eq(spgemm_mtx_write_rows(&A, INT64_MAX - 2, NULL, put, &t),
                 SPGEMM_SUCCESS);
    const char last[] = "\n9223372036854775806 9223372036854766808 "
                        "-1.2345678901234568e-300 -1.2345678901234568e-300\n";
    cr_expect_str_eq(t.text + t.used - strlen(last), last);
    free(t.text);
}

Test(mtx_write, writes_blocks_of_rows_as_the_whole)
{
    spgemm_csr A = make_matrix(30000);
    tape whole = {.limit = SIZE_MAX};
    tape pieces = {.limit = SIZE_MAX};
    int64_t nentries = 0;
    cr_assert_eq(spgemm_mtx_write(&A, put, &whole), SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_mtx_write_header(A.nrows, A.ncols, A.nnz, A.value_type,
                                         put, &pieces),
                 SPGEMM_SUCCESS);
    for (int64_t first = 0, count = 0; first < A.nrows; first += count) {
        int64_t *rowptr = malloc(((size_t)A.nrows + 1) * sizeof *rowptr);
        cr_assert(rowptr);
        count = first % 7 == 3 ? 11000 : first % 100 + 1;
        count = count < A.nrows - first ? count : A.nrows - first;
        const int64_t begin = A.rowptr[first];
        for (int64_t i = 0; i <= count; i++)
            rowptr[i] = A.rowptr[first + i] - begin;
        const spgemm_csr rows = spgemm_csr_view(
            count, A.ncols, rowptr[count], rowptr,
            (const int32_t *)A.colidx + begin, (const double *)A.values + begin,
            SPGEMM_I32, SPGEMM_FP64);
        cr_assert_eq(
            spgemm_mtx_write_rows(&rows, first, &nentries, put, &pieces),
            SPGEMM_SUCCESS);
        free(rowptr);
    }
    cr_expect_eq(nentries, A.nnz);
    cr_expect_str_eq(pieces.text, whole.text);
    spgemm_csr_destroy(&A);
    free(whole.text);
    free(pieces.text);
}

Test(mtx_write, refuses_parts_that_cannot_be)
{
    tape t = {.limit = SIZE_MAX};
    const spgemm_csr A = small_matrix();
    cr_expect_eq(spgemm_mtx_write_header(-1, 2, 3, SPGEMM_FP64, put, &t),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_write_header(1, 2, 3, SPGEMM_FP64, NULL, &t),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_write_header(1, 2, 3, SPGEMM_ELEMENTS(8), put, &t),
                 SPGEMM_ERROR_UNSUPPORTED);
    cr_expect_eq(spgemm_mtx_write_rows(&A, -1, NULL, put, &t),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_write_rows(&A, INT64_MAX - 2, NULL, put, &t),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(spgemm_mtx_write_rows(NULL, 0, NULL, put, &t),
                 SPGEMM_ERROR_INVALID);
    cr_expect_eq(t.used, 0);
}

/* Numbers and the text that people would write for them. */
static const struct {
    double value;
    const char *text;
} formats[] = {
    {0, "0"},
    {-0.0, "-0"},
    {7, "7"},
    {-123456789, "-123456789"},
    {9007199254740991, "9007199254740991"},
    {9007199254740992, "9007199254740992"},
    {0.1, "0.1"},
    {0.1 + 0.2, "0.30000000000000004"},
    {1.0 / 3, "0.3333333333333333"},
    {2.0 / 3, "0.6666666666666666"},
    {-1.5, "-1.5"},
    {1e16, "10000000000000000"},
    {1e17, "1e+17"},
    {1.25e30, "1.25e+30"},
    {1e23, "1e+23"},
    {1e-5, "0.00001"},
    {1.25e-6, "1.25e-6"},
    {123.456, "123.456"},
    {5e-324, "4.94065645841247e-324"},
    {1.7976931348623157e308, "1.7976931348623157e+308"},
    {HUGE_VAL, "inf"},
    {-HUGE_VAL, "-inf"},
};

Test(mtx_write, writes_numbers_as_people_do)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        char text[MTX_NUMBER_BYTES + 1];
        *spgemm_mtx_format_double(text, formats[k].value, c_locale) = '\0';
        cr_expect_str_eq(text, formats[k].text);
    }
    freelocale(c_locale);
}

Test(mtx_write, writes_floats_with_their_own_digits)
{
    static const struct {
        float value;
        const char *text;
    } floats[] = {
        {0, "0"},
        {-0.0f, "-0"},
        {0.1f, "0.1"},
        {1.0f / 3, "0.33333334"},
        {16777216, "16777216"},
        {3e10f, "30000001024"},
        {3.4028234e38f, "3.4028235e+38"},
        {1e-45f, "1.4013e-45"},
        {-1.5f, "-1.5"},
        {1e30f, "1e+30"},
    };
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (size_t k = 0; k < sizeof floats / sizeof *floats; k++) {
        char text[MTX_NUMBER_BYTES + 1];
        *spgemm_mtx_format_float(text, floats[k].value, c_locale) = '\0';
        cr_expect_str_eq(text, floats[k].text);
    }
    for (uint64_t k = 0; k < 300000; k++) {
        char text[MTX_NUMBER_BYTES + 1];
        const uint32_t bits = (uint32_t)rng_bits(12, k);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (k % 2)
            value = (float)rng_below(13, k, 1000000) / 1000;
        if (isnan(value))
            continue;
        *spgemm_mtx_format_float(text, value, c_locale) = '\0';
        const float once = strtof(text, NULL);
        const float twice = (float)strtod(text, NULL);
        cr_assert(memcmp(&once, &value, sizeof value) == 0, "%s is not %a",
                  text, (double)value);
        cr_assert(memcmp(&twice, &value, sizeof value) == 0, "%s is not %a",
                  text, (double)value);
    }
    freelocale(c_locale);
}

Test(mtx_write, writes_numbers_that_read_back)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (uint64_t k = 0; k < 300000; k++) {
        char text[MTX_NUMBER_BYTES + 1];
        const uint64_t bits = rng_bits(8, k);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (k % 3 == 1)
            value = (rng_unit(9, k) - 0.5) *
                    pow(10, (double)rng_below(10, k, 60) - 15);
        if (k % 3 == 2)
            value = (double)rng_below(11, k, 1000000) / 1000;
        if (isnan(value))
            continue;
        char *end = spgemm_mtx_format_double(text, value, c_locale);
        cr_assert_lt(end - text, MTX_NUMBER_BYTES);
        *end = '\0';
        const double again = strtod(text, NULL);
        cr_assert(memcmp(&again, &value, sizeof value) == 0, "%s is not %a",
                  text, value);
    }
    freelocale(c_locale);
}
