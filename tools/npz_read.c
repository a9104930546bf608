/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a ZIP archive the members that SciPy gives a sparse matrix, in any order,
   each read into pieces of its own; then the matrix is allocated, and filled
   from them. The archive is read by its table of contents, which is at its
   end: one that is cut off has none. */
#include "npz_read.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/checked.h"
#include "common/try.h"
#include "npz_convert.h"
#include "npz_member.h"

#define BLOCK_BYTES ((size_t)256 << 10)

/* Row pointers that no array of the file stands for may take this much, and
   this much more per byte of the file: as those of Matrix Market files. */
#define FREE_ROWPTR_BYTES          ((double)(1 << 30))
#define ROWPTR_BYTES_PER_FILE_BYTE 64.0

enum { FORMAT, SHAPE, INDPTR, INDICES, ROW, COL, DATA, NMEMBERS };

typedef enum layout { CSR, CSC, COO } layout;

typedef struct reader {
    struct archive *archive;
    spgemm_mtx_error *error;
    int64_t *bytes;
    int64_t file_bytes;
    npz_member members[NMEMBERS];
    layout layout;
    int64_t nrows;
    int64_t ncols;
    spgemm_index_type index_type;
    spgemm_value_type value_type;
} reader;

/* ---- The archive -------------------------------------------------------- */

static spgemm_status fail_archive(const reader *r)
{
    const char *why = archive_error_string(r->archive);
    return npz_fail(r->error, SPGEMM_ERROR_IO,
                    "the ZIP archive is damaged or cut off", "%s",
                    why ? why : "unknown reason");
}

/* bytes or text: "csr". */
static spgemm_status parse_format(reader *r)
{
    static const char *const names[] = {
        [CSR] = "csr", [CSC] = "csc", [COO] = "coo"};
    const npz_member *m = &r->members[FORMAT];
    const npy_header *h = &m->header;
    const int64_t stride = h->kind == 'U' ? 4 : 1;
    const int64_t length = h->item_bytes / stride;
    char text[16] = "";
    if ((h->kind != 'S' && h->kind != 'U') || m->count != 1)
        return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                        "dtype \"%s\" is no name of a format", h->dtype);
    for (int64_t c = 0; c < length && c < (int64_t)sizeof text - 1; c++) {
        const char letter = (char)m->pieces[0].bytes[c * stride];
        text[c] = letter >= 'a' && letter <= 'z' ? letter : '\0';
    }
    for (int k = CSR; k <= COO; k++) {
        r->layout = (layout)k;
        if (strcmp(text, names[k]) == 0)
            return SPGEMM_SUCCESS;
    }
    return npz_fail(r->error, SPGEMM_ERROR_UNSUPPORTED, m->name,
                    "format \"%s\" is not read: csr, csc and coo are", text);
}

static spgemm_status read_members(reader *r)
{
    struct archive_entry *entry;
    int code;
    while ((code = archive_read_next_header(r->archive, &entry)) >=
               ARCHIVE_WARN &&
           code != ARCHIVE_EOF) {
        const char *name = archive_entry_pathname(entry);
        npz_member *m = r->members;
        while (name && m < r->members + NMEMBERS && strcmp(name, m->name) != 0)
            m++;
        if (!name || m == r->members + NMEMBERS)
            continue;
        spgemm_status status =
            npz_member_read(m, r->archive, r->bytes, r->error);
        if (status == SPGEMM_SUCCESS && m == &r->members[FORMAT])
            status = parse_format(r);
        if (status < 0)
            return status;
    }
    return code == ARCHIVE_EOF ? SPGEMM_SUCCESS : fail_archive(r);
}

/* ---- Checks ------------------------------------------------------------- */

static spgemm_status require(const reader *r, int k, int ndims)
{
    const npz_member *m = &r->members[k];
    if (!m->is_read)
        return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                        "it is missing: this is no sparse matrix of SciPy's");
    if (m->header.ndims == ndims)
        return SPGEMM_SUCCESS;
    return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                    "an array of %d dimensions, not of %d", m->header.ndims,
                    ndims);
}

/* An array of int32 or int64, and so many of them; count < 0: any number. */
static spgemm_status require_indices(const reader *r, int k, int64_t count)
{
    spgemm_index_type type;
    const npz_member *m = &r->members[k];
    const spgemm_status status = require(r, k, 1);
    if (status < 0)
        return status;
    if (!npy_is_index(&m->header, &type))
        return npz_fail(r->error, SPGEMM_ERROR_UNSUPPORTED, m->name,
                        "dtype \"%s\" is neither int32 nor int64",
                        m->header.dtype);
    if (count >= 0 && m->count != count)
        return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                        "%" PRId64
                        " elements, where the shape asks for %" PRId64,
                        m->count, count);
    return SPGEMM_SUCCESS;
}

