/* SPDX-License-Identifier: BSD-3-Clause */
/* The parser only says that a line is not an entry. This walks it again, word
   by word, and says why: slow, once per file at most. */
#include "io/mtx_complain.h"

#include "io/mtx_error.h"
#include "io/mtx_number.h"
#include "io/mtx_words.h"

/* Whether the word is an index in 1..limit; *error says why not. */
static bool is_index(mtx_word word, int64_t limit, const char *what,
                     int64_t line_number, spgemm_mtx_error *error)
{
    char quote[MTX_QUOTE_BYTES];
    const char *end = word.begin + (*word.begin == '-');
    const char *const digits = end;
    const uint64_t index = mtx_parse_digits(&end);
    spgemm_mtx_quote(quote, word.begin, word.end);
    if (mtx_word_is_missing(word))
        spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                        "%s index is missing", what);
    else if (end != word.end || end == digits)
        spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                        "\"%s\" is not a %s index", quote, what);
    else if (digits > word.begin || index < 1 || index > (uint64_t)limit)
        spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                        "%s index %s is not in 1..%lld", what, quote,
                        (long long)limit);
    else
        return true;
    return false;
}

/* Whether only the mirror image of a word is no integer of 64 bits. */
static bool has_no_mirror(mtx_word word, const mtx_header *header)
{
    int64_t value;
    const char *end = word.begin;
    return header->symmetry == MTX_SKEW_SYMMETRIC &&
           mtx_parse_integer(&end, &value) && end == word.end &&
           value == INT64_MIN;
}

static spgemm_status complain_of_value(mtx_word word, int64_t line_number,
                                       const mtx_header *header,
                                       spgemm_mtx_error *error)
{
    char quote[MTX_QUOTE_BYTES];
    if (mtx_word_is_missing(word))
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                               "value is missing");
    spgemm_mtx_quote(quote, word.begin, word.end);
    if (header->field == MTX_INTEGER && mtx_is_digit(word.end[-1]) &&
        mtx_is_integer(word.begin, word.end))
        return spgemm_mtx_fail(
            error, SPGEMM_ERROR_OVERFLOW, line_number,
            "%s%s does not fit an integer of 64 bits",
            has_no_mirror(word, header) ? "the mirror image of " : "", quote);
    return spgemm_mtx_fail(
        error, SPGEMM_ERROR_IO, line_number, "\"%s\" is not %s", quote,
        header->field == MTX_INTEGER ? "an integer" : "a number");
}

/* Whether the word is a number: which of two is not? */
static bool is_number(mtx_word word)
{
    double value;
    const char *end = word.begin;
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const bool is_read =
        c_locale && mtx_parse_double(&end, &value, c_locale) && end == word.end;
    if (c_locale)
        freelocale(c_locale);
    return is_read;
}

spgemm_status spgemm_mtx_complain(const char *line, int64_t line_number,
                                  const mtx_header *header,
                                  spgemm_mtx_error *error)
{
    char quote[MTX_QUOTE_BYTES];
    const mtx_word row = mtx_next_word(line);
    const mtx_word col = mtx_next_word(row.end);
    mtx_word last = col;
    if (!is_index(row, header->nrows, "row", line_number, error) ||
        !is_index(col, header->ncols, "column", line_number, error))
        return SPGEMM_ERROR_IO;
    const char *row_digits = row.begin;
    const char *col_digits = col.begin;
    if (header->symmetry == MTX_SKEW_SYMMETRIC &&
        mtx_parse_digits(&row_digits) == mtx_parse_digits(&col_digits))
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                               "a skew-symmetric matrix has no entries on its "
                               "diagonal");
    if (header->field != MTX_PATTERN)
        last = mtx_next_word(col.end);
    if (header->field == MTX_COMPLEX) {
        if (!is_number(last))
            return complain_of_value(last, line_number, header, error);
        last = mtx_next_word(last.end);
    }
    const mtx_word extra = mtx_next_word(last.end);
    if (mtx_word_is_missing(extra))
        return complain_of_value(last, line_number, header, error);
    return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                           "\"%s\" after the end of the entry",
                           spgemm_mtx_quote(quote, extra.begin, extra.end));
}
