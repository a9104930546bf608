/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to CSR: header lines one by one, entries in parallel into triplets,
   triplets into rows. Memory follows the text: of doubles 16 bytes an entry of
   it, then 12 bytes an entry of the matrix; only the row pointers follow the
   header, up to a bound. */
#include "io/mtx_entries.h"

#include "common/refusal.h"
#include "common/try.h"
#include "io/mtx_error.h"
#include "io/mtx_text.h"
#include "io/mtx_words.h"

/* Of rows that no entry can fill, where no limit is given. */
#define EMPTY_ROWS_BYTES ((size_t)1 << 30)

/* Text that is no entry: compressed, a file of blanks can be endless. */
#define PADDING_BYTES    ((int64_t)16 << 20)
#define PADDING_AN_ENTRY 1024

/* Which line is expected next. */
typedef enum stage { BANNER, SIZES, ENTRIES } stage;

typedef struct reader {
    const spgemm_mtx_options *options;
    spgemm_mtx_error *error;
    memory m;
    mtx_text text;
    mtx_header header;
    mtx_entries entries;
    stage stage;
    int64_t line;        /* number of the next line */
    int64_t taken_bytes; /* of the text, in lines that were read */
} reader;

static spgemm_index_type choose_index_type(const mtx_header *header)
{
    return spgemm_index_holds(SPGEMM_I32, header->nrows) &&
                   spgemm_index_holds(SPGEMM_I32, header->ncols)
               ? SPGEMM_I32
               : SPGEMM_I64;
}

static spgemm_value_type choose_value_type(const mtx_header *header,
                                           const spgemm_mtx_options *options)
{
    if (header->field == MTX_COMPLEX)
        return SPGEMM_CFP64;
    return header->field == MTX_INTEGER && options->keeps_integers
               ? SPGEMM_INT64
               : SPGEMM_FP64;
}

/* Bytes of a triplet, as the text is read. */
static size_t triplet_bytes(const mtx_entries *entries)
{
    const bool has_values = entries->header->field != MTX_PATTERN;
    return 2 * spgemm_index_size(entries->index_type) +
           (has_values ? spgemm_value_size(entries->value_type) : 0);
}

/* What the size line announces, before anything is taken for it. */
static spgemm_status check_sizes(const reader *r)
{
    const mtx_header *h = &r->header;
    const spgemm_mtx_options *options = r->options;
    const int sides = h->symmetry == MTX_GENERAL ? 1 : 2;
    const double empty = 8.0 * ((double)h->nrows - sides * (double)h->nentries);
    const double all = 8.0 * (double)h->nrows +
                       (double)h->nentries * (double)triplet_bytes(&r->entries);
    const size_t most_empty = options->empty_rows_bytes > 0
                                  ? options->empty_rows_bytes
                                  : EMPTY_ROWS_BYTES;
    if (empty > (double)most_empty)
        return spgemm_mtx_fail(
            r->error, SPGEMM_ERROR_MEMORY_LIMIT, r->line,
            "its header says %lld rows and %lld entries: %.0f bytes of row "
            "pointers of empty rows; the limit is %zu",
            (long long)h->nrows, (long long)h->nentries, empty, most_empty);
    if (options->memory_limit_bytes > 0 &&
        all > (double)options->memory_limit_bytes)
        return spgemm_mtx_fail(
            r->error, SPGEMM_ERROR_MEMORY_LIMIT, r->line,
            "its header says %lld rows and %lld entries, %.0f bytes at least; "
            "the limit is %zu",
            (long long)h->nrows, (long long)h->nentries, all,
            options->memory_limit_bytes);
    return SPGEMM_SUCCESS;
}

