/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR to text: equal numbers of entries are formatted in parallel, each into
   a buffer of its own, and handed to the sink in order. */
#include "spgemm/mtx.h"

#include <inttypes.h>
#include <locale.h>
#include <string.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/refusal.h"
#include "common/team.h"
#include "common/try.h"
#include "io/mtx_format.h"
#include "matrix/csr.h"
#include "values/traits.h"

/* A buffer: of as many entries as it holds, however long they are. */
#define TASK_BYTES   ((int64_t)128 << 10)
#define THREAD_GRAIN 16384

typedef struct writer {
    const spgemm_csr *A;
    int64_t first_row;
    spgemm_mtx_sink *sink;
    void *context;
    locale_t c_locale;
    int team;
    int64_t task_entries;
    char *buffers;    /* [team][TASK_BYTES] */
    int64_t *lengths; /* [team] bytes used of each */
} writer;

/* The field of a banner; NULL: values that it has no word for. */
static const char *choose_field(spgemm_value_type which)
{
    static const char *const fields[] = {[FIELD_REAL] = "real",
                                         [FIELD_COMPLEX] = "complex",
                                         [FIELD_INTEGER] = "integer",
                                         [FIELD_TRUTH] = "pattern"};
    const value_traits *type = spgemm_value_traits(which);
    return type ? fields[type->field] : NULL;
}

/* The type that is written: of a matrix without values a truth. */
static spgemm_value_type type_of(const spgemm_csr *A)
{
    return A->values ? A->value_type : SPGEMM_BOOL;
}

/* Entries that are false are none of a pattern. */
static ALWAYS_INLINE bool is_left_out(const spgemm_csr *A,
                                      spgemm_value_type type, int64_t p)
{
    return type == SPGEMM_BOOL && A->values &&
           ((const uint8_t *)A->values)[p] == 0;
}

static int64_t count_entries(const spgemm_csr *A)
{
    int64_t nentries = A->nnz;
    if (type_of(A) == SPGEMM_BOOL)
        for (int64_t p = 0; p < A->nnz; p++)
            nentries -= is_left_out(A, SPGEMM_BOOL, p);
    return nentries;
}

static ALWAYS_INLINE char *format_value(char *text, const void *values,
                                        spgemm_value_type type, int64_t p,
                                        locale_t c_locale)
{
    const double *doubles = values;
    const float *floats = values;
    switch (type) {
    case SPGEMM_FP64:
        return spgemm_mtx_format_double(text, doubles[p], c_locale);
    case SPGEMM_FP32:
        return spgemm_mtx_format_float(text, floats[p], c_locale);
    case SPGEMM_CFP64:
        text = spgemm_mtx_format_double(text, doubles[2 * p], c_locale);
        *text++ = ' ';
        return spgemm_mtx_format_double(text, doubles[2 * p + 1], c_locale);
    case SPGEMM_CFP32:
        text = spgemm_mtx_format_float(text, floats[2 * p], c_locale);
        *text++ = ' ';
        return spgemm_mtx_format_float(text, floats[2 * p + 1], c_locale);
    case SPGEMM_INT64:
        return spgemm_mtx_format_integer(text, ((const int64_t *)values)[p]);
    default:
        return spgemm_mtx_format_integer(text, ((const int32_t *)values)[p]);
    }
}

/* Bytes that an entry takes at most. */
static int64_t longest_entry(const writer *w)
{
    char digits[MTX_NUMBER_BYTES];
    const int64_t last_row = w->first_row + w->A->nrows;
    const int64_t row = spgemm_mtx_format_index(digits, last_row) - digits;
    const int64_t col = spgemm_mtx_format_index(digits, w->A->ncols) - digits;
    const spgemm_value_type type = type_of(w->A);
    const int numbers = type == SPGEMM_BOOL                            ? 0
                        : type == SPGEMM_CFP64 || type == SPGEMM_CFP32 ? 2
                                                                       : 1;
    return row + 1 + col + 1 + numbers * (MTX_NUMBER_BYTES + 1);
}