static spgemm_status check_shape(reader *r)
{
    const npz_member *m = &r->members[SHAPE];
    const spgemm_status status = require_indices(r, SHAPE, -1);
    if (status < 0)
        return status;
    if (m->count != 2)
        return npz_fail(r->error, SPGEMM_ERROR_UNSUPPORTED, m->name,
                        "%" PRId64 " numbers: a matrix has two", m->count);
    r->nrows = npz_member_index(m, 0);
    r->ncols = npz_member_index(m, 1);
    if (r->nrows < 0 || r->ncols < 0 || r->nrows == INT64_MAX ||
        r->ncols == INT64_MAX)
        return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                        "%" PRId64 " x %" PRId64 " is no shape", r->nrows,
                        r->ncols);
    r->index_type = r->nrows <= INT32_MAX && r->ncols <= INT32_MAX ? SPGEMM_I32
                                                                   : SPGEMM_I64;
    return SPGEMM_SUCCESS;
}

/* Rows of csc and coo have no array in the file. */
static spgemm_status check_rows(const reader *r)
{
    if (8.0 * (double)r->nrows <=
        FREE_ROWPTR_BYTES + ROWPTR_BYTES_PER_FILE_BYTE * (double)r->file_bytes)
        return SPGEMM_SUCCESS;
    return npz_fail(r->error, SPGEMM_ERROR_OUT_OF_MEMORY,
                    r->members[SHAPE].name,
                    "%" PRId64 " rows are refused: their row pointers would "
                    "take more than 1 GB + 64 x the bytes of the file",
                    r->nrows);
}

static spgemm_status check_members(reader *r)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const npz_member *data = &r->members[DATA];
    SPGEMM_TRY(require(r, FORMAT, r->members[FORMAT].header.ndims));
    SPGEMM_TRY(check_shape(r));
    SPGEMM_TRY(require(r, DATA, 1));
    if (!npy_is_value(&data->header, &r->value_type))
        return npz_fail(r->error, SPGEMM_ERROR_UNSUPPORTED, data->name,
                        "dtype \"%s\" is not read: float32 and float64, "
                        "complex64 and complex128, int8 to int64, uint8 to "
                        "uint32 and bool are",
                        data->header.dtype);
    if (r->layout != CSR)
        SPGEMM_TRY(check_rows(r));
    if (r->layout == COO) {
        SPGEMM_TRY(require_indices(r, ROW, data->count));
        SPGEMM_TRY(require_indices(r, COL, data->count));
    } else {
        SPGEMM_TRY(require_indices(
            r, INDPTR, 1 + (r->layout == CSR ? r->nrows : r->ncols)));
        SPGEMM_TRY(require_indices(r, INDICES, -1));
    }
cleanup:
    return status;
}

/* ---- The matrix --------------------------------------------------------- */

/* Entries of csr or csc: what the last pointer says, which the arrays may have
   more of. */
static spgemm_status count_entries(const reader *r, int64_t *nnz)
{
    const npz_member *indptr = &r->members[INDPTR];
    const npz_member *const arrays[] = {&r->members[INDICES],
                                        &r->members[DATA]};
    *nnz = npz_member_index(indptr, indptr->count - 1);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (*nnz < 0 || *nnz > arrays[k]->count)
            return npz_fail(r->error, SPGEMM_ERROR_IO, indptr->name,
                            "its last element is %" PRId64
                            ", but %s has %" PRId64 " elements",
                            *nnz, arrays[k]->name, arrays[k]->count);
    return SPGEMM_SUCCESS;
}

static bool has_sorted_rows(const spgemm_csr *A)
{
    const int32_t *narrow = A->index_type == SPGEMM_I32 ? A->colidx : NULL;
    const int64_t *wide = A->index_type == SPGEMM_I64 ? A->colidx : NULL;
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i] + 1; p < A->rowptr[i + 1]; p++)
            if (narrow ? narrow[p - 1] >= narrow[p] : wide[p - 1] >= wide[p])
                return false;
    return true;
}

