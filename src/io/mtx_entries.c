/* SPDX-License-Identifier: BSD-3-Clause */
/* A piece of text is cut at line breaks into slices that stay in cache: a
   thread counts a slice's lines, which bounds its entries, then parses it into
   arrays of its own. Arrays never hold more than the text can have written, or
   the header has announced. */
#include "io/mtx_entries.h"

#include <string.h>

#include "common/checked.h"
#include "common/team.h"
#include "common/try.h"
#include "io/mtx_complain.h"
#include "io/mtx_error.h"
#include "io/mtx_number.h"
#include "io/mtx_words.h"

#define SLICE_BYTES          ((int64_t)256 << 10)
#define SHORTEST_ENTRY_BYTES 4 /* "1 1\n" */

/* Lines [begin, end), and what became of them. */
typedef struct slice {
    const char *begin;
    const char *end;
    int64_t nlines;
    int64_t capacity;  /* of `piece`, triplets */
    int64_t nentries;  /* parsed */
    const char *fault; /* the line that could not be parsed, or NULL */
    spgemm_status status;
    coo_piece piece;
} slice;

/* What stands behind the two indices of an entry. */
typedef enum entry_kind {
    NOTHING,
    ONE_DOUBLE,
    TWO_DOUBLES, /* a complex number */
    ONE_INTEGER  /* kept as int64_t */
} entry_kind;

typedef struct entry {
    int64_t row; /* 0-based */
    int64_t col;
    double value;
    double imaginary;
    int64_t integer;
} entry;

static entry_kind kind_of(const mtx_entries *entries)
{
    if (entries->header->field == MTX_PATTERN)
        return NOTHING;
    if (entries->value_type == SPGEMM_CFP64)
        return TWO_DOUBLES;
    return entries->value_type == SPGEMM_INT64 ? ONE_INTEGER : ONE_DOUBLE;
}

bool spgemm_mtx_entries_are_expanded(const mtx_entries *entries)
{
    return entries->header->symmetry != MTX_GENERAL &&
           kind_of(entries) >= TWO_DOUBLES;
}

/* The value at *text, which moves past it. */
static ALWAYS_INLINE bool parse_value(entry *e, const char **text,
                                      mtx_field field, entry_kind kind,
                                      locale_t c_locale)
{
    const char *const begin = *text;
    if (kind == ONE_INTEGER)
        return mtx_parse_integer(text, &e->integer);
    if (!mtx_parse_double(text, &e->value, c_locale))
        return false;
    if (kind == ONE_DOUBLE)
        return field != MTX_INTEGER || mtx_is_integer(begin, *text);
    if (!mtx_is_blank(**text))
        return false;
    *text = mtx_skip_blanks(*text);
    return mtx_parse_double(text, &e->imaginary, c_locale);
}

/* One entry at *text, which moves to the next line. False: it is not one. */
static ALWAYS_INLINE bool parse_entry(entry *e, const char **text,
                                      const mtx_header *header, entry_kind kind,
                                      locale_t c_locale)
{
    const char *p = *text;
    const uint64_t row = mtx_parse_digits(&p);
    if (!mtx_is_blank(*p))
        return false;
    p = mtx_skip_blanks(p);
    const uint64_t col = mtx_parse_digits(&p);
    if (row - 1 >= (uint64_t)header->nrows ||
        col - 1 >= (uint64_t)header->ncols)
        return false;
    if (header->symmetry == MTX_SKEW_SYMMETRIC && row == col)
        return false;
    if (kind != NOTHING) {
        if (!mtx_is_blank(*p))
            return false;
        p = mtx_skip_blanks(p);
        if (!parse_value(e, &p, header->field, kind, c_locale))
            return false;
        if (kind == ONE_INTEGER && e->integer == INT64_MIN &&
            header->symmetry == MTX_SKEW_SYMMETRIC)
            return false;
    }
    p = mtx_skip_blanks(p);
    if (*p != '\n')
        return false;
    e->row = (int64_t)row - 1;
    e->col = (int64_t)col - 1;
    *text = p + 1;
    return true;
}

/* The entry as triplet t. */
static ALWAYS_INLINE void put_triplet(coo_piece *piece, const entry *e,
                                      bool is_wide, entry_kind kind, int64_t t)
{
    double *values = piece->values;
    set_column(piece->rows, is_wide, t, e->row);
    set_column(piece->cols, is_wide, t, e->col);
    if (kind == ONE_DOUBLE)
        values[t] = e->value;
    if (kind == ONE_INTEGER)
        memcpy(&values[t], &e->integer, sizeof e->integer);
    if (kind == TWO_DOUBLES) {
        values[2 * t] = e->value;
        values[2 * t + 1] = e->imaginary;
    }
}