/* Entries [first, last) of A, row by row; returns the bytes. */
static ALWAYS_INLINE int64_t format_entries(const writer *w,
                                            spgemm_value_type type,
                                            char *buffer, int64_t first,
                                            int64_t last)
{
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    const void *values = A->values;
    char *text = buffer;
    int64_t i = partition_search(A->rowptr, A->nrows, first + 1) - 1;
    for (int64_t p = first; p < last; p++) {
        while (p == A->rowptr[i + 1])
            i++;
        if (is_left_out(A, type, p))
            continue;
        text = spgemm_mtx_format_index(text, w->first_row + i + 1);
        *text++ = ' ';
        text =
            spgemm_mtx_format_index(text, column_at(A->colidx, is_wide, p) + 1);
        if (type != SPGEMM_BOOL) {
            *text++ = ' ';
            text = format_value(text, values, type, p, w->c_locale);
        }
        *text++ = '\n';
    }
    return text - buffer;
}

static int64_t format_task(const writer *w, char *buffer, int64_t first,
                           int64_t last)
{
    const spgemm_value_type type = type_of(w->A);
    if (type == SPGEMM_FP64)
        return format_entries(w, SPGEMM_FP64, buffer, first, last);
    return format_entries(w, type, buffer, first, last);
}

/* Whatever the sink called may have had a refusal of its own. */
static spgemm_status refuse_sink(void)
{
    spgemm_refusal_begin();
    return spgemm_refuse(SPGEMM_ERROR_IO, "sink failed");
}

static spgemm_status check_sink(spgemm_mtx_sink *sink)
{
    return sink ? SPGEMM_SUCCESS
                : spgemm_refuse(SPGEMM_ERROR_INVALID, "sink is NULL");
}

static spgemm_status check_count(const char *name, int64_t count)
{
    return count >= 0 ? SPGEMM_SUCCESS
                      : spgemm_refuse(SPGEMM_ERROR_INVALID, "%s is %" PRId64,
                                      name, count);
}

static spgemm_status check_field(spgemm_value_type type)
{
    return choose_field(type)
               ? SPGEMM_SUCCESS
               : spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                               "value_type is %d, for which the format has no "
                               "word",
                               (int)type);
}

static spgemm_status put(const writer *w, const char *text, int64_t length)
{
    /* All of a Boolean matrix may be false. */
    return length == 0 || w->sink(w->context, text, (size_t)length) == 0
               ? SPGEMM_SUCCESS
               : refuse_sink();
}

/* As many entries as a thread formats at a time, from `first` on. */
typedef struct batch {
    const writer *w;
    int64_t first;
} batch;

static void format_part(void *context, int64_t task)
{
    const batch *b = context;
    const writer *w = b->w;
    const int64_t begin = b->first + task * w->task_entries;
    w->lengths[task] = format_task(w, w->buffers + task * TASK_BYTES, begin,
                                   min_i64(begin + w->task_entries, w->A->nnz));
}