/* The matrix of indptr, indices and data, nrows-by-ncols. */
static spgemm_status
build_rows(reader *r, spgemm_csr *A, int64_t nrows, int64_t ncols)
{
    spgemm_status status = SPGEMM_SUCCESS;
    int64_t nnz;
    SPGEMM_TRY(count_entries(r, &nnz));
    SPGEMM_TRY(spgemm_csr_create(A, nrows, ncols, nnz, r->index_type,
                                 r->value_type, NULL));
    SPGEMM_TRY(
        npz_convert_rowptr(A->rowptr, &r->members[INDPTR], nnz, r->error));
    SPGEMM_TRY(npz_convert_indices(A->colidx, r->index_type,
                                   &r->members[INDICES], nnz, ncols, r->error));
    npz_convert_values(A->values, &r->members[DATA], nnz);
    if (has_sorted_rows(A))
        A->flags |= SPGEMM_SORTED_ROWS;
cleanup:
    return status;
}

static spgemm_status build_columns(reader *r, spgemm_csr *A)
{
    spgemm_csr transposed = {0};
    spgemm_status status = build_rows(r, &transposed, r->ncols, r->nrows);
    if (status == SPGEMM_SUCCESS)
        status = spgemm_csr_transpose(A, &transposed);
    spgemm_csr_destroy(&transposed);
    return status;
}

/* Room for so many; never NULL for none. */
static void *allocate(int64_t count, size_t size)
{
    size_t bytes;
    return checked_bytes(count, size, &bytes) ? malloc(bytes + 1) : NULL;
}

static spgemm_status build_triplets(reader *r, spgemm_csr *A)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t count = r->members[DATA].count;
    const size_t index_bytes = r->index_type == SPGEMM_I64 ? 8 : 4;
    void *rows = allocate(count, index_bytes);
    void *cols = allocate(count, index_bytes);
    void *values = allocate(count, npy_value_bytes(r->value_type));
    SPGEMM_REQUIRE(rows && cols && values, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(npz_convert_indices(rows, r->index_type, &r->members[ROW], count,
                                   r->nrows, r->error));
    SPGEMM_TRY(npz_convert_indices(cols, r->index_type, &r->members[COL], count,
                                   r->ncols, r->error));
    npz_convert_values(values, &r->members[DATA], count);
    SPGEMM_TRY(spgemm_csr_from_coo(A, r->nrows, r->ncols, count, rows, cols,
                                   values, r->index_type, r->value_type, NULL));
cleanup:
    free(rows);
    free(cols);
    free(values);
    return status;
}

static spgemm_status build_matrix(reader *r, spgemm_csr *A)
{
    switch (r->layout) {
    case CSR:
        return build_rows(r, A, r->nrows, r->ncols);
    case CSC:
        return build_columns(r, A);
    default:
        return build_triplets(r, A);
    }
}

static spgemm_status read_archive(reader *r, spgemm_csr *A, int descriptor)
{
    spgemm_status status = SPGEMM_SUCCESS;
    struct stat file;
    r->file_bytes = fstat(descriptor, &file) == 0 ? (int64_t)file.st_size : 0;
    r->archive = archive_read_new();
    SPGEMM_REQUIRE(r->archive, SPGEMM_ERROR_OUT_OF_MEMORY);
    archive_read_support_format_zip_seekable(r->archive);
    if (archive_read_open_fd(r->archive, descriptor, BLOCK_BYTES) != ARCHIVE_OK)
        return fail_archive(r);
    SPGEMM_TRY(read_members(r));
    SPGEMM_TRY(check_members(r));
    SPGEMM_TRY(build_matrix(r, A));
cleanup:
    return status;
}

spgemm_status
npz_read(spgemm_csr *A, int descriptor, int64_t *bytes, spgemm_mtx_error *error)
{
    static const char *const names[] = {
        [FORMAT] = "format.npy", [SHAPE] = "shape.npy",
        [INDPTR] = "indptr.npy", [INDICES] = "indices.npy",
        [ROW] = "row.npy",       [COL] = "col.npy",
        [DATA] = "data.npy"};
    spgemm_csr made = {0};
    reader r = {.error = error, .bytes = bytes};
    *bytes = 0;
    *error = (spgemm_mtx_error){0};
    for (int k = 0; k < NMEMBERS; k++)
        r.members[k].name = names[k];
    const spgemm_status status = read_archive(&r, &made, descriptor);
    if (r.archive)
        archive_read_free(r.archive);
    for (int k = 0; k < NMEMBERS; k++)
        npz_member_clear(&r.members[k]);
    if (status == SPGEMM_SUCCESS)
        *A = made;
    else
        spgemm_csr_destroy(&made);
    if (status < 0 && !error->text[0])
        snprintf(error->text, sizeof error->text, "%s",
                 spgemm_status_string(status));
    return status;
}