/* Lines up to the size line; *begin moves past them. */
static spgemm_status read_header(reader *r, const char **begin, const char *end)
{
    spgemm_status status = SPGEMM_SUCCESS;
    while (r->stage != ENTRIES && *begin < end && status == SPGEMM_SUCCESS) {
        const char *line = *begin;
        const char *text = mtx_skip_blanks(line);
        if (r->stage == BANNER && *text != '\n') {
            status =
                spgemm_mtx_parse_banner(&r->header, line, r->line, r->error);
            r->stage = SIZES;
        } else if (r->stage == SIZES && !mtx_is_empty_line(line)) {
            status =
                spgemm_mtx_parse_sizes(&r->header, line, r->line, r->error);
            r->stage = ENTRIES;
            r->entries.index_type = choose_index_type(&r->header);
            r->entries.value_type = choose_value_type(&r->header, r->options);
            if (status == SPGEMM_SUCCESS)
                status = check_sizes(r);
        }
        *begin = mtx_next_line(line, end);
        r->line++;
    }
    return status;
}

/* How far it is; what the caller's function is refused is no reason of ours. */
static void tell(const reader *r)
{
    char refusal[SPGEMM_REFUSAL_BYTES];
    if (!r->options->progress)
        return;
    spgemm_refusal_keep(refusal);
    r->options->progress(r->options->progress_context, r->text.bytes);
    spgemm_refusal_restore(refusal);
}

static spgemm_status read_piece(reader *r, const char *begin, const char *end)
{
    const int64_t bytes = end - begin;
    spgemm_status status = read_header(r, &begin, end);
    if (status < 0)
        return status;
    if (r->stage == ENTRIES && begin < end)
        status = spgemm_mtx_parse_entries(&r->entries, begin, end, &r->line,
                                          r->error);
    r->taken_bytes += bytes;
    if (status == SPGEMM_SUCCESS &&
        r->taken_bytes > PADDING_BYTES + PADDING_AN_ENTRY * r->entries.used)
        return spgemm_mtx_fail(r->error, SPGEMM_ERROR_IO, r->line,
                               "%lld MB of text hold only %lld entries",
                               (long long)(r->taken_bytes >> 20),
                               (long long)r->entries.used);
    tell(r);
    return status;
}

/* What the end of the text leaves open. */
static spgemm_status check_end(const reader *r)
{
    const int64_t last_line = r->line > 1 ? r->line - 1 : 1;
    if (r->stage != ENTRIES)
        return spgemm_mtx_fail(r->error, SPGEMM_ERROR_IO, last_line,
                               r->stage == BANNER
                                   ? "empty: no Matrix Market banner"
                                   : "the text ends before the size line");
    if (r->entries.used < r->header.nentries)
        return spgemm_mtx_fail(r->error, SPGEMM_ERROR_IO, last_line,
                               "the text ends after %lld of %lld entries",
                               (long long)r->entries.used,
                               (long long)r->header.nentries);
    return SPGEMM_SUCCESS;
}

static spgemm_status build_matrix(reader *r, spgemm_csr *A)
{
    static const double mirrors[] = {[MTX_GENERAL] = 0,
                                     [MTX_SYMMETRIC] = 1,
                                     [MTX_SKEW_SYMMETRIC] = -1,
                                     [MTX_HERMITIAN] = 0};
    const bool are_expanded = spgemm_mtx_entries_are_expanded(&r->entries);
    const coo_triplets triplets = {
        .pieces = r->entries.pieces,
        .npieces = r->entries.npieces,
        .mirror = are_expanded ? 0 : mirrors[r->header.symmetry],
        .nthreads = r->options->nthreads};
    *A = (spgemm_csr){.nrows = r->header.nrows,
                      .ncols = r->header.ncols,
                      .index_type = r->entries.index_type,
                      .value_type = r->entries.value_type};
    const spgemm_status status = spgemm_csr_place_coo(A, &r->m, &triplets);
    spgemm_mtx_entries_clear(&r->entries);
    if (status < 0)
        return status;
    return spgemm_csr_sum_duplicates(A, &r->m, r->options->nthreads);
}