static spgemm_status write_entries(const writer *w)
{
    const int64_t nnz = w->A->nnz;
    const int64_t step = w->team * w->task_entries;
    for (int64_t first = 0; first < nnz; first += step) {
        const int64_t ntasks =
            min_i64(w->team, (nnz - first - 1) / w->task_entries + 1);
        batch b = {w, first};
        spgemm_team_for(w->team, ntasks, format_part, &b);
        for (int64_t task = 0; task < ntasks; task++) {
            const spgemm_status status =
                put(w, w->buffers + task * TASK_BYTES, w->lengths[task]);
            if (status < 0)
                return status;
        }
    }
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_mtx_write_header(int64_t nrows, int64_t ncols,
                                      int64_t nentries,
                                      spgemm_value_type value_type,
                                      spgemm_mtx_sink *sink, void *context)
{
    char text[160];
    const int64_t sizes[] = {nrows, ncols, nentries};
    const char *field = choose_field(value_type);
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_refusal_begin();
    SPGEMM_TRY(check_sink(sink));
    SPGEMM_TRY(check_count("nrows", nrows));
    SPGEMM_TRY(check_count("ncols", ncols));
    SPGEMM_TRY(check_count("nentries", nentries));
    SPGEMM_TRY(check_field(value_type));
    char *end = stpcpy(text, "%%MatrixMarket matrix coordinate ");
    end = stpcpy(stpcpy(end, field), " general\n");
    for (int k = 0; k < 3; k++) {
        end = spgemm_mtx_format_index(end, sizes[k]);
        *end++ = k < 2 ? ' ' : '\n';
    }
    if (sink(context, text, (size_t)(end - text)) != 0)
        status = refuse_sink();

cleanup:
    return spgemm_refusal_end(status);
}

/* The entries of a matrix that is well formed. */
static spgemm_status write_block(const spgemm_csr *rows, int64_t first_row,
                                 spgemm_mtx_sink *sink, void *context)
{
    spgemm_status status = SPGEMM_SUCCESS;
    writer w = {
        .A = rows, .first_row = first_row, .sink = sink, .context = context};
    memory m;
    spgemm_memory_init(&m, NULL);

    w.team = spgemm_team_size(0, rows->nnz, THREAD_GRAIN);
    w.task_entries = TASK_BYTES / longest_entry(&w);
    w.buffers = spgemm_memory_allocate(&m, w.team, (size_t)TASK_BYTES);
    w.lengths = spgemm_memory_allocate(&m, w.team, sizeof *w.lengths);
    w.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    SPGEMM_REQUIRE(w.buffers && w.lengths && w.c_locale,
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(write_entries(&w));
cleanup:
    if (w.c_locale)
        freelocale(w.c_locale);
    spgemm_memory_release(&m, w.buffers, w.team, (size_t)TASK_BYTES);
    spgemm_memory_release(&m, w.lengths, w.team, sizeof *w.lengths);
    return status;
}

/* A matrix of any kind: what is wrong with it is told, and INVALID. */
static spgemm_status check_matrix(const spgemm_csr *A)
{
    bool is_sorted;
    spgemm_fault fault = {.operand = "A"};
    return spgemm_csr_check_full(A, 0, NULL, &is_sorted, &fault) < 0
               ? SPGEMM_ERROR_INVALID
               : SPGEMM_SUCCESS;
}

spgemm_status spgemm_mtx_write_rows(const spgemm_csr *rows, int64_t first_row,
                                    int64_t *nentries, spgemm_mtx_sink *sink,
                                    void *context)
{
    spgemm_status status = SPGEMM_SUCCESS;
    int64_t last;
    spgemm_refusal_begin();
    SPGEMM_TRY(check_sink(sink));
    SPGEMM_TRY(check_count("first_row", first_row));
    SPGEMM_TRY(check_matrix(rows));
    SPGEMM_REQUIRE(checked_add_i64(first_row, rows->nrows, &last),
                   spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "first_row is %" PRId64
                                 ", and rows have no numbers from there on",
                                 first_row));
    SPGEMM_TRY(check_field(type_of(rows)));
    SPGEMM_TRY(write_block(rows, first_row, sink, context));
    if (nentries)
        *nentries += count_entries(rows);

cleanup:
    return spgemm_refusal_end(status);
}

spgemm_status spgemm_mtx_write(const spgemm_csr *A, spgemm_mtx_sink *sink,
                               void *context)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_refusal_begin();
    SPGEMM_TRY(check_sink(sink));
    SPGEMM_TRY(check_matrix(A));
    SPGEMM_TRY(spgemm_mtx_write_header(A->nrows, A->ncols, count_entries(A),
                                       type_of(A), sink, context));
    SPGEMM_TRY(write_block(A, 0, sink, context));

cleanup:
    return spgemm_refusal_end(status);
}
