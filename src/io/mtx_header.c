/* SPDX-License-Identifier: BSD-3-Clause */
/* The banner and the size line of a Matrix Market file.

   R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market Exchange
   Formats: Initial Design, NISTIR 5935, 1996. Beyond it, a banner may begin
   with one '%' and with blanks, as files in circulation do. */
#include "io/mtx_header.h"

#include "io/mtx_error.h"
#include "io/mtx_number.h"
#include "io/mtx_words.h"

/* A word of the banner: what it may be, and what is refused by its name. */
typedef struct choice {
    const char *word;
    int value;
    const char *unread; /* what it stands for, where that is not read here */
} choice;

static const choice objects[] = {
    {"matrix", 0, NULL}, {"vector", 0, "a vector"}, {0}};
static const choice formats[] = {
    {"coordinate", 0, NULL}, {"array", 0, "a dense matrix"}, {0}};
static const choice fields[] = {
    {"real", MTX_REAL, NULL},       {"double", MTX_REAL, NULL},
    {"integer", MTX_INTEGER, NULL}, {"pattern", MTX_PATTERN, NULL},
    {"complex", MTX_COMPLEX, NULL}, {0}};
static const choice symmetries[] = {
    {"general", MTX_GENERAL, NULL},
    {"symmetric", MTX_SYMMETRIC, NULL},
    {"skew-symmetric", MTX_SKEW_SYMMETRIC, NULL},
    {"hermitian", MTX_HERMITIAN, NULL},
    {0}};

/* The next word at *text, which moves past it. `where` ends too early if there
   is none. */
static spgemm_status take_word(mtx_word *word, const char **text,
                               const char *where, const char *what,
                               int64_t line_number, spgemm_mtx_error *error)
{
    *word = mtx_next_word(*text);
    *text = word->end;
    if (!mtx_word_is_missing(*word))
        return SPGEMM_SUCCESS;
    return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                           "the %s ends before its %s", where, what);
}

static spgemm_status choose(int *value, const char **text,
                            const choice *choices, const char *what,
                            int64_t line_number, spgemm_mtx_error *error)
{
    char quote[MTX_QUOTE_BYTES];
    mtx_word word;
    const spgemm_status status =
        take_word(&word, text, "banner", what, line_number, error);
    if (status < 0)
        return status;
    for (const choice *c = choices; c->word; c++) {
        if (!mtx_word_is(word, c->word))
            continue;
        *value = c->value;
        if (!c->unread)
            return SPGEMM_SUCCESS;
        return spgemm_mtx_fail(error, SPGEMM_ERROR_UNSUPPORTED, line_number,
                               "%s (\"%s\") is not read, only \"%s\"",
                               c->unread, c->word, choices->word);
    }
    return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                           "unknown %s \"%s\" in the banner", what,
                           spgemm_mtx_quote(quote, word.begin, word.end));
}

spgemm_status spgemm_mtx_parse_banner(mtx_header *header, const char *line,
                                      int64_t line_number,
                                      spgemm_mtx_error *error)
{
    const struct {
        const choice *choices;
        const char *what;
    } parts[] = {{objects, "object"},
                 {formats, "format"},
                 {fields, "field"},
                 {symmetries, "symmetry"}};
    enum { NPARTS = sizeof parts / sizeof *parts };
    int values[NPARTS];
    const mtx_word tag = mtx_next_word(line);
    const char *text = tag.end;
    if (!mtx_word_is(tag, "%%matrixmarket") &&
        !mtx_word_is(tag, "%matrixmarket"))
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                               "no Matrix Market banner: the text does not "
                               "begin with %%%%MatrixMarket");
    for (int part = 0; part < NPARTS; part++) {
        const spgemm_status status =
            choose(&values[part], &text, parts[part].choices, parts[part].what,
                   line_number, error);
        if (status < 0)
            return status;
    }
    header->field = (mtx_field)values[2];
    header->symmetry = (mtx_symmetry)values[3];
    if (header->symmetry == MTX_HERMITIAN && header->field != MTX_COMPLEX)
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                               "only a complex matrix is hermitian");
    if (header->symmetry == MTX_SKEW_SYMMETRIC && header->field == MTX_PATTERN)
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                               "a pattern has no signs: none is "
                               "skew-symmetric");
    return SPGEMM_SUCCESS;
}

static spgemm_status parse_size(int64_t *size, const char **text,
                                const char *what, int64_t line_number,
                                spgemm_mtx_error *error)
{
    char quote[MTX_QUOTE_BYTES];
    mtx_word word;
    const spgemm_status status =
        take_word(&word, text, "size line", what, line_number, error);
    if (status < 0)
        return status;
    const char *digits = word.begin;
    const uint64_t number = mtx_parse_digits(&digits);
    spgemm_mtx_quote(quote, word.begin, word.end);
    if (digits != word.end)
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                               "\"%s\" is not a number of %s", quote, what);
    if (number > INT64_MAX)
        return spgemm_mtx_fail(error, SPGEMM_ERROR_OVERFLOW, line_number,
                               "%s %s do not fit 63 bits", quote, what);
    *size = (int64_t)number;
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_mtx_parse_sizes(mtx_header *header, const char *line,
                                     int64_t line_number,
                                     spgemm_mtx_error *error)
{
    static const char *const names[] = {"rows", "columns", "entries"};
    int64_t *const sizes[] = {&header->nrows, &header->ncols,
                              &header->nentries};
    const char *text = line;
    for (int size = 0; size < 3; size++) {
        const spgemm_status status =
            parse_size(sizes[size], &text, names[size], line_number, error);
        if (status < 0)
            return status;
    }
    if (!mtx_word_is_missing(mtx_next_word(text)))
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                               "the size line has more than three numbers");
    if (header->symmetry != MTX_GENERAL && header->nrows != header->ncols)
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line_number,
                               "a symmetric matrix must be square, not "
                               "%lld x %lld",
                               (long long)header->nrows,
                               (long long)header->ncols);
    return SPGEMM_SUCCESS;
}