static spgemm_status read_matrix(reader *r, spgemm_csr *A,
                                 const spgemm_mtx_source *source)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const char *begin;
    const char *end;
    SPGEMM_TRY(spgemm_mtx_text_init(&r->text, &r->m, source));
    r->entries.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    SPGEMM_REQUIRE(r->entries.c_locale, SPGEMM_ERROR_OUT_OF_MEMORY);
    do {
        SPGEMM_TRY(
            spgemm_mtx_text_next(&r->text, &begin, &end, r->line, r->error));
        SPGEMM_TRY(read_piece(r, begin, end));
    } while (begin < end);
    spgemm_mtx_text_clear(&r->text);
    SPGEMM_TRY(check_end(r));
    SPGEMM_TRY(build_matrix(r, A));
cleanup:
    spgemm_mtx_text_clear(&r->text);
    spgemm_mtx_entries_clear(&r->entries);
    if (r->entries.c_locale)
        freelocale(r->entries.c_locale);
    return status;
}

static bool is_at_limit(const reader *r)
{
    return r->options->memory_limit_bytes > 0 &&
           atomic_load(&r->m.refused_bytes) > 0;
}

static spgemm_status fail_at_limit(const reader *r)
{
    if (r->stage != ENTRIES)
        return spgemm_mtx_fail(r->error, SPGEMM_ERROR_MEMORY_LIMIT, 0,
                               "the text at hand needs more than %zu bytes, "
                               "the limit",
                               r->options->memory_limit_bytes);
    return spgemm_mtx_fail(
        r->error, SPGEMM_ERROR_MEMORY_LIMIT, r->line,
        "%lld rows and %lld of %lld entries need more than "
        "%zu bytes, the limit",
        (long long)r->header.nrows, (long long)r->entries.used,
        (long long)r->header.nentries, r->options->memory_limit_bytes);
}

static spgemm_status check_arguments(const spgemm_csr *A,
                                     const spgemm_mtx_source *source,
                                     const spgemm_mtx_options *options,
                                     spgemm_mtx_error *error)
{
    const spgemm_status status = SPGEMM_ERROR_INVALID;
    if (!A)
        return spgemm_mtx_fail(error, status, 0, "A is NULL");
    if (!source)
        return spgemm_mtx_fail(error, status, 0, "source is NULL");
    if (!source->read)
        return spgemm_mtx_fail(error, status, 0, "source->read is NULL");
    for (size_t k = 0; k < sizeof options->reserved / sizeof(uint64_t); k++)
        if (options->reserved[k])
            return spgemm_mtx_fail(error, status, 0,
                                   "options.reserved[%zu] is not 0", k);
    if (options->nthreads < 0)
        return spgemm_mtx_fail(error, status, 0,
                               "options.nthreads is %d, and must be at least 0",
                               options->nthreads);
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_mtx_read(spgemm_csr *A, const spgemm_mtx_source *source,
                              const spgemm_mtx_options *options,
                              spgemm_mtx_error *error)
{
    const spgemm_mtx_options defaults = {0};
    spgemm_mtx_error reason = {0};
    spgemm_csr made = {0};
    reader r = {
        .options = options ? options : &defaults, .error = &reason, .line = 1};
    spgemm_refusal_begin();
    spgemm_status status = check_arguments(A, source, r.options, &reason);
    if (status == SPGEMM_SUCCESS) {
        spgemm_memory_init(&r.m, NULL);
        spgemm_memory_limit(&r.m, r.options->memory_limit_bytes);
        r.entries.m = &r.m;
        r.entries.header = &r.header;
        r.entries.nthreads = r.options->nthreads;
        status = read_matrix(&r, &made, source);
    }
    if (status == SPGEMM_SUCCESS)
        *A = made;
    else
        spgemm_csr_destroy(&made);
    if (status == SPGEMM_ERROR_OUT_OF_MEMORY && is_at_limit(&r))
        status = fail_at_limit(&r);
    return spgemm_mtx_end(status, &reason, error);
}