/* The entry becomes its mirror image. */
static void mirror_entry(entry *e, mtx_symmetry symmetry)
{
    const int64_t row = e->row;
    e->row = e->col;
    e->col = row;
    if (symmetry == MTX_SKEW_SYMMETRIC) {
        e->value = -e->value;
        e->integer = (int64_t)(0 - (uint64_t)e->integer);
    }
    if (symmetry != MTX_SYMMETRIC)
        e->imaginary = -e->imaginary;
}

static ALWAYS_INLINE void parse_lines(slice *s, const mtx_header *header,
                                      bool is_wide, entry_kind kind,
                                      locale_t c_locale)
{
    const bool may_expand = kind == TWO_DOUBLES || kind == ONE_INTEGER;
    const bool is_expanded = may_expand && header->symmetry != MTX_GENERAL;
    const char *text = s->begin;
    int64_t used = 0;
    int64_t mirrored = 0;
    while (text < s->end) {
        entry e = {0};
        const char *const line = text;
        text = mtx_skip_blanks(text);
        if (UNLIKELY(*text == '\n' || *text == '%')) {
            text = mtx_next_line(text, s->end);
            continue;
        }
        if (UNLIKELY(used >= s->capacity - is_expanded) ||
            UNLIKELY(!parse_entry(&e, &text, header, kind, c_locale))) {
            s->fault = line;
            break;
        }
        put_triplet(&s->piece, &e, is_wide, kind, used++);
        if (is_expanded && e.row != e.col) {
            mirror_entry(&e, header->symmetry);
            put_triplet(&s->piece, &e, is_wide, kind, used++);
            mirrored++;
        }
    }
    s->piece.ntriplets = used;
    s->nentries = used - mirrored;
}

static int64_t count_lines(const char *begin, const char *end)
{
    int64_t nlines = 0;
    for (const char *p = begin; p < end; p++)
        nlines += *p == '\n';
    return nlines;
}

static size_t value_size_of(const mtx_entries *entries)
{
    return (kind_of(entries) == TWO_DOUBLES ? 2 : 1) * sizeof(double);
}

static void release_piece(mtx_entries *entries, coo_piece *piece, int64_t count)
{
    const size_t index_size = spgemm_index_size(entries->index_type);
    const size_t value_size = value_size_of(entries);
    spgemm_memory_release(entries->m, piece->rows, count, index_size);
    spgemm_memory_release(entries->m, piece->cols, count, index_size);
    spgemm_memory_release(entries->m, piece->values, count, value_size);
    *piece = (coo_piece){0};
}

/* Arrays of `count` elements, their content kept; false: no memory. */
static bool resize_piece(mtx_entries *entries, coo_piece *piece, int64_t old,
                         int64_t count)
{
    const size_t index_size = spgemm_index_size(entries->index_type);
    memory *m = entries->m;
    void *rows = spgemm_memory_resize(m, piece->rows, old, count, index_size);
    if (rows)
        piece->rows = rows;
    void *cols = spgemm_memory_resize(m, piece->cols, old, count, index_size);
    if (cols)
        piece->cols = cols;
    void *values = piece->values;
    if (values)
        values =
            spgemm_memory_resize(m, values, old, count, value_size_of(entries));
    if (values)
        piece->values = values;
    return rows && cols && (values || !piece->values);
}

static bool allocate_piece(mtx_entries *entries, coo_piece *piece,
                           int64_t count)
{
    const size_t index_size = spgemm_index_size(entries->index_type);
    const bool has_value = entries->header->field != MTX_PATTERN;
    piece->rows = spgemm_memory_allocate(entries->m, count, index_size);
    piece->cols = spgemm_memory_allocate(entries->m, count, index_size);
    if (has_value)
        piece->values =
            spgemm_memory_allocate(entries->m, count, value_size_of(entries));
    return piece->rows && piece->cols && (piece->values || !has_value);
}

static void parse_slice(mtx_entries *entries, slice *s)
{
    const mtx_header *header = entries->header;
    const locale_t c_locale = entries->c_locale;
    const bool is_wide = entries->index_type == SPGEMM_I64;
    const int64_t remaining = header->nentries - entries->used;
    s->nlines = count_lines(s->begin, s->end);
    s->capacity =
        min_i64(remaining, (s->end - s->begin) / SHORTEST_ENTRY_BYTES);
    s->capacity = min_i64(s->capacity, s->nlines);
    if (spgemm_mtx_entries_are_expanded(entries))
        s->capacity *= 2;
    if (!allocate_piece(entries, &s->piece, s->capacity)) {
        s->status = SPGEMM_ERROR_OUT_OF_MEMORY;
        return;
    }
    switch (kind_of(entries)) {
    case NOTHING:
        is_wide ? parse_lines(s, header, true, NOTHING, c_locale)
                : parse_lines(s, header, false, NOTHING, c_locale);
        break;
    case ONE_DOUBLE:
        is_wide ? parse_lines(s, header, true, ONE_DOUBLE, c_locale)
                : parse_lines(s, header, false, ONE_DOUBLE, c_locale);
        break;
    case TWO_DOUBLES:
        parse_lines(s, header, is_wide, TWO_DOUBLES, c_locale);
        break;
    case ONE_INTEGER:
        parse_lines(s, header, is_wide, ONE_INTEGER, c_locale);
        break;
    }
}

/* Cut [begin, end) behind line breaks; returns the number of slices. */
static int64_t cut_slices(slice *slices, const char *begin, const char *end)
{
    int64_t nslices = 0;
    while (begin < end) {
        const char *cut = end;
        if (end - begin > SLICE_BYTES)
            cut = mtx_next_line(begin + SLICE_BYTES, end);
        slices[nslices++] = (slice){.begin = begin, .end = cut};
        begin = cut;
    }
    return nslices;
}

/* Slice `s` begins at `line`, after entries->used entries: why did it stop? */
static spgemm_status explain(const mtx_entries *entries, const slice *s,
                             int64_t line, spgemm_mtx_error *error)
{
    int64_t remaining = entries->header->nentries - entries->used;
    for (const char *text = s->begin; text < s->end; line++) {
        const bool is_entry = !mtx_is_empty_line(text);
        if (text == s->fault && remaining > 0)
            return spgemm_mtx_complain(text, line, entries->header, error);
        if (is_entry && remaining-- == 0)
            break;
        text = mtx_next_line(text, s->end);
    }
    return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line,
                           "more entries than the %lld announced",
                           (long long)entries->header->nentries);
}

/* Take over the pieces of the slices, in order, up to the first that failed. */
static spgemm_status collect(mtx_entries *entries, slice *slices,
                             int64_t nslices, int64_t *line,
                             spgemm_mtx_error *error)
{
    spgemm_status status = SPGEMM_SUCCESS;
    int64_t nlines = 0;
    for (int64_t k = 0; k < nslices; k++) {
        slice *s = &slices[k];
        coo_piece *piece = &s->piece;
        if (status < 0 || s->status < 0) {
            status = status < 0 ? status : s->status;
        } else if (s->fault ||
                   s->nentries > entries->header->nentries - entries->used) {
            status = explain(entries, s, *line + nlines, error);
        } else if (piece->ntriplets > 0 &&
                   resize_piece(entries, piece, s->capacity,
                                piece->ntriplets)) {
            entries->pieces[entries->npieces++] = *piece;
            entries->used += s->nentries;
            *piece = (coo_piece){0};
        } else if (piece->ntriplets > 0) {
            status = SPGEMM_ERROR_OUT_OF_MEMORY;
        }
        nlines += s->nlines;
        release_piece(entries, piece, s->capacity);
    }
    if (status == SPGEMM_SUCCESS)
        *line += nlines;
    return status;
}

static bool reserve_pieces(mtx_entries *entries, int64_t more)
{
    const int64_t wanted = entries->npieces + more;
    if (wanted <= entries->capacity)
        return true;
    const int64_t capacity = max_i64(wanted, 2 * entries->capacity);
    coo_piece *pieces =
        entries->pieces
            ? spgemm_memory_resize(entries->m, entries->pieces,
                                   entries->capacity, capacity, sizeof *pieces)
            : spgemm_memory_allocate(entries->m, capacity, sizeof *pieces);
    if (!pieces)
        return false;
    entries->pieces = pieces;
    entries->capacity = capacity;
    return true;
}

typedef struct parsing {
    mtx_entries *entries;
    slice *slices;
} parsing;

static void parse_part(void *context, int64_t k)
{
    const parsing *w = context;
    parse_slice(w->entries, &w->slices[k]);
}

spgemm_status spgemm_mtx_parse_entries(mtx_entries *entries, const char *begin,
                                       const char *end, int64_t *line,
                                       spgemm_mtx_error *error)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t room = (end - begin) / SLICE_BYTES + 1;
    slice *slices = spgemm_memory_allocate(entries->m, room, sizeof *slices);
    SPGEMM_REQUIRE(slices && reserve_pieces(entries, room),
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    const int64_t nslices = cut_slices(slices, begin, end);
    const int team = spgemm_team_size(entries->nthreads, nslices, 1);
    parsing w = {entries, slices};
    spgemm_team_for(team, nslices, parse_part, &w);
    SPGEMM_TRY(collect(entries, slices, nslices, line, error));
cleanup:
    spgemm_memory_release(entries->m, slices, room, sizeof *slices);
    return status;
}

void spgemm_mtx_entries_clear(mtx_entries *entries)
{
    for (int64_t k = 0; k < entries->npieces; k++)
        release_piece(entries, &entries->pieces[k],
                      entries->pieces[k].ntriplets);
    spgemm_memory_release(entries->m, entries->pieces, entries->capacity,
                          sizeof *entries->pieces);
    entries->pieces = NULL;
    entries->npieces = 0;
    entries->capacity = 0;
}
